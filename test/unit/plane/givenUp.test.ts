import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import type { Clock } from '../../../src/core/clock.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { roundRobin } from '../../../src/cycle/roundRobin.ts'
import type { Answer, Origin, Request } from '../../../src/http/origin.ts'
import { connectPlane } from '../../../src/plane/client.ts'
import { type Credential, oauthClient } from '../../../src/plane/credential.ts'
// The program loads this file at the first token. A virtual clock would not wait for it.
import '../../../src/http/bearerToken.ts'
import { openQueue } from '../../../src/plane/rate/queue.ts'
import { planOf, rule } from '../core/smallWorld.ts'
import { never, type VirtualTime, virtualTime } from './virtualTime.ts'

type Said = Partial<Pick<Answer, 'status' | 'headers' | 'body'>>
type Key = (origin: Origin, clock: Clock) => Credential

const plainKey: Key = () => ({ name: 'k', headers: async () => ({}), renew: () => false, secrets: () => [] })
const create = planOf({ directories: { corp: ['devs'] }, rules: [rule('devs', 'ENG', 'member')] }).changes[0] as Change

const patch = planOf({ directories: { corp: ['devs'] }, rules: [rule('devs', 'ENG', 'member')], existing: ['ENG devs guest'] })
  .changes[0] as Change

/** One credential, and a service in memory that takes a tenth of a second. */
function world(answerOf: (request: Request, nth: number) => Said, key = plainKey) {
  const time = virtualTime(Date.UTC(2026, 10, 21))
  const asked: Request[] = []
  const origin: Origin = {
    url: new URL('https://plane.example.com'),
    close: async () => {},
    request: async (request) => {
      asked.push(request)
      const { status = 200, headers = {}, body = '[]' } = answerOf(request, asked.length)
      await time.sleep(100, never)
      return { status, headers, body, sentAtMs: time.now(), receivedAtMs: time.now() }
    },
  }
  const budget = { requests: 60, windowMs: 60_000, reserve: 0.1, blockedMaxMs: 900_000 }
  const queue = openQueue({ budget, clock: time, random: () => 0.5, lengthMax: 10_000, inFlightMax: 4 })
  const plane = connectPlane({ origin, credential: key(origin, time), queue, clock: time, random: () => 0.5 })
  const named = (name: string) => ({ name: name as WorkspaceName, slug: name })

  async function until<T>(work: Promise<T>): Promise<T> {
    await time.run()
    return work
  }
  /** Reads as a cycle does, from this number of workspaces, four at a time. */
  async function cycle(workspaces: number) {
    const readings: Reading<unknown>[] = []
    const beganMs = time.now()
    const names = Array.from({ length: workspaces }, (_, nth) => `w${nth}`)
    const read = async (name: string) => {
      const reader = plane.reader(named(name))
      readings.push(...(await Promise.all([reader.mappings('projectRoles', never), reader.mappings('workspaceRoles', never)])))
    }
    await until(roundRobin(names, () => 'key', { perLine: 4, inAll: 64 }, read, never))
    return { readings, tookMs: time.now() - beganMs }
  }
  const writer = () => plane.writer(named('w'))
  const write = () => until(writer().write(create, never))
  return { asked, queue, cycle, write, writer, until, time }
}

test.each([
  ['without a time', {}, 5, 5 * 60_000],
  ['with a time that is far away', { 'retry-after': '900' }, 1, 1_000],
])('a key that is refused with 429 for ever, %s, makes a cycle no longer than five minutes', async (_, headers, requests, atMost) => {
  const { asked, cycle, write } = world(() => ({ status: 429, headers, body: '' }))
  const { readings, tookMs } = await cycle(200)
  expect(asked).toHaveLength(requests)
  expect(tookMs).toBeLessThan(atMost)
  expect(readings).toHaveLength(400)
  expect(new Set(readings.map(({ status }) => status))).toEqual(new Set(['failed']))
  expect(readings.at(-1)).toMatchObject({
    why: expect.stringMatching(
      /^not sent: since 2026-11-21T00:00:00Z every answer to this credential has asked to wait, the last one with 429 \(no text\); the service is asked again from .+Z on /,
    ) as string,
    cure: expect.stringContaining('a key of its own') as string,
  })
  expect(await write()).toMatchObject({ kind: 'notSent', retryAfterMs: expect.any(Number) as number })
  expect(asked).toHaveLength(requests)
})

