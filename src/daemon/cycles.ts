import { runCycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import { credentialsOf } from '../settings/check.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { fenceOwners } from '../settings/notify.ts'
import type { Schedule } from '../settings/schedule.ts'
import type { Configuration } from './configuration.ts'
import type { Edits } from './edits.ts'
import type { Trigger, Triggers } from './loop.ts'
import type { Metrics } from './metrics.ts'
import { nextRuns } from './nextRuns.ts'
import { type OrderedCycle, openWholeReport } from './orders.ts'
import type { Daemon } from './parts.ts'

type CycleParts = {
  readonly configuration: Configuration
  readonly schedule: () => Schedule
  readonly edits: Edits
  readonly triggers: Triggers
  readonly onReport: Parameters<typeof cycleOnce>[2]['onReport']
  /** A cycle ended that only answered an order. */
  readonly onAnswered: () => void
}

/** The cycles of the daemon, one after another. */
type Cycles = {
  /** @returns the report of all workspaces; undefined for a cycle that only answered an order */
  readonly run: (why: Trigger, signal: AbortSignal) => Promise<CycleReport | undefined>
  /** The last report; undefined until there is one. */
  readonly last: () => CycleReport | undefined
}

export function openCycles(daemon: Daemon, { configuration, schedule, edits, triggers, onReport, onAnswered }: CycleParts): Cycles {
  const { world, orders } = daemon
  const { clock } = world
  const wholeReport = openWholeReport()
  let last: CycleReport | undefined

  /** Leaves the report for the command `status`, with the time of the next cycle. */
  async function leave(report: CycleReport, beganMs: number, tickMs: number): Promise<void> {
    const { jitter: jitterMs } = configuration.loaded().settings.schedule
    const next = nextRuns({ report, tickMs, jitterMs, schedule: schedule(), clock })
    const settings = configuration.inUse()
    await daemon.leave?.({ report, settings, program: configuration.program(), beganMs, endedMs: clock.wall(), ...next })
  }

  return {
    async run(why, signal) {
      const beganMs = clock.wall()
      const tickMs = schedule().nextMs(beganMs)
      const reports = { onReport, wholeReport, leave: (report: CycleReport) => leave(report, beganMs, tickMs) }
      const read: Configuration['refresh'] = (beforeSecrets) => configuration.refresh(beforeSecrets, signal)
      const refresh = () => edits.begin(read, { isOrder: why === 'order', signal })
      try {
        const report = await cycleOnce(daemon, { ...configuration, refresh }, reports, why, signal)
        if (report === undefined) onAnswered()
        else {
          last = report
          await daemon.notifier?.tell(report, configuration.loaded())
        }
        return report
      } finally {
        if (orders?.hasMore() === true) triggers.fire('order')
      }
    },
    last: () => last,
  }
}

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
    if (why === 'reload' || why === 'order') program.askAgain()
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
  await markIdle(isPart ? undefined : new Map(workspaces.map((workspace) => [workspace.workspace, cycleOutcome(workspace) === 'success'])))
}

/** Creates the series of these settings with 0. */
export function expectSeries(metrics: Metrics, { settings }: LoadedSettings): void {
  const { workspaces, directories, fences = {} } = settings
  metrics.expect({
    ownerOfFile: fenceOwners(settings),
    owners: Object.values(fences).flatMap((fence) => (fence === 'everything' ? [] : [fence.owner])),
    workspaces: Object.keys(workspaces),
    directories: Object.keys(directories),
    credentials: Object.keys(credentialsOf(settings)),
  })
}
