import { waiverId } from '../core/change.ts'
import { doorText } from '../core/doors.ts'
import type { Hold } from '../core/hold.ts'
import { counted, listed } from '../core/quantity.ts'
import { peopleInGroups } from './people.ts'
import type { View } from './view.ts'

/** The kinds of single changes that wait for approval, as a person reads them. */
const waitingKinds = ['protected', 'settings'] as const
type WaitingKind = (typeof waitingKinds)[number]

/** Undefined if the hold does not wait for approval, or with a set of changes, or for a number of people, which the ID of a plan does not carry. */
export function waitingKind({ reason }: Pick<Hold, 'reason'>): WaitingKind | undefined {
  if (reason.kind !== 'approval' || reason.why === 'people' || reason.why === 'limit') return undefined
  return reason.why === 'groupSync' ? 'settings' : 'protected'
}

/** `label`: what the ID of the plan approves, `to approve all 2 protected changes`. `text`: the same with the ID, or with the way to a new ID. */
type PlanApproval = { readonly label: string; readonly text: string }
export type PlanApprovals = Readonly<Record<WaitingKind, PlanApproval>>

/**
 * How to approve with the ID of the plan: `to approve all 2 protected changes (2,164 people), and also 390 creates: --allow …`. This ID approves all that waits,
 * but for the limits on people, so each text names the others, too.
 */
export function planApprovals({ about: { doors }, judged, applied }: Pick<View, 'about' | 'judged' | 'applied'>): PlanApprovals {
  const { plan } = judged
  const by = Map.groupBy(plan.holds, waitingKind)
  const inSets = plan.holds.filter(({ reason }) => reason.kind === 'approval' && reason.why === 'limit' && reason.name !== 'people').length
  const texts: readonly (readonly [WaitingKind | 'sets', string])[] = [
    ...waitingKinds.flatMap((kind) => {
      const holds = by.get(kind)
      return holds === undefined ? [] : [[kind, waitingText(kind, holds)] as const]
    }),
    ...(inSets === 0 ? [] : [['sets', `${counted(inSets, 'change')} above the limits`] as const]),
  ]
  const isPartlyWritten = applied?.results.some(({ outcome }) => outcome.kind === 'done') ?? false
  const id = waiverId(plan.fingerprint)
  const own = new Map(texts)
  const approval = (kind: WaitingKind): PlanApproval => {
    const what = `${(by.get(kind)?.length ?? 0) > 1 ? 'all ' : ''}${own.get(kind) ?? 'it'}`
    if (isPartlyWritten)
      return {
        label: `to approve ${what}`,
        text: `to approve ${what}: run the command plan again, ${doors === 'any' ? 'and use' : 'which shows its ID:'} ${doorText(undefined, doors)}`,
      }
    const others = texts.flatMap(([otherKind, text]) => (otherKind === kind ? [] : [text]))
    const label = `to approve ${what}${others.length === 0 ? '' : `, and also ${listed(others)}`}`
    return { label, text: `${label}: ${doorText(id, doors)}` }
  }
  return { protected: approval('protected'), settings: approval('settings') }
}

/** `2 protected changes (2,164 people)`, `the change of the settings` */
function waitingText(kind: WaitingKind, holds: readonly Hold[]): string {
  if (kind === 'settings') return 'the change of the settings'
  const people = peopleInGroups(holds.flatMap(({ change }) => (change !== undefined && 'group' in change ? [change] : [])))
  return `${counted(holds.length, 'protected change')}${people === '' ? '' : ` (${people})`}`
}
