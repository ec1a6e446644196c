import { describe, expect, test } from 'vitest'
import type { OktaPeople } from '../../../src/directories/okta/members.ts'
import type { OktaSettings } from '../../../src/directories/okta/read.ts'
import { json } from '../rawServer.ts'
import { membersOf } from '../standIns/membersWorld.ts'
import { everyone, group, type OktaFault, oktaStandIn, problem } from '../standIns/okta.ts'
import { type OktaUser, user } from '../standIns/oktaMembers.ts'
import { movingClock, readerOf } from '../standIns/oktaReading.ts'

type Users = Readonly<Record<string, readonly OktaUser[]>>
type More = {
  readonly wanted?: readonly string[]
  readonly fault?: OktaFault
  readonly settings?: Partial<OktaSettings>
  readonly rateLimit?: number
  readonly bytesMax?: number
  readonly signal?: AbortSignal
  readonly leftMs?: number
}

async function read(users: Users, identity: OktaPeople['identity'] = 'email', more: More = {}) {
  const wanted = more.wanted ?? Object.keys(users)
  const { now, waits, clock } = movingClock()
  const groups = [everyone, ...[...new Set([...wanted, ...Object.keys(users)])].filter((id) => id !== 'gone').map((id) => group(id, id))]
  const { fault, rateLimit } = more
  await using server = await oktaStandIn({ groups, users, now, ...(fault && { fault }), ...(rateLimit && { rateLimit }) })
  const { reader } = readerOf(
    server,
    { settings: { people: { identity }, ...more.settings }, deadlineMs: 2_000, bytesMax: more.bytesMax ?? 100_000 },
    clock,
  )
  const identities = Array.from({ length: 30 }, (_, n) => [`person-${n}@`, `login-${n}@`, `00u${n}`]).flat()
  const { signal, leftMs } = more
  const told = await membersOf(reader, wanted, identities, {
    ...(signal && { signal }),
    ...(leftMs !== undefined && { deadline: { leftMs: () => leftMs } }),
  })
  return { ...told, asked: server.asked, requests: server.requests, waits }
}

const ofGroup =
  (id: string, answer: OktaFault): OktaFault =>
  (asked) =>
    asked.request.url?.includes(`/groups/${id}/users`) === true && answer(asked)
const two: Users = { a: [user(1)], b: [user(2)] }

describe('members of groups', () => {
  test('people are those who can sign in without an administrator; the others are counted apart', async () => {
    const able = ['ACTIVE', 'PROVISIONED', 'RECOVERY', 'PASSWORD_EXPIRED', 'LOCKED_OUT']
    const others = ['STAGED', 'SUSPENDED', 'DEPROVISIONED']
    const { status, people, notCounted, requests } = await read({ a: [...able, ...others].map((state, n) => user(n, state)), b: [user(0)] })
    expect(status).toBe('complete')
    expect(people).toEqual({ a: able.map((_, n) => `person-${n}@example.com`), b: ['person-0@example.com'] })
    expect(notCounted).toEqual({ a: { disabled: 3, groups: 0 }, b: undefined })
    const [, asked] = requests
    expect(asked).toMatchObject({ method: 'GET', url: '/api/v1/groups/a/users?limit=3' })
  })

  test.each([
    ['email', ['\u000000u2', 'person-1@example.com']],
    ['login', ['login-1@example.com', 'login-2@example.com']],
    ['id', ['00u1', '00u2']],
  ] as const)('a person is known by %s, and by the id without one', async (identity, expected) => {
    const { people } = await read({ a: [user(1), user(2, 'ACTIVE', { email: null })] }, identity)
    expect(people).toEqual({ a: expected })
  })

  test('pages are read to the last one, and an empty group has no people', async () => {
    const { status, people, asked } = await read({ a: Array.from({ length: 8 }, (_, n) => user(n)), b: [] })
    expect(status).toBe('complete')
    expect(people['a']).toHaveLength(8)
    expect(people['b']).toEqual([])
    expect(asked.toSorted()).toEqual(['token', 'users 1', 'users 1', 'users 2', 'users 3'])
  })

  test('the reserve of the rate limit is kept, as for groups', async () => {
    const users = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`g${n}`, [user(n % 30)]]))
    const { status, people, waits } = await read(users, 'email', { settings: { reserve: 0.5 }, rateLimit: 40 })
    expect(status).toBe('complete')
    expect(Object.keys(people)).toHaveLength(60)
    expect(waits.length).toBeGreaterThan(0)
  })

  test('the reserve is also kept if the groups have used up the rest of the window a moment before', async () => {
    const { now, waits, clock } = movingClock()
    const groups = [everyone, ...Array.from({ length: 5 }, (_, n) => group(`g${n}`, `g${n}`))]
    // Two pages of groups and the list of changed groups use half of the window.
    await using server = await oktaStandIn({ groups, users: { g0: [user(0)] }, rateLimit: 6, now })
    const settings = { people: { identity: 'email' }, reserve: 0.5 } as const
    const { reader } = readerOf(server, { settings, deadlineMs: 2_000, bytesMax: 100_000 }, clock)
    expect(await reader.read(AbortSignal.timeout(20_000))).toMatchObject({ status: 'complete' })
    expect([server.asked.length, waits]).toEqual([4, []])
    expect(await membersOf(reader, ['g0'], ['person-0@example.com'], {})).toMatchObject({ status: 'complete' })
    expect([server.asked.length, waits.length]).toEqual([5, 1])
    expect(waits[0]).toBeGreaterThan(50_000)
  })

  test('a wait for the rate limit that is longer than the time that is left ends the reading, and what was read is kept', async () => {
    const users = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`g${n}`, [user(n % 30)]]))
    const told = await read(users, 'email', { settings: { reserve: 0.5 }, rateLimit: 40, leftMs: 5_000 })
    expect(told.status).toBe('partial')
    expect(told.why).toContain('used up to the reserve')
    const known = Object.keys(told.people).length
    expect(known).toBeGreaterThan(0)
    expect(known).toBeLessThan(60)
  })
})

