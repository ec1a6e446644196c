import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Group } from '../../src/core/group.ts'
import type { GroupName } from '../../src/core/mapping.ts'
import type { MembersReading } from '../../src/core/people/membersReading.ts'
import { keycloak } from '../../src/directories/keycloak/read.ts'
import type { DirectoryReader } from '../../src/directories/overHttp/reader.ts'
import { scim } from '../../src/directories/scim/read.ts'
import { directory as entraDirectory, groups as entraGroups } from './entra/world.ts'
import { fakeKeycloak } from './keycloak-fake.ts'
import { clientId, entraStandIn } from './standIns/entra.ts'
import { user as entraUser, idOf } from './standIns/entraMembers.ts'
import { googleStandIn } from './standIns/google.ts'
import { user as googleUser } from './standIns/googleMembers.ts'
import { worldOf } from './standIns/googleWorld.ts'
import { httpEnvironment } from './standIns/httpEnvironment.ts'
import { group as oktaGroup, oktaStandIn } from './standIns/okta.ts'
import { user as oktaUser } from './standIns/oktaMembers.ts'
import { movingClock, readerOf } from './standIns/oktaReading.ts'
import { scimToken, standInScim } from './standIns/scim.ts'

/** One group of several whose members cannot be read. The others are read, whatever the kind of directory is, and wherever the group stands. */

/** Answers a request for the members of a group in another way; false: as usual. */
type Fault = (group: number, response: ServerResponse) => boolean
type Opened = AsyncDisposable & { readonly reader: DirectoryReader; readonly ids: readonly string[] }
const last = 24
const numbers = Array.from({ length: last }, (_, n) => n + 1)
const numberIn = (path: string, form: RegExp) => Number(form.exec(path)?.[1] ?? 0)

