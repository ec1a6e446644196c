import { describe, expect, test } from 'vitest'
import { withReadingDeadline } from '../../src/compose/directory.ts'
import type { Group } from '../../src/core/group.ts'
import type { GroupName } from '../../src/core/mapping.ts'
import { type ScimSettings, scim } from '../../src/directories/scim/read.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'
import { membersOf } from './standIns/membersWorld.ts'
import { type ScimFault, type ScimGroup, type ScimOddities, scimError, scimJson, scimToken, standInScim } from './standIns/scim.ts'

const person = (n: number, more: object = {}) => ({
  id: `id-of-${n}`,
  userName: `Name-${n}`,
  emails: [{ value: `person${n}@example.org` }],
  ...more,
})
const member = (n: number) => ({ value: `id-of-${n}`, type: 'User' })
const mails = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `person${from + n}@example.org`).toSorted()
const people = (count: number) => Array.from({ length: count }, (_, n) => person(n))
const group = (id: string, ...members: readonly object[]): ScimGroup => ({ id, displayName: id, members })
const usual = [group('devs', member(1), member(2)), group('ops', member(2), member(3))]

type Part = {
  readonly people?: ScimSettings['people']
  readonly membersPageSize?: number
  readonly oddities?: ScimOddities
  readonly bytesMax?: number
}

function directory(url: URL, { people = { identity: 'email', nested: false }, membersPageSize, bytesMax = 200_000 }: Part) {
  return scim(
    {
      url,
      credential: { token: async () => scimToken },
      allowPlaintext: false,
      groups: { name: 'displayName' },
      people,
      limits: { pageSize: 10, groupsMax: 1_000, attemptsMax: 3, ...(membersPageSize === undefined ? {} : { membersPageSize }) },
    },
    httpEnvironment({ deadlineMs: 1_000, bytesMax, connections: 8 }),
  )
}

async function reading(groups: readonly ScimGroup[], ids: readonly string[], fault?: ScimFault, part: Part = {}) {
  await using server = await standInScim(groups, fault, { users: people(10), ...part.oddities })
  const told = await membersOf(directory(server.url, part), ids, ['@example', 'id-of', 'Name-', scimToken])
  return { ...told, asked: server.requests.map(({ key }) => key), requests: server.requests }
}
const none = { disabled: 0, groups: 0 }
const lost = 'the server answers that some members do not exist'
/** Answers the requests for one key. */
const at =
  (key: string, answer: (response: Parameters<ScimFault>[1]) => void): ScimFault =>
  (asked, response) => {
    if (asked.key !== key) return false
    answer(response)
    return true
  }

