import type { MeantIds } from '../../core/memory/meantIds.ts'
import { read, type Tell } from './unknown.ts'

/**
 * The ids of the groups that texts mean, by texts: a pattern means thousands of groups, so its texts stand once. 10,000 groups that 20 rules match
 * need 0.6 MB like this, and 4.5 MB by name (measured). `groups`: `directory/name` → id. Without texts: names that lose all their ids.
 */
export type StoredMeantGroups = readonly { readonly texts: readonly string[]; readonly groups: Readonly<Record<string, string>> }[]

export function storedMeantGroups(ids: MeantIds): StoredMeantGroups {
  const byTexts = new Map<string, { readonly texts: readonly string[]; readonly groups: Record<string, string> }>()
  const add = (name: string, id: string, texts: readonly string[]) => {
    const sorted = texts.toSorted()
    const known = byTexts.get(sorted.join()) ?? { texts: sorted, groups: {} }
    byTexts.set(sorted.join(), known)
    known.groups[name] = id
  }
  for (const [name, known] of Object.entries(ids)) {
    const entries = Object.entries(known)
    if (entries.length === 0) add(name, '', [])
    for (const [id, texts] of entries) add(name, id, texts)
  }
  return [...byTexts.values()]
}

/** An earlier version of this format stored them by name. */
export function meantGroupsFromStored(stored: StoredMeantGroups | MeantIds, tell: Tell): MeantIds {
  if (!Array.isArray(stored)) return stored as MeantIds
  const ids: Record<string, Record<string, readonly string[]>> = {}
  for (const one of stored as StoredMeantGroups) {
    const { texts, groups, ...rest } = one
    read(undefined, rest, tell)
    for (const [name, id] of Object.entries(groups)) {
      const known = ids[name] ?? {}
      ids[name] = known
      if (texts.length > 0) known[id] = texts
    }
  }
  return ids
}
