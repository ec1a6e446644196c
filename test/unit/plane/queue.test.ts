import { describe, expect, test } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { NotSent } from '../../../src/plane/errors.ts'
import { openQueue, type Queue, type QueueOptions } from '../../../src/plane/rate/queue.ts'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { rule } from '../../../src/sandbox/throttle.ts'
import { never, virtualTime } from './virtualTime.ts'

const minute = 60_000
const answer: Answer = { status: 200, headers: {}, body: '', sentAtMs: 0, receivedAtMs: 0 }

const budgetOf = (requests: number) => ({ requests, windowMs: minute, reserve: 0, blockedMaxMs: minute })

const queueOf = (time: ReturnType<typeof virtualTime>, requests: number, more: Partial<QueueOptions> = {}) =>
  openQueue({ budget: budgetOf(requests), clock: time, random: () => 0.5, lengthMax: 10_000, inFlightMax: 4, ...more })

test.each([1, 2, 3])('300 calls at 60 a minute, seed %i: no 429, within 2 %% of the shortest time', async (seed) => {
  const time = virtualTime()
  const { draw } = chanceFrom(seed)
  const log: number[] = []
  const latency = () => time.sleep(10 + Math.floor(draw() * 90), never)
  let refused = 0
  const call = async (): Promise<Answer> => {
    await latency()
    const { allowed, remaining } = rule('sliding-log', { requests: 60, windowMs: minute }, log, time.now())
    if (!allowed) refused++
    await latency()
    return { ...answer, status: allowed ? 200 : 429, headers: { 'x-ratelimit-remaining': String(remaining) } }
  }
  const queue = queueOf(time, 60)
  const beganMs = time.now()
  const all = Promise.all(Array.from({ length: 300 }, () => queue.enqueue({ kind: 'write' }, call, never)))
  await time.run()
  await all
  expect(refused).toBe(0)
  expect(time.now() - beganMs).toBeLessThanOrEqual(1.02 * 4 * minute)
})

test('reads go before writes, otherwise in the order of their coming', async () => {
  const time = virtualTime()
  const queue = queueOf(time, 60, { inFlightMax: 1 })
  const order: string[] = []
  const call = (name: string) => async () => {
    order.push(name)
    await time.sleep(10, never)
    return answer
  }
  const all = Promise.all([
    queue.enqueue({ kind: 'write' }, call('w1'), never),
    queue.enqueue({ kind: 'write' }, call('w2'), never),
    queue.enqueue({ kind: 'read' }, call('r1'), never),
    queue.enqueue({ kind: 'write' }, call('w3'), never),
    queue.enqueue({ kind: 'read' }, call('r2'), never),
  ])
  await time.run()
  await all
  expect(order).toEqual(['w1', 'r1', 'r2', 'w2', 'w3'])
})

