import { type Cycle, runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import { openReportLog } from '../log/report.ts'
import { type ExitCode, exitCodes } from './command.ts'
import { exitCode } from './exitCode.ts'
import { joined } from './joined.ts'
import { exitCodeOfRounds, untilSettled } from './rounds.ts'
import type { OpenWriting } from './writing.ts'

/** All rounds of a run as one report, and the time of its end. */
export type Show = (report: CycleReport, nowMs: number) => void

/** `show` prints the report of all rounds; absent: the reports are only logged. */
type OnceOptions = { readonly cycle: Cycle; readonly isDryRun: boolean; readonly show: Show | undefined }

/** `run --once`: cycles until no change is in quarantine, or one cycle without a writer for a dry run. */
export async function runOnce(
  { program, run, world, writing }: Pick<OpenWriting, 'program' | 'run' | 'world' | 'writing'>,
  { cycle, isDryRun, show }: OnceOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { clock, log } = world
  const logReport = openReportLog(log)
  const once = async (): Promise<CycleReport> => {
    world.cycle.begin()
    const report = await runCycle(program.sources, cycle, isDryRun ? undefined : writing(program), signal)
    logReport(report)
    world.cycle.end()
    return report
  }
  if (isDryRun) return exitCode(await once())
  const say = (sentence: string) => log.info({ event: 'wait' }, sentence.trimEnd())
  const reports = await untilSettled(once, { clock, memory: run.memory, say }, signal)
  show?.(joined(reports), clock.now())
  return signal.aborted ? exitCodes.failed : exitCodeOfRounds(reports)
}
