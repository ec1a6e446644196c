import { type GroupIndex, ownId } from '../group.ts'
import type { GroupName } from '../mapping.ts'
import type { Memory } from './memory.ts'

/**
 * Whether a group has the name of another group, and its own earlier name is gone. A list looks like this if two groups exchanged their names
 * while it was read: the name that is gone exists. The memory has the ids of the groups that rules select.
 */
export function looksExchanged(directory: string, index: GroupIndex, { meantGroups }: Pick<Memory, 'meantGroups'>): boolean {
  const sharing = new Set<string>()
  for (const groups of index.values()) {
    if (groups.length > 1) for (const group of groups) sharing.add(ownId(group) ?? '')
  }
  sharing.delete('')
  if (sharing.size === 0) return false
  const prefix = `${directory}/`
  const isGone = (full: string) => full.startsWith(prefix) && !index.has(full.slice(prefix.length) as GroupName)
  return meantGroups.some((shard) =>
    shard
      .values()
      .some((ids) => Object.entries(ids).some(([full, known]) => isGone(full) && Object.keys(known).some((id) => sharing.has(id)))),
  )
}