test('a call that is given up while it waits is never made, and says that nothing was sent', async () => {
  const time = virtualTime()
  const queue = queueOf(time, 1)
  await queue.enqueue({ kind: 'read' }, async () => answer, never)
  const stop = new AbortController()
  let made = false
  const waits = queue.enqueue(
    { kind: 'write' },
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
  const queue = queueOf(time, 1, { lengthMax: 1 })
  await queue.enqueue({ kind: 'read' }, async () => answer, never)
  const second = queue.enqueue({ kind: 'read' }, async () => answer, never)
  await expect(queue.enqueue({ kind: 'read' }, async () => answer, never)).rejects.toMatchObject({ name: 'NotSent', code: 'busy' })
  // The wait is a window, 500 ppm of it, and a tick.
  expect(queue.view()).toMatchObject({ length: 1, waitMs: minute + 30 + 1 })
  await time.run()
  await second
  expect(queue.view().length).toBe(0)
})

test('a failed call gives its place back only where nothing was sent', async () => {
  const time = virtualTime()
  const queue = queueOf(time, 5)
  const fail = (sent: boolean) => queue.enqueue({ kind: 'read' }, () => Promise.reject(new NoAnswer('unreachable', sent, 0, 'no')), never)
  await expect(fail(false)).rejects.toThrow('no')
  expect(queue.view().used).toBe(0)
  await expect(fail(true)).rejects.toThrow('no')
  expect(queue.view().used).toBe(1)
})

test('settings that change while requests wait: what was sent stays counted', async () => {
  const time = virtualTime()
  const queue = queueOf(time, 2)
  let done = 0
  const all = Promise.all(Array.from({ length: 5 }, () => queue.enqueue({ kind: 'write' }, async () => answer, never).then(() => done++)))
  await time.run(time.now() + 1000)
  expect(done).toBe(2)
  queue.changeBudget(budgetOf(4))
  await time.run(time.now() + 1000)
  expect(done).toBe(4)
  expect(queue.view()).toMatchObject({ limit: 4, used: 4, length: 1 })
  await time.run()
  await all
})

test('several workspaces on one key: 3 changes of one are not behind 300 of the other', async () => {
  const time = virtualTime()
  const queue = queueOf(time, 60)
  const beganMs = time.now()
  const doneMs: Record<string, number> = {}
  const workspace = async (lane: string, calls: number) => {
    await Promise.all(Array.from({ length: calls }, () => queue.enqueue({ kind: 'write', lane }, async () => answer, never)))
    doneMs[lane] = time.now() - beganMs
  }
  const all = Promise.all([workspace('many', 300), workspace('few', 3)])
  await time.run()
  await all
  expect(doneMs.few).toBeLessThan(minute)
  expect(doneMs.many).toBeLessThan(6 * minute)
})

test('revocations go first only while the budget is short', async () => {
  const order = async (requests: number) => {
    const time = virtualTime()
    const queue = queueOf(time, requests, { inFlightMax: 1 })
    const taken: string[] = []
    const call = (name: string) => async () => {
      taken.push(name)
      await time.sleep(10, never)
      return answer
    }
    const wanted = [
      ['write', 'w1'],
      ['write', 'w2'],
      ['revocation', 'v3'],
    ] as const
    const all = Promise.all(wanted.map(([kind, name]) => queue.enqueue({ kind, lane: 'acme' }, call(name), never)))
    await time.run()
    await all
    return taken
  }
  expect(await order(60)).toEqual(['w1', 'w2', 'v3'])
  expect(await order(2)).toEqual(['w1', 'v3', 'w2'])
})

describe('a service that fails', () => {
  const failing = (time: ReturnType<typeof virtualTime>) => async (): Promise<Answer> => {
    await time.sleep(2_500, never)
    return { ...answer, status: 503 }
  }

  async function pass(time: ReturnType<typeof virtualTime>, ms: number) {
    const passed = time.sleep(ms, never)
    await time.run()
    await passed
  }

  /** A queue whose circuit has opened, and the result of a call that waited behind the failures. */
  async function opened() {
    const time = virtualTime()
    const queue = queueOf(time, 60, { inFlightMax: 1 })
    for (let nth = 0; nth < 4; nth++) {
      const one = queue.enqueue({ kind: 'read' }, failing(time), never)
      await time.run()
      await one
    }
    const fifth = queue.enqueue({ kind: 'read' }, failing(time), never)
    const waits = queue.enqueue({ kind: 'write' }, async () => answer, never).catch((error: unknown) => error)
    await time.run()
    await fifth
    return { time, queue, waited: await waits }
  }

  test('opens the circuit: what waits and what comes fails at once, unsent', async () => {
    const { queue, waited } = await opened()
    expect(waited).toMatchObject({ name: 'NotSent', code: 'circuit' })
    await expect(queue.enqueue({ kind: 'read' }, async () => answer, never)).rejects.toThrow('5 requests in a row failed since')
    expect(queue.view()).toMatchObject({ length: 0, used: 5, circuit: { open: true, failures: 5 } })
  })

  test('is asked once after the pause, while the others wait; an answer lets all through', async () => {
    const { time, queue } = await opened()
    await pass(time, 5_000)
    let sent = 0
    const call = async () => {
      sent++
      await time.sleep(100, never)
      return answer
    }
    const all = Promise.all([1, 2, 3].map(() => queue.enqueue({ kind: 'read' }, call, never)))
    await time.run(time.now() + 50)
    expect(sent).toBe(1)
    await time.run()
    await all
    expect(queue.view().circuit).toEqual({ open: false, failures: 0 })
  })

  test('is asked before the pause is over where a person asks, not at each cycle', async () => {
    const { queue } = await opened()
    const read = () => queue.enqueue({ kind: 'read' }, async () => answer, never)
    queue.tryAgain()
    await expect(read()).rejects.toThrow('5 requests in a row failed since')
    queue.tryAgain('person')
    expect(await read()).toBe(answer)
    expect(queue.view().circuit).toEqual({ open: false, failures: 0 })
  })

  test('and goes on failing keeps it open, for longer', async () => {
    const { time, queue } = await opened()
    await pass(time, 5_000)
    const probe = queue.enqueue({ kind: 'read' }, failing(time), never)
    const other = queue.enqueue({ kind: 'read' }, async () => answer, never).catch((error: unknown) => error)
    await time.run()
    expect((await probe).status).toBe(503)
    expect(await other).toMatchObject({ name: 'NotSent', code: 'circuit' })
    expect(queue.view().circuit.probeAtMs).toBe(time.now() + 10_000)
  })

  test('a probe that is held at the last moment leaves the way to the next', async () => {
    const { time, queue } = await opened()
    await pass(time, 5_000)
    const held = () => Promise.reject(new NoAnswer('aborted', false, time.now(), 'held'))
    await expect(queue.enqueue({ kind: 'write' }, held, never)).rejects.toThrow('held')
    expect((await queue.enqueue({ kind: 'read' }, async () => answer, never)).status).toBe(200)
  })

  test('429s do not open it', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60, { inFlightMax: 1 })
    const refuse = async (): Promise<Answer> => ({ ...answer, status: 429 })
    for (let nth = 0; nth < 5; nth++) {
      const one = queue.enqueue({ kind: 'read' }, refuse, never)
      await time.run()
      await one
    }
    expect(queue.view().circuit).toEqual({ open: false, failures: 0 })
  })
})

