import { describe, expect, test } from 'vitest'
import { ageMs, dateOf, type Moment, steppedMs, suspendedMs } from '../../../src/core/clock.ts'

const then: Moment = { steadyMs: 1_000, wallMs: 5_000 }
const later = (steadyMs: number, wallMs: number): Moment => ({ steadyMs: then.steadyMs + steadyMs, wallMs: then.wallMs + wallMs })

describe('the time that has passed since a moment', () => {
  test.each([
    ['both clocks agree', later(60, 60), 60, 0],
    ['the machine was suspended, and its steady clock stood still', later(60, 3_600), 3_600, 3_540],
    ['the clock was set forward', later(0, 3_600), 3_600, 3_600],
    ['the clock was set back', later(60, -3_600), 60, 0],
  ])('if %s', (_what, now, age, suspended) => {
    expect(ageMs(then, now)).toBe(age)
    expect(suspendedMs(then, now)).toBe(suspended)
  })
})

describe('the date of a steady time is the date that the clock of the machine shows then', () => {
  const startedMs = 10_000
  test.each([
    ['was never set', 0],
    ['was set forward', 3_600],
    ['was set back', -3_600],
  ])('if that clock %s', (_what, setMs) => {
    const clock = { now: () => startedMs + 60, wall: () => startedMs + 60 + setMs }
    expect(steppedMs(clock)).toBe(setMs)
    expect(dateOf(clock, clock.now())).toBe(clock.wall())
    expect(dateOf(clock, startedMs)).toBe(startedMs + setMs)
  })
})
