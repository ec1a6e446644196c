import { describe, expect, test } from 'vitest'
import type { Quota } from '../../../../src/http/rateHeaders.ts'
import { type RequestResult, received } from '../../../../src/plane/rate/answered.ts'
import { type Budget, type BudgetSettings, emptyBudget } from '../../../../src/plane/rate/budget.ts'

const settings: BudgetSettings = { requests: 10, windowMs: 1000, reserve: 0, blockedMaxMs: 100_000 }
/** A budget that was used for a long time, and has one request in flight. */
const state = (more: Partial<Budget>): Budget => ({ ...emptyBudget(settings), beganMs: -5000, growsAtMs: 5000, inFlight: [0], ...more })
const told = (...quotas: Quota[]): RequestResult => ({ kind: 'answer', status: 200, quotas })
const refused = (retryAfterMs: number): RequestResult => ({ kind: 'answer', status: 429, quotas: [], retryAfterMs })
const four = { count: 4, atMs: 0, expiredMs: 1000, noEvenExpiryUntilMs: 0 }

describe('the request that was answered', () => {
  test('is on its way no more; the others are', () => {
    expect(received(state({ inFlight: [0, 5, 9] }), 9, told(), 20).inFlight).toEqual([0, 5])
  })
  test('was alone again when it is the last', () => {
    const two = state({ inFlight: [0, 0], overlapping: true })
    const one = received(two, 0, told(), 10)
    expect([one.overlapping, received(one, 0, told(), 11).overlapping]).toEqual([true, false])
  })
})

describe('the limit', () => {
  test('that was lowered stays so while the service says nothing else', () => {
    expect(received(state({ limit: 5 }), 0, told(), 10).limit).toBe(5)
    expect(received(state({ limit: 5, published: 8 }), 0, told({ limit: 8 }), 10).limit).toBe(5)
    expect(received(state({ limit: 5, published: 8 }), 0, told({ limit: 9 }), 10).limit).toBe(9)
  })
  test('is raised again when Remaining turns out to keep count, and not before', () => {
    const lowered = state({ limit: 5, lastAnswer: { atMs: -10, remaining: 5 } })
    expect(received(lowered, 0, told({ remaining: 4 }), 10)).toMatchObject({ remainingFollows: true, limit: 10 })
    expect(received(lowered, 0, told({ remaining: 5 }), 10)).toMatchObject({ remainingFollows: false, limit: 5 })
    expect(received(lowered, 0, told({ remaining: 6 }), 10)).toMatchObject({ remainingFollows: false, limit: 5 })
    expect(received({ ...lowered, remainingFollows: true }, 0, told({ remaining: 6 }), 10)).toMatchObject({
      remainingFollows: true,
      limit: 5,
    })
    expect(received({ ...lowered, lastAnswer: undefined }, 0, told({ remaining: 0 }), 10).remainingFollows).toBe(false)
  })
})

describe('a limit that the service says', () => {
  const published = state({ published: 8, publishedAtMs: 0, limit: 8 })
  const after = (facts: RequestResult, now: number) => received(published, 0, facts, now)
  test('is over when a window of answers has not repeated it', () => {
    expect(after(told(), 999)).toMatchObject({ published: 8, publishedAtMs: 0, limit: 8 })
    expect(after(told(), 1000)).toMatchObject({ published: undefined, limit: 10 })
    expect(after(told({ limit: 8 }), 999)).toMatchObject({ published: 8, publishedAtMs: 999 })
  })
  test.each([500, 503, 401, 300])('is no other because of what stands beside a %i', (status) => {
    const gateway = { kind: 'answer', status, quotas: [{ limit: 3 }] } as const
    expect(after(gateway, 2000)).toMatchObject({ published: 8, publishedAtMs: 0, limit: 8 })
  })
  test('is learned beside whatever else the service itself answers', () => {
    expect(after({ kind: 'answer', status: 499, quotas: [{ limit: 3 }] }, 5)).toMatchObject({ published: 3, limit: 3 })
  })
})

describe('of several quotas', () => {
  const others = (...quotas: Quota[]) => received(state({}), 0, told(...quotas), 10).foreignUsage.count
  test('one of another window says nothing about ours', () => {
    expect(others({ remaining: 2, windowS: 60 }, { remaining: 6, windowS: 1 })).toBe(3)
  })
  test('the one with the least left counts, in whatever order they come', () => {
    expect(others({ remaining: 6 }, { remaining: 2 })).toBe(7)
    expect(others({ remaining: 2 }, { remaining: 6 })).toBe(7)
    expect(others({ limit: 10 }, { remaining: 2 })).toBe(7)
    expect(others({ remaining: 2 }, { limit: 10 })).toBe(7)
  })
})

