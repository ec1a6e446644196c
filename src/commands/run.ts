import type { Program } from '../compose/compose.ts'
import type { ProgramEnvironment, RealEnvironment } from '../compose/environment.ts'
import { dateOf, momentOfDate } from '../core/clock.ts'
import { counted } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { openMetrics } from '../daemon/metrics.ts'
import { isLost } from '../journal/lost.ts'
import { openReportLog } from '../log/report.ts'
import { watchOrders } from '../orders/watch.ts'
import type { Observation } from '../plane/call.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { sayBudgetWaits } from './budgetWait.ts'
import { type Call, type Command, type ExitCode, exitCodes, UsageError } from './command.ts'
import { errorLine, errorReport } from './errorReport.ts'
import { exitCode } from './exitCode.ts'
import { stream } from './input.ts'
import { openLeaving } from './leaveLast.ts'
import { openOrders } from './orders/openOrders.ts'
import { reconcileByDaemon } from './orders/reconcileByDaemon.ts'
import { exitCodeOfRounds, joined, untilSettled } from './rounds.ts'
import { openSettings, openSettingsOrLast } from './settings.ts'
import { onlyWorkspaces } from './workspaces.ts'
import { openWriting } from './writing.ts'

export const command: Command = { takesHangUp: isDaemon, run: (call) => runLogged(call) }

/** @param show prints the reports of `--once`; without it they are only logged */
export async function runLogged(call: Call, show?: Show): Promise<ExitCode> {
  let world: RealEnvironment | undefined
  const onWorld = (made: RealEnvironment) => {
    world = made
  }
  try {
    return await runUntilStopped(call, onWorld, show)
  } catch (error) {
    // Programs collect a JSON log, so the error that ends `run` is a line of this log, not plain text.
    if (world === undefined || world.logIsPretty || !world.log.isLevelEnabled('error') || error instanceof UsageError) throw error
    const { fields, message } = errorLine(error)
    world.log.error(fields, message)
    return errorReport(error).code
  }
}

/** All rounds of a run as one report, and the time of its end. */
type Show = (report: CycleReport, nowMs: number) => void

function isDaemon({ once }: Call['values']): boolean {
  return once !== true
}

async function runUntilStopped(
  { values, terminal, signal }: Call,
  onWorld: (world: RealEnvironment) => void,
  show?: Show,
): Promise<ExitCode> {
  if (isDaemon(values) && values.config === stream)
    throw new UsageError('run reads its settings again when they change, so they cannot come from standard input', {
      cure: 'name a file with --config, or add --once',
    })
  let observe: ProgramEnvironment['observe']
  const known = isDaemon(values)
    ? await openSettingsOrLast(values, terminal, signal)
    : { loaded: await openSettings(values, terminal, signal) }
  const byDaemon = isDaemon(values) ? undefined : await reconcileByDaemon(known.loaded, { values, positionals: [], terminal, signal })
  if (byDaemon !== undefined) return byDaemon
  const options = {
    loaded: known.loaded,
    command: 'run',
    lockedAs: isDaemon(values) ? ('daemon' as const) : ('run --once' as const),
    waivers: [],
    noWait: values['no-wait'] === true,
    observe: (request: Observation) => observe?.(request),
    onWorld,
  }
  await using open = await openWriting(values, terminal, options, signal)
  const { log } = open.world
  const only = onlyWorkspaces(values, open.loaded.settings)
  const cycle = { ...open.cycle, ...(only === undefined ? {} : { only }) }
  const writing = values['dry-run'] === true ? {} : { writing: open.writing }
  log.info({ event: 'start', version: terminal.version, settings: open.loaded.file }, `plane-group-sync ${terminal.version}`)
  terminal.errLosses.onRecovery(({ lines, why }) =>
    log.warn(
      { event: 'log', lost: lines },
      `standard error can be written again; ${counted(lines, 'line')} of the log ${lines === 1 ? 'was' : 'were'} lost: ${why}`,
    ),
  )
  let { program } = open
  using waits = new DisposableStack()
  if (log.isLevelEnabled('debug'))
    waits.use(
      sayBudgetWaits({
        queues: () => program.queues,
        clock: open.world.clock,
        say: (sentence) => log.debug({ event: 'wait' }, sentence.trimEnd()),
      }),
    )
  if (values.once === true) {
    const logReport = openReportLog(log)
    const once = async (): Promise<CycleReport> => {
      open.world.cycle.begin()
      const report = await runCycle(open.program.sources, cycle, writing.writing?.(open.program), signal)
      logReport(report)
      open.world.cycle.end()
      return report
    }
    if (values['dry-run'] === true) return exitCode(await once())
    const { clock } = open.world
    const say = (sentence: string) => log.info({ event: 'wait' }, sentence.trimEnd())
    const reports = await untilSettled(once, { clock, memory: open.run.memory, say }, signal)
    show?.(joined(reports), clock.now())
    return signal.aborted ? exitCodes.failed : exitCodeOfRounds(reports)
  }
  const metrics = openMetrics({
    version: terminal.version,
    node: terminal.node,
    queues: () => [...program.queues].map(([credential, queue]) => ({ credential, view: queue.view() })),
    dateOf: (atMs) => dateOf(open.world.clock, atMs),
    linesLost: terminal.errLosses.linesLost,
    onError: (error) => log.error({ event: 'metrics', err: error }, 'a metric could not be read'),
  })
  const { loaded, world, run } = open
  let inUse = loaded
  const onProgram = (next: Program, settings: LoadedSettings) => {
    program = next
    inUse = settings
  }
  const isDryRun = values['dry-run'] === true
  const { journal } = loaded.settings
  const { token } = run
  const leaving =
    journal === 'none' ? undefined : { folder: loaded.path(journal.folder), disk: open.disk, run, terminal, log, clock: world.clock }
  const left = leaving && openLeaving(leaving)
  await using orders =
    token === undefined || journal === 'none' || left === undefined
      ? undefined
      : openOrders({
          watch: (onOrder) =>
            watchOrders({
              folder: loaded.path(journal.folder),
              run: token,
              clock: world.clock,
              onOrder,
              onRefused: (why) => log.warn({ event: 'order' }, visible(why)),
            }),
          settings: () => inUse,
          run,
          left,
          isDryRun,
          terminal,
          clock: world.clock,
          log,
        })
  await runDaemon(
    {
      loaded,
      program,
      onProgram,
      onRequest: (next) => {
        observe = next
      },
      world,
      metrics,
      cycle,
      ...writing,
      markIdle: run.markIdle,
      ...(orders === undefined ? {} : { orders }),
      bind: run.bind,
      isFinal: isLost,
      memory: run.memory,
      ...(left === undefined ? {} : { leave: left.leave }),
      ...(open.declarations === undefined ? {} : { restore: open.declarations.restore }),
      ...(open.keepSettings === undefined ? {} : { keepSettings: open.keepSettings }),
      ...(known.lastValidMs === undefined ? {} : { settingsLastValid: momentOfDate(world.clock, known.lastValidMs) }),
      signals: terminal.signals,
    },
    signal,
  )
  log.info({ event: 'end' }, 'stopped')
  return exitCodes.done
}