describe('who a member is', () => {
  test('devices and applications are neither people nor groups', async () => {
    const kinds = ['Device', 'Application'].map((type, n) => ({ value: `thing-${n}`, type }))
    const { people, notCounted } = await reading([group('devs', member(1), ...kinds)], ['devs'])
    expect(people).toEqual({ devs: mails(1, 1) })
    expect(notCounted).toEqual({ devs: undefined })
  })

  test('without a type the reference decides, without a reference a look-up of users, then of groups', async () => {
    const inside = [{ value: 'ops', $ref: 'https://elsewhere.example.org/v2/Groups/ops' }, { value: 'night' }, { value: 'id-of-gone' }]
    const groups = [
      ...usual,
      group('night', member(4)),
      group('all', { $ref: '../Users/id-of-1' }, { value: 'id-of-5', type: null }, ...inside),
    ]
    const direct = await reading(groups, ['all'])
    expect(direct.people).toEqual({ all: ['person1@example.org', 'person5@example.org'] })
    expect(direct.notCounted).toEqual({ all: { ...none, groups: 2 } })
    expect(direct.gaps).toEqual({ all: { doubtful: 1, why: expect.stringContaining(lost) as string } })
    expect(direct.asked).not.toContain('/Users/ops')
    const nested = await reading(groups, ['all'], undefined, { people: { identity: 'email', nested: true } })
    expect(nested.people).toEqual({ all: mails(1, 5) })
    // What does not exist may have been a group.
    expect(nested.gaps).toEqual({ all: { more: expect.stringContaining(lost) as string } })
  })

  test('an id that a person and a group share is both', async () => {
    const both = [
      { value: 'id-of-1', type: 'User' },
      { value: 'id-of-1', type: 'Group' },
    ]
    for (const members of [both, both.toReversed()]) {
      const { people, notCounted } = await reading([group('devs', ...members, member(2)), ...usual.slice(1)], ['devs'])
      expect(people).toEqual({ devs: mails(1, 2) })
      expect(notCounted['devs']).toEqual({ ...none, groups: 1 })
    }
  })

  test('a disabled person who comes twice, with a type and without one, counts once', async () => {
    const users = [person(1, { active: false }), person(2)]
    const { notCounted } = await reading([group('devs', { value: 'id-of-1' }, member(1), member(2))], ['devs'], undefined, {
      oddities: { users },
    })
    expect(notCounted['devs']).toEqual({ ...none, disabled: 1 })
  })

  test('a member without an id makes the group unknown, and not smaller', async () => {
    const { status, people, why } = await reading([...usual, group('odd', member(1), { display: 'Ann' })], ['odd', 'ops'])
    expect(status).toBe('partial')
    expect(people).toEqual({ ops: mails(2, 3) })
    expect(why).toContain('/Groups/odd: a member has no id')
  })

  const odd = ['..', '.', '\ud800']
  test.each(odd)('nothing is asked about a member with the id %j, and the group has at least the others', async (value) => {
    for (const type of ['User', undefined]) {
      const { status, people, gaps, asked } = await reading([group('devs', member(1), { value, type })], ['devs'])
      expect([status, people]).toEqual(['complete', { devs: mails(1, 1) }])
      expect(gaps).toEqual({ devs: { doubtful: 1, why: expect.stringContaining(lost) as string } })
      expect(asked).toEqual(['/Groups/devs', '/Users/id-of-1'])
    }
  })
  test.each(odd)('with nested, a group inside with the id %j may have others, and the outer group has at least its own', async (value) => {
    const groups = [group('devs', member(1), { value, type: 'Group' }), ...usual.slice(1)]
    const direct = await reading(groups, ['devs'])
    expect([direct.people, direct.notCounted['devs']]).toEqual([{ devs: mails(1, 1) }, { ...none, groups: 1 }])
    const nested = await reading(groups, ['devs', 'ops'], undefined, { people: { identity: 'email', nested: true } })
    expect(nested.people).toEqual({ devs: mails(1, 1), ops: mails(2, 3) })
    expect(nested.gaps).toEqual({ devs: { more: expect.stringContaining('cannot be a part of an address') as string } })
    expect(nested.why).toContain('cannot be a part of an address')
    expect(nested.asked.filter((key) => key.startsWith('/Groups'))).toEqual(['/Groups/devs', '/Groups/ops'])
  })
  test('an id is one part of an address, whatever it has in it', async () => {
    const users = ['a/b', 'a?b', '#a', '%2e%2e', 'ä b'].map((id, n) => person(n, { id }))
    const members = users.map(({ id }) => ({ value: id, type: 'User' }))
    const { people, asked } = await reading([group('devs', ...members)], ['devs'], undefined, { oddities: { users } })
    expect(people).toEqual({ devs: mails(0, 4) })
    expect(asked).toHaveLength(6)
  })

  test('the primary mail address, then the first; a user who is not active is disabled', async () => {
    const users = [
      person(1, { emails: [{ value: 'other@example.org' }, { value: 'Main@example.org', primary: true }] }),
      person(2, { emails: null, active: null }),
      person(3, { active: false }),
      person(4, { active: 'False' }),
      person(5, { active: 'perhaps' }),
    ]
    const devs = group('devs', ...[1, 2, 3, 4, 5].map(member))
    const { people, notCounted, gaps } = await reading([devs], ['devs'], undefined, {
      oddities: { users },
    })
    expect(people).toEqual({ devs: ['\u0000id-of-2', 'main@example.org'] })
    expect(gaps).toEqual({
      devs: { doubtful: 1, why: expect.stringContaining('active of a member has a value that is not understood') as string },
    })
    expect(notCounted).toEqual({ devs: { ...none, disabled: 2 } })
  })
})

