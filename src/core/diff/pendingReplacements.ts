import type { Change } from '../change.ts'
import { by } from '../compare.ts'
import { type Hold, type HoldReason, holdFor } from '../hold.ts'
import type { GroupName, Key, Target } from '../mapping.ts'
import { overlap } from './order.ts'

/** A mapping that somebody wishes for, and of which nobody can say yet how to make it. */
export type PendingReplacement = { readonly key: Key; readonly group: GroupName; readonly target: Target; readonly reason: HoldReason }

/**
 * Parts deletes that such a mapping may be meant to replace from all other changes: nobody loses a project because the directory that would
 * give them all projects could not be read.
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
