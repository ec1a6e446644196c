import type { ChangeId } from '../core/change.ts'
import type { SteadyClock } from '../core/clock.ts'
import type { Memory } from '../core/memory/memory.ts'
import { isAsSent, type Outcome } from '../core/outcome.ts'
import type { CycleReport } from '../cycle/report.ts'
import { type ExitCode, exitCodes } from './command.ts'
import { exitCodeOfWriting } from './exitCode.ts'
import { waitOf, waitSentence } from './wait.ts'

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
    const mayGoOn = !signal.aborted && (reports.length === 1 || hasWritten(last))
    const wait = mayGoOn ? waitOf(last, memory()) : undefined
    const goesOn = wait !== undefined || (mayGoOn && isOutdated(last))
    onRound?.(last, goesOn)
    if (!goesOn) return reports
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

const stoppedSentence = 'Stopped on request during this wait. Apply again: it reads afresh and plans only what is missing.\n'

/** Whether changes are left because the machine was suspended, so that all readings of the round are too old. */
const isOutdated = ({ workspaces }: CycleReport): boolean =>
  workspaces.some((one) => one.kind === 'judged' && one.applied?.stopped === 'outdated')

const resultsOf = (report: CycleReport) => report.workspaces.flatMap((one) => (one.kind === 'judged' ? (one.applied?.results ?? []) : []))
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
