import type { GroupSize } from './bounds.ts'
import type { Cause } from './cause.ts'
import type { Change, ChangeId } from './change.ts'
import { idText } from './idWithPeople.ts'
import type { GroupName, Key, ProjectIdentifier, Role, Target } from './mapping.ts'
import type { PeopleOver } from './peopleEffect.ts'
import type { FrozenFile, Position, Provenance } from './rule.ts'

/** A change that waits, or a key that cannot be decided. Existing mappings are kept. */
export type Hold = {
  readonly key: Key
  readonly group?: GroupName
  /** How people call the group, if its name is an id. */
  readonly label?: string
  readonly target?: Target
  /** The change that waits; absent if the change is not known either. */
  readonly change?: Change
  /** The write that would be made without the hold, if there is no `change` and this much is known. */
  readonly would?: HeldWrite
  /** Of the group, where `would` writes a role. */
  readonly size?: GroupSize
  /** For an undeclared mapping: the directories, all read completely, of which none has the group; absent if one has it, or was not read whole. */
  readonly unknownTo?: readonly string[]
  /** Beside `unknownTo`: the directories of the settings that no rule of the workspace asks. */
  readonly unasked?: readonly string[]
  readonly reason: HoldReason
  readonly untilMs?: number
  readonly because?: Provenance
  /** Of a mapping whose line is gone, if there is no `change`: the file that gave it, as the journal knows it. */
  readonly givenBy?: string
  /** Where it comes from, as far as it is known and `change` does not say it. */
  readonly cause?: Cause
}

/** `keep`: the mapping is as its rule wants it. `unknown`: the mapping exists, and its role according to the declaration is not known. */
export type HeldWrite =
  | { readonly action: 'create'; readonly role: Role }
  | { readonly action: 'patch'; readonly before: Role | null; readonly role: Role }
  | { readonly action: 'delete' | 'keep' | 'unknown'; readonly before: Role | null }

