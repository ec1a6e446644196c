import { waiverId } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { count, counted, listed } from '../core/quantity.ts'
import { peopleInGroups } from './people.ts'
import type { View } from './view.ts'

/** The kinds of changes that wait for approval, as a person reads them. */
const waitingKinds = ['protected', 'settings', 'creates'] as const
type WaitingKind = (typeof waitingKinds)[number]

/** Undefined if the hold does not wait for approval by the ID of the plan. */
export function waitingKind({ reason }: Pick<Hold, 'reason'>): WaitingKind | undefined {
  // The ID of a plan does not carry a number of people, so it does not approve these.
  if (reason.kind !== 'approval' || reason.why === 'people') return undefined
  if (reason.why === 'creates') return 'creates'
  return reason.why === 'groupSync' ? 'settings' : 'protected'
}

/** What a text with the ID of the plan is about: one kind of the changes that wait, or the plan that guards refuse. */
type Subject = WaitingKind | 'refused'
/** `label`: what the ID of the plan approves, `to approve all 390 creates`. `text`: the same with the ID, or with the way to a new ID. */
type PlanApproval = { readonly label: string; readonly text: string }
export type PlanApprovals = Readonly<Record<Subject, PlanApproval>>

/**
 * How to approve with the ID of the plan: `to approve all 390 creates (589 people), and also 2 protected changes (2,164 people): --allow …`. This ID
 * approves all changes that wait and all that the guards refuse, so each text names the others, too.
 */
export function planApprovals({ verdict, about, applied }: Pick<View, 'verdict' | 'about' | 'applied'>): PlanApprovals {
  const { plan } = verdict
  const by = Map.groupBy(plan.holds, waitingKind)
  const texts: readonly (readonly [WaitingKind, string])[] = waitingKinds.flatMap((kind) => {
    const holds = by.get(kind)
    return holds === undefined ? [] : [[kind, waitingText(kind, holds, about.roles)] as const]
  })
  const isPartlyWritten = applied?.results.some(({ outcome }) => outcome.kind === 'done') ?? false
  const id = waiverId(plan.fingerprint)
  const approval = (subject: Subject, what: string): PlanApproval => {
    if (isPartlyWritten && subject !== 'refused')
      return {
        label: `to approve ${what}`,
        text: `to approve ${what}: run the command plan again, and use --allow with the ID that it shows`,
      }
    const others = [
      ...(subject === 'refused' || verdict.approved ? [] : ['all that the guards refuse']),
      ...texts.flatMap(([kind, other]) => (kind === subject ? [] : [other])),
    ]
    const also = others.length === 0 ? '' : `, and also ${listed(others)}`
    const label = `to approve ${what}${also}`
    return { label, text: `${label}: --allow ${id}` }
  }
  const own = new Map(texts)
  const all = (kind: WaitingKind) => approval(kind, `${(by.get(kind)?.length ?? 0) > 1 ? 'all ' : ''}${own.get(kind) ?? 'it'}`)
  return { protected: all('protected'), settings: all('settings'), creates: all('creates'), refused: approval('refused', 'this plan') }
}

/** `2 protected changes (2,164 people)`, `390 creates (1 protected, 589 people)`, `the change of the settings` */
function waitingText(kind: WaitingKind, holds: readonly Hold[], roles: View['about']['roles']): string {
  if (kind === 'settings') return 'the change of the settings'
  const changes = holds.flatMap(({ change }) => change ?? [])
  const people = peopleInGroups(changes.flatMap((change) => ('group' in change ? [change] : [])))
  const grants = kind === 'creates' ? changes.filter((change) => grantsProtected(change, roles)).length : 0
  const facts = [...(grants === 0 ? [] : [`${count(grants)} protected`]), ...(people === '' ? [] : [people])]
  return `${counted(holds.length, kind === 'creates' ? 'create' : 'protected change')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}