describe('how users are read', () => {
  const wide = (count: number) => [group('wide', ...Array.from({ length: count }, (_, n) => member(n)))]

  test('one by one if that needs fewer requests than all pages', async () => {
    const { people: found, asked } = await reading(wide(15), ['wide'], undefined, { oddities: { users: people(200) } })
    expect(found).toEqual({ wide: mails(0, 14) })
    expect(asked.filter((key) => key.startsWith('/Users/'))).toHaveLength(15)
    expect(asked.filter((key) => key === 'users')).toHaveLength(1)
  })

  test('all pages if there are fewer than members, each with only the needed attributes', async () => {
    const { people: found, asked, requests } = await reading(wide(30), ['wide'], undefined, { oddities: { users: people(200) } })
    expect(found).toEqual({ wide: mails(0, 29) })
    expect(asked.filter((key) => key.startsWith('/Users/'))).toEqual([])
    // The size of the list, 23 pages that begin with the last user of the page before, and the end.
    expect(asked.filter((key) => key === 'users')).toHaveLength(25)
    expect(new Set(requests.filter(({ key }) => key === 'users').map(({ query }) => query.get('attributes')))).toEqual(
      new Set(['id,emails,active']),
    )
  })

  test('a list of users that is not whole leaves the members doubtful whom it lacks', async () => {
    const cut: ScimFault = ({ key, nth }, response) => {
      if (key !== 'users' || nth < 4) return false
      scimJson(response, 200, { totalResults: 200, Resources: [] })
      return true
    }
    const groups = [...wide(30), group('known', member(1))]
    const { status, people: found, gaps } = await reading(groups, ['wide', 'known'], cut, { oddities: { users: people(200) } })
    expect(status).toBe('complete')
    expect(found['known']).toEqual(mails(1, 1))
    const why = expect.stringContaining('/Users: the page that begins at user 19 of 200 is empty') as string
    expect(gaps).toEqual({ wide: { doubtful: 30 - (found['wide'] ?? []).length, why } })
  })

  test.each<[string, (response: Parameters<ScimFault>[1]) => void]>([
    ['500 with the id in its text', (response) => scimJson(response, 500, { detail: 'no user id-of-1' })],
    ['a connection that is cut', (response) => response.destroy()],
    ['no answer', () => {}],
    ['another shape', (response) => scimJson(response, 200, { id: 'id-of-1', emails: 'person1@example.org' })],
  ])('%s: failed, and no sentence says who it was', async (_, answer) => {
    const { status, why } = await reading(usual, ['devs'], at('/Users/id-of-1', answer))
    expect(status).toBe('failed')
    expect(why).toContain('/Users/•••')
  })

  test.each([['devs'], ['many']])(
    'a server without users, which answers 404 to each: the number is unknown, and not 0 (%s)',
    async (wanted) => {
      const many = group('many', ...Array.from({ length: 30 }, (_, n) => member(n)))
      const { status, people, why } = await reading([...usual, many], [wanted], ({ key }, response) => {
        if (!key.startsWith('/Users') && key !== 'users') return false
        scimError(response, 404)
        return true
      })
      expect(status).toBe('partial')
      expect(people).toEqual({})
      expect(why).toContain('/Users')
    },
  )

  test('an account that may not read users: failed with what to allow', async () => {
    const { status, why, cure } = await reading(usual, ['devs', 'ops'], ({ key }, response) => {
      if (!key.startsWith('/Users')) return false
      scimError(response, 403)
      return true
    })
    expect(status).toBe('failed')
    expect(why).toContain('the token may not read the members of groups, or users')
    expect(cure).toContain('/Groups with members, and /Users')
  })
})

describe('a group whose answer has no members', () => {
  const bare: ScimFault = ({ key }, response) => {
    if (key !== '/Groups/bare') return false
    scimJson(response, 200, { id: 'bare' })
    return true
  }
  const groups = [...usual, group('bare'), group('listed')]

  test.each(['default', 'request', 'always'])('has none if the schema says that they are returned: %s', async (membersReturned) => {
    const { status, people } = await reading(groups, ['bare'], bare, { oddities: { membersReturned } })
    expect(status).toBe('complete')
    expect(people).toEqual({ bare: [] })
  })

  test.each(['devs', 'listed'])('has none if another group has members or an empty list: %s', async (other) => {
    const { status, people, asked } = await reading(groups, ['bare', other], bare)
    expect(status).toBe('complete')
    expect(people['bare']).toEqual([])
    expect(asked).not.toContain('schema')
  })

  test('is unknown if neither the schema nor another group says it', async () => {
    const { status, people, why } = await reading(groups, ['bare'], bare)
    expect(status).toBe('partial')
    expect(people).toEqual({})
    expect(why).toContain('no schema says that the server shows them')
  })

  test('a server that never returns them: failed', async () => {
    const { status, why, cure } = await reading(groups, ['bare'], bare, { oddities: { membersReturned: 'never' } })
    expect(status).toBe('failed')
    expect(why).toContain('never returns their members')
    expect(cure).toContain('remove people')
  })
})

/** Answers with 200 that are not the resource that was requested (RFC 7643 §3.1: each resource has its id). */
const errorBody = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail: 'Resource not found' }
const listOf = (...Resources: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: Resources.length,
  Resources,
})

