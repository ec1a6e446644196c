import { by } from '../compare.ts'
import type { Key, Mapping } from '../mapping.ts'

/** Mappings by their key. Nearly every key has one; lists for all of a hundred thousand would cost more than to compare them. */
export type ByKey = {
  readonly keys: number
  /** The mapping of a key that has just one. */
  only(key: Key): Mapping | undefined
  /** In the order of their ids, so that equal worlds give equal plans. */
  at(key: Key): readonly Mapping[]
}

export function byKeyOf(lists: readonly (readonly Mapping[])[]): ByKey {
  const all = lists.flat()
  const last = new Map<Key, Mapping>()
  for (const mapping of all) last.set(mapping.key, mapping)
  const several = last.size === all.length ? new Map<Key, Mapping[]>() : duplicates(all)
  const only = (key: Key) => (several.has(key) ? undefined : last.get(key))
  return { keys: last.size, only, at: (key) => several.get(key) ?? [only(key) ?? []].flat() }
}

function duplicates(mappings: readonly Mapping[]): Map<Key, Mapping[]> {
  const all = [...Map.groupBy(mappings, ({ key }) => key)].filter(([, same]) => same.length > 1)
  return new Map(all.map(([key, same]) => [key, same.toSorted(by(({ id }) => id))]))
}
