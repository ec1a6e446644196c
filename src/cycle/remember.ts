import { type List, lists, type WorkspaceName } from '../core/mapping.ts'
import type { GroupIds } from '../core/memory/entry.ts'
import { knownSize, listName, type MappingIds, newIds } from '../core/memory/knownMappings.ts'
import type { LearnedIds, MeantIds } from '../core/memory/meantIds.ts'
import type { Memory } from '../core/memory/memory.ts'
import { at } from '../core/memory/shardedMap.ts'
import type { Waiver } from '../core/waiver.ts'
import type { Reconciled } from '../reconcile.ts'

/** Stores what was read, for later cycles: the journal. */
export type MemoryWriter = {
  storeWaivers(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
  /** Ids of mappings that are new to the memory, or gone. `left`: it was told that no file declares the list any more. */
  storeMappings(workspace: WorkspaceName, list: List, ids: MappingIds, left?: true): Promise<void>
  /** Ids of groups that are new to the memory. `meant`: those that the texts of a workspace mean. */
  storeGroupIds(ids: GroupIds, meant?: LearnedIds): Promise<void>
  /** Ids of projects that are new to the memory. */
  storeProjectIds(workspace: WorkspaceName, ids: MeantIds): Promise<void>
}

/**
 * Stores in the journal what was read of one workspace and differs from the memory: ids of mappings, of groups and of projects.
 *
 * @param isApproved whether the plan may be written. Waivers that name the change of a group or project count only then
 */
export async function rememberReading(
  { verdict, existing, learned: { groupIds, meantGroups, projectIds, gone } }: Reconciled,
  isApproved: boolean,
  memory: () => Memory,
  writer: MemoryWriter,
): Promise<void> {
  const { workspace } = verdict.plan
  const knownOf = (list: List) => at(memory().mappings, listName(workspace, list))
  for (const [list, reading] of existing.lists) {
    const known = knownOf(list)
    const isWhole = reading.status === 'complete'
    const ids = newIds(known, isWhole ? reading.value : [], gone)
    const isFirst = isWhole && (known === undefined || known.left === true)
    if (isFirst || Object.keys(ids).length > 0) await writer.storeMappings(workspace, list, ids)
  }
  // The finding `list-left` tells once that a list with mappings is no longer declared. If the list is declared again, its first reading is confirmed.
  if (isApproved)
    for (const list of lists)
      if (!existing.lists.has(list) && (knownSize(knownOf(list)) ?? 0) > 0) await writer.storeMappings(workspace, list, {}, true)
  const groups = Object.entries(groupIds).filter(([name, id]) => at(memory().groupIds, name) !== id)
  const isMeant = (waived: readonly string[]) => isApproved || waived.length === 0
  const meant = isMeant(meantGroups.waived) && Object.keys(meantGroups.ids).length > 0 ? { workspace, ids: meantGroups.ids } : undefined
  if (groups.length > 0 || meant !== undefined) await writer.storeGroupIds(Object.fromEntries(groups), meant)
  if (isMeant(projectIds.waived) && Object.keys(projectIds.ids).length > 0) await writer.storeProjectIds(workspace, projectIds.ids)
}