describe('an answer 200 that is not the requested resource', () => {
  test.each<[string, object]>([
    ['an error', errorBody],
    ['an empty object', {}],
    ['a list around the group', listOf({ id: 'devs', members: [member(1)] })],
    ['another group', { id: 'ops', members: [member(2)] }],
    ['a group without an id', { id: null, members: [member(1)] }],
  ])('in the place of a group, %s: the group is unknown, and the others are known', async (_, body) => {
    const fault = at('/Groups/devs', (response) => scimJson(response, 200, body))
    const { status, people, why } = await reading(usual, ['devs', 'ops'], fault)
    expect([status, people]).toEqual(['partial', { ops: mails(2, 3) }])
    expect(why).toContain('/Groups/devs: 200, but the answer is not the requested group')
  })

  test.each<[string, object]>([
    ['an error', errorBody],
    ['an empty object', {}],
    ['an empty list', listOf()],
    ['another user', person(9)],
    ['the id in another case', person(1, { id: 'ID-OF-1' })],
  ])('in the place of a user, %s: groups with this user are unknown, and the others are known', async (_, body) => {
    const fault = at('/Users/id-of-1', (response) => scimJson(response, 200, body))
    const { status, people, why } = await reading(usual, ['devs', 'ops'], fault)
    expect([status, people]).toEqual(['partial', { ops: mails(2, 3) }])
    expect(why).toContain('/Users/•••: 200, but the answer is not the requested user')
  })

  test('in the place of a group inside: the outer group is unknown', async () => {
    const groups = [...usual, group('all', member(1), { value: 'gone' })]
    const fault = at('/Groups/gone', (response) => scimJson(response, 200, errorBody))
    const { status, people, why } = await reading(groups, ['all', 'ops'], fault)
    expect([status, people]).toEqual(['partial', { ops: mails(2, 3) }])
    expect(why).toContain('/Groups/•••: 200, but the answer is not the requested group')
  })

  test('the id is requested beside the members', async () => {
    const { requests } = await reading(usual, ['devs'])
    expect(requests.find(({ key }) => key === '/Groups/devs')?.query.get('attributes')).toBe('id,members')
  })
})

describe('a group that cannot be read', () => {
  test('an answer that is too large: it is unknown, and the others are known', async () => {
    const huge = group('huge', ...Array.from({ length: 3_000 }, (_, n) => member(n)))
    const { status, people, why } = await reading([huge, ...usual], ['huge', 'devs'], undefined, { bytesMax: 50_000 })
    expect(status).toBe('partial')
    expect(people).toEqual({ devs: mails(1, 2) })
    expect(why).toContain('more than 50000 bytes')
  })

  test('a server that hangs meets the limit of the reading', async () => {
    await using server = await standInScim(usual, ({ key }) => key === '/Groups/devs')
    const { members } = directory(server.url, {})
    const devs: Group = { id: 'devs', name: 'devs' as GroupName, place: '' }
    const limit = { ms: 1_000, setting: 'directories.corp.readingTimeout' }
    const read = withReadingDeadline(async (until, left) => members?.([devs], 0, until, left) ?? expect.fail(), limit, Date.now)
    expect(await read(new AbortController().signal)).toMatchObject({
      status: 'partial',
      missing: 'it was not read within 1 s, its share of the time for all groups',
    })
  })
})

describe('members.pageSize', () => {
  const large = [group('all', ...Array.from({ length: 30 }, (_, n) => member(n)))]
  const oddities = { users: people(30) }

  test('is the size of the pages of users, beside that of groups', async () => {
    const { people, requests } = await reading(large, ['all'], undefined, { membersPageSize: 17, oddities })
    expect(people).toEqual({ all: mails(0, 29) })
    expect(requests.find(({ key }) => key === 'users')?.query.get('count')).toBe('17')
  })

  test.each([
    ['has all users', 1_000, 0],
    ['is cut, so the other users are requested one by one', 20, 10],
  ])('0: an answer without pages %s', async (_, cap, singles) => {
    const { people, requests } = await reading(large, ['all'], undefined, { membersPageSize: 0, oddities: { ...oddities, cap } })
    expect(people).toEqual({ all: mails(0, 29) })
    const users = requests.filter(({ key }) => key === 'users')
    expect(users.map(({ query }) => query.toString())).toEqual(['attributes=id%2Cemails%2Cactive'])
    expect(requests.filter(({ key }) => key.startsWith('/Users/'))).toHaveLength(singles)
  })

  test.each([
    ['the server refuses such a list', at('users', (response) => scimError(response, 403)), {}],
    ['the answer is too large', undefined, { bytesMax: 1_900 }],
    ['it fails', at('users', (response) => scimError(response, 500)), {}],
  ])('0: if %s, users are requested one by one', async (_, fault, more) => {
    const { people, asked } = await reading(large, ['all'], fault, { membersPageSize: 0, oddities, ...more })
    expect(people).toEqual({ all: mails(0, 29) })
    expect(asked.filter((key) => key.startsWith('/Users/'))).toHaveLength(30)
  })

  test('0: who does not exist is not among the members, whatever the list has', async () => {
    const gone = [group('all', ...Array.from({ length: 31 }, (_, n) => member(n)))]
    const { people, gaps } = await reading(gone, ['all'], undefined, { membersPageSize: 0, oddities: { ...oddities, cap: 20 } })
    expect(people).toEqual({ all: mails(0, 29) })
    expect(gaps).toEqual({ all: { doubtful: 1, why: expect.stringContaining(lost) as string } })
  })
})
