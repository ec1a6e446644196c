import { describe, expect, test } from 'vitest'
import type { GooglePeople } from '../../src/directories/google/members.ts'
import { type Fault, googleStandIn } from './standIns/google.ts'
import { errorBody, json } from './standIns/googleAnswers.ts'
import { type GoogleMember, inside, user } from './standIns/googleMembers.ts'
import { worldOf } from './standIns/googleWorld.ts'
import { membersOf } from './standIns/membersWorld.ts'

type Members = Readonly<Record<string, readonly GoogleMember[]>>
type More = { readonly wanted?: readonly string[]; readonly fault?: Fault; readonly signal?: AbortSignal; readonly requestsMax?: number }

async function read(members: Members, people: Partial<GooglePeople> = {}, more: More = {}) {
  await using server = await googleStandIn([], { members }, more.fault)
  const settings = { people: { identity: 'email', nested: false, ...people } as const }
  const world = worldOf(server, { settings, limits: { attemptsMax: 2, ...(more.requestsMax && { requestsMax: more.requestsMax }) } })
  const identities = Array.from({ length: 30 }, (_, n) => [`person-${n}@`, `/10${n}`]).flat()
  const told = await membersOf(world.reader, more.wanted ?? Object.keys(members), identities, {
    ...(more.signal && { signal: more.signal }),
  })
  return { ...told, asked: server.asked, requests: server.requests }
}

const refused: Fault = (key, _, response) => {
  if (!key.startsWith('members')) return false
  json(response, 403, errorBody(403, 'forbidden', 'Not Authorized to access this resource/api'))
  return true
}
const answers =
  (group: string, body: object): Fault =>
  (key, _, response) =>
    key === `members ${group} 1` && json(response, 200, body)

describe('members of groups', () => {
  test('people are active users; suspended and archived ones, and groups inside, are counted apart', async () => {
    const away = [user(2, { status: 'SUSPENDED' }), user(3, { status: 'ARCHIVED' })]
    const { status, people, notCounted, requests } = await read({ devs: [user(1), ...away, inside('ops')], ops: [user(1)] })
    expect(status).toBe('complete')
    expect(people).toEqual({ devs: ['person-1@example.com'], ops: ['person-1@example.com'] })
    expect(notCounted).toEqual({ devs: { disabled: 2, groups: 1 }, ops: undefined })
    const asked = requests.find(({ path }) => path === '/admin/directory/v1/groups/devs/members')
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ maxResults: '5', fields: 'kind,nextPageToken,members(id,email,type,status)' })
  })

  test.each([
    ['email', ['\u0000102', 'person-1@example.com']],
    ['id', ['101', '102']],
  ] as const)('a person is known by %s, and by the id without one', async (identity, expected) => {
    const { people } = await read({ devs: [user(1), { id: '102', type: 'USER', status: 'ACTIVE' }] }, { identity })
    expect(people).toEqual({ devs: expected })
  })

  test('nested: groups inside are read one by one, each once, and circles end', async () => {
    const { status, people, asked } = await read(
      { a: [user(1), inside('b'), inside('c')], b: [user(2), inside('c')], c: [user(1), user(3), inside('a')] },
      { nested: true },
      { wanted: ['a', 'b'] },
    )
    const all = [1, 2, 3].map((n) => `person-${n}@example.com`)
    expect({ status, people }).toEqual({ status: 'complete', people: { a: all, b: all } })
    expect(asked).toEqual(['token', 'members a 1', 'members b 1', 'members c 1'])
  })

  test('pages are read to the last one, and an empty group has no people', async () => {
    const { status, people, asked } = await read({ devs: Array.from({ length: 12 }, (_, n) => user(n)), none: [] })
    expect(status).toBe('complete')
    expect(people['devs']).toHaveLength(12)
    expect(people['none']).toEqual([])
    expect(asked.toSorted()).toEqual(['members devs 1', 'members devs 2', 'members devs 3', 'members none 1', 'token'])
  })

  test('a member of the type EXTERNAL is perhaps a person who can sign in', async () => {
    const { status, people, gaps } = await read({ devs: [user(1), { id: '9', email: 'x@other.example', type: 'EXTERNAL' }] })
    expect(people).toEqual({ devs: ['person-1@example.com'] })
    expect([status, gaps]).toEqual([
      'complete',
      { devs: { doubtful: 1, why: expect.stringContaining('another directory has some of its members (EXTERNAL)') as string } },
    ])
  })
})

