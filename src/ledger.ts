import type { Change } from './core/change.ts'
import type { Sum, Tally } from './core/limits.ts'
import type { Memory } from './core/memory.ts'
import type { Plan } from './core/plan.ts'
import type { Revision } from './core/revisions.ts'
import { executedOf } from './core/undecided.ts'

/** What one run has agreed to write, over all its workspaces: counted when a plan is approved, not when it is written. */
export type Ledger = {
  /** Of what was written before the run, the last 24 hours. */
  before(nowMs: number): Sum
  agreed(): Sum
  add(plan: Plan): void
}

/** @param memory what was written before the run, by whatever clock: the host's may have been another */
export function openLedger(memory: Pick<Memory, 'revisions' | 'undecided'>): Ledger {
  const revisions = executedOf(memory)
  let agreed: Sum = { changes: 0, deletes: 0, creates: 0 }
  // Every workspace asks, and of thousands of revisions one leaves the day now and then.
  let day = { sum: agreed, fromMs: Number.POSITIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY }
  return {
    before(nowMs) {
      if (nowMs < day.fromMs || nowMs >= day.untilMs) day = { ...dayOf(revisions, nowMs), fromMs: nowMs }
      return day.sum
    },
    agreed: () => agreed,
    add({ changes }) {
      const of = (wanted: Change['action']) => changes.filter(({ action }) => action === wanted).length
      const creates = of('create')
      agreed = {
        changes: agreed.changes + changes.length - creates,
        deletes: agreed.deletes + of('delete'),
        creates: agreed.creates + creates,
      }
    },
  }
}

const dayMs = 86_400_000

/** `untilMs`: until then it is the same, if no clock is set back. */
function dayOf(revisions: readonly Revision[], nowMs: number): { readonly sum: Sum; readonly untilMs: number } {
  const recent = revisions.filter(({ atMs }) => nowMs < atMs + dayMs)
  const deletes = recent.filter((one) => one.deletes).length
  const creates = recent.filter((one) => one.creates === true).length
  const untilMs = recent.reduce((first, { atMs }) => Math.min(first, atMs + dayMs), Number.POSITIVE_INFINITY)
  return { sum: { changes: recent.length - creates, deletes, creates }, untilMs }
}

/** The day is what was written before this run, and what the run has agreed to. */
export function tallyOf(ledger: Ledger, nowMs: number): Tally {
  const [before, run] = [ledger.before(nowMs), ledger.agreed()]
  return {
    run,
    day: {
      changes: before.changes + run.changes,
      deletes: before.deletes + run.deletes,
      creates: before.creates + run.creates,
    },
  }
}
