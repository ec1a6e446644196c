import { lists, type WorkspaceName } from '../core/mapping.ts'
import { baselineOf, listName } from '../core/memory/baselines.ts'
import type { GroupIds } from '../core/memory/entry.ts'
import type { LearnedIds, MeantIds } from '../core/memory/meantIds.ts'
import type { Memory } from '../core/memory/memory.ts'
import { at } from '../core/memory/shardedMap.ts'
import type { Waiver } from '../core/waiver.ts'
import type { Reconciled } from '../reconcile.ts'

/** Stores what was read, for later cycles: the journal. */
export type MemoryWriter = {
  storeWaivers(workspace: WorkspaceName, fingerprint: string, waivers: readonly Waiver[]): Promise<void>
  /** Stores the size of a list that was read whole; the next reading is compared with it. */
  storeSize(list: string, size: number): Promise<void>
  /** Ids of groups that are new to the memory. `meant`: those that the texts of a workspace mean. */
  storeGroupIds(ids: GroupIds, meant?: LearnedIds): Promise<void>
  /** Ids of projects that are new to the memory. */
  storeProjectIds(workspace: WorkspaceName, ids: MeantIds): Promise<void>
}

/**
 * Stores in the journal what was read of one workspace and differs from the memory: sizes of lists, ids of groups and of projects.
 *
 * @param isApproved whether the plan may be written. Waivers that name the change of a group or project count only then
 */
export async function rememberReading(
  { verdict, existing, learned: { groupIds, meantGroups, projectIds } }: Reconciled,
  isApproved: boolean,
  memory: () => Memory,
  writer: MemoryWriter,
): Promise<void> {
  const { workspace } = verdict.plan
  for (const [list, reading] of existing.lists) {
    const name = listName(workspace, list)
    if (reading.status === 'complete' && baselineOf(memory(), name) !== reading.value.length)
      await writer.storeSize(name, reading.value.length)
  }
  // The finding `list-left` tells once that a list with mappings is no longer declared. If the list is declared again, its first reading is confirmed.
  if (isApproved)
    for (const list of lists)
      if (!existing.lists.has(list) && (baselineOf(memory(), listName(workspace, list)) ?? 0) > 0)
        await writer.storeSize(listName(workspace, list), 0)
  const groups = Object.entries(groupIds).filter(([name, id]) => at(memory().groupIds, name) !== id)
  const isMeant = (waived: readonly string[]) => isApproved || waived.length === 0
  const meant = isMeant(meantGroups.waived) && Object.keys(meantGroups.ids).length > 0 ? { workspace, ids: meantGroups.ids } : undefined
  if (groups.length > 0 || meant !== undefined) await writer.storeGroupIds(Object.fromEntries(groups), meant)
  if (isMeant(projectIds.waived) && Object.keys(projectIds.ids).length > 0) await writer.storeProjectIds(workspace, projectIds.ids)
}
