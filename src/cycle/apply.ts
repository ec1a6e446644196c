import { type Change, type ChangeId } from '../core/change.ts'
import { errorText } from '../core/errorText.ts'
import { type Hold, holdFor } from '../core/hold.ts'
import { type Gate } from '../core/judge/gate.ts'
import { type ApprovedPlan, approvedChanges } from '../core/judge/guards.ts'
import { type Failures } from '../core/memory/memory.ts'
import { defined } from '../core/optionalFields.ts'
import { rank } from '../core/order.ts'
import { isAsSent, isOutage, type Outcome } from '../core/outcome.ts'
import { type Plan } from '../core/plan.ts'
import { type Applied, type Result } from '../core/report.ts'
import { type RoleSettings } from '../core/roles.ts'

/** How the writing of one workspace goes on. `begins` has the approved plan of the first slice; its holds include the changes that wait. */
export type WritingStep =
  | { readonly kind: 'begins'; readonly plan: Plan }
  | { readonly kind: 'tried'; readonly result: Result }
  | { readonly kind: 'held'; readonly hold: Hold }
  | { readonly kind: 'ends' }

/** `slice`: the slice was full, and `left` is for the next one. */
type AppliedSlice = Omit<Applied, 'stopped'> & { readonly stopped?: NonNullable<Applied['stopped']> | 'slice' }

/** What `apply` needs from outside. */
export type ApplyPorts = {
  readonly gate: Gate
  /** Sends nothing if `isFresh` returns false directly before the first byte. */
  readonly write: (change: Change, isFresh: () => boolean, signal: AbortSignal) => Promise<Outcome>
  /** Settles when the intent is durable. A change that is not in the journal is not sent. */
  readonly intend: (change: Change) => Promise<void>
  readonly settle: (change: Change, outcome: Outcome) => Promise<void>
  /** Whether the change only takes rights away. */
  readonly isRevocation: (change: Change) => boolean
  readonly roles: RoleSettings
  /** What failed before. */
  readonly failures: Failures
  readonly progress?: (step: WritingStep) => void
  /** Changes of one slice. A long plan is written in slices, each from a fresh read. */
  readonly changesMax: number
  /**
   * The most creates of one slice. If another create follows, the slice ends, and the next slice reads the lists. These lists show whether another
   * writer makes the same mappings.
   */
  readonly createsMax: number
  /**
   * Whether the lists of the slice are old. If they are, the slice ends, but not before its first change. If each reading takes so long that its lists
   * are old at its end, nothing would be written otherwise.
   */
  readonly isListOld: () => boolean
  /**
   * Whether a rule has started, or a rule or an approval has ended since the slice was planned. The slice then ends, and the next one is planned by the
   * present date.
   */
  readonly needsNewPlan: () => boolean
  /** Whether the machine was suspended so long that all readings of the cycle are old. Nothing more is written then. */
  readonly areReadingsOld: () => boolean
  /** False if this process stood still or the clock was set forward: another process may have the journal by now. The slice then ends. */
  readonly hasLock: () => boolean
  readonly now: () => number
}

/** After so many outages in a row (`isOutage`), the other changes wait for a fresh read. */
const outagesMax = 3

/** After so many changes in a row that were throttled until the end, the rest waits: one alone may be refused by a rule of a proxy about it. */
const throttledMax = 2

/** After so many mappings in a row that the service stored otherwise than they were sent, only revocations are sent. */
const notAsSentMax = 3

/**
 * Writes an approved plan, one change after another. Each change passes the gate first. It is in the journal before and after the write. A failed
 * change stops only the changes that require it, unless the credential, the service or the journal fails.
 */
