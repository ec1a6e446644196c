import type { CycleReport } from '../cycle/report.ts'
import type { Schedule } from '../settings/schedule.ts'
import type { Configuration } from './configuration.ts'
import { cycleOnce } from './cycleOnce.ts'
import type { Edits } from './edits.ts'
import { nextRuns } from './nextRuns.ts'
import { openWholeReport } from './orders.ts'
import type { Daemon } from './parts.ts'
import type { Trigger, Triggers } from './triggers.ts'

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
    await daemon.leave?.({ report, program: configuration.program(), beganMs, endedMs: clock.wall(), ...next })
  }

  return {
    async run(why, signal) {
      const beganMs = clock.wall()
      const tickMs = schedule().nextMs(beganMs)
      const reports = { onReport, wholeReport, leave: (report: CycleReport) => leave(report, beganMs, tickMs) }
      // The cycle of an order may be about some workspaces only, so it does not use up an edit.
      const read: Configuration['refresh'] = (beforeSecrets) => configuration.refresh(beforeSecrets, signal)
      const refresh = why === 'order' ? read : () => edits.begin(read, signal)
      try {
        const report = await cycleOnce(daemon, { ...configuration, refresh }, reports, why, signal)
        if (report === undefined) onAnswered()
        else last = report
        return report
      } finally {
        if (orders?.hasMore() === true) triggers.fire('order')
      }
    },
    last: () => last,
  }
}
