import { describe, expect, test } from 'vitest'
import { withReadingDeadline } from '../../src/compose/directory.ts'
import type { Group } from '../../src/core/group.ts'
import type { GroupName } from '../../src/core/mapping.ts'
import type { MembersReading } from '../../src/core/people/membersReading.ts'
import { type KeycloakSettings, keycloak } from '../../src/directories/keycloak/read.ts'
import { always, type Branch, type Fault, fakeKeycloak, first, json } from './keycloak-fake.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'
import { membersOf } from './standIns/membersWorld.ts'

const secret = 'the-secret-of-the-reader'
const realm: readonly Branch[] = [
  { name: 'devs', people: 3, groups: [{ name: 'night', people: 12 }] },
  { name: 'ops', people: 2 },
  { name: 'empty' },
]
const identities = ['@example.org', 'name-1', 'u1']
const byName = { people: { identity: 'username', nested: false } } as const
const mails = (count: number) => Array.from({ length: count - 1 }, (_, n) => `u${n + 1}@example.org`).toSorted()

type Part = {
  readonly people?: KeycloakSettings['people']
  readonly limits?: Partial<KeycloakSettings['limits']>
  readonly bytesMax?: number
}

function directory(url: URL, { people = { identity: 'email', nested: false }, limits, bytesMax = 1_000_000 }: Part) {
  return keycloak(
    {
      url,
      realm: 't',
      client: { id: 'reader', secret: async () => secret },
      groups: { name: 'path', slashes: 'plain', members: false },
      people,
      limits: { pageSize: 5, groupsMax: 1_000, attemptsMax: 3, ...limits },
    },
    httpEnvironment({ bytesMax, connections: 8 }),
  )
}

async function reading(ids: readonly string[], fault?: Fault, part: Part = {}, groups = realm) {
  await using server = await fakeKeycloak(groups, fault)
  const told = await membersOf(directory(server.url, part), ids, [...identities, secret])
  return { ...told, asked: server.asked }
}

const empty = (response: Parameters<Fault>[2]) => json(response, 200, [])
const forbidden = (response: Parameters<Fault>[2]) => json(response, 403, { error: 'HTTP 403 Forbidden' })

describe('members of groups', () => {
  test('enabled people, page after page, and one request for a group with one page', async () => {
    const { status, people, notCounted, asked } = await reading(['/devs', '/devs/night'])
    expect(status).toBe('complete')
    expect(people).toEqual({ '/devs': mails(3), '/devs/night': mails(12) })
    expect(notCounted['/devs']).toEqual({ disabled: 1, groups: 0 })
    expect(asked.filter((key) => key === 'members /devs')).toHaveLength(1)
    expect(asked.filter((key) => key.startsWith('children'))).toEqual([])
  })

  test('an empty group is asked for twice, and has no people', async () => {
    const { status, people, asked } = await reading(['/empty', '/ops'])
    expect(status).toBe('complete')
    expect(people).toEqual({ '/empty': [], '/ops': mails(2) })
    expect(asked.filter((key) => key === 'members /empty')).toHaveLength(2)
  })

  test('200 [] at the wrong moment: asked again, for members and for subgroups', async () => {
    expect((await reading(['/devs'], first('members /devs', 1, empty))).people).toEqual({ '/devs': mails(3) })
    const nested = { people: { identity: 'email', nested: true } } as const
    expect((await reading(['/devs'], first('children /devs', 1, empty), nested)).people).toEqual({ '/devs': mails(12) })
  })

  test('accounts of clients are no people, and people whose names begin like theirs are', async () => {
    const named = ['service-account-eve', 'service-account-fay']
    const groups = [{ name: 'mixed', people: 2, services: ['service-account-app', 'service-account-job'], named }, ...realm]
    const { people, notCounted, asked } = await reading(['/mixed', '/devs'], undefined, byName, groups)
    expect(people).toEqual({ '/mixed': ['name-1', ...named], '/devs': ['name-1', 'name-2'] })
    expect(notCounted['/mixed']).toMatchObject({ disabled: 1 })
    expect(asked.filter((key) => key === 'users')).toHaveLength(2)
    expect((await reading(['/devs'], undefined, byName, groups)).asked).not.toContain('users')
  })

  test('a list of users that is empty at the wrong moment makes no person the account of a client', async () => {
    const groups = [{ name: 'mixed', services: ['service-account-app'], named: ['service-account-eve'] }]
    const { people, asked } = await reading(['/mixed'], first('users', 1, empty), byName, groups)
    expect(people).toEqual({ '/mixed': ['service-account-eve'] })
    expect(asked.filter((key) => key === 'users')).toHaveLength(3)
    const cut = await reading(['/mixed'], first('users', always, forbidden), byName, groups)
    expect([cut.status, cut.people]).toEqual(['failed', {}])
  })

  test('no user at all: not 0 people, but an account that sees none', async () => {
    const { status, why, cure } = await reading(['/empty'], undefined, {}, [{ name: 'empty' }])
    expect(status).toBe('failed')
    expect(why).toContain('the account of client "reader" sees no users of the realm t')
    expect(cure).toContain('the role view-users')
  })
})

