import type { BudgetSeen } from '../core/report.ts'

/** A generous round trip, for a bound: writes to a loaded instance take longer than reads. */
const slowCallMs = 500
/** A usual one: where the budget has to be waited for, round trips are what is added to the windows. */
const usualCallMs = 100

/** What applying takes of one credential: `reads` of each fresh look, of which there is one for every `sliceChanges` changes. */
export type Work = { readonly changes: number; readonly reads: number; readonly sliceChanges: number; readonly budget: BudgetSeen }

/**
 * What applying a plan costs. `calls`: on top of the look that every cycle begins with, one for each change and the reads of each further
 * slice. `ms`: from the first read to the last write, as the budget stands now; where all of it can be sent at once (`fits`) a bound.
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
  // Full bursts: each begins one window after the first answer of the one before.
  const waits = Math.ceil((all - first) / each)
  const last = all - first - (waits - 1) * each
  const paced = waits * (windowMs + usualCallMs) + last * usualCallMs
  return { changes, calls, ms: waitMs + Math.max(paced, all * usualCallMs), fits: false }
}

/** What others leave of a window. */
export const callsAWindow = ({ allowed, others }: Pick<BudgetSeen, 'allowed' | 'others'>): number => Math.max(1, allowed - others)

export const callsAMinute = (budget: BudgetSeen): number => Math.max(1, Math.floor((callsAWindow(budget) * 60_000) / budget.windowMs))
