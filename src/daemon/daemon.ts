import type { Program } from '../compose/compose.ts'
import type { CycleId } from '../compose/cycleId.ts'
import type { ProgramEnvironment } from '../compose/environment.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { Memory } from '../core/memory/memory.ts'
import { type Cycle, runCycle, type Writing } from '../cycle/cycle.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import type { CycleReport } from '../cycle/report.ts'
import type { Logger } from '../log/logger.ts'
import { openReportLog } from '../log/report.ts'
import { credentialsOf } from '../settings/check.ts'
import type { RestoreDeclaration } from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { openSchedule } from '../settings/schedule.ts'
import type { Settings } from '../settings/schema.ts'
import { type Configuration, openConfiguration } from './configuration.ts'
import { configurationEvents, thrownText } from './configurationLog.ts'
import { heldUntilMs } from './heldUntil.ts'
import { serveHttp } from './http.ts'
import { runLoop } from './loop.ts'
import type { Metrics } from './metrics.ts'
import { type NextRuns, nextRuns } from './nextRuns.ts'
import { openProgress } from './progress.ts'
import { openTriggers, type Trigger } from './triggers.ts'

/** The parts that the daemon works with. They are made elsewhere. */
type Daemon = {
  readonly loaded: LoadedSettings
  readonly program: Program
  /** Called in every cycle with the program of that cycle. After an edit of the settings this is a new program. */
  readonly onProgram: (program: Program) => void
  readonly world: ProgramEnvironment & { readonly log: Logger; readonly cycle: CycleId }
  /** Registers the observer of all requests of the programs. */
  readonly onRequest: (observe: NonNullable<ProgramEnvironment['observe']>) => void
  readonly metrics: Metrics
  readonly cycle: Cycle
  /** Absent: a dry run. */
  readonly writing?: (program: Program) => Writing
  /**
   * Adds the entry `end` to the journal: no write is in flight. If the process is then killed between two cycles, the next start is not delayed.
   * `outcomes`: each workspace of the cycle, and whether it ended with success, for the metrics of the next process.
   */
  readonly markIdle: (outcomes: ReadonlyMap<WorkspaceName, boolean>) => Promise<void>
  /** Adds the workspaces of edited settings to the journal, before anything about them is written to it. */
  readonly bind: (settings: Settings) => Promise<void>
  /** Whether the daemon must end because of an error. `runDaemon` then throws it. */
  readonly isFinal?: (error: unknown) => boolean
  readonly memory: () => Memory
  /** Leaves what the cycle read and decided for the command `status`. Never throws. Absent without a journal. */
  readonly leave?: (ended: EndedCycle) => Promise<void>
  /** Returns the last valid declaration of an earlier process, if there is one and these settings allow it. */
  readonly restore?: RestoreDeclaration
  /** Emits `SIGHUP`, which triggers a cycle. */
  readonly signals: NodeJS.EventEmitter
}

/** Times are epoch ms by the date. */
export type EndedCycle = NextRuns & {
  readonly report: CycleReport
  readonly program: Program
  readonly beganMs: number
  readonly endedMs: number
}

/**
 * Without progress for this time, `/healthz` fails. It is far longer than any wait that the service asks for, and longer than a slow directory takes.
 */
const noProgressMaxMs = 60 * 60_000

/**
 * Keeps every workspace as declared until `signal` fires. A cycle runs at once, at each tick, at SIGHUP, when a hold ends, and when a rule starts or ends. Probes and metrics
 * are served meanwhile.
 *
 * @throws {ScheduleError} {ListenError} before the first cycle; later an error for which `isFinal` is true
 */
