import type { Change } from '../change.ts'
import type { Key } from '../mapping.ts'
import { put, type ShardedMap, without } from './shardedMap.ts'

/** By list: the role that was sent → the role that the service answered with. */
export type Echoes = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * A service that answers with the role that was there before may have ignored the write: that is no other name for what was sent, and nothing
 * is learned for other mappings. The mapping itself is held by `isUnmoved`.
 */
export function learned(echoes: Echoes, list: string, change: Change, echoed: string | undefined): Echoes {
  if (echoed === undefined || !('role' in change) || echoed === change.role || ('before' in change && echoed === change.before))
    return echoes
  return { ...echoes, [list]: { ...echoes[list], [change.role]: echoed } }
}

/** A key that the service keeps as it is after all is forgotten. */
export function learnedName(names: ShardedMap<Key>, { key }: Change, keptAs: Key | undefined): ShardedMap<Key> {
  return keptAs === undefined ? without(names, key) : put(names, { [key]: keptAs })
}
