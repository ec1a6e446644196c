import { type Amounts, amountNames } from '../core/amounts.ts'
import type { ChangeId } from '../core/change.ts'
import { amountsOf, type Tally } from '../core/judge/limits.ts'
import type { Memory } from '../core/memory/memory.ts'
import { amountsOfWrite, type RecentWrite, recentWritesOf } from '../core/memory/recentWrites.ts'
import type { Plan } from '../core/plan.ts'
import type { RoleSettings } from '../core/roles.ts'

/**
 * The changes of one run that fill its limits, over all its workspaces. They are counted when a plan is judged, not when it is written; each once,
 * however many slices judge it.
 */
export type RunTally = {
  /**
   * What counts besides the changes of `plan`. `day`: the writes from before the run that are less than 24 hours old at `nowMs`, and those of the run. A
   * write in doubt that the plan tries again counts with the plan.
   */
  tally(nowMs: number, plan: Pick<Plan, 'changes'>, roles: RoleSettings): Tally
  book(plan: Pick<Plan, 'changes'>, roles: RoleSettings): void
}

/** @param memory the writes before the run */
export function openRunTally(memory: Pick<Memory, 'recentWrites' | 'inDoubt'>): RunTally {
  const recentWrites = recentWritesOf(memory.recentWrites)
  const inDoubt = new Map(Object.entries<RecentWrite>(memory.inDoubt))
  const run = new Map<ChangeId, readonly (keyof Amounts)[]>()
  // A cache: every workspace asks for the sum, and the sum changes only when one of thousands of writes gets older than a day.
  let before = { sum: amountsIn([]), untilMs: Number.NEGATIVE_INFINITY }
  return {
    tally(nowMs, { changes }, roles) {
      if (nowMs >= before.untilMs) before = dayOf(recentWrites, nowMs, roles)
      const own = new Set<string>(changes.map(({ id }) => id))
      const booked = amountsIn([...run].flatMap(([id, kinds]) => (own.has(id) ? [] : kinds)))
      const doubtful = [...inDoubt].flatMap(([id, write]) => (own.has(id) ? [] : [write]))
      return { run: booked, day: [dayOf(doubtful, nowMs, roles).sum, booked].reduce(sumOf, before.sum) }
    },
    book({ changes }, roles) {
      for (const change of changes) {
        inDoubt.delete(change.id)
        if (change.uncounted === undefined) run.set(change.id, amountsOf(change, roles))
      }
    },
  }
}

const sumOf = (one: Amounts, other: Amounts): Amounts =>
  Object.fromEntries(amountNames.map((name) => [name, one[name] + other[name]])) as Amounts

/** The number of each kind. */
function amountsIn(kinds: readonly (keyof Amounts)[]): Amounts {
  const by = Map.groupBy(kinds, (name) => name)
  return Object.fromEntries(amountNames.map((name) => [name, by.get(name)?.length ?? 0])) as Amounts
}

const dayMs = 86_400_000

/** `untilMs`: until then the sum is the same. */
function dayOf(
  recentWrites: readonly RecentWrite[],
  nowMs: number,
  roles: RoleSettings,
): { readonly sum: Amounts; readonly untilMs: number } {
  const recent = recentWrites.filter(({ atMs }) => nowMs < atMs + dayMs)
  const untilMs = recent.reduce((first, { atMs }) => Math.min(first, atMs + dayMs), Number.POSITIVE_INFINITY)
  return { sum: amountsIn(recent.flatMap((write) => amountsOfWrite(write, roles))), untilMs }
}
