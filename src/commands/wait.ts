import type { HoldReason } from '../core/hold.ts'
import type { Memory } from '../core/memory/memory.ts'
import { unsettledByteMs } from '../core/outcome.ts'
import { counted } from '../core/quantity.ts'
import type { CycleReport } from '../cycle/report.ts'

/**
 * The quarantined changes and the writes of unknown outcome in a report: how many, and until when the last of them waits (epoch ms). `since`: their
 * first reason in `order`.
 */
type QuarantineWait = { readonly untilMs: number; readonly count: number; readonly since: Since }
type Since = Extract<HoldReason, { kind: 'quarantined' }>['since']

const order: readonly Since[] = ['startUp', 'unknownOutcome', 'justWritten']

export function waitOf({ workspaces }: CycleReport, { quarantine }: Memory): QuarantineWait | undefined {
  const holds = workspaces.flatMap((one) => (one.kind === 'judged' && one.verdict.approved ? one.verdict.plan.holds : []))
  const waiting = holds.flatMap(({ reason, untilMs }) =>
    reason.kind === 'quarantined' && untilMs !== undefined ? [{ untilMs, since: reason.since }] : [],
  )
  const lost = workspaces
    .flatMap((one) => (one.kind === 'judged' ? (one.applied?.results ?? []) : []))
    .flatMap(({ change, outcome }) =>
      outcome.kind === 'done' || unsettledByteMs(change, outcome) === undefined
        ? []
        : [{ untilMs: quarantine[change.key] ?? 0, since: 'unknownOutcome' as const }],
    )
  const all = [...waiting, ...lost]
  const since = order.find((one) => all.some((wait) => wait.since === one))
  if (since === undefined) return undefined
  return { untilMs: all.reduce((last, { untilMs }) => Math.max(last, untilMs), 0), count: all.length, since }
}

const sentences: Readonly<Record<Since, string>> = {
  startUp: 'a create of the previous process may still be executed. If no other process wrote recently, --no-wait skips this wait',
  unknownOutcome: 'the answer to an earlier write was lost, and it may still be executed',
  justWritten: 'this program wrote a mapping, and the list does not show that write yet',
}

export function waitSentence({ untilMs, count, since }: QuarantineWait, nowMs: number): string {
  const until = new Date(untilMs).toISOString().slice(11, 19)
  return `Waiting ${Math.max(0, Math.ceil((untilMs - nowMs) / 1000))} s, until ${until} UTC, before ${counted(count, 'more change')}: ${sentences[since]}.\n`
}
