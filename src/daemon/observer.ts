import { cycleTimes } from '../core/memory/lastCycle.ts'
import type { CycleReport } from '../cycle/report.ts'
import { openReportLog } from '../log/report.ts'
import { thrownText } from './configuration.ts'
import { expectSeries } from './cycles.ts'
import type { HttpPages } from './http.ts'
import type { LoopParts } from './loop.ts'
import type { Daemon } from './parts.ts'
import { openProgress } from './progress.ts'

/**
 * Without progress for this time, `/healthz` fails. It is far longer than any wait that the service asks for, and longer than a slow directory takes.
 */
const noProgressMaxMs = 60 * 60_000

/** Tells the probes, the metrics and the log how the cycles go on. */
type Observer = Required<Pick<LoopParts<CycleReport>, 'onBegin' | 'onError' | 'onNext'>> & {
  readonly pages: HttpPages
  readonly onReport: (report: CycleReport, whole: CycleReport) => void
  /** A cycle ended that only answered an order. */
  readonly onAnswered: () => void
}

/** Also shows what an earlier process with the same journal reported last. */
export function openObserver({ world, metrics, memory, loaded, onRequest }: Daemon): Observer {
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
      progress.next(clock.now() + inMs)
      metrics.observeNext(clock.wall() + inMs)
    },
  }
}
