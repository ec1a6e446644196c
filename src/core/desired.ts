import type { GroupSize } from './bounds.ts'
import type { GroupFacts } from './group.ts'
import type { GroupChanged, Hold, HoldReason, ProjectChanged, UncertainGroup } from './hold.ts'
import { mayEndWithoutEdit } from './holdEffects.ts'
import type { GroupName, Key, ProjectIdentifier, Role, Target } from './mapping.ts'
import type { IsOwned, IsUnmanaged } from './matches.ts'
import type { Provenance, Rule, TextHash } from './rule.ts'

/** The result of the declaration for one key, given the readings. An existing mapping whose key has no `DesiredMapping` is undeclared. */
export type DesiredMapping = {
  readonly group: GroupName
  readonly target: Target
  readonly because: Provenance
  /** Earlier names of the group, as the rules give them in `previously`. For `absent`: as the rules that start later give them. */
  readonly previously?: readonly GroupName[]
  /** The text is of a file inside a fence. So its earlier names yield to those of files without limits. */
  readonly fenced?: true
} /** `grantsWait`: why a create, a rename or a raise is held. A lowering is written. */ & (
  | {
      readonly kind: 'role'
      readonly role: Role
      readonly allowProtected: boolean
      readonly size?: GroupSize
      readonly grantsWait?: UncertainGroup
    }
  | { readonly kind: 'absent'; readonly why: 'removed' | 'expired' }
  /**
   * `hidden`: no mapping has the key, so the plan does not show this hold. The hold may still delay the delete of another mapping of the
   * same group whose target overlaps (a project and all projects).
   */
  | { readonly kind: 'unknown'; readonly reason: HoldReason; readonly would?: RuleResult; readonly hidden?: true }
)

/** What a rule would want without its hold; `unknown` mappings have it where it is known, to be shown. */
export type RuleResult = RoleResult | { readonly kind: 'absent' }
export type RoleResult = { readonly kind: 'role'; readonly role: Role; readonly size?: GroupSize }

/** What the rule of a mapping wants, or would want without its hold; undefined if it is not known. */
export function ruleResult(wanted: DesiredMapping): RuleResult | undefined {
  switch (wanted.kind) {
    case 'role': {
      const { role, size } = wanted
      return { kind: 'role', role, ...(size === undefined ? {} : { size }) }
    }
    case 'absent':
      return { kind: 'absent' }
    case 'unknown':
      return wanted.would
    default:
      return wanted satisfies never
  }
}

/** The roles that rules ask for now. Undefined: a rule asks for a role, and it is not known for which. */
export type AskedRoles = readonly (Role | undefined)[]

/**
 * A rule that starts later asks for nothing yet, and rules that contradict each other in two files ask for nothing together. What no text can bring about, such as
 * an incomplete reading or another project under the same identifier, may hide any role.
 */
export function rolesAsked(wanted: DesiredMapping): AskedRoles {
  if (wanted.kind === 'unknown') {
    const { reason } = wanted
    if (reason.kind === 'notStarted' || reason.kind === 'contested') return []
    if (reason.kind === 'conflict') return reason.roles
    if (mayEndWithoutEdit(reason.kind) || isOfAnother.has(reason.kind)) return [undefined]
  }
  const result = ruleResult(wanted)
  return result?.kind === 'absent' ? [] : [result?.role]
}

/** The identifier or the name belongs to another project or group now. */
const isOfAnother: ReadonlySet<HoldReason['kind']> = new Set(['projectChanged', 'groupChanged', 'labelDiffers'])

/** Whether the rules ask, or may ask, for the role that a mapping has. */
export const mayAskFor = (asked: AskedRoles, has: Role | null): boolean => asked.some((role) => role === undefined || role === has)

/** The mapping of `wanted`, held. */
export function heldMapping(
  { group, target, because, fenced }: DesiredMapping,
  reason: HoldReason,
  would: RuleResult | undefined,
): DesiredMapping {
  return { group, target, because, kind: 'unknown', reason, ...(would && { would }), ...(fenced && { fenced }) }
}

/** How rules name a mapping: by a pattern, by its exact name, or by its exact name in a file that may have `removed`, so that the mapping may become ours. */
export type Naming = 'pattern' | 'exact' | 'adopting'

/**
 * The dates of the rules of a key. `startedMs`: when the first of the rules that decide now started; -∞: always. `endMs`: when all of them end; absent:
 * never. `ended`: the ends of its rules that are over.
 */
export type RuleDates = {
  readonly naming: Naming
  readonly startedMs: number
  readonly endMs?: number
  readonly ended: readonly number[]
}

/**
 * What one entry says of a key. `rule`: absent for an entry of `removed`. `lost`: why it does not decide; absent: it decides, alone or together with
 * others.
 */
