import { describe, expect, test } from 'vitest'
import { type Asker, isTooLong, stallAfter, stalled } from '../../../src/plane/rate/permission.ts'

const minute = 60_000
const settings = { requests: 60, windowMs: minute, reserve: 0, blockedMaxMs: 15 * minute }
const hourly = { ...settings, windowMs: 60 * minute }

const tooMany: Asker = { status: 429, text: 'slow down' }
const closed: Asker = { status: 503, text: 'maintenance until Sunday' }
const by = (asker: Asker) => () => asker

test('it lasts from the first answer that asks to wait, while the next ones do, and an answer that does not ends it', () => {
  const first = stallAfter(undefined, by(closed), 2_000, settings, 1_000)
  expect(first).toEqual({ sinceMs: 1_000, untilMs: 2_000, asker: closed })
  expect(stallAfter(first, by(tooMany), 90_000, settings, 2_000)).toEqual({ sinceMs: 1_000, untilMs: 90_000, asker: tooMany })
  expect(stallAfter(first, by(tooMany), 2_000, settings, 2_000)).toBeUndefined()
  expect(stallAfter(first, by(tooMany), 1_500, settings, 2_000)).toBeUndefined()
})

test('an answer that does not ask for a longer wait did not ask for this one', () => {
  const first = stallAfter(undefined, by(closed), 90_000, settings, 1_000)
  expect(stallAfter(first, by({ status: 200, text: '' }), 90_000, settings, 2_000)).toEqual(first)
})

test('a wait that is asked for a window after the last one begins anew', () => {
  const before = { sinceMs: 0, untilMs: 2_000, asker: tooMany }
  expect(stallAfter(before, by(tooMany), 90_000, settings, 2_000 + minute - 1)).toMatchObject({ sinceMs: 0 })
  expect(stallAfter(before, by(tooMany), 90_000, settings, 2_000 + minute)).toMatchObject({ sinceMs: 2_000 + minute })
})

test('five minutes are too long, or a window where that is longer, until the time that was named', () => {
  const lasting = (ms: number) => ({ sinceMs: 1_000, untilMs: 1_000 + ms, asker: tooMany })
  expect(isTooLong(undefined, settings, 1_000)).toBe(false)
  expect(isTooLong(lasting(5 * minute - 1), settings, 1_000)).toBe(false)
  expect(isTooLong(lasting(5 * minute), settings, 1_000)).toBe(true)
  expect(isTooLong(lasting(5 * minute), settings, 5 * minute + 999)).toBe(true)
  expect(isTooLong(lasting(5 * minute), settings, 5 * minute + 1_000)).toBe(false)
  expect(isTooLong(lasting(60 * minute - 1), hourly, 1_000)).toBe(false)
  expect(isTooLong(lasting(60 * minute), hourly, 1_000)).toBe(true)
})

describe('a request that is not sent names the answer that asked to wait, and when the service is asked again', () => {
  const sinceMs = Date.UTC(2026, 10, 3, 2, 14, 30, 250)
  const untilMs = sinceMs + 10 * minute
  const since = 'not sent: since 2026-11-03T02:14:30Z every answer to this credential has asked to wait, the last one'
  const again = 'the service is asked again from 2026-11-03T02:24:30Z on'
  test.each<[Asker, string, string]>([
    [tooMany, 'with 429 (slow down)', 'a key of its own'],
    [closed, 'with 503 (maintenance until Sunday)', 'the service says that it is not available'],
    [{ status: 200, text: '' }, 'with 200, whose headers say that a quota is spent', 'a key of its own'],
    [{ status: 400, text: 'no' }, 'with 400 (no), whose headers say that a quota is spent', 'a key of its own'],
  ])('%o: %s', (asker, words, cure) => {
    const error = stalled({ sinceMs, untilMs, asker })
    expect(error).toMatchObject({ code: 'throttled', status: asker.status, untilMs, message: `${since} ${words}; ${again}` })
    expect(error.cure).toContain(cure)
  })
})
