import type { GroupName } from './mapping.ts'

/** A group as one directory knows it. */
export type Group = {
  /** What the identity provider's claim would carry. */
  readonly name: GroupName
  /** Stable where the directory has one (entryUUID, objectGUID, Keycloak's id); tells a rename from a new group. */
  readonly id: string
  /** Where it lies, for people and for ambiguity: a DN, a path. Two groups of one name have two places. */
  readonly place: string
  /** Direct members, as far as the directory says. */
  readonly people?: number
}

/** One directory's answer, by name. A name with more than one group is ambiguous. */
export type GroupIndex = ReadonlyMap<GroupName, readonly Group[]>

export function indexGroups(groups: Iterable<Group>): GroupIndex {
  const index = new Map<GroupName, Group[]>()
  for (const group of groups) {
    const same = index.get(group.name)
    if (same) same.push(group)
    else index.set(group.name, [group])
  }
  return index
}
