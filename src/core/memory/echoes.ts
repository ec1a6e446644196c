import type { Change } from '../change.ts'
import type { Key, Role } from '../mapping.ts'
import type { Outcome } from '../outcome.ts'
import { put, type ShardedMap, without } from './shardedMap.ts'

/** By list: the role that was sent → the role that the service answered with. */
export type Echoes = Readonly<Record<string, Readonly<Record<string, string>>>>

type Done = Pick<Extract<Outcome, { kind: 'done' }>, 'echoed' | 'storedKey'>

/**
 * Remembers the role that the service answered with, if it is another one than was sent; forgets it when the service stores the right one. If it is the
 * role that the mapping had before, the service may have ignored the write, so nothing is remembered for other mappings. For that mapping itself see
 * `isEchoed` in lastApplied.ts. An answer about another mapping says nothing about roles.
 */
export function withEcho(echoes: Echoes, list: string, change: Change, { echoed, storedKey }: Done): Echoes {
  if (!('role' in change) || storedKey !== undefined) return echoes
  if (echoed === undefined || echoed === change.role) return withoutEcho(echoes, list, change.role)
  if ('before' in change && echoed === change.before) return echoes
  return { ...echoes, [list]: { ...echoes[list], [change.role]: echoed } }
}

function withoutEcho(echoes: Echoes, list: string, role: Role): Echoes {
  const { [role]: forgotten, ...others } = echoes[list] ?? {}
  return forgotten === undefined ? echoes : { ...echoes, [list]: others }
}

/**
 * Remembers the key that the service stored instead of the one that was sent; forgets it when the service stores the right one. A patch sends no
 * name: another key in its answer says that a person renamed the group or the project meanwhile, and nothing about a later create.
 */
export function learnedName(names: ShardedMap<Key>, { key, action }: Change, storedKey: Key | undefined): ShardedMap<Key> {
  if (storedKey === undefined) return without(names, key)
  return action === 'patch' ? names : put(names, { [key]: storedKey })
}
