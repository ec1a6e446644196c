import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import { openReportLog } from '../log/report.ts'
import { openSchedule } from '../settings/schedule.ts'
import { openConfiguration } from './configuration.ts'
import { configurationEvents, thrownText } from './configurationLog.ts'
import { cycleOnce, expectSeries } from './cycleOnce.ts'
import { openEdits } from './edits.ts'
import { heldUntilMs } from './heldUntil.ts'
import { serveHttp } from './http.ts'
import { runLoop } from './loop.ts'
import { nextRuns } from './nextRuns.ts'
import { openWholeReport } from './orders.ts'
import type { Daemon } from './parts.ts'
import { openProgress } from './progress.ts'
import { openTriggers } from './triggers.ts'
import { watchFiles } from './watch.ts'

/**
 * Without progress for this time, `/healthz` fails. It is far longer than any wait that the service asks for, and longer than a slow directory takes.
 */
const noProgressMaxMs = 60 * 60_000

/**
 * Keeps every workspace as declared until `signal` fires. A cycle runs at once, at each tick, at SIGHUP, after an edit of its files, when a hold ends, and
 * when a rule starts or ends. Probes and metrics are served meanwhile.
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
  metrics.observeConfiguration('settings', daemon.settingsLastValid === undefined, daemon.loaded.hash)

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
  const { orders } = daemon
  orders?.onOrder(() => triggers.fire('order'))

  const edits = openEdits(configuration.loaded)
  let last: CycleReport | undefined
  const watching = new AbortController()
  const onEdited = (names: readonly string[]) => {
    log.info({ event: 'edit', edited: names }, `a cycle begins because of an edit: ${names.join(', ')}`)
    triggers.fire('reload')
  }
  void watchFiles({ clock, look: (stop) => edits.look(last, stop), onEdited }, AbortSignal.any([signal, watching.signal]))

  const logReport = openReportLog(log)
  const wholeReport = openWholeReport()
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
        heldUntilMs,
        nextDateMs: (report) => report.nextDateMs,
        cycle: async (why, stop) => {
          const beganMs = clock.wall()
          const tickMs = scheduleOf().nextMs(beganMs)
          const leave = async (report: CycleReport) => {
            const { jitter: jitterMs } = configuration.loaded().settings.schedule
            const next = nextRuns({ report, tickMs, jitterMs, schedule: scheduleOf(), clock })
            await daemon.leave?.({ report, program: configuration.program(), beganMs, endedMs: clock.wall(), ...next })
          }
          try {
            // The cycle of an order may be about some workspaces only, so it does not use up an edit.
            const refresh = why === 'order' ? configuration.refresh : () => edits.begin(configuration.refresh, stop)
            const report = await cycleOnce(daemon, { ...configuration, refresh }, { onReport, wholeReport, leave }, why, stop)
            if (report === undefined) progress.ended(clock.now(), true)
            else last = report
            return report
          } finally {
            if (orders?.hasMore() === true) triggers.fire('order')
          }
        },
        ...(daemon.isFinal === undefined ? {} : { isFinal: daemon.isFinal }),
        onBegin: (why) => {
          world.cycle.begin()
          progress.began(clock.now())
          metrics.observeBegin(why)
        },
        // `cycleOnce` has observed the report.
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
    watching.abort()
    daemon.signals.off('SIGHUP', onHangUp)
    await server?.close()
    await configuration.close()
  }
}
