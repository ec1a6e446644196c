import { describe, expect, test } from 'vitest'
import { isOver, latestMs } from '../../../src/core/dates.ts'

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
