import type { MappingChange } from '../core/change.ts'
import { groupOfKey, type Key, type List, listOf, type Mapping, type MappingId, type Role } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import { type Reading } from '../core/reading.ts'

export type Lists = ReadonlyMap<List, Reading<readonly Mapping[]>>

/**
 * The lists of a workspace after a write, as the next reading will show them. After an unknown outcome they stay: if Plane executed the write, its keys are in
 * quarantine, and no plan is made for them.
 *
 * | the write                                | the list after it                                       |
 * |------------------------------------------|---------------------------------------------------------|
 * | create                                   | has the mapping, under the key and role that were stored |
 * | create, and its answer has no id         | is incomplete: it lacks a mapping                       |
 * | patch, rename                            | has the mapping with the new role and key               |
 * | delete; any, and the mapping is gone     | lacks the mapping                                       |
 * | refused because of what exists           | is incomplete: it differs from what was read            |
 */
export function listsAfter(lists: Lists, change: MappingChange, outcome: Outcome): Lists {
  const list = listOf(change.target)
  const reading = lists.get(list)
  if (reading === undefined || reading.status === 'failed') return lists
  const others = reading.value.filter(({ id }) => !('mapping' in change) || id !== change.mapping)
  const as = (after: Reading<readonly Mapping[]>): Lists => new Map([...lists, [list, after]])
  if (outcome.kind === 'refused' && outcome.code === 'gone' && 'mapping' in change) return as({ ...reading, value: others })
  if (outcome.kind === 'refused' && outcome.code === 'conflict') return as({ ...reading, status: 'partial', missing: changedSince })
  if (outcome.kind !== 'done') return lists
  // An answer that names a mapping which existed before is not to be believed.
  if (change.action === 'create' && reading.value.some(({ id }) => id === outcome.mapping)) return lists
  const stored = change.action === 'delete' ? undefined : mappingAfter(change, outcome)
  if (stored?.id === '') return as({ ...reading, status: 'partial', missing: changedSince })
  return as({ ...reading, value: stored === undefined ? others : [...others, stored] })
}

const changedSince = 'it has changed since it was read'

/** The mapping that the service stored. Its id is empty if the answer did not say it. */
function mappingAfter(
  change: Exclude<MappingChange, { action: 'delete' }>,
  { mapping = '', echoed, storedKey }: Extract<Outcome, { kind: 'done' }>,
): Mapping {
  const key: Key = storedKey ?? change.key
  return {
    id: 'mapping' in change ? change.mapping : (mapping as MappingId),
    key,
    group: groupOfKey(key),
    target: change.target,
    role: (echoed as Role | undefined) ?? change.role,
  }
}
