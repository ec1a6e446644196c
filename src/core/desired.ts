import type { HoldReason, ProjectChanged } from './hold.ts'
import type { GroupName, Key, ProjectIdentifier, Role, Target } from './mapping.ts'
import type { Because, TextName, Unmanaged } from './rule.ts'

/** What the declaration asks for one key, given the readings. A mapped key without one is undeclared. */
export type DesiredMapping = {
  readonly group: GroupName
  readonly target: Target
  readonly because: Because
  /** Names that the mapping had, as far as rules say it. */
  readonly previously?: readonly GroupName[]
} & (
  | { readonly kind: 'role'; readonly role: Role; readonly allowProtected: boolean; readonly people?: number }
  | { readonly kind: 'absent'; readonly why: 'removed' | 'expired' }
  /** `unreported`: no mapping has the key, so the plan does not show it; a delete beside it may still wait for it. */
  | { readonly kind: 'unknown'; readonly reason: HoldReason; readonly unreported?: true }
)

export type DesiredRole = Extract<DesiredMapping, { kind: 'role' }>
export type DesiredMappings = ReadonlyMap<Key, DesiredMapping>

/** What the declaration asks for, and what it says of projects. */
export type Desired = {
  readonly mappings: DesiredMappings
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
