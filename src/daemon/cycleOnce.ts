import { runCycle } from '../cycle/cycle.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import type { CycleReport } from '../cycle/report.ts'
import { credentialsOf } from '../settings/check.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Configuration } from './configuration.ts'
import type { Metrics } from './metrics.ts'
import type { OrderedCycle, openWholeReport } from './orders.ts'
import type { Daemon } from './parts.ts'
import type { Trigger } from './triggers.ts'

type Reports = {
  /** `whole`: the last report of each workspace. That of an order may be about some workspaces only. */
  readonly onReport: (report: CycleReport, whole: CycleReport) => void
  readonly wholeReport: ReturnType<typeof openWholeReport>
  /** Called before an order is answered, so that its asker sees the result in `status`. */
  readonly leave: (report: CycleReport) => Promise<void>
}

/**
 * Runs one cycle of the daemon, or that of an order.
 *
 * @returns the report of all workspaces; undefined if the cycle only answered an order
 */
export async function cycleOnce(
  daemon: Pick<Daemon, 'metrics' | 'onProgram' | 'orders' | 'cycle' | 'writing' | 'markIdle'>,
  configuration: Pick<Configuration, 'refresh' | 'loaded' | 'program' | 'declaration'>,
  { onReport, wholeReport, leave }: Reports,
  why: Trigger,
  signal: AbortSignal,
): Promise<CycleReport | undefined> {
  // It is taken first: it then gets an answer, whatever goes wrong after this.
  const order = why === 'order' ? daemon.orders?.next() : undefined
  try {
    await configuration.refresh()
    expectSeries(daemon.metrics, configuration.loaded())
    const program = configuration.program()
    daemon.onProgram(program, configuration.loaded())
    if (why === 'reload' || why === 'order') for (const queue of program.queues.values()) queue.tryAgain('person')
    const ordered = await order?.begin(configuration.loaded())
    // It was refused, or it was withdrawn and no other order waits.
    if (why === 'order' && ordered === undefined) return undefined
    const { writes, ...how }: OrderedCycle = ordered ?? { writes: true }
    const isPart = how.only !== undefined
    const sources = { ...program.sources, declaration: configuration.declaration }
    const report = await runCycle(sources, { ...daemon.cycle, ...how }, writes ? daemon.writing?.(program) : undefined, signal)
    const whole = writes ? wholeReport(report, isPart) : undefined
    if (whole !== undefined) {
      await markIdleAfter(daemon, report, isPart).finally(() => onReport(report, whole))
      await leave(whole)
    }
    await order?.ended(report)
    return whole
  } catch (error) {
    await order?.failed(error)
    throw error
  }
}

/** The writes of the cycle are done. So its report is observed even if this fails. */
async function markIdleAfter({ markIdle }: Pick<Daemon, 'markIdle'>, { workspaces }: CycleReport, isPart: boolean): Promise<void> {
  await markIdle(isPart ? undefined : new Map(workspaces.map((one) => [one.workspace, cycleOutcome(one) === 'success'])))
}

/** Creates the series of these settings with 0. */
export function expectSeries(metrics: Metrics, { settings }: LoadedSettings): void {
  const { workspaces, directories, fences = {} } = settings
  metrics.expect({
    owners: Object.values(fences).flatMap((fence) => (fence === 'everything' ? [] : [fence.owner])),
    workspaces: Object.keys(workspaces),
    directories: Object.keys(directories),
    credentials: Object.keys(credentialsOf(settings)),
  })
}
