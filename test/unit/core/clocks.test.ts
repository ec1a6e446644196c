import { describe, expect, test } from 'vitest'
import { clocksAgreeMs } from '../../../src/core/dates.ts'
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
    ['behind by a millisecond less than five minutes', hereMs - 5 * minute + 1],
  ])('is not told where the clock of Plane is %s', (_what, thereMs) => expect(found(thereMs)).toEqual([]))

  test('is told with direction and both effects', () => {
    expect(found(hereMs - 10 * minute)).toEqual([
      'clock-differs: the clock of this machine is 10 min ahead of the clock of Plane: it shows 2026-11-22 10:00 UTC',
    ])
    expect(found(hereMs + 365 * 24 * 60 * minute)).toEqual([
      'clock-differs: the clock of this machine is 365 d behind the clock of Plane: it shows 2026-11-22 10:00 UTC; a rule is held if only one of the two clocks has passed its "starts" or "expires"',
    ])
  })

  test('is told from five minutes on, with what is held from the difference on at which two clocks disagree', () => {
    expect(found(hereMs - 5 * minute)).toHaveLength(1)
    expect(found(hereMs + 5 * minute)).toHaveLength(1)
    expect(found(hereMs - clocksAgreeMs)[0]).not.toContain('is held')
    expect(found(hereMs - clocksAgreeMs - 1)[0]).toContain('; a rule is held')
  })

  test('is told if it was set while the program ran', () => {
    expect(found(undefined, 59_999)).toEqual([])
    expect(found(undefined, 60_000)).toHaveLength(1)
    expect(found(undefined, -60_000)).toHaveLength(1)
    expect(found(undefined, -60 * minute)[0]).toMatch(/^clock-stepped: it was set back by 1 h since the program started/)
    expect(found(undefined, 2 * minute)[0]).toMatch(/^clock-stepped: it was set forward by 2 min since/)
  })

  test('is a warning at its place, with what to do', () => {
    const all = clockFindings({ hereMs, thereMs: hereMs - 10 * minute }, 'plane.example.com', 2 * minute)
    expect(all.map(({ severity, place, cure }) => [severity, place, cure])).toEqual([
      ['warning', 'plane.example.com', 'compare both with a third clock, and correct the wrong one; NTP on both machines keeps them right'],
      ['warning', 'clock of this machine', 'restart the program at a convenient time, so that these times are right again'],
    ])
  })
})
