import type { Change, ChangeId } from '../change.ts'
import type { Key } from '../mapping.ts'
import type { GroupIds } from './entry.ts'
import { emptyMemory, type Memory } from './memory.ts'
import type { ProjectIds } from './projectIds.ts'
import { type Revision, revisionsFrom, revisionsOf } from './revisions.ts'
import { recordOf, shardedMapOf } from './shardedMap.ts'

/** The memory as a journal's file has it: with plain records and lists. */
export type KeptMemory = Omit<Memory, 'open' | 'baselines' | 'groupIds' | 'projectIds' | 'keptAs' | 'revisions'> & {
  readonly open: Readonly<Record<ChangeId, Change>>
  readonly baselines: Readonly<Record<string, number>>
  readonly groupIds: GroupIds
  readonly projectIds: Readonly<Record<string, ProjectIds>>
  readonly keptAs: Readonly<Record<Key, Key>>
  readonly revisions: readonly Revision[]
}

export const keptFrom = (memory: Memory): KeptMemory => ({
  ...memory,
  open: recordOf(memory.open),
  baselines: recordOf(memory.baselines),
  groupIds: recordOf(memory.groupIds),
  projectIds: recordOf(memory.projectIds),
  keptAs: recordOf(memory.keptAs),
  revisions: revisionsOf(memory.revisions),
})

/** What an older version did not keep is as in the beginning. */
export const memoryFrom = ({
  open = {},
  baselines = {},
  groupIds = {},
  projectIds = {},
  keptAs = {},
  revisions = [],
  ...kept
}: Partial<KeptMemory>): Memory => ({
  ...emptyMemory,
  ...kept,
  open: shardedMapOf<Change>(open),
  baselines: shardedMapOf(baselines),
  groupIds: shardedMapOf(groupIds),
  projectIds: shardedMapOf(projectIds),
  keptAs: shardedMapOf<Key>(keptAs),
  revisions: revisionsFrom(revisions),
})