describe('members that are not known', () => {
  test.each<[string, OktaFault, string]>([
    [
      'that is refused',
      ({ response }) => {
        problem(response, 403, 'E0000006', 'You do not have permission to perform the requested action')
        return true
      },
      '403, the account may not read the members of this group',
    ],
    [
      'with a member that comes twice',
      ({ response }) =>
        json(response, 200, [user(2), user(2)], { link: `<http://${response.req.headers.host}${response.req.url}>; rel="self"` }) ===
        undefined,
      'a member came twice: the list changed while it was read',
    ],
    ['whose page has no header Link', ({ response }) => json(response, 200, [user(2)]) === undefined, 'the last page has no header Link'],
    [
      'without members, whose header Link cannot be read',
      ({ response }) => json(response, 200, [], { link: 'damaged' }) === undefined,
      'the last page has no header Link',
    ],
  ])('a group %s is left out, and the other group is known', async (_, answer, why) => {
    const told = await read(two, 'email', { fault: ofGroup('b', answer) })
    expect(told).toMatchObject({ status: 'partial', people: { a: ['person-1@example.com'] } })
    expect(told.why).toContain('/api/v1/groups/b/users: ')
    expect(told.why).toContain(why)
  })

  test('a member with a status that Okta did not document is doubtful, and the others are known', async () => {
    const answer = ofGroup(
      'b',
      ({ response }) =>
        json(response, 200, [user(3), user(2, 'FROZEN')], { link: '<https://example.okta.com/x>; rel="self"' }) === undefined,
    )
    const told = await read(two, 'email', { fault: answer })
    expect(told).toMatchObject({ status: 'complete', people: { a: ['person-1@example.com'], b: ['person-3@example.com'] } })
    expect(told.gaps).toEqual({
      b: { doubtful: 1, why: 'status of a member has a value that is not understood, so it is not known whether this account can sign in' },
    })
  })

  test('the text of an answer that is no list names no person', async () => {
    const answer = ofGroup('b', ({ response }) => json(response, 203, [user(2)]) === undefined)
    const told = await read(two, 'email', { fault: answer })
    expect(told).toMatchObject({ status: 'partial', people: { a: ['person-1@example.com'] } })
    expect(told.why).toContain('/api/v1/groups/b/users')
    expect(told.why).not.toContain('person-2')
  })

  test('a group of more than 100,000 members is left out, and is not read to its end', async () => {
    let pages = 0
    const fault = ofGroup('b', ({ request, response }) => {
      const next = new URL(request.url ?? '/', `http://${request.headers.host}`)
      next.searchParams.set('after', Buffer.from(`{"page":${++pages}}`).toString('base64url'))
      response.setHeader('link', `<${next.href}>; rel="next"`)
      json(
        response,
        200,
        Array.from({ length: 2_000 }, (_, n) => user(2_000 * pages + n)),
      )
      return true
    })
    const told = await read(two, 'email', { fault, bytesMax: 1_000_000 })
    expect(told).toMatchObject({ status: 'partial', people: { a: ['person-1@example.com'] } })
    expect(told.why).toContain('more than 100,000 members')
    expect(pages).toBe(51)
  })

  test('the limit on requests of a reading of groups does not count for members', async () => {
    const users = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`g${n}`, [user(n % 30)]]))
    const settings = { limits: { pageSize: 3, groupsMax: 3 } }
    expect(await read(users, 'email', { settings })).toMatchObject({ status: 'complete' })
  })

  test('a group that is gone is left out', async () => {
    const told = await read(two, 'email', { wanted: ['a', 'gone'] })
    expect(told).toMatchObject({ status: 'partial', people: { a: ['person-1@example.com'] } })
    expect(told.why).toContain('404, the group is not there any more')
  })

  test('without the right no number is known, and the failure names the role', async () => {
    const fault: OktaFault = ({ key, response }) => {
      if (!key.startsWith('users')) return false
      problem(response, 403, 'E0000006', 'You do not have permission to perform the requested action')
      return true
    }
    const told = await read(two, 'email', { fault })
    expect(told).toMatchObject({ status: 'failed', people: {} })
    expect(told.cure).toContain('an admin role that may see all groups and all users, such as Read-Only Administrator')
  })

  test('a token that is refused, or the end of the time, gives no members', async () => {
    const fault: OktaFault = ({ key, response }) => {
      if (!key.startsWith('users')) return false
      problem(response, 401, 'E0000011')
      return true
    }
    expect(await read(two, 'email', { fault })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('401, the token is not valid'),
    })
    const late = await read(two, 'email', { fault: ({ key }) => key.startsWith('users'), signal: AbortSignal.timeout(200) })
    expect(late).toMatchObject({ status: 'failed', people: {}, why: expect.stringContaining('given up while it was read') })
  })
})
