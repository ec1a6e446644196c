import { describe, expect, test } from 'vitest'
import { scimGroups, scimReading } from './scimWorld.ts'
import { type ScimFault, type ScimGroup, scimJson } from './standIns/scim.ts'

const some = scimGroups(25)
const shown = (groups: readonly ScimGroup[], more: object = {}) => ({ totalResults: 25, Resources: groups, ...more })

/** Answers with this from the `from`th request for groups to the `to`th. */
const answering =
  (from: number, to: number, body: (nth: number) => unknown): ScimFault =>
  ({ key, nth }, response) => {
    if (key !== 'groups' || nth < from || nth > to) return false
    scimJson(response, 200, body(nth))
    return true
  }
/** Changes the groups before the `nth` request for groups. */
const changing =
  (nth: number, change: (groups: ScimGroup[]) => unknown): ScimFault =>
  (asked, _, groups) => {
    if (asked.key === 'groups' && asked.nth === nth) change(groups)
    return false
  }
const ever = Number.POSITIVE_INFINITY
const byCursor = { oddities: { cursors: true } } as const
const newGroup = { id: 'new', displayName: 'new' }

describe('a list that changes while it is read', () => {
  test.each([
    ['a group is added before', (groups: ScimGroup[]) => groups.unshift(newGroup), 'group 10 is no longer the same'],
    ['a group is removed before', (groups: ScimGroup[]) => groups.shift(), 'group 10 is no longer the same'],
    [
      'one is removed and one added, so that the total is the same',
      (groups: ScimGroup[]) => groups.push(newGroup) && groups.shift(),
      'group 10 is no longer the same',
    ],
    ['a group is added at the end', (groups: ScimGroup[]) => groups.push(newGroup), 'the list had 25 groups at first and 26 groups later'],
    ['the groups come in another order', (groups: ScimGroup[]) => groups.push(...groups.splice(0, 12)), 'group 10 is no longer the same'],
  ])('%s', async (_, change, missing) => {
    const { result } = await scimReading(some, changing(2, change))
    expect(result).toMatchObject({
      status: 'partial',
      missing: `${missing}: the list changed while it was read; if it is so at each reading, set pageSize: 0`,
    })
  })

  test.each([
    ['a group is added', (groups: ScimGroup[]) => groups.unshift(newGroup)],
    ['a group is removed', (groups: ScimGroup[]) => groups.shift()],
  ])('by cursor: %s', async (_, change) => {
    for (const nth of [2, 3, 4]) {
      const { result } = await scimReading(some, changing(nth, change), byCursor)
      expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('changed while it was read') })
    }
  })

  test('after the last page: the last request sees it', async () => {
    const { result } = await scimReading(
      some,
      changing(4, (groups) => groups.push(newGroup)),
    )
    expect(result).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('the list had 25 groups at first and 26 groups later'),
    })
  })

  test('a rename is no change of the list', async () => {
    const { result, names } = await scimReading(
      some,
      changing(2, (groups) => groups.splice(20, 1, { id: 'id-20', displayName: 'renamed' })),
    )
    expect(result.status).toBe('complete')
    expect(names).toContain('renamed')
  })
})

