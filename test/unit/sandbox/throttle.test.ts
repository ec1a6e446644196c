import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rule } from '../../../src/sandbox/throttle.ts'

const limit = { requests: 3, windowMs: 1_000 }

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

test('what the headers tell', () => {
  const log: number[] = []
  expect(rule('sliding-log', limit, log, 0)).toEqual({ allowed: true, remaining: 2, resetAtMs: 1_000 })
  expect(rule('sliding-log', limit, log, 400)).toEqual({ allowed: true, remaining: 1, resetAtMs: 1_400 })
  rule('sliding-log', limit, log, 500)
  expect(rule('sliding-log', limit, log, 600)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_600, retryAfterS: 1 })
  expect(rule('sliding-log', { requests: 2, windowMs: 1_000 }, log, 700)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_700 })
  expect(rule('fixed-window', limit, [100, 200, 300], 600)).toEqual({ allowed: false, remaining: 0, resetAtMs: 1_100, retryAfterS: 1 })
})

const arrivals = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 }).map((gaps) => {
  let atMs = 0
  return gaps.map((gap) => (atMs += gap))
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

test('whoever waits until the request k - limit is one window old is never refused, by either limiter', () => {
  fc.assert(
    fc.property(arrivals, fc.constantFrom('sliding-log' as const, 'fixed-window' as const), (times, limiter) => {
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
