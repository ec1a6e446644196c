import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Limiter, limiters, raceMs, rule, ruleUnlocked, type Write } from '../../../src/sandbox/throttle.ts'

const limit = { requests: 3, windowMs: 1_000 }

const arrivals = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }).map((gaps) => {
  let atMs = 0
  return gaps.map((gap) => (atMs += gap))
})

test('a sliding log frees a slot one window after its request arrived, and not before', () => {
  const log: number[] = []
  const allowedAt = [0, 100, 200, 300, 999, 1_000, 1_050, 1_100].map((atMs) => rule('sliding-log', limit, log, atMs).allowed)
  expect(allowedAt).toEqual([true, true, true, false, false, true, false, true])
})

test('a fixed window begins with its first request and frees all slots at its end', () => {
  const log: number[] = []
  const allowedAt = [500, 600, 700, 800, 1_499, 1_500, 1_500, 1_500, 1_500].map((atMs) => rule('fixed-window', limit, log, atMs).allowed)
  expect(allowedAt).toEqual([true, true, true, false, false, true, true, true, false])
})

/** Those of these times at which a request is accepted. */
function allowedAt(limiter: Limiter, timesMs: readonly number[]): readonly number[] {
  const log: number[] = []
  return timesMs.filter((atMs) => rule(limiter, limit, log, atMs).allowed)
}

test('a sliding counter weighs the window before by what is left of the present one, and its windows are those of the clock', () => {
  expect(allowedAt('sliding-counter', [900, 900, 900, 900, 1_000, 1_333, 1_334, 1_666, 1_667, 2_000])).toEqual([
    900, 900, 900, 1_334, 1_667, 2_000,
  ])
  expect(allowedAt('sliding-counter', [900, 900, 900, 3_000, 3_000, 3_000])).toEqual([900, 900, 900, 3_000, 3_000, 3_000])
})

test('a token bucket lets a burst of the limit through, then one each window ÷ limit', () => {
  expect(allowedAt('token-bucket', [0, 0, 0, 0, 333, 334, 334, 667, 667, 1_000])).toEqual([0, 0, 0, 334, 667, 1_000])
  expect(allowedAt('token-bucket', [0, 0, 0, 5_000, 5_000, 5_000, 5_000])).toEqual([0, 0, 0, 5_000, 5_000, 5_000])
})

test('what the headers tell of those that estimate', () => {
  const minute = { requests: 60, windowMs: 60_000 }
  const counter = [60_000, 30, 20]
  expect(rule('sliding-counter', minute, counter, 90_000)).toEqual({ allowed: true, remaining: 24, resetAtMs: 120_000 })
  expect(rule('sliding-counter', minute, [60_000, 60, 45], 75_500)).toMatchObject({ allowed: false, remaining: 0, retryAfterS: 31 })
  expect(rule('sliding-counter', minute, [60_000, 0, 60], 119_000)).toMatchObject({ allowed: false, remaining: 0, retryAfterS: 2 })
  const bucket: number[] = []
  expect(rule('token-bucket', minute, bucket, 0)).toEqual({ allowed: true, remaining: 59, resetAtMs: 1_000 })
  expect(rule('token-bucket', minute, [60_000], 0)).toEqual({ allowed: false, remaining: 0, resetAtMs: 60_000, retryAfterS: 1 })
})

test.each(limiters)('%s: who waits as long as Retry-After says is let through, and not a second sooner', (limiter) => {
  const past = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 8, maxLength: 40 })
  fc.assert(
    fc.property(past, fc.integer({ min: 1, max: 7 }), (gaps, requests) => {
      const [log, ten] = [[] as number[], { requests, windowMs: 10_000 }]
      let atMs = 0
      for (const gap of gaps) {
        const { allowed, retryAfterS } = rule(limiter, ten, log, (atMs += gap))
        if (allowed) continue
        expect(retryAfterS).toBeGreaterThanOrEqual(1)
        const after = (seconds: number) => rule(limiter, ten, [...log], atMs + seconds * 1_000).allowed
        expect(after(retryAfterS as number)).toBe(true)
        if (retryAfterS !== 1) expect(after((retryAfterS as number) - 1)).toBe(false)
      }
    }),
  )
})

test.each(limiters)(
  '%s: no two windows in a row hold more than three times the limit, a limit of nothing lets nothing through',
  (limiter) => {
    fc.assert(
      fc.property(arrivals, (times) => {
        const through = allowedAt(limiter, times)
        for (const atMs of through) expect(through.filter((other) => other >= atMs && other < atMs + 2_000).length).toBeLessThanOrEqual(9)
        const log: number[] = []
        for (const atMs of times)
          expect(rule(limiter, { requests: 0, windowMs: 1_000 }, log, atMs)).toMatchObject({ allowed: false, remaining: 0 })
      }),
    )
  },
)

test('without a lock requests that overlap see the same log, and the last overwrites the others', () => {
  const [log, writes] = [[] as number[], [] as Write[]]
  const at = (nowMs: number) => ruleUnlocked('sliding-log', limit, log, writes, nowMs)
  expect([at(0), at(1), at(raceMs - 1)].map(({ remaining }) => remaining)).toEqual([2, 2, 2])
  expect(at(20)).toMatchObject({ allowed: true, remaining: 1 })
  expect(at(40)).toMatchObject({ allowed: true, remaining: 0 })
  expect(at(60)).toMatchObject({ allowed: false })
  const alone = { log: [] as number[], writes: [] as Write[] }
  const oneByOne = Array.from({ length: 5 }, (_, nth) => ruleUnlocked('sliding-log', limit, alone.log, alone.writes, nth * raceMs).allowed)
  expect(oneByOne).toEqual([true, true, true, false, false])
})

test('what the headers tell', () => {
  const log: number[] = []
  expect(rule('sliding-log', limit, log, 0)).toEqual({ allowed: true, remaining: 2, resetAtMs: 1_000 })
  expect(rule('sliding-log', limit, log, 400)).toEqual({ allowed: true, remaining: 1, resetAtMs: 1_400 })
  rule('sliding-log', limit, log, 500)
  expect(rule('sliding-log', limit, log, 600)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_600, retryAfterS: 1 })
  expect(rule('sliding-log', { requests: 2, windowMs: 1_000 }, log, 700)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_700 })
  expect(rule('fixed-window', limit, [100, 200, 300], 600)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_100, retryAfterS: 1 })
})

test('no trailing window of a sliding log holds more than the limit', () => {
  fc.assert(
    fc.property(arrivals, (times) => {
      const log: number[] = []
      const allowed = times.filter((atMs) => rule('sliding-log', limit, log, atMs).allowed)
      for (const atMs of allowed) expect(allowed.filter((other) => other > atMs - 1_000 && other <= atMs).length).toBeLessThanOrEqual(3)
    }),
  )
})

test('whoever waits until the request k - limit is one window old is never refused, but by a sliding counter', () => {
  fc.assert(
    fc.property(arrivals, fc.constantFrom('sliding-log' as const, 'fixed-window' as const, 'token-bucket' as const), (times, limiter) => {
      const log: number[] = []
      const sent: number[] = []
      for (const wishMs of times) {
        const atMs = Math.max(wishMs, sent.at(-1) ?? 0, (sent.at(-3) ?? Number.NEGATIVE_INFINITY) + 1_000)
        expect(rule(limiter, limit, log, atMs).allowed).toBe(true)
        sent.push(atMs)
      }
    }),
  )
})
