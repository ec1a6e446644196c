import { by } from '../core/compare.ts'
import type { Cycle } from '../cycle/cycle.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { LoadedSettings } from '../settings/load.ts'

/** Orders that wait for a cycle. A command beside the daemon hands an order over. */
export type OrderQueue = {
  /** @param fire called when an order has come */
  onOrder(fire: () => void): void
  /** Takes the first order; undefined if none waits. */
  next(): CycleOrder | undefined
  hasMore(): boolean
}

/**
 * An order that needs a cycle, or several: after a write of unknown outcome it waits, and then stands in the queue again. `failed` is called if the cycle or
 * `ended` throws, `stopped` if the daemon ends before its next cycle.
 */
export type CycleOrder = {
  /**
   * How the cycle of the order differs from others; undefined if the order is refused, and answered, since these settings forbid it. Without `writes`
   * the cycle only makes the plan that a person is asked about.
   */
  begin(loaded: LoadedSettings): Promise<OrderedCycle | undefined>
  ended(report: CycleReport): Promise<void>
  failed(error: unknown): Promise<void>
  stopped(): Promise<void>
}
export type OrderedCycle = Pick<Cycle, 'only' | 'listsUnchanged' | 'waived' | 'isApprovedBeforehand' | 'isWrittenBefore' | 'horizonOf'> & {
  readonly writes: boolean
}

/** The report of all workspaces, each from the last cycle that was about it. */
export function openWholeReport(): (report: CycleReport, isPart: boolean) => CycleReport {
  let last: CycleReport | undefined
  return (report, isPart) => {
    last = last === undefined || !isPart ? report : joinedReports(last, report)
    return last
  }
}

function joinedReports(before: CycleReport, part: CycleReport): CycleReport {
  const workspaces = new Set(part.workspaces.map(({ workspace }) => workspace))
  const directories = new Set(part.directories.map(({ name }) => name))
  const dates = [part.nextDateMs, before.nextDateMs].filter((ms) => ms !== undefined)
  return {
    ...part,
    workspaces: [...part.workspaces, ...before.workspaces.filter(({ workspace }) => !workspaces.has(workspace))].toSorted(
      by(({ workspace }) => workspace),
    ),
    directories: [...part.directories, ...before.directories.filter(({ name }) => !directories.has(name))],
    ...(dates.length === 0 ? {} : { nextDateMs: dates.reduce((first, ms) => Math.min(first, ms)) }),
  }
}
