import type { Change } from '../core/change.ts'
import type { ChangeCounts } from '../core/judge/guardSettings.ts'
import type { Tally } from '../core/judge/limits.ts'
import type { Memory } from '../core/memory/memory.ts'
import { type RecentWrite, recentWritesOf } from '../core/memory/recentWrites.ts'
import type { Plan } from '../core/plan.ts'

/** The changes that one run has approved, over all its workspaces. They are counted when a plan is approved, not when it is written. */
export type RunTally = {
  /** `day`: the writes from before the run that are less than 24 hours old at `nowMs`, and what the run has approved, without what `plan` tries again. */
  tally(nowMs: number, plan: Pick<Plan, 'changes'>): Tally
  book(plan: Plan): void
}

/** @param memory the writes before the run */
export function openRunTally(memory: Pick<Memory, 'recentWrites' | 'inDoubt'>): RunTally {
  const recentWrites = recentWritesOf(memory.recentWrites)
  /** A change counts once: as a write in doubt, or as a change of the plan that tries it again. */
  const inDoubt = new Map(Object.entries<RecentWrite>(memory.inDoubt))
  const none: ChangeCounts = { changes: 0, deletes: 0, creates: 0 }
  let run = none
  // A cache: every workspace asks for the sum, and the sum changes only when one of thousands of writes gets older than a day.
  let before = { sum: none, untilMs: Number.NEGATIVE_INFINITY }
  return {
    tally(nowMs, { changes }) {
      if (nowMs >= before.untilMs) before = dayOf(recentWrites, nowMs)
      const others = new Map(inDoubt)
      if (others.size > 0) for (const { id } of changes) others.delete(id)
      return { run, day: [dayOf([...others.values()], nowMs).sum, run].reduce(sumOf, before.sum) }
    },
    book({ changes }) {
      for (const { id } of changes) inDoubt.delete(id)
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
