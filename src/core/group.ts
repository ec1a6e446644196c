import type { GroupSize } from './bounds.ts'
import type { GroupName } from './mapping.ts'
import { visible } from './safeName.ts'

/** A group as one directory knows it. */
export type Group = {
  /** The name as the identity provider's claim sends it. */
  readonly name: GroupName
  /** Stays the same when the group is renamed, if the directory has such ids (entryUUID, objectGUID, Keycloak's id). */
  readonly id: string
  /** The group's place in the directory: a DN or a path. Groups with the same name differ in it. */
  readonly place: string
  /** How people call the group, if its name is an id. Absent otherwise. */
  readonly label?: string
  /** Of its direct members; absent if the list of groups does not say it. */
  readonly size?: GroupSize
  /**
   * All names of an entry that has several, as text for people. The index has the entry under each of them. Logins may send any of them, so
   * all of them are ambiguous. All groups of one entry share one array: `indexSize` counts these arrays.
   */
  readonly names?: readonly string[]
}

/**
 * The group's own id; undefined if the directory has none. A reading then has the place or the name as the id. Both may change, or be given to
 * another group. Undefined also if the group has several names: it is unknown which of these names belongs to the id.
 */
export const ownId = ({ id, name, place, names }: Group): string | undefined =>
  id === place || id === name || names !== undefined ? undefined : id

/** How people call a group, and its id in its directory; each only if it is known. */
export type GroupFacts = { readonly label?: string; readonly groupId?: string }

/** What these directories say about the group of this name; nothing if several groups have the name. */
export function factsIn(indexes: readonly GroupIndex[], name: GroupName): GroupFacts {
  const [group, ...others] = indexes.flatMap((index) => index.get(name) ?? [])
  if (group === undefined || others.length > 0) return {}
  const groupId = ownId(group)
  return { ...(group.label === undefined ? {} : { label: group.label }), ...(groupId === undefined ? {} : { groupId }) }
}

/** A group in a sentence: `"devs"`. If its name is an id, the label comes first: `"Sales EMEA" (3f1c0d2e-…)`. */
export const quotedGroup = (name: GroupName, label?: string): string =>
  label === undefined ? `"${visible(name)}"` : `"${visible(label)}" (${visible(name)})`

/** The groups of one directory by name. A name is ambiguous if it has more than one group, or a group with several names. */
export type GroupIndex = ReadonlyMap<GroupName, readonly Group[]>

export function indexGroups(groups: Iterable<Group>): GroupIndex {
  const index = new Map<GroupName, Group[]>()
  for (const group of groups) {
    const namesakes = index.get(group.name)
    if (namesakes) namesakes.push(group)
    else index.set(group.name, [group])
  }
  return index
}

/**
 * The size of an index for the shrink check: its names, and each entry with several names once. A person who may edit an entry can add names
 * to it. If each of these names counted, they would hide that other groups were lost.
 */
export function indexSize(index: GroupIndex): number {
  const entries = new Set<readonly string[]>()
  let size = 0
  for (const groups of index.values()) {
    let hasOneName = false
    for (const { names } of groups) {
      if (names === undefined) hasOneName = true
      else entries.add(names)
    }
    if (hasOneName) size++
  }
  return size + entries.size
}

/** The number of groups. Several may share a name, and an entry with several names is one group. */
export function groupCount(index: GroupIndex): number {
  const entries = new Set<readonly string[]>()
  let count = 0
  for (const groups of index.values())
    for (const { names } of groups) {
      if (names === undefined) count++
      else entries.add(names)
    }
  return count + entries.size
}