describe('members that are not known', () => {
  const { status: _, ...withoutStatus } = user(2)
  test.each<[string, readonly GoogleMember[], string]>([
    ['a user without a status', [user(3), withoutStatus], 'Google does not say of a member whether it can sign in'],
    ['a user with another status', [user(3), user(2, { status: 'NEW' })], 'Google does not say of a member whether it can sign in'],
  ])('%s: the member is doubtful, and the others are known', async (_, members, why) => {
    const told = await read({ devs: [user(1)], ops: members })
    expect(told).toMatchObject({ status: 'complete', people: { devs: ['person-1@example.com'], ops: ['person-3@example.com'] } })
    expect(told.gaps).toEqual({ ops: { doubtful: 1, why: expect.stringContaining(why) as string } })
  })
  test.each<[string, GoogleMember, string]>([
    ['all users of the customer', { id: 'C046psxkn', type: 'CUSTOMER' }, 'all users of the customer are members'],
    ['a member of another type', user(2, { type: 'ROBOT' }), 'a member has a type that this version does not know'],
  ])('%s: there may be others beside those that are known', async (_, other, why) => {
    const told = await read({ devs: [user(1)], ops: [user(3), other] })
    expect(told).toMatchObject({ status: 'complete', people: { devs: ['person-1@example.com'], ops: ['person-3@example.com'] } })
    expect(told.gaps).toEqual({ ops: { more: expect.stringContaining(why) as string } })
  })
  test.each<[string, readonly GoogleMember[], string]>([
    ['a member that comes twice', [user(2), user(2)], 'a member came twice: the list changed while it was read'],
  ])('%s: the group is left out, and the other group is known', async (_, members, why) => {
    const told = await read({ devs: [user(1)], ops: members })
    expect(told).toMatchObject({ status: 'partial', people: { devs: ['person-1@example.com'] } })
    expect(told.why).toContain('/admin/directory/v1/groups/ops/members: ')
    expect(told.why).toContain(why)
  })

  test('a group of more than 100,000 members is left out, and is not read to its end', async () => {
    let pages = 0
    const fault: Fault = (key, _, response) => {
      if (!key.startsWith('members ops')) return false
      const members = Array.from({ length: 2_000 }, (_, n) => user(2_000 * pages + n))
      return json(response, 200, { kind: 'admin#directory#members', members, nextPageToken: `${++pages}` })
    }
    const told = await read({ devs: [user(1)], ops: [] }, {}, { fault })
    expect(told).toMatchObject({ status: 'partial', people: { devs: ['person-1@example.com'] } })
    expect(told.why).toContain('more than 100,000 members')
    expect(pages).toBe(51)
  })

  test('the limit on requests of a reading of groups does not count for members', async () => {
    const members = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`g${n}`, [user(n)]]))
    expect(await read(members, {}, { requestsMax: 3 })).toMatchObject({ status: 'complete' })
  })

  test('a group that is gone is left out', async () => {
    const told = await read({ devs: [user(1)] }, {}, { wanted: ['devs', 'gone'] })
    expect(told).toMatchObject({ status: 'partial', people: { devs: ['person-1@example.com'] } })
    expect(told.why).toContain('404, the group is not there any more')
  })

  test('nested: a group of another Workspace inside, which the account may not read, leaves the number unknown', async () => {
    const fault: Fault = (key, ...more) => key === 'members theirs 1' && refused(key, ...more)
    const told = await read({ devs: [user(1), inside('theirs')], ops: [user(2)] }, { nested: true }, { fault })
    expect(told).toMatchObject({ status: 'partial', people: { ops: ['person-2@example.com'] } })
    expect(told.why).toContain('/groups/theirs/members: 403, the account may not read the members of this group')
    expect(told.why).toContain('so this one is probably of another organization: no role helps')
  })

  test('without the right no number is known, and the failure names the role', async () => {
    const told = await read({ devs: [user(1)], ops: [user(2)] }, {}, { fault: refused })
    expect(told).toMatchObject({ status: 'failed', people: {}, why: expect.stringContaining('may not read the members of this group') })
    expect(told.cure).toContain('give an admin role with the privilege Groups, Read')
  })

  test.each<[string, object]>([
    ['without its kind', {}],
    ['of groups', { kind: 'admin#directory#groups' }],
  ])('an answer %s is no list of members: only its group is left out', async (_, body) => {
    const told = await read({ devs: [user(1)], ops: [user(2)] }, {}, { fault: answers('ops', body) })
    expect(told).toMatchObject({ status: 'partial', why: expect.stringContaining('unexpected shape') })
    expect(told.people).toEqual({ devs: ['person-1@example.com'] })
  })

  test('a limit of requests is waited for; a server that always reaches it gives no members', async () => {
    const limited =
      (times: number): Fault =>
      (key, nth, response) => {
        if (!key.startsWith('members') || nth > times) return false
        json(response, 403, errorBody(403, 'quotaExceeded', 'Quota exceeded'))
        return true
      }
    expect(await read({ devs: [user(1)] }, {}, { fault: limited(1) })).toMatchObject({
      status: 'complete',
      people: { devs: { length: 1 } },
    })
    const told = await read({ devs: [user(1)] }, {}, { fault: limited(99) })
    expect(told).toMatchObject({ status: 'failed', why: expect.stringContaining('the limit of requests is reached (quotaExceeded)') })
  })

  test('the end of the time ends the reading', async () => {
    const told = await read({ devs: [user(1)] }, {}, { fault: (key) => key.startsWith('members'), signal: AbortSignal.timeout(200) })
    expect(told).toMatchObject({ status: 'failed', people: {}, why: expect.stringContaining('given up while it was read') })
  })
})
