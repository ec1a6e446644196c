import type { Change, ChangeId } from '../core/change.ts'
import type { SteadyClock } from '../core/clock.ts'
import type { Hold, HoldReason } from '../core/hold.ts'
import { withRounds } from '../core/judge/guards.ts'
import type { Key } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { isAsSent, type Outcome, unsettledByteMs } from '../core/outcome.ts'
import type { Plan } from '../core/plan.ts'
import { counted } from '../core/quantity.ts'
import type { Applied, Result } from '../core/report.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport, WorkspaceReport } from '../cycle/cycleReport.ts'
import { type ExitCode, exitCodes, type Terminal } from './command.ts'
import { exitCodeOfWriting } from './exitCode.ts'
import { failuresText } from './render.ts'

type RoundOptions = {
  readonly clock: SteadyClock
  readonly memory: () => Memory
  readonly say: (sentence: string) => void
  /** A pause between two rounds begins that ends at `untilMs`; undefined: it is over. */
  readonly pause?: (untilMs: number | undefined) => void
  /** Called after each round. `goesOn`: another round follows. */
  readonly onRound?: (report: CycleReport, goesOn: boolean) => void
}

/**
 * Runs cycles until no change is in quarantine, and none is left because the readings were too old. In each round everything is read and planned
 * again. From the second round on, a round that wrote nothing is the last one. So the rounds end if the service does not answer.
 *
 * @returns the reports of all rounds; at least one
 */
export async function untilSettled(
  cycle: (round: number) => Promise<CycleReport>,
  { clock, memory, say, pause, onRound }: RoundOptions,
  signal: AbortSignal,
): Promise<readonly [CycleReport, ...CycleReport[]]> {
  const reports: [CycleReport, ...CycleReport[]] = [await cycle(0)]
  for (let last = reports[0]; ; ) {
    const next = signal.aborted ? undefined : nextRound(reports, memory())
    onRound?.(last, next !== undefined)
    if (next === undefined) return reports
    const { wait } = next
    // The wait may have ended before the cycle ended.
    if (wait !== undefined && wait.untilMs > clock.now()) say(waitSentence(wait, clock.now()))
    pause?.(wait?.untilMs)
    await clock.sleep(Math.max(0, (wait?.untilMs ?? 0) - clock.now()) + 1, signal).catch(() => undefined)
    pause?.(undefined)
    if (signal.aborted) {
      say(stoppedSentence)
      return reports
    }
    last = await cycle(reports.length)
    reports.push(last)
  }
}

/**
 * Whether another round follows these rounds, and what it waits for; undefined if it does not follow. It begins at once if the readings of the last round
 * were too old.
 */
export function nextRound(
  reports: readonly [CycleReport, ...CycleReport[]],
  memory: Memory,
): { readonly wait: QuarantineWait | undefined } | undefined {
  const last = reports.at(-1) ?? reports[0]
  if (reports.length > 1 && !hasWritten(last)) return undefined
  const wait = waitOf(last, memory)
  return wait !== undefined || isOutdated(last) ? { wait } : undefined
}

/** The waivers by ID that let changes pass. They have the ids of these changes, so they also cover what is left of them in the next round. */
export const waivedIn = ({ workspaces }: CycleReport): readonly Waiver[] =>
  workspaces.flatMap((workspace) => (workspace.kind === 'judged' ? workspace.judged.waived.filter(({ words }) => words === undefined) : []))

/** What failed in all rounds, for standard error. The last round may have failed after earlier ones wrote. */
export function failuresOfRounds(
  reports: readonly [CycleReport, ...CycleReport[]],
  terminal: Pick<Terminal, 'isTerminal' | 'secrets'>,
): string {
  const report = joined(reports)
  const last = reports.at(-1) ?? reports[0]
  const failed = last.workspaces.filter(({ kind }, index) => kind === 'failed' && report.workspaces[index]?.kind !== kind)
  const { hash, files } = last.declaration
  const ofLast = failuresText({ ...last, declaration: { hash, files }, directories: [], workspaces: failed }, terminal)
  return ofLast + failuresText(report, terminal)
}

const stoppedSentence = 'Stopped on request during this wait. Apply again: it reads afresh and plans only what is missing.\n'

/** Whether changes are left because the machine was suspended, so that all readings of the round are too old. */
const isOutdated = ({ workspaces }: CycleReport): boolean =>
  workspaces.some((workspace) => workspace.kind === 'judged' && workspace.applied?.stopped === 'outdated')

const resultsOf = (report: CycleReport) =>
  report.workspaces.flatMap((workspace) => (workspace.kind === 'judged' ? (workspace.applied?.results ?? []) : []))
const hasWritten = (report: CycleReport): boolean => resultsOf(report).some(({ outcome }) => outcome.kind === 'done')

/**
 * The exit code of the last round. It is `failed` in one more case: a write of an earlier round was refused or stored in another form, and no round
 * stored it in the form that was sent. The last round has only a hold for such a write.
 */
