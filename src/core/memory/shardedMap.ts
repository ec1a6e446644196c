/**
 * A persistent map in shards: each change gives a new map and copies only one shard. Copying the whole map for each of 20,000 sizes of
 * lists took three minutes of CPU time (measured).
 */
export type ShardedMap<T> = readonly ReadonlyMap<string, T>[]

const count = 256
const empty: ReadonlyMap<string, never> = new Map<string, never>()

export const emptyShardedMap: ShardedMap<never> = Array.from({ length: count }, () => empty)

export function put<T>(map: ShardedMap<T>, entries: Readonly<Record<string, T>>): ShardedMap<T> {
  const next = [...map]
  for (const [name, value] of Object.entries(entries)) next[shardOf(name)] = new Map(next[shardOf(name)]).set(name, value)
  return next
}

export function without<T>(map: ShardedMap<T>, name: string): ShardedMap<T> {
  const shard = new Map(map[shardOf(name)])
  return shard.delete(name) ? map.with(shardOf(name), shard) : map
}

export const at = <T>(map: ShardedMap<T>, name: string): T | undefined => (map[shardOf(name)] as ReadonlyMap<string, T>).get(name)

export const recordOf = <T>(map: ShardedMap<T>): Record<string, T> => Object.fromEntries(map.flatMap((shard) => [...shard]))

export const shardedMapOf = <T>(record: Readonly<Record<string, T>>): ShardedMap<T> => put<T>(emptyShardedMap, record)

function shardOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0
  return hash & (count - 1)
}
