import type { Change } from '../core/change.ts'
import type { ChangeCounts } from '../core/judge/guardSettings.ts'
import type { Tally } from '../core/judge/limits.ts'
import { executedOf } from '../core/memory/inDoubt.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { RecentWrite } from '../core/memory/recentWrites.ts'
import type { Plan } from '../core/plan.ts'

/** The changes that one run has approved, over all its workspaces. They are counted when a plan is approved, not when it is written. */
export type RunTally = {
  /** `day`: the writes from before the run that are less than 24 hours old at `nowMs`, and what the run has approved. */
  tally(nowMs: number): Tally
  book(plan: Plan): void
}

/** @param memory the writes before the run */
export function openRunTally(memory: Pick<Memory, 'recentWrites' | 'inDoubt'>): RunTally {
  const recentWrites = executedOf(memory)
  let run: ChangeCounts = { changes: 0, deletes: 0, creates: 0 }
  // A cache: every workspace asks for the sum, and the sum changes only when one of thousands of writes gets older than a day.
  let before = { sum: run, untilMs: Number.NEGATIVE_INFINITY }
  return {
    tally(nowMs) {
      if (nowMs >= before.untilMs) before = dayOf(recentWrites, nowMs)
      return { run, day: sumOf(before.sum, run) }
    },
    book({ changes }) {
      const count = (wanted: Change['action']) => changes.filter(({ action }) => action === wanted).length
      const creates = count('create')
      run = sumOf(run, { changes: changes.length - creates, deletes: count('delete'), creates })
    },
  }
}

const sumOf = (one: ChangeCounts, other: ChangeCounts): ChangeCounts => ({
  changes: one.changes + other.changes,
  deletes: one.deletes + other.deletes,
  creates: one.creates + other.creates,
})

const dayMs = 86_400_000

/** `untilMs`: until then the sum is the same. */
function dayOf(recentWrites: readonly RecentWrite[], nowMs: number): { readonly sum: ChangeCounts; readonly untilMs: number } {
  const recent = recentWrites.filter(({ atMs }) => nowMs < atMs + dayMs)
  const deletes = recent.filter((one) => one.deletes).length
  const creates = recent.filter((one) => one.creates === true).length
  const untilMs = recent.reduce((first, { atMs }) => Math.min(first, atMs + dayMs), Number.POSITIVE_INFINITY)
  return { sum: { changes: recent.length - creates, deletes, creates }, untilMs }
}