describe('a service that only asks to wait', () => {
  const refusal: Answer = { ...answer, status: 429 }
  const asks = (...headers: Record<string, string>[]) => {
    let asked = 0
    return { call: async () => ({ ...refusal, headers: headers[Math.min(asked++, headers.length - 1)] ?? {} }), asked: () => asked }
  }

  test('for five minutes keeps nobody waiting any longer, and is asked by one when the time has come', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60)
    const beganMs = time.now()
    const { call, asked } = asks({})
    const all = Promise.allSettled(Array.from({ length: 50 }, () => queue.enqueue({ kind: 'read' }, call, never)))
    await time.run()
    const ends = await all
    expect(asked()).toBe(5)
    expect(time.now() - beganMs).toBe(4 * minute)
    expect(
      ends.filter((end) => end.status === 'rejected' && end.reason instanceof NotSent && end.reason.code === 'throttled'),
    ).toHaveLength(45)
    await expect(queue.enqueue({ kind: 'write' }, call, never)).rejects.toMatchObject({ untilMs: beganMs + 5 * minute })
    expect(asked()).toBe(5)
    expect(queue.view().length).toBe(0)

    const passed = time.sleep(minute, never)
    await time.run()
    await passed
    const three = Promise.allSettled([1, 2, 3].map(() => queue.enqueue({ kind: 'read' }, call, never)))
    await time.run()
    expect((await three).filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(asked()).toBe(6)
  })

  test('shows the wait that it asked for, with its words and its cure, until the wait is over', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60, { budget: { ...budgetOf(60), blockedMaxMs: 15 * minute } })
    expect(queue.view().asked).toBeUndefined()
    const refuse = async () => ({ ...refusal, headers: { 'retry-after': '20' }, body: '{"detail":"slow down, key-1234"}' })
    const beganMs = time.now()
    await queue.enqueue({ kind: 'read', secrets: () => ['key-1234'] }, refuse, never)
    expect(queue.view().asked).toEqual({
      sinceMs: beganMs,
      untilMs: beganMs + 20_000,
      status: 429,
      text: expect.stringMatching(/^slow down, (?!key-1234)/) as string,
      cure: expect.stringContaining('a key of its own') as string,
    })
    const passed = time.sleep(20_000, never)
    await time.run()
    await passed
    expect(queue.view().asked).toBeUndefined()
  })

  test('and names a time that is far away is not waited for at all', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60, { budget: { ...budgetOf(60), blockedMaxMs: 15 * minute } })
    const beganMs = time.now()
    const { call, asked } = asks({ 'retry-after': '900' })
    const all = Promise.allSettled(Array.from({ length: 50 }, () => queue.enqueue({ kind: 'read' }, call, never)))
    await time.run()
    await all
    expect([asked(), time.now() - beganMs]).toEqual([1, 0])
    await expect(queue.enqueue({ kind: 'read' }, call, never)).rejects.toThrow('every answer to this credential has asked to wait')
  })

  test.each([
    ['a date', (atMs: number) => ({ 'retry-after': new Date(atMs).toUTCString() })],
    ['the second of the reset', (atMs: number) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${atMs / 1000 - 1}` })],
  ])("names %s without its own: the machine's clock counts, also after a step", async (_, headersOf) => {
    const time = virtualTime(Date.parse('2026-03-01T12:00:00Z'))
    const queue = queueOf(time, 60)
    time.set(7_200_000)
    const headers = headersOf(time.wall() + 30_000)
    const beganMs = time.now()
    const first = queue.enqueue({ kind: 'read' }, async () => ({ ...answer, status: 429, headers }), never)
    const second = queue.enqueue({ kind: 'read' }, async () => answer, never)
    await time.run()
    expect([(await first).status, (await second).status]).toEqual([429, 200])
    expect(time.now() - beganMs).toBeGreaterThanOrEqual(30_000)
    expect(time.now() - beganMs).toBeLessThan(40_000)
  })

  test('now and then is waited for: answers between them end it', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60)
    let asked = 0
    const call = async () => (++asked % 4 === 0 ? answer : refusal)
    const all = Promise.all(Array.from({ length: 40 }, () => queue.enqueue({ kind: 'read' }, call, never)))
    await time.run()
    expect((await all).filter(({ status }) => status === 200)).toHaveLength(10)
  })

  test('and then answers lets all through', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60)
    const { call } = asks({ 'retry-after': '200' })
    const first = queue.enqueue({ kind: 'read' }, call, never)
    const rest = Promise.all(Array.from({ length: 50 }, () => queue.enqueue({ kind: 'read' }, async () => answer, never)))
    await time.run()
    expect((await first).status).toBe(429)
    expect((await rest).every(({ status }) => status === 200)).toBe(true)
  })
})

describe('a credential that is not accepted', () => {
  const refusal = new NotSent('credential', 'not accepted', {})
  const read = (queue: Queue, call = async () => answer) => queue.enqueue({ kind: 'read' }, call, never)

  test('is asked with until it is said twice, and again when that is wanted', async () => {
    const queue = queueOf(virtualTime(), 60)
    queue.refused(refusal)
    expect(await read(queue, async () => ({ ...answer, status: 400 }))).toMatchObject({ status: 400 })
    queue.refused(refusal)
    await expect(read(queue)).rejects.toBe(refusal)
    queue.refused(refusal)
    await expect(read(queue)).rejects.toBe(refusal)
    expect(queue.view().length).toBe(0)
    queue.tryAgain()
    expect(await read(queue)).toBe(answer)
    queue.refused(refusal)
    expect(await read(queue)).toBe(answer)
  })

  test('keeps nobody waiting', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 1)
    await read(queue, async () => ({ ...answer, status: 404 }))
    const waits = read(queue)
    queue.refused(refusal)
    queue.refused(refusal)
    await expect(waits).rejects.toBe(refusal)
    await time.run()
    expect(queue.view().used).toBe(1)
  })

  test('is accepted after all where an answer says so, before or after', async () => {
    const time = virtualTime()
    const queue = queueOf(time, 60)
    queue.refused(refusal)
    expect(await read(queue, async () => ({ ...answer, status: 399 }))).toMatchObject({ status: 399 })
    queue.refused(refusal)
    const late = read(queue, async () => {
      await time.sleep(100, never)
      return answer
    })
    queue.refused(refusal)
    await expect(read(queue)).rejects.toBe(refusal)
    await time.run()
    await late
    expect(await read(queue)).toBe(answer)
  })
})

test('all callers share one retry budget, which answers fill', async () => {
  const queue = queueOf(virtualTime(), 1_000)
  expect(Array.from({ length: 12 }, () => queue.mayRetry()).filter(Boolean)).toHaveLength(10)
  for (let nth = 0; nth < 10; nth++) await queue.enqueue({ kind: 'read' }, async () => answer, never)
  expect([queue.mayRetry(), queue.mayRetry()]).toEqual([true, false])
})
