import { describe, expect, test } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { openQueue, QueueFull } from '../../../src/plane/queue.ts'
import { modelledService, type ServiceOptions } from './modelledService.ts'
import { never, virtualTime } from './virtualTime.ts'

const minute = 60_000
const answer: Answer = { status: 200, headers: {}, body: '', sentAtMs: 0, receivedAtMs: 0 }

/** Small, fast, seedable (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Run = {
  readonly calls: number
  readonly reserve: number
  readonly service?: Partial<ServiceOptions>
  readonly requests?: number
  readonly seed?: number
  readonly othersEveryMs?: number
}

/** Sends `calls` requests through a queue as the client does: a refused one is enqueued again. */
async function runAll({ calls, reserve, service: wanted = {}, requests = 60, seed = 1, othersEveryMs }: Run) {
  const time = virtualTime()
  const random = chance(seed)
  const service = modelledService(time, {
    limiter: 'slidingLog',
    requests: 60,
    windowMs: minute,
    latencyMs: () => 10 + Math.floor(random() * 90),
    remaining: 'falls',
    retryAfter: true,
    random,
    ...wanted,
  })
  const queue = openQueue({
    budget: { requests, windowMs: minute, reserve, blockedMaxMs: 60 * minute },
    clock: time,
    lengthMax: 10_000,
    inFlightMax: 4,
  })
  const beganMs = time.now()
  let doneAtMs = 0
  let open = calls
  const stop = new AbortController()
  const one = async () => {
    while ((await queue.enqueue('write', () => service.call(), never)).status === 429);
    doneAtMs = time.now()
    if (--open === 0) stop.abort()
  }
  const others = async () => {
    while (!stop.signal.aborted) {
      await time.sleep(othersEveryMs ?? 0, stop.signal).catch(() => undefined)
      service.other()
    }
  }
  const all = Promise.all([...Array.from({ length: calls }, one), ...(othersEveryMs === undefined ? [] : [others()])])
  await time.run()
  await all
  return { tookMs: doneAtMs - beganMs, refused: service.refused(), lowest: service.lowest() }
}

const boundMs = (calls: number, allowed: number) => (Math.ceil(calls / allowed) - 1) * minute
/** What the last window's calls need on the wire, four at a time. */
const roundTripsMs = (allowed: number) => Math.ceil(allowed / 4) * 200 + 200

describe('300 calls in virtual time', () => {
  for (const seed of [1, 2, 3]) {
    test.each([
      { reserve: 0, allowed: 60 },
      { reserve: 0.1, allowed: 54 },
    ])(`sliding log, reserve $reserve, seed ${seed}: no 429, within 2 % of the bound`, async ({ reserve, allowed }) => {
      const { tookMs, refused, lowest } = await runAll({ calls: 300, reserve, seed })
      expect(refused).toBe(0)
      expect(tookMs).toBeLessThanOrEqual(1.02 * boundMs(300, allowed) + roundTripsMs(allowed))
      expect(lowest).toBeGreaterThanOrEqual(60 - allowed)
    })
  }

  test.each([
    ['fixed window', { limiter: 'fixedWindow' }, 1],
    ['fixed window in its middle', { limiter: 'fixedWindow', retryAfter: false }, 1],
    ['token bucket', { limiter: 'tokenBucket' }, 0],
    ['no headers', { remaining: 'none' }, 0],
    ['headers that never fall', { remaining: 'constant' }, 0],
    ['headers that jump', { remaining: 'racing' }, 0],
  ] satisfies [string, Partial<ServiceOptions>, number][])('%s', async (_, service, refusedMax) => {
    const { tookMs, refused } = await runAll({ calls: 300, reserve: 0, service })
    expect(refused).toBeLessThanOrEqual(refusedMax)
    expect(tookMs).toBeLessThanOrEqual(1.02 * boundMs(300, 60) + roundTripsMs(60))
  })

  test('a key that starts used up', async () => {
    const past = Array.from({ length: 60 }, (_, index) => 1_000_000 - 30_000 + index)
    const { tookMs, refused } = await runAll({ calls: 120, reserve: 0, service: { past } })
    expect(refused).toBe(1)
    expect(tookMs).toBeLessThanOrEqual(1.02 * (30_000 + boundMs(120, 60)) + roundTripsMs(60))
  })

  test('a restart with most of the window spent', async () => {
    const past = Array.from({ length: 50 }, (_, index) => 1_000_000 - 30_000 + index)
    const { tookMs, refused } = await runAll({ calls: 120, reserve: 0, service: { past } })
    expect(refused).toBeLessThanOrEqual(1)
    expect(tookMs).toBeLessThanOrEqual(2.2 * minute)
  })

  test.each([
    { reserve: 0, allowed: 30, refusedMax: 3 },
    { reserve: 0.1, allowed: 24, refusedMax: 0 },
  ])('a service that allows half of what the settings say, with headers, reserve $reserve', async ({ reserve, allowed, refusedMax }) => {
    const { tookMs, refused } = await runAll({ calls: 120, reserve, service: { requests: 30 } })
    expect(refused).toBeLessThanOrEqual(refusedMax)
    expect(tookMs).toBeLessThanOrEqual(1.02 * boundMs(120, allowed) + roundTripsMs(allowed))
  })

  test('a service that allows half of what the settings say, without headers', async () => {
    const { tookMs, refused } = await runAll({ calls: 120, reserve: 0, service: { requests: 30, remaining: 'none' } })
    expect(refused).toBeLessThanOrEqual(8)
    expect(tookMs).toBeLessThanOrEqual(1.5 * boundMs(120, 30) + roundTripsMs(30))
  })

  test.each([3000, 1500])('somebody else who takes one every %i ms', async (othersEveryMs) => {
    const { tookMs, refused } = await runAll({ calls: 300, reserve: 0.1, othersEveryMs })
    expect(refused).toBeLessThanOrEqual(2)
    expect(tookMs).toBeLessThanOrEqual(1.5 * boundMs(300, 54 - minute / othersEveryMs))
  })
})

