import { by } from './compare.ts'
import type { Key, Mapping } from './mapping.ts'

/** Mappings by their key. Nearly every key has one; lists for all of a hundred thousand would cost more than to compare them. */
export type ByKey = {
  readonly keys: number
  /** The mapping of a key that has just one. */
  only(key: Key): Mapping | undefined
  /** In the order of their ids, so that equal worlds give equal plans. */
  at(key: Key): readonly Mapping[]
}

export function byKeyOf(lists: readonly (readonly Mapping[])[]): ByKey {
  const last = new Map<Key, Mapping>()
  for (const mappings of lists) for (const mapping of mappings) last.set(mapping.key, mapping)
  const several = last.size === lists.reduce((sum, { length }) => sum + length, 0) ? new Map<Key, Mapping[]>() : duplicates(lists.flat())
  const only = (key: Key) => (several.has(key) ? undefined : last.get(key))
  return { keys: last.size, only, at: (key) => several.get(key) ?? [only(key) ?? []].flat() }
}

function duplicates(mappings: readonly Mapping[]): Map<Key, Mapping[]> {
  const all = [...Map.groupBy(mappings, ({ key }) => key)].filter(([, same]) => same.length > 1)
  return new Map(all.map(([key, same]) => [key, same.toSorted(by(({ id }) => id))]))
}