/** A gateway that gives no page with more rows. */
const atMost =
  (rows: number): Fault =>
  (_, __, ___, query) => {
    if (query.has('max')) query.set('max', `${Math.min(rows, Number(query.get('max')))}`)
    return false
  }

describe('a gateway that gives smaller pages than it is asked for', () => {
  const nested = { people: { identity: 'email', nested: true } } as const
  const wide = [{ name: 'wide', groups: Array.from({ length: 4 }, (_, n) => ({ name: `w${n}`, people: 2 })) }, ...realm]
  test.each<[string, readonly string[], Part]>([
    ['members', ['/ops', '/devs/night'], {}],
    ['subgroups', ['/wide', '/ops'], nested],
  ])('%s are no whole list: failed, with the pageSize that helps', async (_, ids, part) => {
    const { status, why, cure } = await reading(ids, atMost(3), part, wide)
    expect(status).toBe('failed')
    expect(why).toMatch(/a list of (members|subgroups) ended after 3 rows, and has more/)
    expect(cure).toMatch(/^set (members\.)?pageSize to 3/)
  })

  test('with pages of this size all is read', async () => {
    const { status, people } = await reading(['/ops', '/devs/night', '/wide'], atMost(3), { ...nested, limits: { pageSize: 3 } }, wide)
    expect(status).toBe('complete')
    expect(people).toEqual({ '/ops': mails(2), '/devs/night': mails(12), '/wide': mails(2) })
  })

  test('people whose names begin like those of accounts are found behind one', async () => {
    const named = ['ann', 'eve', 'fay', 'kim'].map((name) => `service-account-${name}`)
    const cut: Fault = (key, nth, response, query) => key === 'users' && atMost(3)(key, nth, response, query)
    const { people } = await reading(['/mixed'], cut, byName, [{ name: 'mixed', named }])
    expect(people).toEqual({ '/mixed': named })
  })

  test('a group that grew meanwhile is no sign of one', async () => {
    const grown: Fault = (key, nth, response) =>
      key === 'members /devs' && nth === 1 && json(response, 200, [{ id: 'u1', email: 'u1@example.org', enabled: true }])
    expect((await reading(['/devs'], grown)).status).toBe('complete')
    const gone: Fault = (key, nth, response) => key === 'members /devs' && nth === 2 && json(response, 404, {})
    expect((await reading(['/devs'], gone)).people).toEqual({ '/devs': mails(3) })
  })

  test('a list whose end cannot be asked for is left out, and the next shorter one is asked', async () => {
    const groups = [{ name: 'big', people: 4 }, ...realm]
    const failing: Fault = (key, nth, response) => key === 'members /big' && nth > 1 && json(response, 500, {})
    const ids = ['/big', '/devs', '/ops']
    const { status, why, people, asked } = await reading(ids, failing, {}, groups)
    expect(status).toBe('partial')
    expect(why).toContain('/groups/%2Fbig/members: 500')
    expect(people).toEqual({ '/devs': mails(3), '/ops': mails(2) })
    expect(asked.filter((key) => key === 'members /devs')).toHaveLength(2)
    const peer = [{ name: 'peer', people: 4 }, ...groups]
    expect(Object.keys((await reading(['/big', '/peer'], failing, {}, peer)).people)).toEqual(['/peer'])
    const cut: Fault = (...about) => atMost(3)(...about) || failing(...about)
    const shorter = [{ name: 'large', people: 5 }, ...groups]
    expect((await reading([...ids, '/large'], cut, {}, shorter)).status).toBe('failed')
  })

  test('the look for one takes a few requests, and none if a page was full', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ name: `g${n}`, people: 2 }))
    const ids = many.map(({ name }) => `/${name}`)
    const asked = async (...more: Branch[]) =>
      (await reading([...ids, ...more.map(({ name }) => `/${name}`)], undefined, {}, [...many, ...more])).asked.filter((key) =>
        key.startsWith('members'),
      ).length
    expect(await asked()).toBe(108)
    expect(await asked({ name: 'larger', people: 3 })).toBe(102)
    expect(await asked({ name: 'full', people: 5 })).toBe(102)
  })
})

