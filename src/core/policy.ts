import type { Change } from './change.ts'
import { type Hold, type HoldReason, holdFor, holdsIn } from './hold.ts'
import type { MappingId } from './mapping.ts'

export const policies = ['observe', 'create-only', 'upsert-only', 'sync', 'exclusive'] as const
/** The kinds of changes that may be written. */
export type Policy = (typeof policies)[number]

/** Whether the policy deletes undeclared mappings: all of them, or those that are ours. */
export const deletesUndeclared = (policy: Policy): boolean => policy === 'sync' || policy === 'exclusive'

/**
 * Separates the changes that a policy lets through from those that it holds.
 *
 * |             | create | patch, rename, settings | delete: removed, expired | delete: duplicate, undeclared |
 * |-------------|--------|-------------------------|--------------------------|-------------------------------|
 * | observe     | held   | held                    | held                     | held                          |
 * | create-only | passes | held                    | passes                   | held                          |
 * | upsert-only | passes | passes                  | passes                   | held                          |
 * | sync        | passes | passes                  | passes                   | passes if it is ours          |
 * | exclusive   | passes | passes                  | passes                   | passes                        |
 *
 * A change that requires a held change is held, too.
 *
 * @param changes in the order of writing: required changes come first
 * @param isOurs whether the journal shows that the mapping of a delete is ours
 */
export function applyPolicy(
  changes: readonly Change[],
  policy: Policy,
  isOurs: (mapping: MappingId) => boolean,
): { readonly changes: readonly Change[]; readonly holds: readonly Hold[] } {
  const holds = holdsIn(changes, (change) => (passes(change, policy, isOurs) ? undefined : holdFor(change, reasonOf(change, policy))))
  return { changes: changes.filter(({ id }) => !holds.has(id)), holds: [...holds.values()] }
}

function passes(change: Change, policy: Policy, isOurs: (mapping: MappingId) => boolean): boolean {
  switch (policy) {
    case 'observe':
      return false
    case 'create-only':
      return change.action === 'create' || isDeclaredDelete(change)
    case 'upsert-only':
      return change.action !== 'delete' || isDeclaredDelete(change)
    case 'sync':
      return change.action !== 'delete' || isOurs(change.mapping) || isDeclaredDelete(change)
    case 'exclusive':
      return true
    default:
      return policy satisfies never
  }
}

/** A delete that the declaration asks for: by `removed` or by an expiry. */
const isDeclaredDelete = (change: Change): boolean => change.action === 'delete' && (change.why === 'removed' || change.why === 'expired')

function reasonOf(change: Change, policy: Policy): HoldReason {
  return change.action === 'delete' && change.why === 'undeclared' ? { kind: 'undeclared', policy } : { kind: 'policy', policy }
}