describe('a wait that is too long is told as what it is', () => {
  const maintenance = { status: 503, body: '{"detail":"maintenance until Sunday"}', headers: { 'retry-after': '86400' } }
  const words = 'the last one with 503 (maintenance until Sunday); the service is asked again from 2026-11-21T00:15:00Z on'

  test('a 503 with a far Retry-After: a list names it, and no other program', async () => {
    const { readings } = await world(() => maintenance).cycle(1)
    expect(readings).toMatchObject([1, 2].map(() => ({ status: 'failed', why: expect.stringContaining(words) })))
    expect(readings[0]).toMatchObject({ cure: expect.not.stringContaining('other programs') })
  })

  test('a create after it is not sent, and not refused', async () => {
    const { cycle, write, asked } = world(() => maintenance)
    await cycle(1)
    const before = asked.length
    const outcome = await write()
    expect(outcome).toMatchObject({ kind: 'notSent', retryAfterMs: expect.any(Number) as number, why: expect.stringContaining(words) })
    expect(outcome).not.toHaveProperty('earlierLastByteMs')
    expect(asked).toHaveLength(before)
  })

  test('a patch that got it may have been executed: the outcome is unknown', async () => {
    const { writer, until, asked, time } = world(() => maintenance)
    const outcome = await until(writer().write(patch, never))
    expect(asked).toHaveLength(1)
    expect(outcome).toMatchObject({ kind: 'unknown', lastByteMs: Date.UTC(2026, 10, 21) + 100, why: expect.stringContaining(words) })
    expect(outcome).toMatchObject({ why: expect.stringMatching(/^sent, and not sent again: since /) })
    expect(time.now()).toBeLessThan(Date.UTC(2026, 10, 21) + 60_000)
  })

  test('a quota that is told on a 200 is no 429', async () => {
    const headers = { 'ratelimit-policy': '"y";q=10;w=31536000', ratelimit: '"y";r=0;t=31536000' }
    const { cycle, write } = world(() => ({ headers }))
    await cycle(1)
    expect(await write()).toMatchObject({
      kind: 'notSent',
      why: expect.stringContaining('the last one with 200, whose headers say that a quota is spent; '),
    })
  })

  test('no text of an answer shows the key', async () => {
    const withKey: Key = () => ({ name: 'k', headers: async () => ({}), renew: () => false, secrets: () => ['k3y-in-the-text'] })
    const { cycle } = world(() => ({ ...maintenance, body: '{"detail":"no k3y-in-the-text"}' }), withKey)
    const { readings } = await cycle(1)
    expect(JSON.stringify(readings)).toContain('the last one with 503 (no •••)')
  })
})

test('a key that is at its limit is waited for, however long it takes', async () => {
  const { asked, cycle } = world(() => ({}))
  const { readings, tookMs } = await cycle(300)
  expect(asked).toHaveLength(600)
  expect(new Set(readings.map(({ status }) => status))).toEqual(new Set(['complete']))
  expect(tookMs).toBeGreaterThan(10 * 60_000)
})

const refusedKey = { status: 401, body: '{"detail":"Given API token is not valid"}' }

test.each([401, 403])(
  'a credential that is refused with %i is not tried with each workspace, but again in the next cycle',
  async (status) => {
    const { asked, queue, cycle, write } = world(() => ({ ...refusedKey, status }))
    const { readings } = await cycle(200)
    // The first request goes alone, then four go together. When the second request is answered, the queue sends one more: it gets to know the second
    // refusal a moment later.
    expect(asked).toHaveLength(1 + 4 + 1)
    expect(new Set(readings.map(({ status }) => status))).toEqual(new Set(['failed']))
    const sentence = `not sent: the service refuses the credential "k" (${status}: Given API token is not valid); the next cycle tries the credential again (GET `
    expect(readings.filter((one) => one.status === 'failed' && one.why.startsWith(sentence))).toHaveLength(400 - 6)
    const before = asked.length
    expect(await write()).toMatchObject({ kind: 'refused', status, code: 'credential' })
    expect(asked).toHaveLength(before)
    queue.tryAgain()
    await cycle(1)
    expect(asked).toHaveLength(before + 2)
  },
)

