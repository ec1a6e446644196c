import type { GroupName } from './mapping.ts'

/** A group as one directory knows it. */
export type Group = {
  /** As the identity provider's claim sends it. */
  readonly name: GroupName
  /** Stays the same when the group is renamed, if the directory has such ids (entryUUID, objectGUID, Keycloak's id). */
  readonly id: string
  /** The group's place in the directory: a DN or a path. Groups with the same name differ in it. */
  readonly place: string
  /** Number of direct members; absent if the directory does not say the number. */
  readonly people?: number
}

/**
 * The group's own id; undefined if the directory has none. A reading then has the place or the name in its stead, and both may change or be
 * given to another group.
 */
export const ownId = ({ id, name, place }: Group): string | undefined => (id === place || id === name ? undefined : id)

/** The groups of one directory by name. A name with more than one group is ambiguous. */
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
