import type { Change } from './change.ts'
import { type Hold, holdFor } from './hold.ts'
import type { Key } from './mapping.ts'
import { overlap } from './order.ts'

/**
 * Parts the changes from the deletes whose replacement nobody can decide on: another mapping of the same group, on a target that overlaps, which
 * waits for a reading to be whole or for another rule. If it could be made, such a delete would require it.
 */
export function withoutUndecided(
  changes: readonly Change[],
  holds: readonly Hold[],
): { readonly changes: readonly Change[]; readonly holds: readonly Hold[] } {
  const undecided = Map.groupBy(holds.filter(isUndecided), ({ group }) => group)
  if (undecided.size === 0) return { changes, holds: [] }
  const heirOf = (change: Change): Key | undefined =>
    change.action === 'delete' && change.why !== 'duplicate'
      ? undecided.get(change.group)?.find(({ target }) => target !== undefined && overlap(target, change.target))?.key
      : undefined
  return {
    changes: changes.filter((change) => heirOf(change) === undefined),
    holds: changes.flatMap((change) => {
      const key = heirOf(change)
      return key === undefined ? [] : [holdFor(change, { kind: 'requires', key })]
    }),
  }
}

const isUndecided = ({ reason }: Hold): boolean => reason.kind === 'readingIncomplete' || reason.kind === 'requires'
