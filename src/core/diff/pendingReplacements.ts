import type { Change } from '../change.ts'
import { by } from '../compare.ts'
import type { DesiredMapping } from '../desired.ts'
import { type Hold, type HoldReason, holdFor } from '../hold.ts'
import type { GroupName, Key, Mapping, Role, Target } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { overlap } from '../order.ts'
import { mayGiveMore, type RoleSettings } from '../roles.ts'

/** A desired mapping that cannot be created or raised yet. `has`: the role that it has now; absent if it does not exist. */
export type PendingReplacement = {
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly reason: HoldReason
  readonly has?: Role | null
}

/**
 * Notes a key whose mapping may be created or raised later: each of several, as each is patched. It may be unknown which role the rule gives.
 *
 * @param mapped the mappings of the key
 */
export function notePending(
  key: Key,
  { group, target, reason, would }: Extract<DesiredMapping, { kind: 'unknown' }>,
  mapped: readonly Mapping[],
  { pending, options: { roles } }: { readonly pending: PendingReplacement[]; readonly options: { readonly roles: RoleSettings } },
): void {
  for (const has of mapped.length === 0 ? [undefined] : mapped.map(({ role }) => role)) {
    const gives = would === undefined || (would.kind === 'role' && (has === undefined || mayGiveMore(would.role, has, roles)))
    if (gives) pending.push({ key, group, target, reason, ...defined({ has }) })
  }
}

/**
 * Holds each delete while a mapping that may replace it (same group, overlapping target) cannot be created or raised yet. For example, a rule for all
 * projects waits for a directory that could not be read. A mapping that gives as much now as the deleted one does not delay the delete.
 */
export function holdReplacedDeletes(
  changes: readonly Change[],
  pending: readonly PendingReplacement[],
  roles: RoleSettings,
): { readonly changes: readonly Change[]; readonly holds: readonly Hold[] } {
  const byGroup = Map.groupBy(pending.toSorted(by(({ key }) => key)), ({ group }) => group)
  const ready: Change[] = []
  const holds: Hold[] = []
  for (const change of changes) {
    const replacement =
      change.action === 'delete' && change.why !== 'duplicate'
        ? byGroup
            .get(change.group)
            ?.find(({ target, has }) => overlap(target, change.target) && (has === undefined || mayGiveMore(change.before, has, roles)))
        : undefined
    if (replacement === undefined) ready.push(change)
    else holds.push(holdFor(change, replacement.reason))
  }
  return { changes: ready, holds }
}
