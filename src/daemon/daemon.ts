import type { CycleReport } from '../cycle/report.ts'
import { openSchedule } from '../settings/schedule.ts'
import { configurationEvents, openConfiguration } from './configuration.ts'
import { openCycles } from './cycles.ts'
import { openEdits, watchFiles } from './edits.ts'
import { serveHttp } from './http.ts'
import { openTriggers, runLoop } from './loop.ts'
import { heldUntilMs } from './nextRuns.ts'
import { openObserver } from './observer.ts'
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
  const server = http === 'none' ? undefined : await serveHttp(http.listen, pages)
  if (server !== undefined) log.info({ event: 'listening', url: server.url }, `metrics and probes at ${server.url}`)
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
    await server?.close()
    await configuration.close()
  }
}
