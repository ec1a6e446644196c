import type { MappingChange } from '../change.ts'
import { groupOfKey, type Key, type List, listOf, type Mapping, type MappingId, type WorkspaceName } from '../mapping.ts'
import type { Outcome } from '../outcome.ts'
import { at, emptySmallMap, put, type ShardedMap, without } from './shardedMap.ts'

/** The mappings that Plane is known to have, by the name of their list: own writes, and what readings showed. */
export type KnownMappings = ShardedMap<KnownList>

/**
 * Key → ids of its mappings. A mapping stays known until Plane itself says by id that it is gone or has another key, or a write of this program took it away. A list without
 * it proves nothing. `unread`: no reading was whole since the list is declared.
 */
export type KnownList = { readonly ids: ShardedMap<readonly MappingId[]>; readonly unread?: true }

/** New ids of some keys. No ids: the key has no mapping any more. */
export type MappingIds = Readonly<Record<Key, readonly MappingId[]>>

/** The name of one list of one workspace in `KnownMappings` and `Echoes`. */
export const listName = (workspace: WorkspaceName, list: List): string => `${workspace}/${list}`

/** How many mappings of the list are known; undefined if no reading was whole since the list is declared. */
export function knownSize(known: KnownList | undefined): number | undefined {
  if (known === undefined || known.unread === true) return undefined
  return keysById(known).size
}

export const knownIds = (known: KnownList | undefined, key: Key): readonly MappingId[] => (known && at(known.ids, key)) ?? []

/** Id → the keys at which the mapping is known. */
export function keysById(known: KnownList | undefined): ReadonlyMap<MappingId, readonly Key[]> {
  const keys = new Map<MappingId, readonly Key[]>()
  for (const shard of known?.ids ?? [])
    for (const [key, ids] of shard) for (const id of ids) keys.set(id, [...(keys.get(id) ?? []), key as Key])
  return keys
}

/** Group → the keys at which a mapping of it is known, whatever their target is called. */
export function keysByGroup(known: KnownList | undefined): ReadonlyMap<string, readonly Key[]> {
  const keys = (known?.ids ?? []).flatMap((shard) => [...shard.keys()] as Key[])
  return Map.groupBy(keys, groupOfKey)
}

/** All lists, with new ids of one list. */
export function withIds(knownLists: KnownMappings, name: string, fresh: MappingIds, unread?: boolean): KnownMappings {
  const entries = Object.entries(fresh)
  const added = Object.fromEntries(entries.filter(([, ids]) => ids.length > 0))
  const removed = entries.filter(([, ids]) => ids.length === 0)
  const ids = removed.reduce<KnownList['ids']>(
    (sofar, [key]) => without(sofar, key),
    put(at(knownLists, name)?.ids ?? emptySmallMap, added),
  )
  return put(knownLists, { [name]: unread === true ? { ids, unread } : { ids } })
}

/** All lists after a write that is done. */
export function withWritten(
  knownLists: KnownMappings,
  workspace: WorkspaceName,
  change: MappingChange,
  { mapping, storedKey }: Extract<Outcome, { kind: 'done' }>,
): KnownMappings {
  const name = listName(workspace, listOf(change.target))
  const known = at(knownLists, name)
  const id = change.action === 'create' ? (mapping as MappingId | undefined) : change.mapping
  if (id === undefined) return knownLists
  const others = (key: Key) => knownIds(known, key).filter((knownId) => knownId !== id)
  const from = change.action === 'rename' ? { [change.from]: others(change.from) } : {}
  const key = change.action === 'patch' ? change.key : (storedKey ?? change.key)
  return withIds(knownLists, name, { ...from, [key]: change.action === 'delete' ? others(key) : [...others(key), id] }, known?.unread)
}

/** So many keys of one list are remembered although no reading shows their mappings there any more. Each costs about 100 bytes. */
const vanishedMax = 10_000

/** What Plane itself says of mappings by id. `gone`: they do not exist any more. `moved`: they have this key now, and the list shows them there, too. */
export type ToldById = { readonly gone: ReadonlySet<MappingId>; readonly moved: ReadonlyMap<MappingId, Key> }

const nothingTold: ToldById = { gone: new Set(), moved: new Map() }

/**
 * What a reading of a list changes in the memory. A mapping is known at each key at which a list has shown it, until Plane itself says where it is: a list that
 * shows wrong names would otherwise make the program forget the mapping, and a list that lacks rows later would hide it at its new key.
 *
 * @param rows what the reading shows
 * @param isWhole whether the list has no other rows
 */
export function newIds(
  known: KnownList | undefined,
  rows: readonly Mapping[],
  isWhole: boolean,
  { gone, moved }: ToldById = nothingTold,
): MappingIds {
  const shownAt = new Map([...rows.map(({ id, key }) => [id, key] as const), ...moved])
  const changed = new Set<Key>()
  for (const [id, key] of shownAt) if (!knownIds(known, key).includes(id)) changed.add(key)
  const vanished: Key[] = []
  for (const shard of known?.ids ?? []) {
    for (const [name, ids] of shard) {
      const key = name as Key
      if (ids.some((id) => gone.has(id) || (moved.get(id) ?? key) !== key)) changed.add(key)
      else if (isWhole && rows.length > 0 && !ids.some((id) => shownAt.get(id) === key)) vanished.push(key)
    }
  }
  const shown = Map.groupBy(
    [...shownAt].filter(([, key]) => changed.has(key)),
    ([, key]) => key,
  )
  const idsNow = (key: Key) => {
    const kept = knownIds(known, key).filter((id) => !gone.has(id) && (moved.get(id) ?? key) === key)
    return [...new Set([...kept, ...(shown.get(key) ?? []).map(([id]) => id)])]
  }
  const surplus = vanished.slice(vanishedMax)
  return Object.fromEntries([...[...changed].map((key) => [key, idsNow(key)]), ...surplus.map((key) => [key, []])])
}
