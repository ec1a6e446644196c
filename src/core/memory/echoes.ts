import type { Change } from '../change.ts'
import type { Key } from '../mapping.ts'
import { put, type ShardedMap, without } from './shardedMap.ts'

/** By list: the role that was sent → the role that the service answered with. */
export type Echoes = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Remembers the role that the service answered with, if it is another one than was sent. If it is the role that the mapping had before, the
 * service may have ignored the write, so nothing is remembered for other mappings. For that mapping itself see `isEchoed` in lastApplied.ts.
 */
export function withEcho(echoes: Echoes, list: string, change: Change, echoed: string | undefined): Echoes {
  if (echoed === undefined || !('role' in change) || echoed === change.role || ('before' in change && echoed === change.before))
    return echoes
  return { ...echoes, [list]: { ...echoes[list], [change.role]: echoed } }
}

/**
 * Remembers the key that the service stored instead of the one that was sent; forgets it when the service stores the right one. A patch sends no
 * name: another key in its answer says that a person renamed the group or the project meanwhile, and nothing about a later create.
 */
export function learnedName(names: ShardedMap<Key>, { key, action }: Change, storedKey: Key | undefined): ShardedMap<Key> {
  if (storedKey === undefined) return without(names, key)
  return action === 'patch' ? names : put(names, { [key]: storedKey })
}
