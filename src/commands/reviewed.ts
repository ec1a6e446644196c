import type { Change, ChangeId } from '../core/change.ts'
import { changeNamed, namesPlan } from '../core/judge/waivers.ts'
import type { Plan } from '../core/plan.ts'
import type { Waiver } from '../core/waiver.ts'
import { writesOf } from './review.ts'

/** Whether a plan may be written, because it is the reviewed plan and would write no more than was shown. */
export type IsReviewed = (plan: Plan) => boolean

/**
 * How a change stood in the reviewed plan. `approval`: it waited for the approval of the plan or of the change. `people`: it waited for the approval of a
 * number of people. `requires`: a change that it requires waited. `held`: it waited for another reason, which no approval ends.
 */
export type Shown = 'written' | 'approval' | 'people' | 'requires' | 'held'

/** The plan of a workspace as a person saw it: its fingerprint, how each of its changes stood, and up to when it says what dates will change. */
export type ReviewedPlan = { readonly fingerprint: string; readonly shown: ReadonlyMap<string, Shown>; readonly laterUntilMs: number }

/**
 * A plan may be written if it has the reviewed fingerprint, which covers all of its changes, also those that wait. A change that waited in the review is
 * written only if `--allow` names the approval for which it waited. An edit of the declaration, of the settings or of the guards may let other such changes
 * pass. Then nothing is written.
 *
 * @param seen the reviewed plan for the workspace of this plan; undefined if none was reviewed
 */
export function reviewedBy(seen: (plan: Plan) => ReviewedPlan | undefined, waivers: readonly Waiver[]): IsReviewed {
  const names = waivers.flatMap(({ ids }) => ids)
  return (plan) => {
    const then = seen(plan)
    if (then === undefined || then.fingerprint !== plan.fingerprint) return false
    const planned = new Map(plan.changes.map((change) => [change.id, change]))
    const mayPass = (change: Change | undefined): boolean => {
      switch (change && then.shown.get(change.id)) {
        case 'written':
          return true
        case 'approval':
          return names.some((name) => namesPlan(name, plan) || changeNamed(name) === change?.id)
        case 'people':
          return names.some((name) => name.includes(':') && changeNamed(name) === change?.id)
        case 'requires':
          return change?.requires.every((id) => mayPass(planned.get(id))) === true
        default:
          return false
      }
    }
    return plan.changes.every(mayPass)
  }
}

/** A plan as a person sees it before it is written. */
export function reviewOf(plan: Plan): ReviewedPlan {
  const writes = writesOf(plan)
  const held = plan.holds.flatMap(({ change, reason }): [ChangeId, Shown][] =>
    change === undefined ? [] : [[change.id, writes.has(change.id) ? 'written' : shownAs(reason)]],
  )
  return {
    fingerprint: plan.fingerprint,
    laterUntilMs: plan.laterUntilMs,
    shown: new Map([...plan.changes.map(({ id }) => [id, 'written'] as const), ...held]),
  }
}

/** How a held change stands. */
export function shownAs({ kind, why }: { readonly kind: string; readonly why?: string }): Shown {
  if (kind === 'requires') return 'requires'
  if (kind !== 'approval') return 'held'
  return why === 'people' ? 'people' : 'approval'
}