export async function runDaemon(daemon: Daemon, signal: AbortSignal): Promise<void> {
  const { world, metrics, memory } = daemon
  const { log, clock } = world
  const progress = openProgress(clock.now(), noProgressMaxMs)
  daemon.onRequest((request) => {
    metrics.observeRequest(request)
    progress.requestEnded(clock.now())
  })
  const triggers = openTriggers()
  const configuration = openConfiguration(daemon, world, memory, configurationEvents(log, metrics, daemon.loaded.hash))
  const scheduleOf = () => openSchedule(configuration.loaded().settings.schedule.cron, configuration.loaded().settings.schedule.timezone)
  scheduleOf()
  expectSeries(metrics, daemon.loaded)
  const known = cycleTimes(memory().lastCycle).filter(({ workspace }) => Object.hasOwn(daemon.loaded.settings.workspaces, workspace))
  metrics.observeEarlier(known, clock.wall())
  metrics.observeConfiguration('settings', true, daemon.loaded.hash)

  const { http } = daemon.loaded.settings
  const pages = {
    healthy: () => progress.healthy(clock.now()),
    ready: progress.ready,
    metrics: metrics.render,
    onError: (error: unknown) => log.error({ event: 'metrics', err: error }, 'a page could not be made'),
  }
  const server = http === 'none' ? undefined : await serveHttp(http.listen, pages)
  if (server !== undefined) log.info({ event: 'listening', url: server.url }, `metrics and probes at ${server.url}`)
  const onHangUp = () => triggers.fire('reload')
  daemon.signals.on('SIGHUP', onHangUp)

  const logReport = openReportLog(log)
  const onReport = (report: CycleReport) => {
    progress.ended(clock.now(), true)
    metrics.observeReport(report)
    logReport(report)
  }
  try {
    await runLoop<CycleReport>(
      {
        clock,
        triggers,
        random: world.random,
        jitterMs: () => configuration.loaded().settings.schedule.jitter,
        nextTickMs: (afterMs) => scheduleOf().nextMs(afterMs),
        edited: configuration.isEdited,
        heldUntilMs,
        nextDateMs: (report) => report.nextDateMs,
        cycle: async (why, stop) => {
          const [beganMs, tickMs] = [clock.wall(), scheduleOf().nextMs(clock.wall())]
          const report = await cycleOnce(daemon, configuration, onReport, why, stop)
          const jitterMs = configuration.loaded().settings.schedule.jitter
          const times = () => nextRuns({ report, tickMs, jitterMs, schedule: scheduleOf(), clock })
          await daemon.leave?.({ report, program: configuration.program(), beganMs, endedMs: clock.wall(), ...times() })
          return report
        },
        ...(daemon.isFinal === undefined ? {} : { isFinal: daemon.isFinal }),
        onBegin: (why) => {
          world.cycle.begin()
          progress.began(clock.now())
          metrics.observeBegin(why)
        },
        onReport,
        onError: (error) => {
          progress.ended(clock.now(), false)
          metrics.observeThrow()
          log.error({ event: 'cycle', err: error }, thrownText(error))
        },
        onNext: (inMs) => {
          world.cycle.end()
          progress.next(clock.now() + inMs)
          metrics.observeNext(clock.wall() + inMs)
        },
      },
      signal,
    )
  } finally {
    daemon.signals.off('SIGHUP', onHangUp)
    await server?.close()
    await configuration.close()
  }
}

async function cycleOnce(
  daemon: Daemon,
  configuration: Configuration,
  onReport: (report: CycleReport) => void,
  why: Trigger,
  signal: AbortSignal,
): Promise<CycleReport> {
  await configuration.refresh()
  expectSeries(daemon.metrics, configuration.loaded())
  const program = configuration.program()
  daemon.onProgram(program)
  if (why === 'reload') for (const queue of program.queues.values()) queue.tryAgain('person')
  const sources = { ...program.sources, declaration: configuration.declaration }
  const report = await runCycle(sources, daemon.cycle, daemon.writing?.(program), signal)
  const outcomes = new Map(report.workspaces.map((one) => [one.workspace, cycleOutcome(one) === 'success']))
  await daemon.markIdle(outcomes).catch((error: unknown) => {
    // The cycle fails here, but its writes are done, so its report is logged.
    onReport(report)
    throw error
  })
  return report
}

function expectSeries(metrics: Metrics, { settings }: LoadedSettings): void {
  const { workspaces, directories, fences = {} } = settings
  metrics.expect({
    owners: Object.values(fences).flatMap((fence) => (fence === 'everything' ? [] : [fence.owner])),
    workspaces: Object.keys(workspaces),
    directories: Object.keys(directories),
    credentials: Object.keys(credentialsOf(settings)),
  })
}
