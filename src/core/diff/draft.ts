import { type ChangeBody, canonical, type Hash, type UnorderedChange, waiverId } from '../change.ts'
import type { Desired, DesiredRole, Given, Naming } from '../desired.ts'
import type { Doors } from '../doors.ts'
import type { Finding } from '../finding.ts'
import type { Hold } from '../hold.ts'
import type { Key, List, Mapping, MappingId, ProjectId, Target, WorkspaceName } from '../mapping.ts'
import type { UnchangedMapping } from '../plan.ts'
import type { Policy } from '../policy.ts'
import type { RoleSettings } from '../roles.ts'
import type { ByKey } from './byKey.ts'
import type { PendingReplacement } from './pendingReplacements.ts'
import type { Renames } from './renames.ts'
import type { ReadingProof } from './undeclared.ts'

/** What the journal knows of the mappings. */
export type Owned = {
  readonly standingOf: (mapping: Mapping) => OwnStanding
  /** Whether the journal has recorded one of these ends of the mapping's rules long before. */
  readonly hasRecordedEnd: (mapping: Mapping, ended: readonly number[]) => boolean
  /**
   * Whether the journal will have recorded an end long before, when its date comes. `mapping`: undefined if it does not exist yet. `sinceMs`: when the rules
   * that end then begin to decide; undefined: they decide now.
   */
  readonly willRecordEnd: (mapping: Mapping | undefined, atMs: number, sinceMs: number | undefined, naming: Naming) => boolean
  readonly givenOf: (mapping: Mapping) => Given | undefined
  /** How many files gave mappings of the workspace, present or gone. */
  readonly givingFiles: () => number
}
/** `untilMs`: up to then the list may not show the last write, so a role that differs is not yet an edit of others. */
export type OwnStanding = 'ours' | 'others' | { readonly untilMs: number }

export type DiffOptions = {
  /** The place that the plan is for, as the fingerprint has it: the service's address and the workspace's slug. */
  readonly origin: string
  readonly policy: Policy
  /** Absent: there is no journal, so nothing is known to be ours. */
  readonly owned?: Owned
  readonly roles: RoleSettings
  readonly doors: Doors
  /** List → sent role → the other role that the service answered with. */
  readonly echoes: Readonly<Partial<Record<List, Readonly<Record<string, string>>>>>
  readonly hash: Hash
  /** Up to this moment, epoch ms, the plan says what dates will change. */
  readonly laterUntilMs: number
  /** Whether the plan lists the mappings that are as declared. There can be many of them, and most readers need only their number. */
  readonly listsUnchanged?: boolean
}

/** A plan while it is made. */
export type Draft = Omit<ReadingProof, 'lost'> & {
  readonly workspace: WorkspaceName
  readonly desired: Desired
  readonly options: DiffOptions
  readonly byKey: ByKey
  /** Undefined if the list of projects does not show the project. */
  readonly projectIdOf: (target: Target) => ProjectId | undefined
  /** Keys that are both desired and mapped. */
  matchedKeys: number
  /** Desired, and not mapped. */
  readonly missing: [Key, DesiredRole][]
  /** Desired, not mapped, and not decidable yet. */
  readonly pending: PendingReplacement[]
  readonly renames: Renames
  readonly changes: UnorderedChange[]
  readonly holds: Hold[]
  readonly findings: Finding[]
  unchanged: number
  readonly unchangedMappings: UnchangedMapping[]
  /** The mappings that are ours and that planned deletes take away, since no file declares them any more. */
  readonly ours: Set<MappingId>
}

/**
 * Adds a change, with its id: a hash of the place that the plan is for, of what is written there, and of the ids of the project and of the group that gets a
 * role. Another group or project with the same name makes another change, which an approval of this one does not name.
 */
export function addChange(change: ChangeBody, { changes, desired, projectIdOf, options: { hash, origin } }: Draft): void {
  const size = change.action === 'delete' ? desired.sizeOf(change.group) : undefined
  const ids = 'role' in change ? [desired.factsOf(change.group).groupId ?? null, projectIdOf(change.target) ?? null] : []
  const id = waiverId(hash(JSON.stringify([origin, canonical(change), ...ids])))
  changes.push({ ...change, ...(size === undefined ? {} : { size }), id })
}

/** Counts a mapping that is as declared. */
export function keepMapping(mapping: Mapping, { because, size }: DesiredRole, draft: Draft): void {
  draft.unchanged++
  if (draft.options.listsUnchanged === true) draft.unchangedMappings.push({ ...mapping, because, ...(size === undefined ? {} : { size }) })
}
