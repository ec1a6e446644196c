import { describe, expect, test } from 'vitest'
import { datesOf, hasDatePassed, isOver, latestMs } from '../../../src/core/dates.ts'

const hour = 3_600_000

describe('whether a date is over', () => {
  test.each([
    ['by the only clock that is known', { hereMs: 10, thereMs: undefined }, 'yes'],
    ['at its moment', { hereMs: 10, thereMs: 10 }, 'yes'],
    ['not before', { hereMs: 9, thereMs: undefined }, 'no'],
    ['by both clocks, however much they differ', { hereMs: 10, thereMs: 10 + 365 * 24 * hour }, 'yes'],
    ['by neither, however much they differ', { hereMs: 9, thereMs: 9 - 365 * 24 * hour }, 'no'],
    ['by this clock alone, within an hour', { hereMs: 10, thereMs: 10 - hour }, 'yes'],
    ["by Plane's alone, within an hour", { hereMs: 10 - hour, thereMs: 10 }, 'no'],
    ['by this clock alone, more than an hour apart', { hereMs: 10, thereMs: 9 - hour }, 'disputed'],
    ["by Plane's alone, more than an hour apart", { hereMs: 9 - hour, thereMs: 10 }, 'disputed'],
  ] as const)('%s', (_what, dates, over) => expect(isOver(10, dates)).toBe(over))
})

test('the latest of both is the one of the clock that is ahead', () => {
  expect(latestMs({ hereMs: 5, thereMs: 9 })).toBe(9)
  expect(latestMs({ hereMs: 9, thereMs: 5 })).toBe(9)
  expect(latestMs({ hereMs: 9, thereMs: undefined })).toBe(9)
})

test('the dates of rules are their starts and ends, each once', () => {
  expect(datesOf([{}, { startsMs: 5 }, { startsMs: 5, expiresMs: 9 }, { expiresMs: 0 }])).toEqual([5, 9, 0])
})

describe('whether a date has passed between two moments', () => {
  const at = (hereMs: number, thereMs?: number) => ({ hereMs, thereMs })
  test.each([
    ['from before it to its moment', at(9), at(10), true],
    ['from its moment on', at(10), at(11), false],
    ['before it', at(8), at(9), false],
    ['back, because the clock was set', at(10), at(9), true],
    ['by this clock alone, more than an hour apart', at(9, 9 - 2 * hour), at(10, 10 - 2 * hour), true],
    ["then by Plane's clock, too", at(2 * hour, 9), at(2 * hour + 1, 10), true],
    ["by Plane's clock alone, within an hour", at(1, 9), at(2, 10), false],
  ] as const)('%s', (_what, then, now, isPassed) => expect(hasDatePassed([10, 365 * 24 * hour], then, now)).toBe(isPassed))
  test('never without a date', () => expect(hasDatePassed([], at(0), at(10))).toBe(false))
})
