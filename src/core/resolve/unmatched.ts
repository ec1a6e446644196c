import { type DesiredMapping, heldMapping, ruleResult } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import type { GroupName, Key, Mapping, Target } from '../mapping.ts'
import type { Unmatched } from '../matches.ts'

/**
 * The holds of a workspace whose patterns were not matched with names. A pattern might declare any existing mapping. It might also declare a mapping
 * that is to be deleted (for an expired rule or a removal), or a mapping that is to be renamed. So nothing is deleted and nothing is renamed. If only
 * patterns inside fences were not matched, this concerns mappings inside of these fences, and what others remove is deleted.
 */
export function* heldWhileUnmatched(
  { why, because, owners, mayDeclare = () => true }: Unmatched,
  mappings: ReadonlyMap<Key, DesiredMapping>,
  existing: readonly Mapping[],
  isMapped: (group: GroupName, target: Target) => boolean,
): Generator<readonly [Key, DesiredMapping]> {
  const reason: HoldReason = { kind: 'patternsUnmatched', why }
  const renames = ({ group, target, previously = [] }: DesiredMapping) =>
    !isMapped(group, target) && previously.some((former) => isMapped(former, target) && mayDeclare(former, target))
  const isRemovedByOthers = ({ because: { owner } }: DesiredMapping) => owners !== undefined && (owner === undefined || !owners.has(owner))
  const mayKeep = (wanted: Extract<DesiredMapping, { kind: 'absent' }>) =>
    mayDeclare(wanted.group, wanted.target) && (wanted.why === 'expired' || !isRemovedByOthers(wanted))
  for (const [key, wanted] of mappings) {
    if (wanted.kind === 'absent' ? mayKeep(wanted) : wanted.kind === 'role' && renames(wanted))
      yield [key, heldMapping(wanted, reason, ruleResult(wanted))]
  }
  for (const { key, group, target } of existing)
    if (!mappings.has(key) && mayDeclare(group, target)) yield [key, { group, target, because, kind: 'unknown', reason }]
}
