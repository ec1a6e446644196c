import type { WorkspaceName } from '../mapping.ts'
import { at, put, type ShardedMap } from './shardedMap.ts'

/**
 * For one workspace: name → id → the texts of the declaration that meant this id when they were first applied. For projects the name is the
 * identifier: a person who writes `ENG` means the project that is called ENG on that day, and another project may have the identifier later. For
 * groups the name is `directory/name`.
 */
export type MeantIds = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export type LearnedIds = { readonly workspace: WorkspaceName; readonly ids: MeantIds }

/** The ids of all workspaces, with the new ids of one added, if there are any. */
export const withLearned = (byWorkspace: ShardedMap<MeantIds>, learned: LearnedIds | undefined): ShardedMap<MeantIds> =>
  learned === undefined
    ? byWorkspace
    : put(byWorkspace, { [learned.workspace]: withMeantIds(at(byWorkspace, learned.workspace) ?? {}, learned.ids) })

/** The ids of one workspace, with new ids added. A name with an empty record is removed. */
export function withMeantIds(ids: MeantIds, fresh: MeantIds): MeantIds {
  const entries = Object.entries({ ...ids, ...fresh })
  return Object.fromEntries(entries.filter(([, known]) => Object.keys(known).length > 0))
}

/** Whether a name has the same ids with the same texts as before, in any order. */
export const isSameIds = (before: MeantIds[string], now: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  Object.keys(before).length === now.size &&
  Object.entries(before).every(([id, texts]) => now.get(id)?.size === texts.length && texts.every((text) => now.get(id)?.has(text)))