describe('an answer that does not fit', () => {
  test.each([
    ['the first page again', some.slice(0, 10), 'raise pageSize'],
    ['an empty page', [], 'the page that begins at group 10 of 25 is empty'],
    ['only the group that was the last one', some.slice(9, 10), 'only 10 of 25 groups came'],
    ['a group twice', [some[9], some[10], some[3]], 'id-3 came twice'],
    ['a group without an id', [some[9], { displayName: 'x' }], 'a group has no id'],
    ['a group without a name', [some[9], { id: 'half\u202e' }], 'the group half\\u{202e} has no displayName'],
    ['a group with an empty name', [some[9], { id: 'half', displayName: '' }], 'the group half has no displayName'],
    ['groups beyond the total', [some[9], ...scimGroups(20, 100)], 'the server says that its list has 25 groups, and has sent 30'],
  ])('by index, on the second page: %s', async (_, groups, missing) => {
    const { result } = await scimReading(
      some,
      answering(2, 2, () => shown(groups as ScimGroup[])),
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining(missing) })
  })

  test.each([
    ['the first page again', shown(some.slice(0, 10), { nextCursor: 'after-10' }), 'id-0 came twice'],
    ['an empty page with a cursor', shown([], { nextCursor: 'after-20' }), 'a page after 10 groups is empty, and there is a next one'],
    ['an empty page without a cursor', shown([]), 'only 10 of 25 groups came'],
    ['no cursor in the middle', shown(some.slice(10, 20)), 'only 20 of 25 groups came'],
    ['no total', { Resources: some.slice(10, 20), nextCursor: 'after-20' }, 'does not say how many groups there are'],
  ])('by cursor, on the second page: %s', async (_, body, missing) => {
    const { result } = await scimReading(
      some,
      answering(2, 2, () => body),
      byCursor,
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining(missing) })
  })

  test('a total without any group: the account may see none', async () => {
    const { result } = await scimReading(
      some,
      answering(1, ever, () => shown([])),
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('only 0 of 25 groups came') })
  })

  test('no group and no total, as an account without rights may see: complete and empty, which others do not believe', async () => {
    const { result, names } = await scimReading([])
    expect(result.status).toBe('complete')
    expect(names).toEqual([])
  })

  test('a server without totals', async () => {
    const { result } = await scimReading(
      some,
      answering(1, ever, () => ({ Resources: some })),
    )
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('(totalResults)') })
  })

  test('a server that gives the number in the page as the total', async () => {
    const { result } = await scimReading(some, ({ key, query }, response) => {
      if (key !== 'groups') return false
      const from = Number(query.get('startIndex')) - 1
      const page = some.slice(from, from + Number(query.get('count')))
      scimJson(response, 200, { totalResults: page.length, Resources: page })
      return true
    })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('10 groups at first and 2 groups later') })
  })

  test('a server with a constant total that is too small', async () => {
    const small = (groups: readonly ScimGroup[]) => ({ totalResults: 10, Resources: groups })
    const { result } = await scimReading(
      some,
      answering(1, ever, (nth) => small(nth === 1 ? some.slice(0, 10) : some.slice(9, 11))),
    )
    expect(result).toMatchObject({
      status: 'partial',
      missing: 'the server says that its list has 10 groups, and has sent 11; if it is so at each reading, set pageSize: 0',
    })
  })

  test('a server that ignores startIndex', async () => {
    const { result } = await scimReading(some, undefined, { oddities: { ignores: ['startIndex'] } })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('sends its first page instead of the one') })
  })

  test('a server that sends one group in a page', async () => {
    const { result } = await scimReading(some, undefined, { oddities: { cap: 1 } })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('only 1 of 25 groups came') })
  })

  test('groups without an externalId, if that is the name', async () => {
    const { result } = await scimReading([...some, { id: 'a', displayName: 'a' }], undefined, { groups: { name: 'externalId' } })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('set groups.filter: externalId pr') })
    const filtered = await scimReading([...some, { id: 'a', displayName: 'a' }], undefined, {
      groups: { name: 'externalId', filter: 'externalId pr' },
    })
    expect(filtered.result.status).toBe('complete')
  })

  test('ids that change from request to request', async () => {
    const { result } = await scimReading(
      some,
      answering(1, ever, (nth) => shown(some.slice(0, 10).map((group) => ({ ...group, id: `${group.id}-${nth}` })))),
    )
    expect(result.status).toBe('partial')
  })
})

describe('a server that ignores the filter', () => {
  const groups = [...scimGroups(3), { id: 'other', displayName: 'h1', externalId: 'h1' }]
  const ignoring = { oddities: { ignores: ['filter'] } } as const
  test.each(['displayName sw "G"', 'displayName sw "g" and id pr', 'displayName eq "g0" or displayName ew "2" or displayName co "1"'])(
    '%s: no group of another name is taken',
    async (filter) => {
      const { result, names } = await scimReading([...groups, { id: 'x', displayName: 'x' }], undefined, {
        ...ignoring,
        groups: { filter },
      })
      expect(result).toMatchObject({ status: 'partial', missing: expect.stringMatching(/"?(h1|x)"? does not match groups\.filter/) })
      expect(names).toEqual([])
    },
  )
  test('also by the external id', async () => {
    const { result } = await scimReading(groups, undefined, { ...ignoring, groups: { name: 'externalId', filter: 'externalId sw "x"' } })
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('h1 does not match groups.filter') })
  })
  test.each(['displayName ne "h1"', 'meta.created gt "2020-01-01"', 'displayName sw "g" or id pr', 'not (displayName eq "h1")'])(
    'of %s the names say nothing',
    async (filter) => expect((await scimReading(groups, undefined, { ...ignoring, groups: { filter } })).result.status).toBe('complete'),
  )
})
