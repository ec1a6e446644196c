import type { BudgetSnapshot } from '../core/report.ts'
import { type Cost, cost, timeOf, type Work } from './cost.ts'

/**
 * The remaining work of one workspace. `now`: of the present round. `later`: of the next round, which begins after `laterInMs` with a fresh read.
 */
export type RemainingWork = { readonly credential: string; readonly now: Work; readonly later: Work; readonly laterInMs: number }

/** How long the remaining work of an apply takes. Undefined without work. Credentials are independent of each other, so the slowest one decides. */
export function toGo(work: readonly RemainingWork[]): Pick<Cost, 'ms' | 'fits'> | undefined {
  const each = [...Map.groupBy(work, ({ credential }) => credential).values()].flatMap(
    (ofCredential) => timeOfCredential(ofCredential) ?? [],
  )
  if (each.length === 0) return undefined
  return each.reduce((slowest, time) => ({ ms: Math.max(slowest.ms, time.ms), fits: slowest.fits && time.fits }))
}

/** Work with the same credential shares one budget. */
function timeOfCredential(work: readonly RemainingWork[]): Pick<Cost, 'ms' | 'fits'> | undefined {
  const budget = work[0]?.now.budget
  const now = work.reduce((sum, part) => sum + cost(part.now).calls, 0)
  const later = work.reduce((sum, part) => sum + (part.later.changes === 0 ? 0 : part.later.reads + cost(part.later).calls), 0)
  if (budget === undefined || now + later === 0) return undefined
  const inOneGo = timeOf(now + later, budget)
  if (later === 0) return inOneGo
  const inMs = work.reduce((ms, { laterInMs }) => Math.max(ms, laterInMs), 0)
  return { ms: Math.max(inOneGo.ms, inMs + timeOf(later, after(inMs, budget)).ms), fits: false }
}

/** The budget after a pause of this program. */
const after = (pauseMs: number, budget: BudgetSnapshot): BudgetSnapshot => ({
  ...budget,
  waitMs: Math.max(0, budget.waitMs - pauseMs),
  waitsMs: budget.waitsMs.map((ms) => Math.max(0, ms - pauseMs)),
})
