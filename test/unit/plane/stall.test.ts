import { expect, test } from 'vitest'
import { isTooLong, stallAfter, stalled } from '../../../src/plane/rate/stall.ts'

const minute = 60_000
const settings = { requests: 60, windowMs: minute, reserve: 0, blockedMaxMs: 15 * minute }
const hourly = { ...settings, windowMs: 60 * minute }

test('it lasts from the first answer that asks to wait, while the next ones do, and an answer that does not ends it', () => {
  const first = stallAfter(undefined, 2_000, settings, 1_000)
  expect(first).toEqual({ sinceMs: 1_000, untilMs: 2_000 })
  expect(stallAfter(first, 90_000, settings, 2_000)).toEqual({ sinceMs: 1_000, untilMs: 90_000 })
  expect(stallAfter(first, 2_000, settings, 2_000)).toBeUndefined()
  expect(stallAfter(first, 1_500, settings, 2_000)).toBeUndefined()
})

test('a wait that is asked for a window after the last one begins anew', () => {
  const before = { sinceMs: 0, untilMs: 2_000 }
  expect(stallAfter(before, 90_000, settings, 2_000 + minute - 1)).toMatchObject({ sinceMs: 0 })
  expect(stallAfter(before, 90_000, settings, 2_000 + minute)).toMatchObject({ sinceMs: 2_000 + minute })
})

test('five minutes are too long, or a window where that is longer, until the time that was named', () => {
  const lasting = (ms: number) => ({ sinceMs: 1_000, untilMs: 1_000 + ms })
  expect(isTooLong(undefined, settings, 1_000)).toBe(false)
  expect(isTooLong(lasting(5 * minute - 1), settings, 1_000)).toBe(false)
  expect(isTooLong(lasting(5 * minute), settings, 1_000)).toBe(true)
  expect(isTooLong(lasting(5 * minute), settings, 5 * minute + 999)).toBe(true)
  expect(isTooLong(lasting(5 * minute), settings, 5 * minute + 1_000)).toBe(false)
  expect(isTooLong(lasting(60 * minute - 1), hourly, 1_000)).toBe(false)
  expect(isTooLong(lasting(60 * minute), hourly, 1_000)).toBe(true)
})

test('a request that is not sent says since when each answer asked to wait, and when the service is asked again', () => {
  const sinceMs = Date.UTC(2026, 10, 3, 2, 14, 30, 250)
  const error = stalled({ sinceMs, untilMs: sinceMs + 10 * minute })
  expect(error).toMatchObject({ code: 'throttled', status: 429, untilMs: sinceMs + 10 * minute })
  expect(error.message).toBe(
    'not sent: since 2026-11-03T02:14:30Z every answer to this credential has asked to wait; the service is asked again from 2026-11-03T02:24:30Z on',
  )
  expect(error.cure).not.toBe('')
})
