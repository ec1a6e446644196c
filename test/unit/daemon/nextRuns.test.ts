import { expect, test } from 'vitest'
import { nextRuns } from '../../../src/daemon/nextRuns.ts'

const minuteMs = 60_000
/** A tick each ten minutes. */
const schedule = { nextMs: (afterMs: number) => (Math.floor(afterMs / (10 * minuteMs)) + 1) * 10 * minuteMs }
/** The machine's clock was set forward by an hour since the start. */
const clock = { now: () => 12 * minuteMs, wall: () => 72 * minuteMs, sleep: async () => undefined }
const cycle = { workspaces: [], startedMs: 11 * minuteMs, tookMs: minuteMs }
const runs = (more: Partial<Parameters<typeof nextRuns>[0]> = {}) =>
  nextRuns({ report: cycle, tickMs: 80 * minuteMs, jitterMs: 30_000, schedule, clock, ...more })

test('the next cycle begins at the tick, or when a rule starts or ends', () => {
  expect(runs().nextMs).toBe(80 * minuteMs)
  expect(runs({ report: { ...cycle, nextDateMs: 75 * minuteMs } }).nextMs).toBe(75 * minuteMs)
  // A tick that the cycle missed is now.
  expect(runs({ tickMs: 70 * minuteMs }).nextMs).toBe(72 * minuteMs)
})

test('two cycles are missed after the second tick, the jitter, and the time that a cycle takes', () => {
  expect(runs().overdueMs).toBe(90 * minuteMs + 30_000 + minuteMs)
})
