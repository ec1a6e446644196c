import type { Finding } from '../finding.ts'
import type { BudgetSeen } from '../report.ts'

type Shared = Pick<BudgetSeen, 'limit' | 'allowed' | 'others' | 'windowMs'> & { readonly credential: string }

/** Others hold a third of every window, or the service allows less than the settings say: what its `Remaining` tells is the same. */
export const isShared = ({ limit, others }: Pick<BudgetSeen, 'limit' | 'others'>): boolean => 3 * others >= limit

/**
 * Others spend a credential so much that this cycle has to wait for them: they leave it fewer requests than it needs, and either it would
 * have fitted into a window of its own, or they hold a third of every window.
 *
 * @param needed requests of the cycle: its reads and one for each change
 */
export function budgetNear({ credential, limit, allowed, others, windowMs }: Shared, needed: number): readonly Finding[] {
  const left = Math.max(0, allowed - others)
  if (left >= needed || (needed > allowed && !isShared({ limit, others }))) return []
  return [
    {
      code: 'budget-near',
      severity: 'warning',
      place: `credential "${credential}"`,
      sentence: `others use ${others} of its ${limit} requests in ${windowMs / 1000} s; ${left} are left, and this cycle needs ${needed}`,
      cure: `a key of its own for this program, since the service counts each key by itself; where nobody else uses this one, the service allows it less than service.limit says, about ${limit - others} in ${windowMs / 1000} s: set that`,
    },
  ]
}
