import type { Finding } from '../finding.ts'
import type { WorkspaceName } from '../mapping.ts'
import { count, counted, durationText } from '../quantity.ts'
import type { BudgetSeen } from '../report.ts'
import { isShared } from './budgetNear.ts'

/** What one workspace says of the work that each tick brings. */
export type TickWork = {
  readonly credential: string
  /** Calls of a cycle in which nothing changes. */
  readonly quietCalls: number
  readonly budget: Pick<BudgetSeen, 'limit' | 'allowed' | 'others' | 'windowMs'>
  /** The shortest time between two ticks. */
  readonly intervalMs: number
}

/**
 * `calls`: of a cycle over all workspaces of the credential in which nothing changes. `allowed`: what the budget lets through in `intervalMs`.
 * `others`: of each window that much is used by others, and taken off.
 */
export type Load = {
  readonly credential: string
  readonly workspaces: number
  readonly calls: number
  readonly allowed: number
  readonly others: number
  readonly intervalMs: number
}

/** A workspace of a cycle, planned or not. */
type Seen = { readonly about: TickWork }

const hourMs = 3_600_000

/** How the work of each credential stands against what its budget allows between two ticks. */
export function scheduleLoads(workspaces: readonly Seen[]): readonly Load[] {
  const works = workspaces.map(({ about }) => about)
  return [...Map.groupBy(works, ({ credential }) => credential)].map(([credential, of]) => {
    const [{ budget, intervalMs }] = of as [TickWork]
    const lists = of.reduce((sum, { quietCalls }) => sum + quietCalls, 0)
    // The workspace's own settings are asked for once an hour.
    const settings = Math.ceil(of.length * Math.min(1, intervalMs / hourMs))
    const others = isShared(budget) ? budget.others : 0
    const allowed = Math.floor((Math.max(1, budget.allowed - others) * intervalMs) / budget.windowMs)
    return { credential, workspaces: of.length, calls: lists + settings, allowed, others, intervalMs }
  })
}

/** A schedule that cannot fit its own work: cycles would follow each other without a pause, and never be as often as it says. */
export function scheduleTooShort(all: readonly Seen[]): readonly Finding[] {
  return scheduleLoads(all).flatMap(({ credential, workspaces, calls, allowed, others, intervalMs }) => {
    if (calls <= allowed) return []
    const times = calls / Math.max(1, allowed)
    const credentials = Math.ceil(times)
    const shared = others === 0 ? '' : `, what others use of this key taken off (${count(others)} in a window)`
    return [
      {
        code: 'schedule-too-short',
        severity: 'warning',
        place: `credential "${credential}"`,
        sentence: `a cycle over its ${counted(workspaces, 'workspace')} takes ${counted(calls, 'call')}, and ${count(allowed)} are allowed in the ${durationText(intervalMs)} between two ticks${shared}`,
        // A workspace has one credential.
        cure: `a schedule.cron with at least ${durationText(intervalMs * times)} between its ticks${workspaces < credentials ? '' : `, or ${count(credentials)} credentials that share the workspaces`}`,
      },
    ]
  })
}

/** A plan that takes longer than there is time between two ticks. Cycles do not overlap: that is something to know, not to repair. */
export function outlasting(workspace: WorkspaceName, { ms }: { readonly ms: number }, intervalMs: number): readonly Finding[] {
  if (ms <= intervalMs) return []
  return [
    {
      code: 'plan-outlasts-interval',
      severity: 'info',
      place: workspace,
      sentence: `writing it takes about ${durationText(ms)}, and there are ${durationText(intervalMs)} between two ticks: the next cycle begins when it is done`,
    },
  ]
}
