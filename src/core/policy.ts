import type { Change } from './change.ts'
import { type Hold, type HoldReason, holdFor } from './hold.ts'

export const policies = ['observe', 'create-only', 'upsert-only', 'sync'] as const
/** What may be written at all. */
export type Policy = (typeof policies)[number]

/**
 * Parts the changes that a policy lets through from those that it holds.
 *
 * |             | create | patch, rename, settings | delete: removed, expired | delete: duplicate, undeclared |
 * |-------------|--------|-------------------------|--------------------------|-------------------------------|
 * | observe     | held   | held                    | held                     | held                          |
 * | create-only | passes | held                    | passes                   | held                          |
 * | upsert-only | passes | passes                  | passes                   | held                          |
 * | sync        | passes | passes                  | passes                   | passes                        |
 */
export function withhold(
  changes: readonly Change[],
  policy: Policy,
): { readonly changes: readonly Change[]; readonly holds: readonly Hold[] } {
  const passing: Change[] = []
  const holds: Hold[] = []
  for (const change of changes) {
    if (passes(change, policy)) passing.push(change)
    else holds.push(holdFor(change, reasonOf(change, policy)))
  }
  return { changes: passing, holds }
}

function passes(change: Change, policy: Policy): boolean {
  switch (policy) {
    case 'observe':
      return false
    case 'create-only':
      return change.action === 'create' || isSaid(change)
    case 'upsert-only':
      return change.action !== 'delete' || isSaid(change)
    case 'sync':
      return true
    default:
      return policy satisfies never
  }
}

/** Somebody wrote down that it should go: `removed`, or an expiry. */
const isSaid = (change: Change): boolean => change.action === 'delete' && (change.why === 'removed' || change.why === 'expired')

function reasonOf(change: Change, policy: Policy): HoldReason {
  return change.action === 'delete' && change.why === 'undeclared' ? { kind: 'undeclared', policy } : { kind: 'policy', policy }
}
