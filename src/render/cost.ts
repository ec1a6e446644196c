import type { BudgetSnapshot } from '../core/report.ts'

/** A slow round trip, for the upper bound: writes to a loaded instance take longer than reads. */
const slowCallMs = 500
/** A usual round trip. It is added to each window of the rate limit that an apply has to wait for. */
const usualCallMs = 100

/**
 * The work of an apply for one credential. A fresh read comes before every `sliceChanges` changes and takes `reads` calls. `changesBeforeCheck`: if
 * an additional read follows the first creates, the changes before it.
 */
export type Work = {
  readonly changes: number
  readonly changesBeforeCheck?: number | undefined
  readonly reads: number
  /** The calls of the reading before the first slice; absent: it is over. */
  readonly readingCalls?: number
  readonly sliceChanges: number
  readonly budget: BudgetSnapshot
}

/**
 * The cost of applying a plan.
 * `calls`: one for each change, and those of the readings before each slice.
 * `ms`: from the first read to the last write, by the present budget. It is an upper bound if all calls can be sent at once (`fits`), else an
 * estimate.
 */
export type Cost = { readonly changes: number; readonly calls: number; readonly ms: number; readonly fits: boolean }

export function cost({ changes, changesBeforeCheck = 0, reads, readingCalls, sliceChanges, budget }: Work): Cost {
  if (changes === 0) return { changes, calls: 0, ms: 0, fits: true }
  const slices = Math.ceil(changesBeforeCheck / sliceChanges) + Math.ceil((changes - changesBeforeCheck) / sliceChanges)
  const later = changes + (slices - 1) * reads
  return { changes, calls: later + (readingCalls ?? 0), ...timeOf(later + (readingCalls ?? reads), budget) }
}

/** How long several calls take by the present budget. `fits`: all of them can be sent at once, and `ms` is an upper bound. */
export function timeOf(calls: number, budget: BudgetSnapshot): Pick<Cost, 'ms' | 'fits'> {
  const { waitMs, waitsMs } = budget
  const last = waitsMs[calls - 1]
  if (last !== undefined && last <= waitMs) return { ms: waitMs + calls * slowCallMs, fits: true }
  return { ms: endMs(calls, budget), fits: false }
}

/**
 * The time at which the last of several calls has ended, if they are sent one after the other. One window has room for `places` calls, and room is
 * free again one window after the response. So each further `places` calls take a window and the time of one call.
 */
function endMs(calls: number, { waitsMs, windowMs }: BudgetSnapshot): number {
  const places = Math.max(1, waitsMs.length)
  const furtherWindows = Math.floor((calls - 1) / places)
  const first = waitsMs.slice(0, calls - furtherWindows * places).reduce((ms, wait) => Math.max(ms, wait) + usualCallMs, 0)
  return first + furtherWindows * Math.max(windowMs + usualCallMs, places * usualCallMs)
}

/** Calls that one window allows, less the estimated calls of others; at least 1. */
const callsAWindow = ({ allowed, others }: Pick<BudgetSnapshot, 'allowed' | 'others'>): number => Math.max(1, allowed - others)

export const callsAMinute = (budget: BudgetSnapshot): number => Math.max(1, Math.floor((callsAWindow(budget) * 60_000) / budget.windowMs))
