import type { Change } from '../change.ts'
import { type List, lists, type WorkspaceName } from '../mapping.ts'
import { at, put, type ShardedMap } from './shardedMap.ts'

/** Name of a directory or list → size of its last accepted reading. */
export type Baselines = ShardedMap<number>

/** The size of the last accepted reading of a directory or list. */
export const baselineOf = ({ baselines }: { readonly baselines: Baselines }, name: string): number | undefined => at(baselines, name)

/** The name of one list of one workspace in `baselines` and `echoes`. */
export const listName = (workspace: WorkspaceName, list: List): string => `${workspace}/${list}`

/** The workspace of such a name; undefined for the name of a directory. */
export function workspaceOfList(name: string): WorkspaceName | undefined {
  const list = lists.find((one) => name.endsWith(`/${one}`))
  return list === undefined ? undefined : (name.slice(0, -list.length - 1) as WorkspaceName)
}

/** Adds our own create or delete to the remembered size, so that the next reading does not look as if it lost or gained rows. */
export function resized(baselines: Baselines, list: string, { action }: Change): Baselines {
  const size = at(baselines, list)
  if (size === undefined || (action !== 'create' && action !== 'delete')) return baselines
  return put(baselines, { [list]: size + (action === 'create' ? 1 : -1) })
}
