import type { Program } from '../compose/compose.ts'
import type { ProgramEnvironment, RealEnvironment } from '../compose/environment.ts'
import { dateOf } from '../core/clock.ts'
import { complete } from '../core/optionalFields.ts'
import { counted } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { type Cycle, runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { openMetrics } from '../daemon/metrics.ts'
import { openNotifier } from '../daemon/notice/notifier.ts'
import type { PageSources } from '../daemon/page.ts'
import type { Daemon, EndedCycle } from '../daemon/parts.ts'
import { openRunning, type RunningCycle } from '../daemon/running.ts'
import { isLost } from '../journal/lost.ts'
import { logAskedWaits } from '../log/limitWait.ts'
import { openReportLog } from '../log/report.ts'
import { watchOrders } from '../orders/watch.ts'
import type { Observation } from '../plane/call.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { serviceOf } from '../settings/service.ts'
import { type Call, type Command, choice, type ExitCode, exitCodes, type Terminal, UsageError } from './command.ts'
import { formats } from './description.ts'
import { errorLine, errorReport } from './errorReport.ts'
import { examine, tryCredentials } from './examine.ts'
import { exitCode } from './exitCode.ts'
import { stream } from './input.ts'
import { openLeaving } from './leaveLast.ts'
import { claimedName, printAnswer, runningDaemon, showOf } from './orders/askDaemon.ts'
import { openOrders } from './orders/openOrders.ts'
import { recordOrder } from './orders/recordOrder.ts'
import { openPageReport } from './pageReport.ts'
import { exitCodeOfRounds, joined, untilSettled } from './rounds.ts'
import { openSettings } from './settings.ts'
import { sayBudgetWaits } from './waitWatch.ts'
import { onlyWorkspaces } from './workspaces.ts'
import { type OpenWriting, openWriting } from './writing.ts'

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

function isDaemon({ once }: Call['values']): boolean {
  return once !== true
}

async function runUntilStopped(
  { values, terminal, signal }: Call,
  onWorld: (world: RealEnvironment) => void,
  show: Show | undefined,
): Promise<ExitCode> {
  if (isDaemon(values) && values.config === stream)
    throw new UsageError('run reads its settings again when they change, so they cannot come from standard input', {
      cure: 'name a file with --config, or add --once',
    })
  let observe: ProgramEnvironment['observe']
  let running: RunningCycle | undefined
  const loaded = await openSettings(values, terminal, signal)
  const byDaemon = isDaemon(values) ? undefined : await reconcileByDaemon(loaded, { values, positionals: [], terminal, signal })
  if (byDaemon !== undefined) return byDaemon
  const options = {
    loaded,
    command: 'run',
    lockedAs: isDaemon(values) ? ('daemon' as const) : ('run --once' as const),
    waivers: [],
    noWait: values['no-wait'] === true,
    observe: (request: Observation) => observe?.(request),
    progress: (...step: Parameters<RunningCycle['step']>) => running?.step(...step),
    onWorld,
  }
  await using open = await openWriting(values, terminal, options, signal)
  const { log } = open.world
  log.info({ event: 'start', version: terminal.version, settings: open.loaded.file }, `plane-group-sync ${terminal.version}`)
  logLosses(open.world, terminal)
  let { program } = open
  using waits = new DisposableStack()
  waits.use(logWaits(open.world, () => program.queues))
  const cycle = { ...open.cycle, ...complete<Pick<Cycle, 'only'>>({ only: onlyWorkspaces(values, open.loaded.settings) }) }
  const isDryRun = values['dry-run'] === true
  if (values.once === true) return await runOnce(open, { cycle, isDryRun, show }, signal)
  const onRequest = (next: NonNullable<typeof observe>) => {
    observe = next
  }
  const onProgram = (next: Program) => {
    program = next
  }
  running = openRunning({
    now: open.world.clock.now,
    queues: () => program.queues,
    work: (workspace, changes) => program.work(workspace, changes),
  })
  await startDaemon(open, { terminal, cycle, isDryRun, running, onRequest, onProgram }, signal)
  log.info({ event: 'end' }, 'stopped')
  return exitCodes.done
}

/** Logs how many lines of the log were lost, as soon as standard error can be written again. */
function logLosses({ log }: RealEnvironment, { errLosses }: Terminal): void {
  errLosses.onRecovery(({ lines, why }) =>
    log.warn(
      { event: 'log', lost: lines },
      `standard error can be written again; ${counted(lines, 'line')} of the log ${lines === 1 ? 'was' : 'were'} lost: ${why}`,
    ),
  )
}

/** Logs the waits that Plane asked for; at the level debug also each longer wait for a rate limit. Dispose it to stop. */
function logWaits({ log, clock }: RealEnvironment, queues: () => Program['queues']): Disposable {
  const waits = new DisposableStack()
  waits.use(logAskedWaits(queues, log, clock))
  if (log.isLevelEnabled('debug'))
    waits.use(sayBudgetWaits({ queues, clock, say: (sentence) => log.debug({ event: 'wait' }, sentence.trimEnd()) }))
  return waits
}

/** All rounds of a run as one report, and the time of its end. */
type Show = (report: CycleReport, nowMs: number) => void

/** `show` prints the report of all rounds; absent: the reports are only logged. */
type OnceOptions = { readonly cycle: Cycle; readonly isDryRun: boolean; readonly show: Show | undefined }

/** `run --once`: cycles until no change is in quarantine, or one cycle without a writer for a dry run. */
async function runOnce(
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

/** One cycle of the daemon that has the journal open, with its report. @returns undefined if there is no such daemon */
async function reconcileByDaemon(loaded: LoadedSettings, { values, terminal, signal }: Call): Promise<ExitCode | undefined> {
  const daemon = await runningDaemon(loaded, values, terminal)
  if (daemon === undefined) return undefined
  const only = onlyWorkspaces(values, loaded.settings)
  const format = choice('format', values.format, formats, 'text')
  const about = {
    ...(only === undefined ? {} : { only: [...only] }),
    allow: [],
    by: claimedName(values, terminal),
    show: showOf(values, format, terminal),
  }
  return printAnswer(await daemon.ask({ kind: values['dry-run'] === true ? 'plan' : 'cycle', ...about }, signal), terminal)
}

type DaemonOptions = {
  readonly terminal: Terminal
  readonly cycle: Cycle
  readonly isDryRun: boolean
  readonly running: RunningCycle
  readonly onRequest: (observe: NonNullable<ProgramEnvironment['observe']>) => void
  /** Called in every cycle with its program. */
  readonly onProgram: (program: Program) => void
}

/** Runs the daemon until `signal` fires, with its metrics, its orders, and what it leaves beside the journal. */
async function startDaemon(
  open: OpenWriting,
  { terminal, cycle, isDryRun, running, onRequest, onProgram }: DaemonOptions,
  signal: AbortSignal,
): Promise<void> {
  const { loaded, world, run } = open
  const { log, clock } = world
  let program = open.program
  let inUse = loaded
  const metrics = openMetrics({
    version: terminal.version,
    node: terminal.node,
    queues: () => [...program.queues].map(([credential, queue]) => ({ credential, view: queue.view() })),
    dateOf: (atMs) => dateOf(clock, atMs),
    linesLost: terminal.errLosses.linesLost,
    onError: (error) => log.error({ event: 'metrics', err: error }, 'a metric could not be read'),
  })
  const { journal, http } = loaded.settings
  const isShown = http !== 'none' && http.page !== undefined
  const folder = journal === 'none' ? undefined : loaded.path(journal.folder)
  const left =
    folder === undefined
      ? undefined
      : openLeaving({
          folder,
          service: () => serviceOf(inUse.settings),
          approvals: () => (inUse.settings.approvals === 'any' ? run.memory().approvals : []),
          disk: open.disk,
          run,
          terminal,
          log,
          clock,
          isShown,
        })
  const { token } = run
  const pageReport =
    isShown && world.keeper !== undefined
      ? openPageReport({ readings: world.keeper.readings, memory: run.memory, loaded: () => inUse, clock })
      : undefined
  const leaveAll = async (ended: EndedCycle) => {
    pageReport?.ended(ended.report)
    await left?.leave(ended)
  }
  const readings = world.keeper?.readings
  await using orders =
    folder === undefined || token === undefined || left === undefined || readings === undefined
      ? undefined
      : openOrders({
          watch: (onOrder) =>
            watchOrders({ folder, run: token, clock, onOrder, onRefused: (why) => log.warn({ event: 'order' }, visible(why)) }),
          settings: () => inUse,
          run,
          left,
          isDryRun,
          record: (order) => recordOrder(order, { loaded: inUse, sources: program.sources, readings, memory: run.memory(), clock }, signal),
          examine: async ({ only }, report) => {
            const names = only === undefined ? undefined : new Set(only)
            const examined = { loaded: inUse, program, readings, memory: run.memory(), only: names }
            return examine(examined, await tryCredentials(examined, signal), report, 'the cycle has left it out', signal)
          },
          running: running.running,
          terminal,
          clock,
          log,
        })
  await runDaemon(
    {
      loaded,
      program,
      onProgram: (next: Program, settings: LoadedSettings) => {
        program = next
        inUse = settings
        onProgram(next)
      },
      onRequest,
      world,
      metrics,
      cycle: { ...cycle, onWorkspaces: running.workspaces, ...(isShown ? { listsUnchanged: true } : {}) },
      markIdle: run.markIdle,
      bind: run.bind,
      isFinal: isLost,
      memory: run.memory,
      running,
      signals: terminal.signals,
      ...complete<Pick<Daemon, 'writing' | 'orders' | 'leave' | 'notifier' | 'page'>>({
        writing: isDryRun ? undefined : open.writing,
        notifier: isDryRun ? undefined : openNotifier({ world, run, metrics, isLost }),
        orders,
        leave: left && leaveAll,
        page:
          left === undefined
            ? undefined
            : complete<PageSources>({
                scrub: terminal.secrets.scrub,
                onWrong: (wrongs, sentence) => log.warn({ event: 'page', ...wrongs }, sentence),
                last: left.last,
                report: pageReport?.document,
                running: running.running,
                edits: () => run.memory().edits,
              }),
      }),
    },
    signal,
  )
}
