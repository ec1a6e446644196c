import type { Finding } from '../finding.ts'
import type { WorkspaceName } from '../mapping.ts'
import { count, counted, durationText } from '../quantity.ts'
import type { BudgetSnapshot } from '../report.ts'
import { isShared } from './budgetNear.ts'

/** The work of one workspace at each tick of the schedule. */
export type TickWork = {
  readonly credential: string
  /** Calls of a cycle without changes. */
  readonly quietCalls: number
  readonly budget: Pick<BudgetSnapshot, 'limit' | 'allowed' | 'others' | 'windowMs'>
  /** The shortest time between two ticks. */
  readonly intervalMs: number
}

/**
 * `calls`: the calls of one cycle without changes, over all workspaces of the credential. `others`: requests of others in each window.
 * `allowed`: calls that the budget allows in `intervalMs`, after those of others are subtracted.
 */
type Load = {
  readonly credential: string
  readonly workspaces: number
  readonly calls: number
  readonly allowed: number
  readonly others: number
  readonly intervalMs: number
}

/** A workspace of a cycle, planned or not. */
type LoadInput = { readonly about: TickWork }

const hourMs = 3_600_000

/** Compares the work of each credential with what its budget allows between two ticks. */
export function scheduleLoads(workspaces: readonly LoadInput[]): readonly Load[] {
  const works = workspaces.map(({ about }) => about)
  return [...Map.groupBy(works, ({ credential }) => credential)].map(([credential, of]) => {
    const [{ budget, intervalMs }] = of as [TickWork]
    const lists = of.reduce((sum, { quietCalls }) => sum + quietCalls, 0)
    // The group-sync settings are read once an hour.
    const settings = Math.ceil(of.length * Math.min(1, intervalMs / hourMs))
    const others = isShared(budget) ? budget.others : 0
    const allowed = Math.floor((Math.max(1, budget.allowed - others) * intervalMs) / budget.windowMs)
    return { credential, workspaces: of.length, calls: lists + settings, allowed, others, intervalMs }
  })
}

/**
 * A finding if even a cycle without changes takes longer than the time between two ticks. Cycles then follow each other without a pause,
 * less often than the schedule says.
 */
export function scheduleTooShort(inputs: readonly LoadInput[]): readonly Finding[] {
  return scheduleLoads(inputs).flatMap(({ credential, workspaces, calls, allowed, others, intervalMs }) => {
    if (calls <= allowed) return []
    const times = calls / Math.max(1, allowed)
    const credentials = Math.ceil(times)
    const shared = others === 0 ? '' : ` (others use ${counted(others, 'request')} with this key in each window, already subtracted)`
    return [
      {
        code: 'schedule-too-short',
        severity: 'warning',
        place: `credential "${credential}"`,
        sentence: `a cycle over its ${counted(workspaces, 'workspace')} takes ${counted(calls, 'call')}, and ${count(allowed)} ${allowed === 1 ? 'is' : 'are'} allowed in the ${durationText(intervalMs)} between two ticks${shared}`,
        // More credentials than workspaces do not help, since a workspace has one credential.
        cure: `set a schedule.cron with at least ${durationText(intervalMs * times)} between its ticks${workspaces < credentials ? '' : `, or divide the workspaces among ${counted(credentials, 'credential')}`}`,
      },
    ]
  })
}

/**
 * A finding if writing a plan takes longer than the time between two ticks. Cycles do not overlap, so nothing has to be repaired.
 *
 * @param cost if all calls fit into the budget, `ms` is an upper bound at a slow round trip, many times the usual time, and shows nothing
 */
export function outlasting(
  workspace: WorkspaceName,
  { ms, fits }: { readonly ms: number; readonly fits: boolean },
  intervalMs: number,
): readonly Finding[] {
  if (fits || ms <= intervalMs) return []
  return [
    {
      code: 'plan-outlasts-interval',
      severity: 'info',
      place: workspace,
      sentence: `writing this plan takes about ${durationText(ms)}, and there are ${durationText(intervalMs)} between two ticks: the next cycle begins when the plan is written`,
    },
  ]
}
