import { type Clock, dateOf } from '../core/clock.ts'
import { settledMs } from '../core/outcome.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'

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
    dates.reduce((first, date) => Math.min(first, date)),
  )
  return { nextMs, overdueMs: schedule.nextMs(schedule.nextMs(nowMs)) + jitterMs + report.tookMs }
}

/**
 * The earliest time (epoch ms) at which a hold of this cycle ends: a quarantine, the wait after a start, or a write of this cycle with unknown outcome. A change that
 * failed before waits for the schedule: at each Δ a change that always fails would begin a cycle. If its readings were too old for a part of the changes, the start of this cycle counts as such a time, so
 * that the next cycle begins at once. Undefined if no hold ends at a known time.
 */
export function heldUntilMs({ workspaces, startedMs }: Pick<CycleReport, 'workspaces' | 'startedMs'>): number | undefined {
  const moments = workspaces.flatMap((report) => {
    if (report.kind !== 'judged') return []
    const { judged, applied, about } = report
    const held = judged.plan.holds.flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]))
    const unknown = (applied?.results ?? []).flatMap(({ change, outcome, failedMs }) => {
      const untilMs = outcome.kind === 'done' || failedMs !== undefined ? undefined : settledMs(change, outcome, about.unknownOutcomeWaitMs)
      return untilMs === undefined ? [] : [untilMs]
    })
    return [...held, ...unknown, ...(applied?.stopped === 'outdated' ? [startedMs] : [])]
  })
  // No `Math.min(...moments)`: a call takes only so many arguments.
  return moments.length === 0 ? undefined : moments.reduce((first, atMs) => Math.min(first, atMs))
}