export type ClaimOnKey = { readonly wanted: DesiredMapping; readonly rule?: Rule; readonly lost?: ClaimLoss }
/** What beats the entry: another one that has begun, that has not ended, of a file without limits, of `removed`, or with the exact name. */
export type ClaimLoss = 'notStarted' | 'ended' | 'fenced' | 'removed' | 'exact'

export type DesiredRole = Extract<DesiredMapping, { kind: 'role' }>
/** The fields that a create, a patch and a rename take from what is wanted. */
export const roleFields = (key: Key, { group, target, because, role, allowProtected, size }: DesiredRole) => ({
  key,
  group,
  target,
  because,
  role,
  allowProtected,
  ...(size === undefined ? {} : { size }),
})

export type DesiredMappings = ReadonlyMap<Key, DesiredMapping>

/**
 * What the declaration wants for a key from a date on, as far as today's readings show it. `isWeak`: it counts only if the key has a mapping then.
 * `starts`: a rule starts at this date.
 */
export type DatedMapping = { readonly atMs: number; readonly wanted: DesiredMapping; readonly isWeak: boolean; readonly starts: boolean }

/** The result of the declaration, and the projects that its texts name. A text is a rule, a removal or an unmanaged entry. */
export type Desired = {
  readonly mappings: DesiredMappings
  /** Of each key whose rules have dates up to the horizon: what is wanted from each of these dates on, the earliest first. */
  readonly turns: () => Iterable<readonly [Key, readonly DatedMapping[]]>
  readonly datesOf: (key: Key) => RuleDates
  /** All that rules and removals say of a key, in the order of the files. An unmanaged entry leaves out what it hides. */
  readonly claimsOn: (key: Key) => readonly ClaimOnKey[]
  /**
   * Whether a mapping is never touched. If the project of an unmanaged entry was renamed and its current identifier is known, the entry counts
   * under the identifier in the file and under the current one.
   */
  readonly isUnmanaged: IsUnmanaged
  readonly isOwned: IsOwned
  /** Which texts of the declaration name which project. */
  readonly named: NamedProjects
  /** Identifiers that no longer name the project that a text meant. */
  readonly changed: readonly ChangedProject[]
  /** The projects that rules with `unknownProjects: skip` leave out. */
  readonly skipped: readonly SkippedProjects[]
  /** The number of direct members; undefined unless exactly one directory has a group of this name, and says the number. */
  readonly sizeOf: (group: GroupName) => GroupSize | undefined
  /** How people call the group, and its id in its directory. */
  readonly factsOf: (group: GroupName) => GroupFacts
  /** The ids that directories have for the group now, and those that they had when they last knew it; each with the name of its directory. */
  readonly idsOf: (group: GroupName) => GroupIdsOf
  /**
   * The directories that the rules ask, sorted, if all were read completely and none has the group; undefined otherwise, and if there is no directory.
   * `unasked`: those of the settings that no rule asks.
   */
  readonly unknownTo: (group: GroupName) => Pick<Hold, 'unknownTo' | 'unasked'> | undefined
  /**
   * Group → a project that the group is declared for and that does not exist. The project may have been renamed, so a mapping of the group
   * in another project may be the declared one. Computed at the first call.
   */
  readonly lost: () => ReadonlyMap<GroupName, LostProject>
}

export type GroupIdsOf = { readonly now: readonly string[]; readonly before: readonly string[] }

/** A project identifier that no longer names the project that a text meant. `because`: the first such text. */
export type ChangedProject = { readonly because: Provenance; readonly reason: ProjectChanged }

/** The projects that one rule leaves out, sorted, and the number of mappings that it would have there. */
export type SkippedProjects = {
  readonly because: Provenance
  readonly projects: readonly ProjectIdentifier[]
  readonly mappings: number
}

/** A group that is another one than a rule meant when it was first applied. `because`: the first such rule. */
export type ChangedGroup = { readonly because: Provenance; readonly reason: GroupChanged }

/** The changed groups of one directory, in the order of their rules. `pass`: the waiver that accepts all of them. */
export type ChangedGroups = { readonly directory: string; readonly groups: readonly ChangedGroup[]; readonly pass: string }

/** A project that is neither in the complete list of projects nor shown by a mapping. `because`: the first text that names it. */
export type LostProject = { readonly project: ProjectIdentifier; readonly because: Provenance; readonly asked: AskedRoles }

/** Project identifier → the texts that name it. */
export type NamedProjects = ReadonlyMap<ProjectIdentifier, ReadonlySet<TextHash>>

/**
 * What the journal knows of a mapping: the file whose rule gave or adopted it, whether this file is gone, whether this program made or adopted the mapping, its
 * role as it was written, and when its rule ends, epoch ms.
 */
export type Given = {
  readonly file: string
  readonly isGone: boolean
  readonly isMade: boolean
  readonly role: Role | null
  readonly endMs?: number
}