const opened = {
  async keycloak(fault) {
    const server = await fakeKeycloak(
      numbers.map((n) => ({ name: `g${n}`, people: 2 })),
      (key, _, response) => fault(numberIn(key, /^members \/g(\d+)$/), response),
    )
    const reader = keycloak(
      {
        url: server.url,
        realm: 't',
        client: { id: 'reader', secret: async () => 'the-secret-of-the-reader' },
        groups: { name: 'path', slashes: 'plain', members: false },
        people: { identity: 'email', nested: false },
        limits: { pageSize: 5, groupsMax: 1_000, attemptsMax: 2 },
      },
      httpEnvironment({ deadlineMs: 60_000, connections: 8 }),
    )
    return { reader, ids: numbers.map((n) => `/g${n}`), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
  async okta(fault) {
    const server = await oktaStandIn({
      groups: numbers.map((n) => oktaGroup(`g${n}`, `g${n}`)),
      users: Object.fromEntries(numbers.map((n) => [`g${n}`, [oktaUser(n)]])),
      fault: ({ request, response }) => fault(numberIn(request.url ?? '', /\/groups\/g(\d+)\/users/), response),
    })
    const settings = { people: { identity: 'email' }, limits: { pageSize: 3, groupsMax: 100, attemptsMax: 2 } } as const
    const { reader } = readerOf(server, { settings, deadlineMs: 60_000, bytesMax: 100_000 }, movingClock().clock)
    return { reader, ids: numbers.map((n) => `g${n}`), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
  async google(fault) {
    const members = Object.fromEntries(numbers.map((n) => [`g${n}`, [googleUser(n)]]))
    const server = await googleStandIn([], { members }, (key, _, response) => fault(numberIn(key, /^members g(\d+) /), response))
    const { reader } = worldOf(server, {
      settings: { people: { identity: 'email', nested: false } },
      limits: { attemptsMax: 2 },
      deadlineMs: 60_000,
      bytesMax: 100_000,
    })
    return { reader, ids: Object.keys(members), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
  async entra(fault) {
    const members = Object.fromEntries(numbers.map((n) => [idOf(n), [entraUser(100 + n)]]))
    const server = await entraStandIn({ groups: entraGroups(40), members, secret: 'the-secret-of-the-app' }, (_, __, response, url) => {
      const id = /\/groups\/([^/]+)\/members/.exec(url.pathname)?.[1] ?? ''
      return fault(numbers.find((n) => idOf(n) === id) ?? 0, response)
    })
    const people = { identity: 'mail', nested: false } as const
    const reader = entraDirectory(server.url, { clientId, people, deadlineMs: 60_000, limits: { attemptsMax: 2 } })
    return { reader, ids: numbers.map(idOf), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
  async scim(fault) {
    const users = numbers.map((n) => ({ id: `u${n}`, userName: `Name-${n}`, emails: [{ value: `person${n}@example.org` }] }))
    const groups = numbers.map((n) => ({ id: `g${n}`, displayName: `g${n}`, members: [{ value: `u${n}`, type: 'User' }] }))
    const server = await standInScim(groups, ({ key }, response) => fault(numberIn(key, /^\/Groups\/g(\d+)/), response), { users })
    const reader = scim(
      {
        url: server.url,
        credential: { token: async () => scimToken },
        allowPlaintext: false,
        groups: { name: 'displayName' },
        people: { identity: 'email', nested: false },
        limits: { pageSize: 10, groupsMax: 1_000, attemptsMax: 2 },
      },
      httpEnvironment({ deadlineMs: 60_000, connections: 8 }),
    )
    return { reader, ids: numbers.map((n) => `g${n}`), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  },
} satisfies Record<string, (fault: Fault) => Promise<Opened>>
const kinds = Object.keys(opened) as (keyof typeof opened)[]

async function membersBy(kind: keyof typeof opened, fault: Fault, { leftMs = Number.POSITIVE_INFINITY, wanted = numbers } = {}) {
  await using world: Opened = await opened[kind](fault)
  const groups = wanted.map((n): Group => {
    const id = world.ids[n - 1] ?? ''
    return { id, name: id as GroupName, place: id }
  })
  const untilMs = Date.now() + leftMs
  const deadline = { leftMs: () => untilMs - Date.now(), setting: 'directories.corp.readingTimeout' }
  const reading: MembersReading | undefined = await world.reader.members?.(groups, 0, AbortSignal.timeout(20_000), deadline)
  if (reading === undefined) throw new Error('this reader reads no members')
  const numberOf = (id: string) => world.ids.indexOf(id) + 1
  const known = reading.status === 'failed' ? [] : [...reading.value.keys()].map(numberOf)
  const unread = new Map([...(reading.unread ?? [])].map(([id, why]) => [numberOf(id), why]))
  return { reading, known: known.toSorted((a, b) => a - b), unread }
}

const answer = (status: number, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
const faults: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
  ['fails for it', answer(500, '{}'), /500/],
  ['has gone away for it', answer(503, 'no backend'), /503/],
  ['does not take the request', answer(400, '{}'), /400/],
  ['sends a list that is cut', answer(200, '[{"id":'), /not whole JSON/],
  ['sends something else', answer(200, '{"kind":"admin#directory#groups"}'), /unexpected shape|not the requested group/],
  ['sends too much', answer(200, JSON.stringify('x'.repeat(200_000))), /more than 100000 bytes/],
  ['cuts the connection', (response) => void response.socket?.destroy(), /the connection ended before the answer was complete/],
]

describe.each(kinds)('%s: one group is left out', (kind) => {
  test.each(faults)('if the server %s', async (_, strike, why) => {
    for (const struck of [1, last]) {
      const { reading, known, unread } = await membersBy(kind, (n, response) => n === struck && (strike(response), true))
      expect(known).toEqual(numbers.filter((n) => n !== struck))
      expect(reading).toMatchObject({ status: 'partial', missing: expect.stringMatching(why) })
      expect([...unread.keys()]).toEqual([struck])
      expect(unread.get(struck)).toMatchObject({ why: expect.stringMatching(why) })
      expect(unread.get(struck)?.notAsked).toBeUndefined()
    }
  })

  test('if it needs more than its share of the time', async () => {
    const { reading, known, unread } = await membersBy(kind, (n) => n === 1, { leftMs: 1_500 })
    expect(known).toEqual(numbers.slice(1))
    expect(reading).toMatchObject({ status: 'partial', missing: 'it was not read within 1 s, its share of the time for all groups' })
    expect(unread.get(1)).toMatchObject({ cure: 'find out why it is slow, or raise directories.corp.readingTimeout' })
  })

  test('if the one that is asked for last needs all the time', async () => {
    const { known, unread } = await membersBy(kind, (n) => n === last, { leftMs: 1_500 })
    expect(known).toEqual(numbers.slice(0, -1))
    expect([...unread.keys()]).toEqual([last])
  })
})

describe.each(kinds)('%s: what concerns all ends the reading', (kind) => {
  test('a refused token, and what was read before is kept', async () => {
    const { reading, known, unread } = await membersBy(kind, (n, response) => n > last - 3 && (answer(401, '{}')(response), true))
    expect(known).toEqual(numbers.slice(0, -3))
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('401') })
    expect([...unread.values()].map(({ notAsked }) => notAsked)).toEqual([true, true, true])
  })

  test('a token that is refused at once, with its cure', async () => {
    const { reading } = await membersBy(kind, (n, response) => n > 0 && (answer(401, '{}')(response), true))
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('401'), cure: expect.any(String) })
  })

  test('eight groups in a row that fail: the others are not asked for, and did not fail themselves', async () => {
    let asked = new Set<number>()
    const strike: Fault = (n, response) => n > 0 && (asked.add(n), answer(500, '{}')(response), true)
    const { reading, unread } = await membersBy(kind, strike)
    expect(reading.status).toBe('partial')
    expect(asked.size).toBeLessThan(last)
    for (const n of numbers) expect(unread.get(n)?.notAsked ?? false, `${n}`).toBe(!asked.has(n))
    asked = new Set()
    const one = await membersBy(kind, strike, { wanted: [3] })
    expect(one.reading).toMatchObject({ status: 'failed', why: expect.stringContaining('500'), cure: expect.any(String) })
  })
})

test.each(['okta', 'google', 'entra', 'scim', 'keycloak'] as const)('%s: a rare 400 is asked again', async (kind) => {
  const bodies: Readonly<Record<string, string>> = {
    okta: '{"errorCode":"E0000001","errorSummary":"Api validation failed"}',
    entra: '{"error":{"code":"Request_BadRequest","message":"x"}}',
    scim: '{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"400","scimType":"invalidFilter"}',
  }
  const refused = (times: number): Fault => {
    let left = times
    return (n, response) => n === 2 && left-- > 0 && (answer(400, bodies[kind] ?? '{}')(response), true)
  }
  expect((await membersBy(kind, refused(1))).reading.status).toBe('complete')
  const always = await membersBy(kind, refused(Number.POSITIVE_INFINITY))
  expect(always.known).toEqual(numbers.filter((n) => n !== 2))
})
