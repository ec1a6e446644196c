import type { Change } from '../core/change.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { Work } from '../render/cost.ts'
import type { WriteCounts } from '../render/progressText.ts'
import { type RemainingWork, toGo } from '../render/toGo.ts'
import { openWriteTally } from './writeTally.ts'

/** How far the writing of an apply or of a cycle is, over all of its workspaces. */
export type WriteProgress = {
  step(workspace: WorkspaceName, step: WritingStep): void
  isWriting(): boolean
  counts(): WriteCounts
  /** The time until the last change is written. Undefined: there is none, or a service that does not answer makes every estimate false. */
  estimate(): Estimate | undefined
}

/** `fits`: the rest fits into the budget, so `ms` is an upper bound. */
type Estimate = { readonly ms: number; readonly fits: boolean }

type WriteProgressParts = {
  readonly now: () => number
  readonly queues: () => ReadonlyMap<string, { view(): { readonly circuit: { readonly open: boolean } } }>
  /** What writing these changes costs. */
  readonly work: WorkOf
}
export type WorkOf = (workspace: WorkspaceName, changes: readonly Change[]) => Work & { readonly credential: string }

export function openWriteProgress({ now, queues, work }: WriteProgressParts): WriteProgress {
  const tally = openWriteTally()
  const pace = openPace(now)
  const writing = new Set<WorkspaceName>()

  function measure(workspace: WorkspaceName): void {
    const { credential, budget } = work(workspace, [])
    pace.written(credential, budget.waitMs === 0)
  }

  return {
    step(workspace, step) {
      tally.add(workspace, step)
      if (step.kind === 'begins') writing.add(workspace)
      if (step.kind === 'ends') writing.delete(workspace)
      if (step.kind === 'tried') measure(workspace)
    },
    isWriting: () => writing.size > 0,
    counts: tally.counts,
    estimate() {
      if ([...queues().values()].some((queue) => queue.view().circuit.open)) return undefined
      const nowMs = now()
      const remainingWork = tally.remaining().map((tallied): RemainingWork => {
        const { credential, ...whole } = work(tallied.workspace, tallied.now)
        const present: Work = tallied.hasCreated ? { ...whole, changesBeforeCheck: undefined } : whole
        const laterInMs = Math.max(0, tallied.untilMs - nowMs)
        return { credential, now: present, later: work(tallied.workspace, tallied.waiting), laterInMs }
      })
      const model = toGo(remainingWork)
      return model && pace.slowed(model, remainingWork)
    },
  }
}

/** Measures how long one write takes where the rate limit does not delay it. */
type Pace = {
  /** A write of this credential has ended. `isFree`: the next one need not wait for the rate limit. */
  written(credential: string, isFree: boolean): void
  /** The estimate, or a longer one if the service is slower than the estimate assumes. */
  slowed(estimate: Estimate, remainingWork: readonly RemainingWork[]): Estimate
}

type Measured = { readonly lastMs: number; readonly isFree: boolean; readonly tookMs: readonly number[] }

/** An estimate rests on this many of the last writes. */
const samplesMax = 20

function openPace(now: () => number): Pace {
  const each = new Map<string, Measured>()

  function writeMs(credential: string): number {
    const tookMs = each.get(credential)?.tookMs ?? []
    return tookMs.length === 0 ? 0 : tookMs.reduce((sum, ms) => sum + ms, 0) / tookMs.length
  }

  return {
    written(credential, isFree) {
      const before = each.get(credential)
      const more = before?.isFree === true ? [now() - before.lastMs] : []
      each.set(credential, { lastMs: now(), isFree, tookMs: [...(before?.tookMs ?? []), ...more].slice(-samplesMax) })
    },
    slowed(estimate, remainingWork) {
      const changes = new Map<string, number>()
      for (const { credential, now: present, later } of remainingWork)
        changes.set(credential, (changes.get(credential) ?? 0) + present.changes + later.changes)
      const slowest = [...changes].reduce((ms, [credential, count]) => Math.max(ms, writeMs(credential) * count), 0)
      return slowest > estimate.ms ? { ms: slowest, fits: false } : estimate
    },
  }
}
