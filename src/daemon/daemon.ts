import { openSecretCache } from '../compose/keptSecrets.ts'
import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { openReportLog } from '../log/report.ts'
import { openSchedule } from '../settings/schedule.ts'
import { configurationEvents, openConfiguration, thrownText } from './configuration.ts'
import { openProgress } from './cycleProgress.ts'
import { expectSeries, openCycles } from './cycles.ts'
import { openEdits, watchFiles } from './edits.ts'
import { type HttpPages, serveHttp } from './http.ts'
import { type LoopParts, openTriggers, runLoop } from './loop.ts'
import { heldUntilMs } from './nextRuns.ts'
import { openPage, type ServedPage } from './page.ts'
import type { Daemon } from './parts.ts'

/**
 * Keeps every workspace as declared until `signal` fires. A cycle runs at once, at each tick, at SIGHUP, after an edit of its files, when a hold ends, and
 * when a rule starts or ends. Probes and metrics are served meanwhile.
 *
 * @throws {ScheduleError} {ListenError} before the first cycle; later an error for which `isFinal` is true
 */
export async function runDaemon(daemon: Daemon, signal: AbortSignal): Promise<void> {
  const { world, metrics, signals, orders, isFinal } = daemon
  const { log, clock, random } = world
  const triggers = openTriggers()
  const configuration = openConfiguration(daemon, world, daemon.memory, configurationEvents(log, metrics, daemon.loaded.hash))
  const scheduleSettings = () => configuration.loaded().settings.schedule
  const schedule = () => openSchedule(scheduleSettings().cron, scheduleSettings().timezone)
  schedule()
  const { pages, onReport, onAnswered, ...loopHooks } = openObserver(daemon)
  const edits = openEdits(configuration.loaded)
  const cycles = openCycles(daemon, { configuration, schedule, edits, triggers, onReport, onAnswered })

  const { http } = daemon.loaded.settings
  const page = pageOf(daemon)
  const server = http === 'none' ? undefined : await serveHttp(http.listen, page === undefined ? pages : { ...pages, page })
  if (server !== undefined)
    log.info(
      { event: 'listening', url: server.url },
      page === undefined
        ? `metrics and probes at ${server.url}`
        : `metrics and probes at ${server.url}, and a page for people at ${server.url}/`,
    )
  await daemon.notifier?.check(daemon.loaded)
  const onHangUp = () => triggers.fire('reload')
  signals.on('SIGHUP', onHangUp)
  orders?.onOrder(() => triggers.fire('order'))
  const watching = new AbortController()
  const onEdited = (names: readonly string[]) => {
    log.info({ event: 'edit', edited: names }, `a cycle begins because of an edit: ${names.join(', ')}`)
    triggers.fire('reload')
  }
  void watchFiles({ clock, look: (stop) => edits.look(cycles.last(), stop), onEdited }, AbortSignal.any([signal, watching.signal]))

  try {
    await runLoop<CycleReport>(
      {
        clock,
        triggers,
        random,
        heldUntilMs,
        ...loopHooks,
        ...(isFinal === undefined ? {} : { isFinal }),
        cycle: cycles.run,
        jitterMs: () => scheduleSettings().jitter,
        nextTickMs: (afterMs) => schedule().nextMs(afterMs),
        nextDateMs: (report) => report.nextDateMs,
      },
      signal,
    )
  } finally {
    watching.abort()
    signals.off('SIGHUP', onHangUp)
    await daemon.notifier?.close()
    await server?.close()
    page?.close()
    await configuration.close()
  }
}

/**
 * Without progress for this time, `/healthz` fails. It is far longer than any wait that the service asks for, and longer than a slow directory takes.
 */
const noProgressMaxMs = 60 * 60_000

/** The page for people, if the settings ask for it. */
function pageOf({ loaded, world, page: sources }: Daemon): ServedPage | undefined {
  const { http } = loaded.settings
  if (http === 'none' || http.page === undefined || sources === undefined) return undefined
  const { clock, secret } = world
  const password = 'token' in http.page ? openSecretCache(secret, clock.now).of(http.page.token) : async () => ''
  return openPage({ settings: http.page, password, sources, wall: clock.wall, now: clock.now })
}

/** Tells the probes, the metrics and the log how the cycles go on. */
type Observer = Required<Pick<LoopParts<CycleReport>, 'onBegin' | 'onError' | 'onNext'>> & {
  readonly pages: HttpPages
  readonly onReport: (report: CycleReport, whole: CycleReport) => void
  /** A cycle ended that only answered an order. */
  readonly onAnswered: () => void
}

/** Also shows what an earlier process with the same journal reported last. */
function openObserver({ world, metrics, memory, loaded, running, onRequest }: Daemon): Observer {
  const { log, clock } = world
  const progress = openProgress(clock.now(), noProgressMaxMs)
  const logReport = openReportLog(log)
  onRequest((request) => {
    metrics.observeRequest(request)
    progress.requestEnded(clock.now())
  })
  expectSeries(metrics, loaded)
  const known = cycleTimes(memory().lastCycle).filter(({ workspace }) => Object.hasOwn(loaded.settings.workspaces, workspace))
  metrics.observeEarlier(known, clock.wall())
  metrics.observeConfiguration('settings', true, loaded.hash)

  return {
    pages: {
      healthy: () => progress.healthy(clock.now()),
      ready: progress.ready,
      metrics: metrics.render,
      onError: (error) => log.error({ event: 'metrics', err: error }, 'a page could not be made'),
    },
    onBegin(why) {
      world.cycle.begin()
      running.began(clock.wall())
      progress.began(clock.now())
      metrics.observeBegin(why)
    },
    onReport(report, whole) {
      progress.ended(clock.now(), true)
      metrics.observeReport(report, whole)
      logReport(report, whole)
    },
    // The order may have been refused, and then nothing was read.
    onAnswered: () => progress.ended(clock.now(), false),
    // If there was a report, it has been observed.
    onError(error) {
      progress.ended(clock.now(), false)
      metrics.observeThrow()
      log.error({ event: 'cycle', err: error }, thrownText(error))
    },
    onNext(inMs) {
      world.cycle.end()
      running.ended()
      progress.next(clock.now() + inMs)
      metrics.observeNext(clock.wall() + inMs)
    },
  }
}