export function exitCodeOfRounds(reports: readonly [CycleReport, ...CycleReport[]]): ExitCode {
  const last = exitCodeOfWriting(reports.at(-1) ?? reports[0])
  const results = reports.flatMap(resultsOf)
  const done = new Set<ChangeId>(results.flatMap(({ change, outcome }) => (isAsSent(outcome) ? [change.id] : [])))
  const refused = results.some(({ change, outcome }) => isAnswered(outcome) && !done.has(change.id))
  return refused ? exitCodes.failed : last
}

const isAnswered = ({ kind }: Outcome): boolean => kind === 'refused' || kind === 'done'

/**
 * The quarantined changes and the writes of unknown outcome in a report: how many, and until when the last of them waits (epoch ms). `since`: their
 * first reason in `order`.
 */
type QuarantineWait = { readonly untilMs: number; readonly count: number; readonly since: Since }
type Since = Extract<HoldReason, { kind: 'quarantined' }>['since']

const order: readonly Since[] = ['startUp', 'unknownOutcome', 'justWritten']

export function waitOf({ workspaces }: CycleReport, { quarantine }: Memory): QuarantineWait | undefined {
  const holds = workspaces.flatMap((workspace) => (workspace.kind === 'judged' ? workspace.judged.plan.holds : []))
  const waiting = holds.flatMap(({ reason, untilMs }) =>
    reason.kind === 'quarantined' && untilMs !== undefined ? [{ untilMs, since: reason.since }] : [],
  )
  const lost = workspaces
    .flatMap((workspace) => (workspace.kind === 'judged' ? (workspace.applied?.results ?? []) : []))
    .flatMap(({ change, outcome }) =>
      outcome.kind === 'done' || unsettledByteMs(change, outcome) === undefined
        ? []
        : [{ untilMs: quarantine[change.key] ?? 0, since: 'unknownOutcome' as const }],
    )
  const waits = [...waiting, ...lost]
  const since = order.find((reason) => waits.some((wait) => wait.since === reason))
  if (since === undefined) return undefined
  return { untilMs: waits.reduce((last, { untilMs }) => Math.max(last, untilMs), 0), count: waits.length, since }
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

/**
 * All rounds as one report: the plan of the first round, the last result of each change, and the holds and untried changes of the last round. If the last
 * round has no plan, the report ends with the round before.
 */
export function joined(reports: readonly [CycleReport, ...CycleReport[]]): CycleReport {
  const last = reports.at(-1) ?? reports[0]
  return { ...last, workspaces: last.workspaces.map((workspace) => joinedWorkspace(workspace, reports)) }
}

type Judged = Extract<WorkspaceReport, { readonly kind: 'judged' }>
type Written = Judged & { readonly applied: Applied }

function joinedWorkspace(last: WorkspaceReport, reports: readonly CycleReport[]): WorkspaceReport {
  const rounds = reports.flatMap(({ workspaces }) => workspaces.filter(({ workspace }) => workspace === last.workspace))
  const written = rounds.filter((round): round is Written => round.kind === 'judged' && round.applied !== undefined)
  const [first] = written
  const latest = written.at(-1)
  if (rounds.length === 1 || first === undefined || latest === undefined) return last
  const results = latestResults(written, last)
  const tried = new Set(
    results.flatMap(({ change, outcome }) => (outcome.kind === 'notSent' && outcome.hold !== undefined ? [] : [change.id])),
  )
  const untried = ({ change }: Hold) => change === undefined || !tried.has(change.id)
  const changes = new Map(written.flatMap(({ judged }) => judged.plan.changes.map((change) => [change.id, change] as const)))
  const judged = withRounds(first.judged, [...changes.values()], latest.judged.plan.holds.filter(untried))
  return { ...latest, about: last.about, judged, applied: { ...latest.applied, ...endedBy(last), results } }
}

const endedBy = ({ kind }: WorkspaceReport): Pick<Applied, 'stopped'> =>
  kind === 'failed' ? { stopped: 'unreachable' } : kind === 'stopped' ? { stopped: 'signal' } : {}

/** The last result of each change. A write of unknown outcome is done if the last round finds nothing to do for its mapping. */
function latestResults(written: readonly Written[], last: WorkspaceReport): readonly Result[] {
  const open = last.kind === 'judged' ? openKeys(last.judged.plan) : undefined
  const results = new Map(written.flatMap(({ applied }) => applied.results.map((result) => [result.change.id, result] as const)))
  return [...results.values()].map(({ change, outcome }): Result => {
    const isFound = outcome.kind === 'unknown' && open !== undefined && keysOf(change).every((key) => !open.has(key))
    return { change, outcome: isFound ? { kind: 'done' } : outcome }
  })
}

/** The keys for which a plan has a change or a hold; undefined if a list or a directory was not read whole. */
function openKeys({ changes, holds, findings }: Plan): ReadonlySet<Key> | undefined {
  if (findings.some(({ code }) => code === 'reading-incomplete')) return undefined
  return new Set([
    ...changes.flatMap(keysOf),
    ...holds.flatMap((hold) => [hold.key, ...(hold.change === undefined ? [] : keysOf(hold.change))]),
  ])
}

const keysOf = (change: Change): readonly Key[] => (change.action === 'rename' ? [change.from, change.key] : [change.key])
