import { type DesiredMapping, heldMapping, ruleResult } from '../desired.ts'
import type { HoldReason } from '../hold.ts'
import { type GroupName, type Key, listOf, type Mapping, type Target } from '../mapping.ts'
import { frozenIn, isSelected, isTargetIn, type Matches, type Unmatched } from '../matches.ts'
import type { WorkspaceDeclaration } from '../rule.ts'
import type { Claim } from './claims.ts'

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

/**
 * The holds of the keys inside frozen fences. A file without limits that names a key decides about it all the same, since nothing that is said inside a
 * fence could change that.
 *
 * @param isKnown whether a directory or a mapping has the name. Another one is in no match of a pattern, so it counts as inside
 */
export function* heldWhileFrozen(
  declared: WorkspaceDeclaration,
  claims: ReadonlyMap<Key, readonly Claim[]>,
  mappings: ReadonlyMap<Key, DesiredMapping>,
  { existing, matches, isKnown }: { existing: readonly Mapping[]; matches: Matches; isKnown: (group: GroupName) => boolean },
): Generator<readonly [Key, DesiredMapping]> {
  const frozen = frozenIn(declared)
  if (frozen.length === 0) return
  const frozenAt = (group: GroupName, target: Target) =>
    frozen.find(
      ({ keys }) =>
        keys.list === listOf(target) && isTargetIn(keys, target) && (isSelected(keys.groups, group, matches) || !isKnown(group)),
    )
  for (const [key, wanted] of mappings) {
    const inside = (claims.get(key) ?? []).some(isSaidOutside) ? undefined : frozenAt(wanted.group, wanted.target)
    if (inside === undefined) continue
    const { previously } = wanted
    const held = { ...heldMapping(wanted, inside.reason, undefined), because: inside.keys.because }
    yield [key, previously === undefined ? held : { ...held, previously }]
  }
  for (const { key, group, target } of existing) {
    const inside = mappings.has(key) ? undefined : frozenAt(group, target)
    if (inside !== undefined) yield [key, { group, target, because: inside.keys.because, kind: 'unknown', reason: inside.reason }]
  }
}

const isSaidOutside = ({ fenced, notStarted, weight, wanted }: Claim): boolean =>
  fenced !== true && notStarted !== true && weight !== 'pattern' && (weight === 'removed' || wanted.kind !== 'absent')
