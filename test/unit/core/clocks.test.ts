import { describe, expect, test } from 'vitest'
import { clockFindings } from '../../../src/core/findings/clocks.ts'

const minute = 60_000
const hereMs = Date.UTC(2026, 10, 22, 10, 0)
const found = (thereMs: number | undefined, steppedMs = 0) =>
  clockFindings({ hereMs, thereMs }, 'plane.example.com', steppedMs).map(({ code, sentence }) => `${code}: ${sentence}`)

describe('the clock of this machine', () => {
  test.each([
    ['unknown', undefined],
    ['equal', hereMs],
    ['a little ahead', hereMs + 4 * minute],
    ['a little behind', hereMs - 4 * minute],
  ])('is not told where the clock of Plane is %s', (_what, thereMs) => expect(found(thereMs)).toEqual([]))

  test('is told with direction and both effects', () => {
    expect(found(hereMs - 10 * minute)).toEqual([
      'clock-differs: the clock of this machine is 10 min ahead of the clock of Plane: it shows 2026-11-22 10:00 UTC',
    ])
    expect(found(hereMs + 365 * 24 * 60 * minute)).toEqual([
      'clock-differs: the clock of this machine is 365 d behind the clock of Plane: it shows 2026-11-22 10:00 UTC; a rule is held if only one of the two clocks has passed its "expires"',
    ])
  })

  test('is told if it was set while the program ran', () => {
    expect(found(undefined, 59_999)).toEqual([])
    expect(found(undefined, -60 * minute)[0]).toMatch(/^clock-stepped: it was set back by 1 h since the program started/)
    expect(found(undefined, 2 * minute)[0]).toMatch(/^clock-stepped: it was set forward by 2 min since/)
  })
})