describe('a group that cannot be read', () => {
  test.each<[string, Fault, string]>([
    ['gone', first('members /devs', always, (response) => json(response, 404, {})), 'the group does not exist any more'],
    ['forbidden', first('members /devs', always, forbidden), 'may not read the members of this group'],
    [
      'a list that moved between two pages',
      (key, _, response, query) => key === 'members /devs/night' && query.get('first') === '4' && json(response, 200, [{ id: 'u9' }]),
      'the list changed while it was read',
    ],
    [
      'a member who comes twice',
      (key, _, response, query) =>
        key === 'members /devs/night' && query.get('first') === '4' && json(response, 200, [{ id: 'u4' }, { id: 'u1' }]),
      'a member came twice',
    ],
  ])('%s: it is unknown, and the others are known', async (_, fault, missing) => {
    const { status, people, why } = await reading(['/devs', '/devs/night', '/ops'], fault)
    expect(status).toBe('partial')
    expect(why).toContain(missing)
    expect(Object.keys(people)).toHaveLength(2)
    expect(people['/ops']).toEqual(mails(2))
  })

  test('more than 100,000 members: unknown', async () => {
    const huge = [{ name: 'huge', people: 100_002 }, ...realm]
    const { people, why } = await reading(['/huge', '/ops'], undefined, { limits: { pageSize: 1_000 } }, huge)
    expect(people).toEqual({ '/ops': mails(2) })
    expect(why).toContain('there are more than 100,000 members')
  })

  test('none may be read: failed with the role to give, and most groups are not requested', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ name: `g${n}`, people: 2 }))
    const { status, cure, asked } = await reading(
      many.map(({ name }) => `/${name}`),
      (key, _, response) => key.startsWith('members') && forbidden(response),
      {},
      many,
    )
    expect(status).toBe('failed')
    expect(cure).toBe('give the service account of client "reader" the role view-users of the client realm-management')
    expect(asked.filter((key) => key.startsWith('members')).length).toBeLessThan(40)
  })

  test('a database that fails: failed after three attempts', async () => {
    const { status, why, asked } = await reading(
      ['/devs'],
      first('members /devs', always, (response) => json(response, 500, {})),
    )
    expect(status).toBe('failed')
    expect(why).toContain('/groups/%2Fdevs/members: 500')
    expect(asked.filter((key) => key === 'members /devs')).toHaveLength(3)
  })

  test('a server that hangs meets the limit of the reading', async () => {
    await using server = await fakeKeycloak(
      realm,
      first('members /devs', always, () => {}),
    )
    const { members } = directory(server.url, {})
    const group: Group = { id: '/devs', name: '/devs' as GroupName, place: '/devs' }
    const limit = { ms: 1_000, setting: 'directories.corp.readingTimeout' }
    const read = withReadingDeadline<MembersReading>(
      async (until, left) => members?.([group], 0, until, left) ?? expect.fail(),
      limit,
      Date.now,
    )
    const told = await read(new AbortController().signal)
    expect(told).toMatchObject({ status: 'partial', missing: 'it was not read within 1 s, its share of the time for all groups' })
    expect('unread' in told ? told.unread?.get('/devs')?.cure : undefined).toContain('directories.corp.readingTimeout')
  })
})