test('reads go before writes, otherwise in the order of their coming', async () => {
  const time = virtualTime()
  const queue = openQueue({
    budget: { requests: 60, windowMs: minute, reserve: 0, blockedMaxMs: minute },
    clock: time,
    lengthMax: 10,
    inFlightMax: 1,
  })
  const order: string[] = []
  const call = (name: string) => async () => {
    order.push(name)
    await time.sleep(10, never)
    return answer
  }
  const all = Promise.all([
    queue.enqueue('write', call('w1'), never),
    queue.enqueue('write', call('w2'), never),
    queue.enqueue('read', call('r1'), never),
    queue.enqueue('write', call('w3'), never),
    queue.enqueue('read', call('r2'), never),
  ])
  await time.run()
  await all
  expect(order).toEqual(['w1', 'r1', 'r2', 'w2', 'w3'])
})

test('a call that is given up while it waits is never made, and says that nothing was sent', async () => {
  const time = virtualTime()
  const queue = openQueue({
    budget: { requests: 1, windowMs: minute, reserve: 0, blockedMaxMs: minute },
    clock: time,
    lengthMax: 10,
    inFlightMax: 4,
  })
  await queue.enqueue('read', async () => answer, never)
  const stop = new AbortController()
  let made = false
  const waits = queue.enqueue(
    'write',
    async () => {
      made = true
      return answer
    },
    stop.signal,
  )
  stop.abort()
  await expect(waits).rejects.toMatchObject({ name: 'NoAnswer', code: 'aborted', sent: false })
  await time.run()
  expect(made).toBe(false)
  expect(queue.view().length).toBe(0)
})

test('the queue is bounded', async () => {
  const time = virtualTime()
  const waits: number[] = []
  const lengths: number[] = []
  const queue = openQueue({
    budget: { requests: 1, windowMs: minute, reserve: 0, blockedMaxMs: minute },
    clock: time,
    lengthMax: 1,
    inFlightMax: 4,
    observer: { onWait: (waitMs) => waits.push(waitMs), onLength: (length) => lengths.push(length) },
  })
  await queue.enqueue('read', async () => answer, never)
  const second = queue.enqueue('read', async () => answer, never)
  await expect(queue.enqueue('read', async () => answer, never)).rejects.toBeInstanceOf(QueueFull)
  await time.run()
  await second
  expect(waits).toEqual([minute + 1])
  expect(lengths).toEqual([1, 0, 1, 0])
})

test('a failed call gives its place back only where nothing was sent', async () => {
  const time = virtualTime()
  const queue = openQueue({
    budget: { requests: 5, windowMs: minute, reserve: 0, blockedMaxMs: minute },
    clock: time,
    lengthMax: 9,
    inFlightMax: 4,
  })
  const fail = (sent: boolean) => queue.enqueue('read', () => Promise.reject(new NoAnswer('unreachable', sent, 0, 'no')), never)
  await expect(fail(false)).rejects.toThrow('no')
  expect(queue.view().used).toBe(0)
  await expect(fail(true)).rejects.toThrow('no')
  expect(queue.view().used).toBe(1)
})

test('settings that change while requests wait: what was sent stays counted', async () => {
  const time = virtualTime()
  const budget = { requests: 2, windowMs: minute, reserve: 0, blockedMaxMs: minute }
  const queue = openQueue({ budget, clock: time, lengthMax: 9, inFlightMax: 4 })
  let done = 0
  const all = Promise.all(Array.from({ length: 5 }, () => queue.enqueue('write', async () => answer, never).then(() => done++)))
  await time.run(time.now() + 1000)
  expect(done).toBe(2)
  queue.changeBudget({ ...budget, requests: 4 })
  await time.run(time.now() + 1000)
  expect(done).toBe(4)
  expect(queue.view()).toMatchObject({ limit: 4, used: 4, length: 1 })
  await time.run()
  await all
})
