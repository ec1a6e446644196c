import type { Change } from './core/change.ts'
import type { Sum, Tally } from './core/limits.ts'
import type { Memory } from './core/memory.ts'
import type { Plan } from './core/plan.ts'

/** What one run has agreed to write, over all its workspaces: counted when a plan is approved, not when it is written. */
export type Ledger = { readonly before: Memory['revisions']; agreed(): Sum; add(plan: Plan): void }

/** @param before what was written before the run, by whatever clock: the host's may have been another */
export function openLedger({ revisions: before }: Pick<Memory, 'revisions'>): Ledger {
  let agreed: Sum = { changes: 0, deletes: 0, creates: 0 }
  return {
    before,
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

/** The day is what was written before this run, and what the run has agreed to. */
export function tallyOf(ledger: Ledger, nowMs: number): Tally {
  const recent = ledger.before.filter(({ atMs }) => nowMs < atMs + dayMs)
  const run = ledger.agreed()
  const deletes = recent.filter((one) => one.deletes).length
  const creates = recent.filter((one) => one.creates === true).length
  return {
    run,
    day: { changes: recent.length - creates + run.changes, deletes: deletes + run.deletes, creates: creates + run.creates },
  }
}