export type HoldReason =
  /**
   * The rule asks `directories`, and none of them has the group; all were read completely. `asksOnly`: the settings have others, which the rule leaves out with
   * `from`. `elsewhere`: those of the others that were read for the workspace, and have a group of this name.
   * `mapped`: a mapping for it exists and is kept (dangling). `near`: the group that was probably meant.
   * `nearNote`: what to know before it is written: in what it differs, and which rule has it. Without `near`: of a similar name that cannot be written.
   * `hasLabel`: the rule has a label, so `unknownGroups: send` has no effect on it. `near` is then the only group that has this label.
   */
  | {
      readonly kind: 'groupUnknown'
      readonly directories: readonly string[]
      readonly asksOnly?: true
      readonly elsewhere?: readonly string[]
      readonly near?: string
      readonly nearLabel?: string
      readonly nearNote?: string
      readonly mapped: boolean
      readonly hasLabel?: true
    }
  /** `captured`: a pattern takes the project from the name of the group. */
  | {
      readonly kind: 'projectUnknown'
      readonly project: string
      readonly near?: string
      readonly nearNote?: string
      readonly captured?: true
    }
  /**
   * `project` no longer names the project that it named when the rule was first applied. `replaced`: another project has this identifier
   * now. `called`: the current identifier of the project that was meant; absent if the list does not show it. `pass`: the waiver that
   * accepts the project which has the identifier now.
   */
  | {
      readonly kind: 'projectChanged'
      readonly project: ProjectIdentifier
      readonly replaced: boolean
      readonly called?: ProjectIdentifier
      readonly pass: string
    }
  /** An undeclared mapping of a group that is declared for `project`. The list does not show `project`, so it may have been renamed. */
  | { readonly kind: 'perhapsRenamed'; readonly project: ProjectIdentifier }
  /**
   * The group of the rule has another id than when the rule was first applied, so it is another group. Grants to it wait. `directory`: the directory
   * that has the present group. `was`: the directory that had the group that was meant; absent if it is the same directory. `called`: the present
   * name of the group that was meant, in the directory that had it; absent if that directory does not show it. `pass`: the waiver that accepts the
   * present group.
   */
  | {
      readonly kind: 'groupChanged'
      readonly group: GroupName
      readonly directory: string
      readonly was?: string
      readonly called?: GroupName
      readonly pass: string
    }
  /**
   * The file says that the group is called `label`, and in `directory` it is called `called`. Or several groups are called so, `shared`, and anyone who
   * may create groups can make one more. Grants to it wait.
   */
  | {
      readonly kind: 'labelDiffers'
      readonly directory: string
      readonly label: string
      readonly called: string
      readonly shared?: number
    }
  /** A captured value that the rule's map does not allow. */
  | { readonly kind: 'roleUnmapped'; readonly captured: string; readonly allowed: readonly string[] }
  /**
   * Two groups have the same name, and `from` does not tell them apart. Or the one group has several names, `names`, as text for people: logins
   * may send any of them.
   */
  | { readonly kind: 'ambiguous'; readonly places: readonly string[]; readonly names?: readonly string[] }
  /** Two patterns want different roles for one key. */
  | { readonly kind: 'conflict'; readonly roles: readonly Role[]; readonly rules: readonly Provenance[] }
  /**
   * A file inside a fence and a file without limits, at `by`, want different things for the key: the roles `inside` and `outside`, null for no mapping,
   * absent if it is not known. `unmanaged`: what the file inside says is an unmanaged entry at this place.
   */
  | {
      readonly kind: 'outranked'
      readonly by: Provenance
      readonly outside?: Role | null
      readonly inside?: Role | null
      readonly unmanaged?: Provenance
    }
  /** Files name the key, and contradict each other. */
  | { readonly kind: 'contested'; readonly rules: readonly Provenance[] }
  /** The name has blank edges, has control or direction characters, or is too long. */
  | { readonly kind: 'unsafeName'; readonly what: string }
  | { readonly kind: 'readingIncomplete'; readonly of: string; readonly why: string }
  /** The plan is made from a narrow recording, which does not have the group. */
  | { readonly kind: 'notRecorded' }
  /** The patterns of the workspace were not matched with names, because that would cost too much. */
  | { readonly kind: 'patternsUnmatched'; readonly why: string }
  /** The rule starts later. The mapping exists, and is kept until then. */
  | { readonly kind: 'notStarted'; readonly startsMs: number }
  /** Only one of two clocks has passed the start or the end of the rule: the clock of this machine or the clock of Plane. */
  | { readonly kind: 'clocksDiffer' }
  /** The mapping exists and is not declared. */
  | { readonly kind: 'undeclared'; readonly policy: string }
  | { readonly kind: 'policy'; readonly policy: string }
  | { readonly kind: 'approval'; readonly why: ApprovalWhy }
  /** The change is one of a set with which a limit is exceeded. Each change of the set gets this hold. */
  | ({ readonly kind: 'approval'; readonly why: 'limit' } & LimitOver)
  /** The change concerns more people than a limit of `guards.people` allows. */
  | ({ readonly kind: 'approval'; readonly why: 'people' } & PeopleOver)
  /**
   * `unknownOutcome`: an earlier write to the key may still be executed. `startUp`: the last process may have left such a write.
   * `justWritten`: the list does not show our last write yet.
   */
  | { readonly kind: 'quarantined'; readonly since: 'unknownOutcome' | 'startUp' | 'justWritten' }
  /**
   * The service answered a write with a higher role than was sent, or with the role that the mapping had before. Another patch would get the
   * same answer.
   */
  | { readonly kind: 'roleEchoed'; readonly sent: Role; readonly echoed: Role }
  /** The service stores a mapping for this key under another key, `storedKey`. Another create would do the same. */
  | { readonly kind: 'nameEchoed'; readonly storedKey: Key }
  /** A change that this one requires is held or has failed. */
  | { readonly kind: 'requires'; readonly key: Key }
  /** The change was written `rounds` times, and another writer undid it each time. */
  | { readonly kind: 'flapping'; readonly rounds: number; readonly sinceMs: number }
  /** Another writer makes the same mappings: `twins` mappings of this program exist twice. This holds all creates. */
  | { readonly kind: 'anotherWriter'; readonly twins: number }
  | { readonly kind: 'suspended'; readonly what: 'all' | 'grants' }
  /**
   * Nothing of a file is used, since it is invalid or no fence matches it. It names the key, gave its mapping, or may name the key. `isOutside`: the file is
   * valid, and its pattern names the mapping outside of its fence.
   */
  | { readonly kind: 'fileInvalid'; readonly at: Position; readonly why: string; readonly isOutside?: true }