test.each([
  ['a credential that some workspaces accept', (nth: number) => (nth % 2 === 1 ? refusedKey : {})],
  ['a workspace that is forbidden', () => ({ status: 403, body: '{"detail":"You do not have permission"}' })],
])('%s is asked for each', async (_, answerOf) => {
  const { asked, cycle } = world((_request, nth) => answerOf(nth))
  await cycle(20)
  expect(asked).toHaveLength(40)
})

describe('OAuth', () => {
  const token = (request: Request, answer: Said): Said => {
    const body = JSON.stringify({ access_token: 'token', token_type: 'bearer', expires_in: 3600 })
    return request.path === '/auth/o/token/' ? { body, headers: { 'content-type': 'application/json' } } : answer
  }
  const client = { clientId: 'app', clientSecret: async () => 'secret', installation: 'i', scopes: [] }
  const robot =
    (clientSecret: () => Promise<string> = client.clientSecret): Key =>
    (origin, clock) =>
      oauthClient('robot', { ...client, clientSecret }, origin, clock)
  const tokens = (asked: readonly Request[]) => asked.filter(({ path }) => path === '/auth/o/token/').length

  test('tokens that are all refused are not asked for with each workspace', async () => {
    const { asked, cycle } = world((request) => token(request, refusedKey), robot())
    await cycle(200)
    expect(tokens(asked)).toBeLessThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(20)
  })

  test('a token that was refused once, and renewed, is no refusal of the credential', async () => {
    const seen: Request[] = []
    const { asked, cycle } = world((request) => {
      seen.push(request)
      // The service refuses all requests with the first token.
      return token(request, tokens(seen) === 1 ? refusedKey : {})
    }, robot())
    const { readings } = await cycle(10)
    expect(new Set(readings.map(({ status }) => status))).toEqual(new Set(['complete']))
    expect(tokens(asked)).toBe(2)
  })

  test.each([
    [{}, 5_000],
    [{ 'retry-after': '2' }, 5_000],
    [{ 'retry-after': '600' }, 600_000],
    [{ 'retry-after': '86400' }, 900_000],
  ])('no token, %j: it is not asked for again for %i ms', async (headers: Record<string, string>, ms) => {
    const { asked, cycle, time } = world(() => ({ status: 503, headers }), robot())
    const { readings } = await cycle(200)
    expect(asked).toHaveLength(1)
    expect(readings.at(-1)).toMatchObject({ status: 'failed', why: expect.stringContaining('no token for credential "robot"') as string })
    await pass(time, ms - 1)
    await cycle(1)
    expect(asked).toHaveLength(1)
    await pass(time, 1)
    await cycle(1)
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['before the token is asked for', 0],
    ['while the token is asked for', 50],
  ])('a stop %s: the write was not sent, and the next one gets a token', async (_, afterMs) => {
    const { asked, time, writer } = world((request) => token(request, {}), robot())
    const stop = new AbortController()
    const outcome = (async () => {
      if (afterMs === 0) stop.abort('SIGTERM')
      return writer().write(create, stop.signal)
    })()
    if (afterMs > 0) void time.sleep(afterMs, never).then(() => stop.abort('SIGTERM'))
    await time.run()
    expect(await outcome).toMatchObject({ kind: 'notSent', why: expect.stringContaining('given up before there was a token') as string })
    expect(asked.every(({ path }) => path === '/auth/o/token/')).toBe(true)
    const second = writer().write(create, never)
    await time.run()
    expect(await second).not.toMatchObject({ kind: 'notSent' })
  })

  test('a secret that is there at last is used at once', async () => {
    let secret = ''
    const { cycle, asked } = world(
      (request) => token(request, {}),
      robot(async () => secret),
    )
    expect((await cycle(1)).readings[0]).toMatchObject({ why: expect.stringContaining('credential "robot" is empty') as string })
    expect(asked).toHaveLength(0)
    secret = 'secret'
    expect((await cycle(1)).readings[0]).toMatchObject({ status: 'complete' })
  })
})

async function pass(time: VirtualTime, ms: number) {
  const passed = time.sleep(ms, never)
  await time.run()
  await passed
}
