import type { HoldReason, ProjectChanged } from './hold.ts'
import type { GroupName, Key, ProjectIdentifier, Role, Target } from './mapping.ts'
import type { Because, TextName, Unmanaged } from './rule.ts'

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

/** A project that is not the one that a text meant, and the first text that meant it. */
export type ChangedProject = { readonly because: Because; readonly reason: ProjectChanged }

/** A project that a whole list does not show and no mapping names, and the first text that names it. */
export type LostProject = { readonly project: ProjectIdentifier; readonly because: Because }

/** By identifier: the texts that name it. */
export type NamedProjects = ReadonlyMap<ProjectIdentifier, ReadonlySet<TextName>>
