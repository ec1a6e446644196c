import { describe, expect, test } from 'vitest'
import { type ScimPart, scimGroups, scimReading } from './scimWorld.ts'
import { type ScimFault, type ScimGroup, scimError, scimJson } from './standIns/scim.ts'

/** Servers that cannot page, read by `pageSize: 0`. */

const groups = scimGroups(25)
const names = groups.map(({ displayName }) => displayName)
const unpaged: ScimPart = { limits: { pageSize: 0 } }

/** WSO2 Identity Server answers each request for groups with `startIndex` other than 1 like this, some versions each with `count` (wso2/product-is#5079, #23378). */
const refusesPages =
  (from: 1 | 2): ScimFault =>
  ({ key, query }, response) => {
    if (key !== 'groups' || Number(query.get('startIndex') ?? 0) < from) return false
    scimJson(response, 501, { detail: 'Pagination is not supported', status: '501' })
    return true
  }
/** The total is the number of rows in the page (AzureAD/SCIMReferenceCode#83). `most`: of one answer. */
const totalIsOfPage =
  (most: number): ScimFault =>
  ({ key, query }, response, all) => {
    if (key !== 'groups') return false
    const from = Math.max(1, Number(query.get('startIndex') ?? 1)) - 1
    const page = all.slice(from, from + Math.min(most, Number(query.get('count') ?? most)))
    scimJson(response, 200, { totalResults: page.length, Resources: page })
    return true
  }
/** Answers the n-th request for groups with these. */
const sends =
  (
    answer: (nth: number) => { readonly totalResults?: number; readonly nextCursor?: string; readonly Resources: readonly unknown[] },
  ): ScimFault =>
  ({ key, nth }, response) => {
    if (key !== 'groups') return false
    scimJson(response, 200, answer(nth))
    return true
  }

describe('a server that cannot page is named with the setting', () => {
  const cure = expect.stringContaining('if the server cannot page, set pageSize: 0')
  test.each([
    ['501 for each page', refusesPages(1)],
    ['501 for each page but the first', refusesPages(2)],
    [
      '400 for each page',
      (({ key, query }, response) => key === 'groups' && query.has('count') && (scimError(response, 400), true)) satisfies ScimFault,
    ],
    [
      '404 for each page but the first',
      (({ key, query }, response) =>
        key === 'groups' && query.get('startIndex') !== '1' && (scimError(response, 404), true)) satisfies ScimFault,
    ],
  ])('%s', async (_, fault) => {
    expect((await scimReading(groups, fault)).result).toMatchObject({ status: 'failed', cure })
  })

  test('a total that is that of the page', async () => {
    const { result } = await scimReading(groups, totalIsOfPage(10))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringContaining('set pageSize: 0') })
  })

  test('other errors are not about pages', async () => {
    const refused: ScimFault = ({ key }, response) => key === 'groups' && (scimError(response, 400, 'invalidFilter'), true)
    const { result } = await scimReading(groups, ({ key }, response) => key === 'groups' && (scimError(response, 403), true))
    expect(result).toMatchObject({ status: 'failed', cure: 'give its account the right to read groups' })
    expect((await scimReading(groups, refused, unpaged)).result).toMatchObject({ cure: expect.not.stringContaining('pageSize') })
  })
})

describe('pageSize: 0', () => {
  test.each([
    ['a usual server', undefined],
    ['501 for each page', refusesPages(1)],
    ['a total that is that of the page', totalIsOfPage(1_000)],
    ['no total', sends(() => ({ Resources: groups }))],
    ['a total that is too small', sends(() => ({ totalResults: 3, Resources: groups }))],
    ['another order', sends((nth) => ({ totalResults: 25, Resources: nth === 1 ? groups : groups.toReversed() }))],
  ])('%s: two equal answers to requests without startIndex and count', async (_, fault) => {
    const { result, names: read, asked } = await scimReading(groups, fault, unpaged)
    expect(result.status).toBe('complete')
    expect(new Set<string | undefined>(read)).toEqual(new Set(names))
    expect(asked.map(({ query }) => query.toString())).toEqual(Array.from({ length: 2 }, () => 'attributes=id%2CdisplayName'))
  })

  const first = groups.slice(0, 10)
  test.each<[string, ScimFault, string]>([
    [
      'a total above the rows',
      sends(() => ({ totalResults: 25, Resources: first })),
      'the server says that its list has 25 groups, and has sent 10 in an answer without pages: remove pageSize: 0, if the server can page',
    ],
    [
      'such a total in the second answer only',
      sends((nth) => ({ totalResults: nth === 1 ? 10 : 25, Resources: first })),
      'the server says that its list has 25 groups, and has sent 10',
    ],
    [
      'a next cursor',
      sends(() => ({ totalResults: 10, nextCursor: 'x', Resources: first })),
      'the server says that its list has a next page, and has sent 10',
    ],
    [
      'a group less',
      sends((nth) => ({ Resources: groups.slice(0, 26 - nth) })),
      'the groups were read twice, and the answers differ (25 and 24 groups): they changed meanwhile',
    ],
    ['another group', sends((nth) => ({ Resources: groups.slice(nth - 1, 10 + nth) })), 'the answers differ (11 and 11 groups)'],
    ['another name', sends((nth) => ({ Resources: [{ id: 'a', displayName: `n${nth}` }] })), 'the answers differ (1 and 1 group)'],
    [
      'a group twice',
      sends(() => ({ Resources: [...first, ...first.slice(0, 1)] })),
      'the server has sent the group id-0 twice in one answer',
    ],
    [
      'a group without a name',
      sends((nth) => ({ Resources: nth === 1 ? first : [...first, { id: 'a' }] })),
      'the group a has no displayName',
    ],
  ])('partial: %s', async (_, fault, missing) => {
    expect((await scimReading(groups, fault, unpaged)).result).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining(missing),
    })
  })

  test('more than groupsMax, by the rows or by the total', async () => {
    const most: ScimPart = { limits: { pageSize: 0, groupsMax: 24 } }
    for (const fault of [sends(() => ({ Resources: groups })), sends(() => ({ totalResults: 25, Resources: first }))])
      expect((await scimReading(groups, fault, most)).result).toMatchObject({
        status: 'failed',
        why: expect.stringContaining('there are at least 25 groups'),
      })
  })

  test('an answer that is too large names what to do', async () => {
    const { result } = await scimReading(scimGroups(500), undefined, { ...unpaged, bytesMax: 1_000 })
    expect(result).toMatchObject({
      status: 'failed',
      cure: 'set groups.filter, so that fewer groups match; or set pageSize to a number, if the server can page',
    })
  })

  test('the filter is sent, and attributes are asked for in the way that the server obeys', async () => {
    const withMembers = groups.map((group): ScimGroup => ({ ...group, members: 2 }))
    const { result, asked } = await scimReading(withMembers, undefined, {
      ...unpaged,
      groups: { filter: 'displayName sw "g1"' },
      oddities: { ignores: ['attributes'] },
    })
    expect(result.status).toBe('complete')
    expect(asked.map(({ query }) => decodeURIComponent(query.toString()).replaceAll('+', ' '))).toEqual([
      'attributes=id,displayName&filter=displayName sw "g1"',
      'excludedAttributes=members&filter=displayName sw "g1"',
      'excludedAttributes=members&filter=displayName sw "g1"',
    ])
  })
})
