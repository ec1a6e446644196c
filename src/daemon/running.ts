import type { WorkspaceName } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { RunningDocument } from '../documents/running.ts'
import { longestWait, type WaitingQueue } from '../log/limitWait.ts'
import { openWriteProgress, type WorkOf, type WriteProgress } from '../log/writeProgress.ts'
import { timeText } from '../render/reportDocument.ts'

/** What the cycle of the daemon does now. It is kept in memory only. */
export type RunningCycle = {
  /** @param atMs epoch ms, by the date */
  readonly began: (atMs: number) => void
  readonly ended: () => void
  /** So many of the workspaces of the cycle have ended. */
  readonly workspaces: (ended: number, of: number) => void
  /** Takes a step of the writing. */
  readonly step: (workspace: WorkspaceName, step: WritingStep) => void
  /** Undefined while no cycle runs. */
  readonly running: () => RunningDocument | undefined
}

type RunningParts = {
  readonly now: () => number
  readonly queues: () => ReadonlyMap<string, RunningQueue>
  readonly work: WorkOf
}
type RunningQueue = { view(): ReturnType<WaitingQueue['view']> & { readonly circuit: { readonly open: boolean } } }

export function openRunning(parts: RunningParts): RunningCycle {
  let cycle: { readonly beganMs: number; readonly writes: WriteProgress; workspaces: RunningDocument['workspaces'] } | undefined

  return {
    began: (atMs) => {
      cycle = { beganMs: atMs, writes: openWriteProgress(parts), workspaces: { ended: 0, of: 0 } }
    },
    ended: () => {
      cycle = undefined
    },
    workspaces: (ended, of) => {
      if (cycle !== undefined) cycle.workspaces = { ended, of }
    },
    step: (workspace, step) => cycle?.writes.step(workspace, step),
    running() {
      if (cycle === undefined) return undefined
      const { written, total } = cycle.writes.counts()
      const wait = longestWait(parts.queues(), 1)
      const left = cycle.writes.estimate()
      return defined({
        began: timeText(cycle.beganMs),
        workspaces: cycle.workspaces,
        written,
        of: total,
        waitMs: Math.round(wait?.ms ?? 0),
        waitWhy: wait?.why,
        leftMs: left === undefined ? undefined : Math.round(left.ms),
      })
    },
  }
}
