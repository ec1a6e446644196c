import { unsettledByteMs } from '../core/outcome.ts'
import type { CycleReport } from '../cycle/report.ts'

/**
 * The first moment for which something in a cycle waits: a quarantine, the wait after a start, a rejected change that is tried again, and a
 * write of this very cycle whose outcome is unknown. Undefined where nothing waits for a moment.
 */
export function heldUntilMs({ workspaces }: Pick<CycleReport, 'workspaces'>): number | undefined {
  const moments = workspaces.flatMap((report) => {
    if (report.kind !== 'judged') return []
    const { verdict, applied, about } = report
    const held = [...verdict.plan.holds, ...(applied?.holds ?? [])].flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]))
    const unknown = (applied?.results ?? []).flatMap(({ change, outcome }) => {
      const byteMs = outcome.is === 'done' ? undefined : unsettledByteMs(change, outcome)
      return byteMs === undefined ? [] : [byteMs + about.unknownOutcomeWaitMs]
    })
    return [...held, ...unknown]
  })
  // Not spread into arguments: they can be more than a call takes.
  return moments.length === 0 ? undefined : moments.reduce((first, atMs) => Math.min(first, atMs))
}
