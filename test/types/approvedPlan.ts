import type { Change } from '../../src/core/change.ts'
import { type ApprovedPlan, type Judged, judge } from '../../src/core/judge/guards.ts'
import type { Plan } from '../../src/core/plan.ts'
import { judging, planOf } from '../unit/core/smallWorld.ts'

/** Ways to make an approved plan without the guards. TypeScript must refuse each of them. Only `npm run types` checks this file. */
export function forged(approved: ApprovedPlan, plan: Plan, more: Change): readonly ApprovedPlan[] {
  const see = <P extends Plan>(one: P): P => one
  return [
    // @ts-expect-error a plan without a judgement
    plan,
    // @ts-expect-error a spread with one more change
    { ...approved, changes: [...approved.changes, more] },
    // @ts-expect-error a copy of its fields
    Object.assign({}, plan),
    // @ts-expect-error a callback that adds to whatever plan it is given
    see({ ...approved, findings: [] }),
    // @ts-expect-error a clone
    structuredClone<Plan>(approved),
  ]
}

export function smuggled(judged: Judged, plan: Plan): readonly Judged[] {
  return [
    // @ts-expect-error the approval of one plan with another one
    { ...judged, plan },
    // @ts-expect-error an approval by itself
    { plan, waived: [] },
  ]
}

/** The only way to make an approved plan. */
export const approved = (): ApprovedPlan => judge(planOf({}), judging).plan
