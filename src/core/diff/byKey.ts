import { by } from '../compare.ts'
import type { Key, Mapping } from '../mapping.ts'

/**
 * Existing mappings by key. Nearly every key has one mapping; a list for each of 100,000 keys would cost more than the comparison itself.
 */
export type ByKey = {
  readonly keys: number
  /** The mapping of the key, if there is exactly one. */
  only(key: Key): Mapping | undefined
  /** All mappings of the key, sorted by id, so that equal inputs give equal plans. */
  at(key: Key): readonly Mapping[]
}

export function byKeyOf(lists: readonly (readonly Mapping[])[]): ByKey {
  const mappings = lists.flat()
  const last = new Map<Key, Mapping>()
  for (const mapping of mappings) last.set(mapping.key, mapping)
  const several = last.size === mappings.length ? new Map<Key, Mapping[]>() : duplicates(mappings)
  const only = (key: Key) => (several.has(key) ? undefined : last.get(key))
  return { keys: last.size, only, at: (key) => several.get(key) ?? [only(key) ?? []].flat() }
}

function duplicates(mappings: readonly Mapping[]): Map<Key, Mapping[]> {
  const repeatedKeys = [...Map.groupBy(mappings, ({ key }) => key)].filter(([, ofKey]) => ofKey.length > 1)
  return new Map(repeatedKeys.map(([key, ofKey]) => [key, ofKey.toSorted(by(({ id }) => id))]))
}
