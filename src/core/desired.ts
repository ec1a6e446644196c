import type { HoldReason } from './hold.ts'
import type { GroupName, Key, Role, Target } from './mapping.ts'
import type { NamedProjects } from './projects.ts'
import type { ChangedProject, LostProject } from './projectTexts.ts'
import type { Because, Unmanaged } from './rule.ts'

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

export type Wishes = ReadonlyMap<Key, Wish>

/** What the declaration asks for, and what it says of projects. */
export type Desired = {
  readonly wishes: Wishes
  /** What is never touched, by the identifiers of today. */
  readonly unmanaged: readonly Unmanaged[]
  /** Which texts of the declaration name which project. */
  readonly named: NamedProjects
  /** Projects that are not the ones that texts meant. */
  readonly changed: readonly ChangedProject[]
  /** By group: a project that it is declared for, and that is not there. A mapping of the group elsewhere may be meant. Found when asked for. */
  readonly lost: () => ReadonlyMap<GroupName, LostProject>
}
