import type { ChangeId } from '../core/change.ts'
import type { HoldKind } from '../core/hold.ts'
import { grantsProtected, type Waiver } from '../core/judge/guards.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Plan } from '../core/plan.ts'
import type { RoleSettings } from '../core/roles.ts'

/** Whether somebody has agreed to a plan. */
export type Agreed = (plan: Plan) => boolean

/** What was seen when it was agreed to: which plan, and what of it would be written. */
export type Seen = { readonly fingerprint: string; readonly writes: ReadonlySet<ChangeId> }

/**
 * The same plan, of which no more is written than was said: an edit of the declaration or of the guards may let a change pass that waited
 * for approval when the plan was reviewed. What `--allow` names is agreed to now.
 */
export function agreedTo(seen: ReadonlyMap<WorkspaceName, Seen>, waivers: readonly Waiver[]): Agreed {
  const named = (id: ChangeId) => waivers.some(({ passes }) => passes.some((name) => id.startsWith(name)))
  return ({ workspace, fingerprint, changes }) => {
    const then = seen.get(workspace)
    if (then === undefined || then.fingerprint !== fingerprint) return false
    const whole = waivers.some(({ passes }) => passes.some((name) => fingerprint.startsWith(name)))
    return whole || changes.every(({ id }) => then.writes.has(id) || named(id))
  }
}

/** What a plan would write, now or after a wait: also what only follows a change that waits. */
export function writesOf({ changes, holds }: Plan): ReadonlySet<ChangeId> {
  const held = (kind: HoldKind) => holds.flatMap(({ change, reason }) => (change !== undefined && reason.kind === kind ? [change] : []))
  const sooner = new Set([...changes, ...held('quarantined')].map(({ id }) => id))
  const later = held('requires').filter(({ requires }) => requires.every((id) => sooner.has(id)))
  return new Set([...sooner, ...later.map(({ id }) => id)])
}

/** How many of them give a group a protected role. */
export function protectedWritesOf(plan: Plan, roles: RoleSettings): number {
  const writes = writesOf(plan)
  const all = [...plan.changes, ...plan.holds.flatMap(({ change }) => (change === undefined ? [] : [change]))]
  return all.filter((change) => writes.has(change.id) && grantsProtected(change, roles)).length
}
