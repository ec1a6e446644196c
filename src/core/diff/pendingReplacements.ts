import type { Change } from '../change.ts'
import { by } from '../compare.ts'
import { type Hold, type HoldKind, type HoldReason, holdFor, isUnread } from '../hold.ts'
import type { GroupName, Key, Target } from '../mapping.ts'
import { overlap } from './order.ts'

/** A desired mapping that cannot be created yet. */
export type PendingReplacement = { readonly key: Key; readonly group: GroupName; readonly target: Target; readonly reason: HoldReason }

/** Whether a mapping that is held for this reason may be created without an edit: after a complete reading, or when the clocks agree again. */
export const isReplacement = (kind: HoldKind): boolean => isUnread(kind) || kind === 'clocksDiffer'

/**
 * Holds each delete while a mapping that may replace it (same group, overlapping target) cannot be created yet. For example, a rule for all
 * projects waits for a directory that could not be read.
 */
export function holdReplacedDeletes(
  changes: readonly Change[],
  pending: readonly PendingReplacement[],
): { readonly changes: readonly Change[]; readonly holds: readonly Hold[] } {
  const byGroup = Map.groupBy(pending.toSorted(by(({ key }) => key)), ({ group }) => group)
  const ready: Change[] = []
  const holds: Hold[] = []
  for (const change of changes) {
    const replacement =
      change.action === 'delete' && change.why !== 'duplicate'
        ? byGroup.get(change.group)?.find(({ target }) => overlap(target, change.target))
        : undefined
    if (replacement === undefined) ready.push(change)
    else holds.push(holdFor(change, replacement.reason))
  }
  return { changes: ready, holds }
}
