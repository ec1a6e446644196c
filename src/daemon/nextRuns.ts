import { type Clock, dateOf } from '../core/clock.ts'
import type { CycleReport } from '../cycle/report.ts'
import { heldUntilMs } from './heldUntil.ts'

/** Epoch ms by the date. `nextMs`: when the next cycle begins at the latest, without the jitter. `overdueMs`: at that time two cycles are missed. */
export type NextRuns = { readonly nextMs: number; readonly overdueMs: number }

type RunParts = {
  readonly report: Pick<CycleReport, 'workspaces' | 'startedMs' | 'tookMs' | 'nextDateMs'>
  /** The first tick after the cycle began. If it is over, the next cycle begins at once. */
  readonly tickMs: number
  readonly jitterMs: number
  readonly schedule: { readonly nextMs: (afterMs: number) => number }
  readonly clock: Clock
}

/** When the cycles after a report begin. The next cycle may take as long as the last one. */
export function nextRuns({ report, tickMs, jitterMs, schedule, clock }: RunParts): NextRuns {
  const nowMs = clock.wall()
  const heldMs = heldUntilMs(report)
  const dates = [
    tickMs,
    ...(heldMs === undefined ? [] : [dateOf(clock, heldMs)]),
    ...(report.nextDateMs === undefined ? [] : [report.nextDateMs]),
  ]
  const nextMs = Math.max(
    nowMs,
    dates.reduce((first, one) => Math.min(first, one)),
  )
  return { nextMs, overdueMs: schedule.nextMs(schedule.nextMs(nowMs)) + jitterMs + report.tookMs }
}
