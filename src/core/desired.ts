import type { HoldReason } from './hold.ts'
import type { GroupName, Key, Role, Target } from './mapping.ts'
import type { Because } from './rule.ts'

/** What the declaration asks for one key, given the readings. A key without a wish is undeclared. */
export type Wish = {
  readonly group: GroupName
  readonly target: Target
  readonly because: Because
  /** Names that the mapping had, as far as rules say it. */
  readonly previously?: readonly GroupName[]
} & (
  | { readonly want: 'role'; readonly role: Role; readonly allowProtected: boolean; readonly people?: number }
  | { readonly want: 'absent'; readonly why: 'removed' | 'expired' }
  /** `silent`: nothing to tell of the key itself, which nobody has; but what exists beside it may be waiting for it. */
  | { readonly want: 'unknown'; readonly reason: HoldReason; readonly silent?: true }
)

export type Desired = ReadonlyMap<Key, Wish>
