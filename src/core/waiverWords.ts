import type { GroupSync } from './groupSync.ts'
import type { GroupName, Key, Role } from './mapping.ts'

/** A waiver in words: the changes that may pass. */
export type WaiverWords = {
  readonly changes: readonly DescribedChange[]
  /** How many people the changes may concern, each alone and all together in one plan; `any` if the number is not known. Absent: they pass no limit on people. */
  readonly people?: number | 'any'
}

/** A change in words: what is before it and after it. Its id would differ for another mapping with the same content; its words are the same. */
export type DescribedChange = DescribedMapping | { readonly before: GroupSync; readonly after: GroupSync }

/**
 * A change of a mapping. Without `before` the mapping does not exist yet; null: it has no role. Without `after` the mapping is deleted. `fromGroup`: the
 * mapping is renamed from this group. `groupId`: the group of this name must have this id in its directory.
 */
type DescribedMapping = {
  readonly key: Key
  readonly fromGroup?: GroupName
  readonly before?: Role | null
  readonly after?: Role
  readonly groupId?: string
}
