import type { Hold } from '../core/hold.ts'
import type { Memory } from '../core/memory.ts'
import type { CycleReport } from '../report.ts'

/** What is held only until a moment: time alone settles it, then it is planned anew. */
export type Wait = { readonly untilMs: number; readonly count: number; readonly startUp: boolean }

export function waitOf({ workspaces }: CycleReport, { quarantine }: Memory): Wait | undefined {
  const holds = workspaces.flatMap((one): readonly Hold[] =>
    one.is === 'judged' && one.verdict.approved ? [...one.verdict.plan.holds, ...(one.applied?.holds ?? [])] : [],
  )
  const waiting = holds.flatMap(({ reason, untilMs }) =>
    reason.kind === 'quarantined' && untilMs !== undefined ? [{ untilMs, since: reason.since }] : [],
  )
  const lost = workspaces
    .flatMap((one) => (one.is === 'judged' ? (one.applied?.results ?? []) : []))
    .flatMap(({ change, outcome }) =>
      outcome.is === 'unknown' ? [{ untilMs: quarantine[change.key] ?? 0, since: 'unknownOutcome' as const }] : [],
    )
  const all = [...waiting, ...lost]
  if (all.length === 0) return undefined
  return {
    untilMs: Math.max(...all.map(({ untilMs }) => untilMs)),
    count: all.length,
    startUp: all.some(({ since }) => since === 'startUp'),
  }
}

export function waitSentence({ untilMs, count, startUp }: Wait, nowMs: number): string {
  const why = startUp
    ? 'nothing says how the process before this one ended, and a create of it may still be on its way'
    : 'the answer to an earlier write was lost, and it may still be executed'
  const cure = startUp ? '. If nobody else has written, --no-wait skips this' : ''
  return `Waiting ${Math.ceil((untilMs - nowMs) / 1000)} s before ${count} more: ${why}${cure}.\n`
}
