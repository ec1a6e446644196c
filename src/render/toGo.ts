import type { BudgetSnapshot } from '../core/report.ts'
import { type Cost, cost, timeOf, type Work } from './cost.ts'

/**
 * The remaining work of one workspace. `now`: of the present round. `later`: of the next round, which begins after `laterInMs` with a fresh read.
 */
export type RemainingWork = { readonly credential: string; readonly now: Work; readonly later: Work; readonly laterInMs: number }

/** How long the remaining work of an apply takes. Undefined without work. Credentials are independent of each other, so the slowest one decides. */
export function toGo(all: readonly RemainingWork[]): Pick<Cost, 'ms' | 'fits'> | undefined {
  const each = [...Map.groupBy(all, ({ credential }) => credential).values()].flatMap((same) => timeOfCredential(same) ?? [])
  if (each.length === 0) return undefined
  return each.reduce((slowest, one) => ({ ms: Math.max(slowest.ms, one.ms), fits: slowest.fits && one.fits }))
}

/** Work with the same credential shares one budget. */
function timeOfCredential(all: readonly RemainingWork[]): Pick<Cost, 'ms' | 'fits'> | undefined {
  const budget = all[0]?.now.budget
  const now = all.reduce((sum, one) => sum + cost(one.now).calls, 0)
  const later = all.reduce((sum, one) => sum + (one.later.changes === 0 ? 0 : one.later.reads + cost(one.later).calls), 0)
  if (budget === undefined || now + later === 0) return undefined
  const inOneGo = timeOf(now + later, budget)
  if (later === 0) return inOneGo
  const inMs = all.reduce((ms, { laterInMs }) => Math.max(ms, laterInMs), 0)
  return { ms: Math.max(inOneGo.ms, inMs + timeOf(later, after(inMs, budget)).ms), fits: false }
}

/** The budget after a pause of this program. */
const after = (pauseMs: number, budget: BudgetSnapshot): BudgetSnapshot => ({
  ...budget,
  waitMs: Math.max(0, budget.waitMs - pauseMs),
  waitsMs: budget.waitsMs.map((ms) => Math.max(0, ms - pauseMs)),
})