export async function apply(
  plan: ApprovedPlan,
  {
    gate,
    write,
    intend,
    settle,
    isRevocation,
    roles,
    failures,
    progress,
    changesMax,
    createsMax,
    isListOld,
    needsNewPlan,
    areReadingsOld,
    hasLock,
    now,
  }: ApplyPorts,
  signal: AbortSignal,
): Promise<AppliedSlice> {
  const results: Result[] = []
  const holds: Hold[] = []
  const succeeded = new Set<ChangeId>()
  const changes = failedLast(approvedChanges(plan), failures, roles)
  const planned = new Map(changes.map((change) => [change.id, change]))
  let outages = 0
  let created = 0
  let notAsSent = 0
  let throttled = 0
  const inARow = openFailuresInARow(roles, failures)
  /** Changes that were not sent, because the service stores or refuses too much. */
  const unsent: Change[] = []
  let unsentWhy: AppliedSlice['stopped']
  const ageStop = () => (areReadingsOld() ? 'outdated' : needsNewPlan() || (results.length > 0 && isListOld()) ? 'slice' : undefined)
  let staleWhy: ReturnType<typeof ageStop>
  const isFresh = () => {
    // The next slice reads the lists, and its first intent checks the lock of the journal.
    staleWhy = ageStop() ?? (hasLock() ? undefined : 'slice')
    return staleWhy === undefined
  }

  for (const [index, change] of changes.entries()) {
    const rest = (from: number) => ({ results, holds, left: [...unsent, ...changes.slice(from)] })
    // Another slice would send what is not sent here.
    const stop = (why: NonNullable<AppliedSlice['stopped']>): AppliedSlice => ({
      ...rest(index),
      stopped: why === 'slice' && notAsSent >= notAsSentMax ? 'notAsSent' : why,
    })
    if (signal.aborted) return stop('signal')
    const old = ageStop()
    if (old !== undefined) return stop(old)
    const stops = notAsSent >= notAsSentMax && !isRevocation(change) ? 'notAsSent' : inARow.stops(change)
    if (stops !== undefined) {
      unsent.push(change)
      unsentWhy = stops
      continue
    }
    if (results.length >= changesMax) return stop('slice')
    if (change.action === 'create' && created >= createsMax) return stop('slice')
    const missing = change.requires.find((id) => planned.has(id) && !succeeded.has(id))
    const hold = missing === undefined ? gate(change) : holdFor(change, { kind: 'requires', key: (planned.get(missing) as Change).key })
    if (hold !== undefined) {
      holds.push(hold)
      progress?.({ kind: 'held', hold })
      continue
    }
    const unintended = await failureOf(intend(change))
    if (unintended !== undefined) return { ...stop('journal'), why: unintended }
    staleWhy = undefined
    const outcome = await write(change, isFresh, signal).catch(async (error: unknown) => {
      // `write` throws only by a bug, perhaps after bytes were sent. The intent then needs a result, since the process goes on.
      await settle(change, { kind: 'unknown', why: String(error), lastByteMs: now() })
      throw error
    })
    const unsettled = await failureOf(settle(change, outcome))
    const held = outcome.kind === 'notSent' ? holdOf(outcome, () => gate(change)) : undefined
    // The readings or the lock grew old, or a date passed, while the change waited for the budget. It was not sent and counts as not tried.
    const isUntried = outcome.kind === 'notSent' && held === undefined && unsettled === undefined && !signal.aborted
    if (isUntried && staleWhy !== undefined) return stop(staleWhy)
    const result: Result = {
      change,
      outcome: outcome.kind === 'notSent' && held !== undefined ? { ...outcome, hold: held } : outcome,
      ...defined({ failedMs: failures[change.id] }),
    }
    results.push(result)
    if (isAsSent(outcome)) succeeded.add(change.id)
    if (change.action === 'create' && outcome.kind === 'done') created++
    progress?.({ kind: 'tried', result })

    const left = () => rest(index + 1)
    if (unsettled !== undefined) return { ...left(), stopped: 'journal', why: unsettled }
    if (held !== undefined) {
      holds.push(held)
      continue
    }
    if (outcome.kind === 'notSent') return { ...left(), stopped: signal.aborted ? 'signal' : unsentStop(outcome) }
    if (outcome.kind === 'refused' && outcome.code === 'credential') return { ...left(), stopped: 'credential' }
    throttled = outcome.kind === 'refused' && outcome.code === 'throttled' ? throttled + 1 : 0
    if (throttled >= throttledMax) return { ...left(), stopped: 'throttled' }
    if (inARow.tried(change, outcome)) outages++
    else if (!isOutage(outcome)) outages = 0
    if (outages >= outagesMax) return { ...left(), stopped: 'unreachable' }
    if (notAsSent < notAsSentMax) notAsSent = outcome.kind === 'done' && !isAsSent(outcome) ? notAsSent + 1 : 0
  }
  return { results, holds, left: unsent, ...defined({ stopped: unsentWhy ?? (throttled > 0 ? 'throttled' : undefined) }) }
}

