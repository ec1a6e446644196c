import type { WorkspaceName } from '../mapping.ts'
import { at, put, type ShardedMap } from './shardedMap.ts'

/**
 * For one workspace: identifier → project id → the texts of the declaration that meant this project when they were first applied. A person
 * who writes `ENG` means the project that is called ENG on that day; the identifier may belong to another project later.
 */
export type ProjectIds = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

type Learned = { readonly workspace: WorkspaceName; readonly ids: ProjectIds }

/** The ids of all workspaces, with the new ids of one added. */
export const learnedProjects = (all: ShardedMap<ProjectIds>, { workspace, ids }: Learned): ShardedMap<ProjectIds> =>
  put(all, { [workspace]: withProjectIds(at(all, workspace) ?? {}, ids) })

/** The ids of one workspace, with new ids added. An identifier with an empty record is removed. */
export function withProjectIds(ids: ProjectIds, fresh: ProjectIds): ProjectIds {
  const all = Object.entries({ ...ids, ...fresh })
  return Object.fromEntries(all.filter(([, known]) => Object.keys(known).length > 0))
}
