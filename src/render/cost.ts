import type { BudgetSnapshot } from '../core/report.ts'

/** A slow round trip, for the upper bound: writes to a loaded instance take longer than reads. */
const slowCallMs = 500
/** A usual round trip. It is added to each window of the rate limit that an apply has to wait for. */
const usualCallMs = 100

/** The work of an apply for one credential. A fresh read comes before every `sliceChanges` changes and takes `reads` calls. */
export type Work = { readonly changes: number; readonly reads: number; readonly sliceChanges: number; readonly budget: BudgetSnapshot }

/**
 * The cost of applying a plan.
 * `calls`: one for each change, and the reads of each slice after the first. The read at the begin of every cycle is not counted.
 * `ms`: from the first read to the last write, by the present budget. It is an upper bound if all calls can be sent at once (`fits`), else an
 * estimate.
 */
export type Cost = { readonly changes: number; readonly calls: number; readonly ms: number; readonly fits: boolean }

export function cost({ changes, reads, sliceChanges, budget }: Work): Cost {
  if (changes === 0) return { changes, calls: 0, ms: 0, fits: true }
  const { windowMs, waitMs, remaining } = budget
  const all = changes + Math.ceil(changes / sliceChanges) * reads
  const calls = all - reads
  const each = callsAWindow(budget)
  const first = remaining > 0 ? remaining : each
  if (all <= first) return { changes, calls, ms: waitMs + all * slowCallMs, fits: true }
  // Calls go in full bursts. Each burst begins one window after the first response of the burst before.
  const waits = Math.ceil((all - first) / each)
  const last = all - first - (waits - 1) * each
  const paced = waits * (windowMs + usualCallMs) + last * usualCallMs
  return { changes, calls, ms: waitMs + Math.max(paced, all * usualCallMs), fits: false }
}

/** Calls that one window allows, less the estimated calls of others; at least 1. */
export const callsAWindow = ({ allowed, others }: Pick<BudgetSnapshot, 'allowed' | 'others'>): number => Math.max(1, allowed - others)

export const callsAMinute = (budget: BudgetSnapshot): number => Math.max(1, Math.floor((callsAWindow(budget) * 60_000) / budget.windowMs))