describe('how long nothing is sent', () => {
  const blocked = (facts: RequestResult) => received(state({}), 0, facts, 10).blockedUntilMs
  test('after a 429 at least a sixtieth of a window, otherwise a tick', () => {
    expect(blocked(refused(5))).toBe(10 + 17)
    expect(blocked({ kind: 'answer', status: 503, quotas: [], retryAfterMs: 5 })).toBe(10 + 5)
    expect(blocked({ kind: 'answer', status: 503, quotas: [], retryAfterMs: 0 })).toBe(10 + 1)
  })
  test('doubles after a 429 less than a window after the end of the pause', () => {
    const paused = state({ blockedUntilMs: 1000, pauseMs: 300 })
    expect(received(paused, 0, refused(300), 1999).pauseMs).toBe(600)
    expect(received(paused, 0, refused(300), 2000).pauseMs).toBe(300)
  })
})

describe('a 429', () => {
  test('that others explain, who were believed to have left, makes them stay', () => {
    const after = received(state({ inFlight: [251], foreignUsage: four }), 251, refused(10), 260)
    expect(after.foreignUsage).toEqual({ count: 3, atMs: 260, expiredMs: 1260, noEvenExpiryUntilMs: 5260 })
    expect(after.limit).toBe(10)
  })
  test('that nothing explains lowers the limit to what was used, at most by half', () => {
    const limitOf = (used: number, more: Partial<Budget> = {}, now = 500) =>
      received(state({ countedAtMs: Array.from({ length: used }, () => now - 10), ...more }), 0, refused(10), now).limit
    expect([0, 5, 6, 9, 10].map((used) => limitOf(used))).toEqual([5, 5, 6, 9, 10])
    expect(limitOf(0, { limit: 1 })).toBe(1)
    expect(limitOf(10, { remainingFollows: true })).toBe(10)
  })
  test('within a window of the first request may be for what came before, unless half of the limit was used since', () => {
    const limitOf = (used: number, beganMs: number, now: number) =>
      received(state({ beganMs, countedAtMs: Array.from({ length: used }, () => now - 10) }), 0, refused(10), now).limit
    expect([limitOf(4, 0, 500), limitOf(5, 0, 500)]).toEqual([10, 5])
    expect([limitOf(0, 200, 1199), limitOf(0, 200, 1200), limitOf(0, 200, 1300)]).toEqual([10, 5, 5])
  })
  test.each<[string, Budget['lastAnswer'], object]>([
    ['more than was on its way', { atMs: 900, remaining: 2 }, { remainingFollows: false, limit: 5 }],
    ['as much as was on its way', { atMs: 900, remaining: 1 }, { remainingFollows: true, limit: 9 }],
    ['more, but a while ago', { atMs: 899, remaining: 2 }, { remainingFollows: true, limit: 9 }],
    ['nothing of what is left', { atMs: 900, remaining: undefined }, { remainingFollows: true, limit: 9 }],
    ['nothing at all', undefined, { remainingFollows: true, limit: 9 }],
  ])('after an answer that told of %s', (_, lastAnswer, expected) => {
    expect(received(state({ remainingFollows: true, inFlight: [999], lastAnswer }), 999, refused(10), 1010)).toMatchObject(expected)
  })
})

describe('others', () => {
  test('are left as they were by an answer that says nothing of them', () => {
    expect(received(state({ foreignUsage: four }), 0, told(), 10).foreignUsage).toBe(four)
  })
  test('are more also where requests overlapped, but not fewer', () => {
    const crowded = state({ inFlight: [0, 0], overlapping: true, foreignUsage: four })
    expect(received(crowded, 0, told({ remaining: 3 }), 10).foreignUsage).toMatchObject({ count: 5, atMs: 10 })
    expect(received(crowded, 0, told({ remaining: 4 }), 10).foreignUsage).toBe(four)
    expect(received(crowded, 0, told({ remaining: 5 }), 10).foreignUsage).toBe(four)
  })
  test.each<[string, number, Budget['lastAnswer'], number, number]>([
    ['that falls where some were believed to have left', 400, { atMs: 0, remaining: 2 }, 1, 5410],
    ['that stays', 400, { atMs: 0, remaining: 2 }, 2, 0],
    ['that rises', 400, { atMs: 0, remaining: 2 }, 3, 0],
    ['that is the first', 400, undefined, 1, 0],
    ['that falls where nobody had left', 100, { atMs: 0, remaining: 2 }, 1, 0],
  ])('are believed to stay after a Remaining %s', (_, sentAtMs, lastAnswer, remaining, noEvenExpiryUntilMs) => {
    const after = received(state({ inFlight: [sentAtMs], foreignUsage: four, lastAnswer }), sentAtMs, told({ remaining }), 410)
    expect(after.foreignUsage.noEvenExpiryUntilMs).toBe(noEvenExpiryUntilMs)
  })
})