export type ProjectChanged = Extract<HoldReason, { kind: 'projectChanged' }>

export type GroupChanged = Extract<HoldReason, { kind: 'groupChanged' }>

/** It is not certain that the group of a rule is the one that is meant, so grants to it wait. */
export type UncertainGroup = Extract<HoldReason, { kind: 'groupChanged' | 'labelDiffers' }>

/** The limits that hold sets of changes; `core/judge/limits.ts`, and for `people` `core/judge/people.ts`, say what each of them counts. */
export const limitNames = [
  'people',
  'lastAdministrator',
  'emptiesList',
  'fileGone',
  'creates',
  'raises',
  'lowers',
  'deletes',
  'run',
  'day',
  'beside',
] as const
export type LimitName = (typeof limitNames)[number]

/**
 * A limit that a set of changes exceeds. `owned`: the number of owned mappings that the count is compared with; absent if the limit has no share.
 * `exceeds`: the limit, where the set has a name of its own, `fileGone`. `setting`: the name of the limit in the settings. `pass`: the ID of the set; an
 * approval with it lets exactly these changes pass. For `people` the approval also needs their number: `passOf`.
 */
export type LimitOver = {
  readonly name: LimitName
  readonly exceeds?: LimitName
  readonly count: number
  readonly limit: number
  readonly owned?: number
  readonly setting: string
  readonly sentence: string
  readonly pass: ChangeId
}

/** The limit that a set exceeds. */
export const limitOf = ({ name, exceeds }: Pick<LimitOver, 'name' | 'exceeds'>): LimitName => exceeds ?? name

/** What `--allow` takes to let the set pass. */
export const passOf = ({ name, pass, count }: Pick<Passable, 'name' | 'count'> & { readonly pass: string }): string =>
  idText(pass, name === 'people' ? count : undefined)

/** What `--allow` takes to let a hold pass, with the number of people if it needs one. A change of a set has the ID of the set. */
export function idThatWaits({
  change,
  reason,
}: {
  readonly change?: Pick<Change, 'id'> | undefined
  readonly reason: Passable
}): string | undefined {
  const { pass, ...over } = reason
  if (pass !== undefined) return passOf({ ...over, pass })
  return reason.kind === 'approval' ? change?.id : undefined
}

/** The reason of a hold, also as a document has it. */
type Passable = {
  readonly kind: HoldKind
  readonly name?: LimitName
  readonly count?: number
  readonly pass?: string
}

export type ApprovalWhy = 'protectedRole' | 'protectedGroup' | 'groupSync' | 'allProjectsProtected'
export type HoldKind = HoldReason['kind']

/** A hold of the change. */
export function holdFor(change: Change, reason: HoldReason, untilMs?: number): Hold {
  return {
    key: change.key,
    ...('group' in change ? { group: change.group, target: change.target } : {}),
    change,
    reason,
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(change.because === undefined ? {} : { because: change.because }),
  }
}

/** Change id → its hold: its own, or because it requires a held change. @param changes required changes come first */
export function holdsIn(changes: readonly Change[], ownHold: (change: Change) => Hold | undefined): ReadonlyMap<ChangeId, Hold> {
  const holds = new Map<ChangeId, Hold>()
  for (const change of changes) {
    const [awaited] = change.requires.flatMap((id) => holds.get(id) ?? [])
    const hold = ownHold(change) ?? (awaited && holdFor(change, { kind: 'requires', key: awaited.key }))
    if (hold !== undefined) holds.set(change.id, hold)
  }
  return holds
}

/** Why what a frozen file may say something about is held. */
export const fileInvalid = ({ because: { at }, why }: FrozenFile): HoldReason => ({ kind: 'fileInvalid', at, why })
