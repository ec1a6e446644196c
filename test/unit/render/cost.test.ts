import { describe, expect, test } from 'vitest'
import { received } from '../../../src/plane/rate/answered.ts'
import { type Budget, earliestMs, emptyBudget, sent, view } from '../../../src/plane/rate/budget.ts'
import { cost, type Work } from '../../../src/render/cost.ts'
import { costText } from '../../../src/render/meaning.ts'

const minute = 60_000
const waits = (...runs: readonly [count: number, ms: number][]) => runs.flatMap(([length, ms]) => Array.from({ length }, () => ms))
const free = { limit: 60, allowed: 54, others: 0, remaining: 54, waitMs: 0, waitsMs: waits([54, 0]), windowMs: minute }
const work = (changes: number, more: Partial<Work> = {}): Work => ({ changes, reads: 3, sliceChanges: 180, budget: free, ...more })
const said = (one: Work) => costText(cost(one), one.budget)

describe('what a plan costs', () => {
  test.each([
    ['one that fits', work(3), '3 calls, under 5 s at 54 a minute'],
    ['the last that fits with its reads', work(51), '51 calls, under 30 s at 54 a minute'],
    ['one more', work(52), '52 calls, 1 min at 54 a minute'],
    ['a slice', work(180), '180 calls, 3 min 2 s at 54 a minute'],
    ['two slices, so a second look', work(312), '315 calls, 5 min 5 s at 54 a minute'],
    [
      'where others hold a third',
      work(180, { budget: { ...free, others: 20, remaining: 34, waitsMs: waits([34, 0]) } }),
      '180 calls, 5 min 2 s at 34 a minute, earlier commands and others use 20 of 60',
    ],
    [
      'a window that is used up',
      work(3, { budget: { ...free, remaining: 0, waitMs: 40_000, waitsMs: waits([54, 40_000]) } }),
      '3 calls, under 1 min at 54 a minute',
    ],
    [
      'a window that is partly used',
      work(17, { budget: { ...free, remaining: 10, waitsMs: waits([10, 0], [44, 59_000]) } }),
      '17 calls, 1 min at 54 a minute',
    ],
    [
      'the first place soon, the last much later',
      work(3, { reads: 0, budget: { ...free, remaining: 0, waitMs: 18_000, waitsMs: waits([2, 18_000], [52, 54_000]) } }),
      '3 calls, 54 s at 54 a minute',
    ],
    [
      'a limit an hour',
      work(30, { budget: { ...free, allowed: 27, remaining: 27, waitsMs: waits([27, 0]), windowMs: 60 * minute } }),
      '30 calls, 1 h at 1 a minute',
    ],
    [
      'more than one connection sends in a window',
      work(1_000, { sliceChanges: 3_000, budget: { ...free, allowed: 900, remaining: 900, waitsMs: waits([900, 0]) } }),
      '1,000 calls, 1 min 40 s at 900 a minute',
    ],
  ])('%s', (_name, one, text) => expect(said(one)).toBe(text))

  test('nothing costs nothing', () => expect(cost(work(0))).toEqual({ changes: 0, calls: 0, ms: 0, fits: true }))
})

/** A small and fast generator of chance with a seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes one call after another, as an apply does, with a sliding log. Another program makes a call each `othersEveryMs`. */
function openWorld(seed: number, othersEveryMs = Number.POSITIVE_INFINITY) {
  const random = chance(seed)
  let budget: Budget = emptyBudget({ requests: 60, windowMs: minute, reserve: 0.1, blockedMaxMs: 15 * minute })
  let now = 1_000_000
  const arrivals: number[] = []
  function call(): void {
    for (let at = earliestMs(budget, now); at > now; at = earliestMs(budget, now)) now = at
    const sentAtMs = now
    budget = sent(budget, now)
    const tookMs = 50 + Math.floor(random() * 100)
    arrivals.push(now + tookMs / 2)
    now += tookMs
    const ours = arrivals.filter((at) => at > now - minute).length
    const remaining = Math.max(0, 60 - ours - Math.floor(minute / othersEveryMs))
    budget = received(budget, sentAtMs, { kind: 'answer', status: 200, quotas: [{ remaining }] }, now)
  }
  return {
    now: () => now,
    calls: (count: number) => Array.from({ length: count }).forEach(call),
    pause: (ms: number) => void (now += ms),
    seen: () => {
      const { limit, others, remaining, waitMs, waitsMs } = view(budget, now)
      return { limit, allowed: limit - Math.ceil(limit * 0.1), others, remaining, waitMs, waitsMs, windowMs: minute }
    },
  }
}

describe('the estimate is within 2 % of what the budget takes', () => {
  for (const othersEveryMs of [undefined, 3_000]) {
    test.each([61, 120, 312, 3_000])(`%i changes, ${othersEveryMs === undefined ? 'alone' : 'with others who hold a third'}`, (changes) => {
      for (const seed of [1, 2, 3]) {
        const world = openWorld(seed, othersEveryMs)
        // The plan also needs three calls, before the apply makes its own.
        world.calls(3)
        const estimate = cost(work(changes, { budget: world.seen() }))
        const beganMs = world.now()
        for (let left = changes; left > 0; left -= 180) world.calls(3 + Math.min(180, left))
        const tookMs = world.now() - beganMs
        expect(Math.abs(estimate.ms / tookMs - 1)).toBeLessThan(0.02)
        expect(estimate.calls).toBe(changes + 3 * (Math.ceil(changes / 180) - 1))
      }
    })
  }
})

describe('the estimate from the middle of a window', () => {
  // The earlier calls were made in two bursts.
  const bursts = [
    [30, 20_000, 24, 5_000],
    [50, 10_000, 4, 30_000],
    [10, 45_000, 10, 0],
    [54, 0, 0, 59_000],
  ] as const
  test.each(bursts)('%i calls, %i ms later %i more, %i ms ago', (first, gapMs, second, agoMs) => {
    for (const changes of [1, 3, 10, 31, 54, 55, 100, 180]) {
      const world = openWorld(4)
      world.calls(first)
      world.pause(gapMs)
      world.calls(second)
      world.pause(agoMs)
      const { ms, fits } = cost(work(changes, { reads: 0, budget: world.seen() }))
      const beganMs = world.now()
      world.calls(changes)
      const tookMs = world.now() - beganMs
      if (fits) expect(tookMs).toBeLessThanOrEqual(ms)
      else expect(Math.abs(ms - tookMs)).toBeLessThan(Math.max(2_500, 0.03 * tookMs))
      // If all calls fit into one burst, the estimate is too long by at most half a second for each call.
      if (fits) expect(ms - tookMs).toBeLessThanOrEqual(changes * 500)
    }
  })
})
