/**
 * A persistent map in shards: each change gives a new map and copies only the shards of its names. Copying the whole map for each of 20,000
 * sizes of lists took three minutes of CPU time (measured).
 */
export type ShardedMap<T> = readonly ReadonlyMap<string, T>[]

const empty: ReadonlyMap<string, never> = new Map<string, never>()
const shards = (count: 1 | 16 | 256): ShardedMap<never> => Array.from({ length: count }, () => empty)

export const emptyShardedMap: ShardedMap<never> = shards(256)
/** For a map of which there are many, most of them small. */
export const emptySmallMap: ShardedMap<never> = shards(16)
/** For a map of which there are many, most of them with a few names: `putGrowing` gives it more shards when it has many. */
export const emptyTinyMap: ShardedMap<never> = shards(1)
const tinyMax = 128

export function putGrowing<T>(map: ShardedMap<T>, entries: Readonly<Record<string, T>>): ShardedMap<T> {
  const isLarge = map.length === 1 && (map[0] as ReadonlyMap<string, T>).size + Object.keys(entries).length > tinyMax
  return put(isLarge ? put<T>(emptySmallMap, recordOf(map)) : map, entries)
}

export function put<T>(map: ShardedMap<T>, entries: Readonly<Record<string, T>>): ShardedMap<T> {
  const next: (ReadonlyMap<string, T> | undefined)[] = [...map]
  const copies = new Map<number, Map<string, T>>()
  for (const [name, value] of Object.entries(entries)) {
    const index = shardOf(map, name)
    const copy = copies.get(index) ?? new Map(map[index])
    if (!copies.has(index)) {
      copies.set(index, copy)
      next[index] = copy
    }
    copy.set(name, value)
  }
  return next as ShardedMap<T>
}

export function without<T>(map: ShardedMap<T>, name: string): ShardedMap<T> {
  const shard = new Map(map[shardOf(map, name)])
  return shard.delete(name) ? map.with(shardOf(map, name), shard) : map
}

export const at = <T>(map: ShardedMap<T>, name: string): T | undefined => (map[shardOf(map, name)] as ReadonlyMap<string, T>).get(name)

export const recordOf = <T>(map: ShardedMap<T>): Record<string, T> => Object.fromEntries(map.flatMap((shard) => [...shard]))

export const shardedMapOf = <T>(record: Readonly<Record<string, T>>): ShardedMap<T> => put<T>(emptyShardedMap, record)

function shardOf({ length }: ShardedMap<unknown>, name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0
  return hash & (length - 1)
}
