import type { Sum, Tally } from './core/limits.ts'
import type { Memory } from './core/memory.ts'
import type { Plan } from './core/plan.ts'

/** What one run has agreed to write, over all its workspaces: counted when a plan is approved, not when it is written. */
export type Ledger = { readonly startedMs: number; agreed(): Sum; add(plan: Plan): void }

export function openLedger(startedMs: number): Ledger {
  let agreed: Sum = { changes: 0, deletes: 0 }
  return {
    startedMs,
    agreed: () => agreed,
    add({ changes }) {
      const deletes = changes.filter(({ action }) => action === 'delete').length
      const revisions = changes.filter(({ action }) => action !== 'create').length
      agreed = { changes: agreed.changes + revisions, deletes: agreed.deletes + deletes }
    },
  }
}

const dayMs = 86_400_000

/** The day is what was written before this run, and what the run has agreed to. */
export function tallyOf({ revisions }: Memory, ledger: Ledger, nowMs: number): Tally {
  const recent = revisions.filter(({ atMs }) => atMs < ledger.startedMs && nowMs < atMs + dayMs)
  const run = ledger.agreed()
  const written = { changes: recent.length, deletes: recent.filter(({ deletes }) => deletes).length }
  return { run, day: { changes: written.changes + run.changes, deletes: written.deletes + run.deletes } }
}