type NotSent = Extract<Outcome, { kind: 'notSent' }>

/**
 * The hold of a change that was not sent; undefined if it has none. If there is a hold, only this change stops, and the next one may be
 * written. If an earlier attempt at the change got no answer, its key is in quarantine by now, and the gate gives that hold.
 */
const holdOf = ({ hold, earlierLastByteMs }: NotSent, ask: () => Hold | undefined): Hold | undefined =>
  hold ?? (earlierLastByteMs === undefined ? undefined : ask())

const unsentStop = ({ retryAfterMs }: NotSent) => (retryAfterMs === undefined ? 'unreachable' : 'throttled')

/** The error of a step of the journal as text; undefined if there was none. It is not thrown, so that earlier results are reported. */
const failureOf = (step: Promise<void>): Promise<string | undefined> =>
  step.then(
    () => undefined,
    (error: unknown) => errorText(error, ': '),
  )

/**
 * The changes of a plan as they are tried: within a rank, those that failed before come after the others, and the one whose failure is oldest comes first
 * among them. So a few of them never keep the others from being tried, although failures in a row end the writing.
 */
const failedLast = (changes: readonly Change[], failures: Failures, roles: RoleSettings): readonly Change[] =>
  changes.toSorted((a, b) => rank(a, roles) - rank(b, roles) || (failures[a.id] ?? 0) - (failures[b.id] ?? 0))

/** After so many equal answers in a row that are no success, the rest is not tried. */
const failuresMax = 3

/** After so many outages of changes that failed before, no other such change is tried. */
const failedOutagesMax = 3

/** Statuses with which Plane fails at one change. Any other answer is about the credential, or comes from a proxy, and the next change would get it, too. */
const ofOneChange: ReadonlySet<number> = new Set([400, 404, 409, 410, 422, 500])

/**
 * Counts equal failures in a row. After `failuresMax` of them no further change of their kinds is tried, so a key that may not write costs a few requests.
 * A failure of one change stops only those that failed before. The other kinds are tried once, since a proxy may refuse one method only; and as many
 * failures of one kind stop this kind, although others succeed between them.
 *
 * Outages of changes that failed before stop only such changes: it is their failure, and the service may answer the others. They are counted
 * separately from the outages that end the writing.
 */
function openFailuresInARow(roles: RoleSettings, failures: Failures) {
  /** Changes of one rank that are sent by one method. */
  const kindOf = (change: Change) => `${rank(change, roles)} ${change.action === 'delete'}`
  let last = noFailure
  let outagesAgain = 0
  const ofKind = new Map<string, InARow>()
  const tried = new Set<string>()
  const failedBefore = (change: Change) => change.id in failures
  return {
    stops(change: Change): 'refused' | 'unreachable' | undefined {
      if (failedBefore(change) && outagesAgain >= failedOutagesMax) return 'unreachable'
      const kind = kindOf(change)
      const isOver = ({ status, times }: InARow) => times >= failuresMax && (!ofOneChange.has(status as number) || failedBefore(change))
      return (tried.has(kind) && isOver(last)) || isOver(ofKind.get(kind) ?? noFailure) ? 'refused' : undefined
    },
    /** @returns whether it is an outage of a change that did not fail before */
    tried(change: Change, outcome: Outcome): boolean {
      if (outcome.kind === 'notSent') return false
      const kind = kindOf(change)
      const now = isOutage(outcome) || outcome.kind === 'done' ? undefined : outcome.status
      if (now !== last.status) tried.clear()
      last = after(last, now)
      ofKind.set(kind, after(ofKind.get(kind) ?? noFailure, now))
      tried.add(kind)
      if (!isOutage(outcome)) return false
      if (failedBefore(change)) outagesAgain++
      return !failedBefore(change)
    },
  }
}

/** The status of the last failure, and how many such failures came in a row. */
type InARow = { readonly status: number | undefined; readonly times: number }
const noFailure: InARow = { status: undefined, times: 0 }
const after = ({ status, times }: InARow, now: number | undefined): InARow => ({
  status: now,
  times: now === undefined ? 0 : now === status ? times + 1 : 1,
})
