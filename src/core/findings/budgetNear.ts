import type { Finding } from '../finding.ts'
import { counted } from '../quantity.ts'
import type { BudgetSnapshot } from '../report.ts'

type Shared = Pick<BudgetSnapshot, 'limit' | 'allowed' | 'others' | 'windowMs'> & { readonly credential: string }

/**
 * Whether others seem to use at least a third of the limit. The cause may also be a service that allows less than the settings say: its
 * `Remaining` looks the same.
 */
export const isShared = ({ limit, others }: Pick<BudgetSnapshot, 'limit' | 'others'>): boolean => 3 * others >= limit

/**
 * A finding if this cycle has to wait because others use its credential and leave fewer requests than the cycle needs. A cycle that needs more
 * than a whole window waits in any case; then there is a finding only if others use at least a third of the limit.
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
      sentence: `others use ${others} of the ${counted(limit, 'request')} that this credential has in ${windowMs / 1000} s; ${left} ${left === 1 ? 'is' : 'are'} left, and this cycle needs ${needed}`,
      cure: `use a separate key for this program, since Plane counts each key by itself; if this key has no other user, Plane allows it less than service.limit says: set that to about ${limit - others} in ${windowMs / 1000} s`,
    },
  ]
}
