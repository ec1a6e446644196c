import { waiverId } from '../../core/change.ts'
import type { WorkspaceName } from '../../core/mapping.ts'
import type { WaiverWords } from '../../core/waiverWords.ts'
import type { Order } from '../../documents/order.ts'
import { approvablesOf, type WaitingPlan, wordsOf } from '../../render/approvable.ts'

type Ordered = Extract<Order, { kind: 'approve' }>['approvals'][number]

/** What one approval lets pass. */
type Expanded = { readonly workspace: WorkspaceName; readonly words?: WaiverWords; readonly passes: readonly string[] }

/**
 * The approvals of an order, each with exact words. An approval of a plan only names it: the daemon has made the plan, and knows its changes. So an order has
 * room for a plan of any size.
 *
 * @param plans what the daemon left after its last cycle
 * @returns a sentence if a plan is not there any more
 */
export function expandApprovals(approvals: readonly Ordered[], plans: readonly WaitingPlan[]): readonly Expanded[] | string {
  const each = approvals.map((one) => expanded(one, plans))
  return each.find((one) => typeof one === 'string') ?? each.flatMap((one) => (typeof one === 'string' ? [] : one))
}

function expanded({ workspace, plan: fingerprint, words, passes }: Ordered, plans: readonly WaitingPlan[]): readonly Expanded[] | string {
  if (fingerprint === undefined) return [{ workspace, passes, ...(words === undefined ? {} : { words: words as WaiverWords }) }]
  const plan = plans.find((one) => one.workspace === workspace && one.fingerprint === fingerprint)
  const found = plan && approvablesOf(plan, fingerprint)
  const id = waiverId(fingerprint)
  if (found === 'incomplete')
    return `The daemon does not have all changes of the plan ${id} yet. Wait until its next cycle ends, then approve it again.`
  const all = (found ?? []).flatMap((one) => (one.kind === 'words' ? [wordsOf(one)] : []))
  return all.length > 0
    ? all.map((one) => ({ workspace, words: one, passes: [] }))
    : `The plan ${id} of ${workspace} does not wait any more: the daemon has made another plan since. "plane-group-sync status" shows the IDs that wait now.`
}
