import { type Amounts, amountNames } from '../core/amounts.ts'
import type { Change, ChangeId } from '../core/change.ts'
import { amountsOf, type Tally } from '../core/judge/limits.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { amountsOfWrite, type RecentWrite, recentWritesOf } from '../core/memory/recentWrites.ts'
import type { Plan } from '../core/plan.ts'
import type { RoleSettings } from '../core/roles.ts'
import { openJudgingOrder } from './judgingOrder.ts'

/**
 * The changes of one run that fill its limits, over all its workspaces. They are counted when a plan is judged, not when it is written; each once,
 * however many slices judge it. The plans are judged in a fixed order, so what waits for a limit of the run does not depend on how fast Plane answers.
 */
export type RunTally = {
  /**
   * Resolves when all workspaces before this one are judged, or have left. A plan that cannot fill a limit of the run does not wait.
   *
   * @throws {Stopped} by the promise, if `signal` fires before
   */
  waitForEarlier(plan: Pick<Plan, 'workspace' | 'changes'>, roles: RoleSettings, signal: AbortSignal): Promise<void>
  /**
   * What counts besides the changes of `plan`. `day`: the writes from before the run that are less than 24 hours old at `nowMs`, and those of the run. A
   * write in doubt that the plan tries again counts with the plan.
   */
  tally(nowMs: number, plan: Pick<Plan, 'changes'>, roles: RoleSettings): Tally
  /** The plan is judged, and its changes may be written. */
  book(plan: Pick<Plan, 'workspace' | 'changes'>, roles: RoleSettings): void
  /** The workspace is not judged in this run: it has failed, or has not begun. It writes nothing, so nothing of it counts. */
  leave(workspace: WorkspaceName): void
}

/**
 * @param memory the writes before the run
 * @param order the workspaces in the order in which they are judged. One that is not in it does not wait
 */
export function openRunTally(memory: Pick<Memory, 'recentWrites' | 'inDoubt'>, order: readonly WorkspaceName[]): RunTally {
  const { waitForEarlier, leave } = openJudgingOrder(order)
  const recentWrites = recentWritesOf(memory.recentWrites)
  const inDoubt = new Map(Object.entries<RecentWrite>(memory.inDoubt))
  const run = new Map<ChangeId, readonly (keyof Amounts)[]>()
  // A cache: every workspace asks for the sum, and the sum changes only when one of thousands of writes gets older than a day.
  let before = { sum: amountsIn([]), untilMs: Number.NEGATIVE_INFINITY }
  return {
    async waitForEarlier({ workspace, changes }, roles, signal) {
      if (changes.some((change) => fillsLimits(change, roles))) await waitForEarlier(workspace, signal)
    },
    tally(nowMs, { changes }, roles) {
      if (nowMs >= before.untilMs) before = dayOf(recentWrites, nowMs, roles)
      const own = new Set<string>(changes.map(({ id }) => id))
      const booked = amountsIn([...run].filter(([id]) => !own.has(id)).flatMap(([, kinds]) => kinds))
      const doubtful = [...inDoubt].filter(([id]) => !own.has(id)).map(([, write]) => write)
      return { run: booked, day: [dayOf(doubtful, nowMs, roles).sum, booked].reduce(sumOf, before.sum) }
    },
    book({ workspace, changes }, roles) {
      for (const change of changes) {
        inDoubt.delete(change.id)
        if (change.uncounted === undefined) run.set(change.id, amountsOf(change, roles))
      }
      leave(workspace)
    },
    leave,
  }
}

const fillsLimits = (change: Change, roles: RoleSettings): boolean => change.uncounted === undefined && amountsOf(change, roles).length > 0

const sumOf = (a: Amounts, b: Amounts): Amounts => Object.fromEntries(amountNames.map((name) => [name, a[name] + b[name]])) as Amounts

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
