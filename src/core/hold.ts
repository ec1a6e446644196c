import type { Change } from './change.ts'
import type { GroupName, Key, ProjectIdentifier, Role, Target } from './mapping.ts'
import type { Because } from './rule.ts'

/** A change that waits, or a key about which nothing can be decided. What exists stays. */
export type Hold = {
  readonly key: Key
  readonly group?: GroupName
  readonly target?: Target
  /** What would be written if it did not wait; absent where even that is not known. */
  readonly change?: Change
  readonly reason: HoldReason
  readonly untilMs?: number
  readonly because?: Because
}

export type HoldReason =
  /** No complete reading contains the group. `mapped`: a mapping for it exists and is kept (dangling). */
  | { readonly kind: 'groupUnknown'; readonly directories: readonly string[]; readonly near?: string; readonly mapped: boolean }
  | { readonly kind: 'projectUnknown'; readonly project: string; readonly near?: string }
  /**
   * The identifier named another project when the rule was first followed. `replaced`: it belongs to another one now. `called`: what the
   * project that was meant is called now; absent where the list does not show it. `pass`: the waiver that takes the project of today.
   */
  | {
      readonly kind: 'projectChanged'
      readonly project: ProjectIdentifier
      readonly replaced: boolean
      readonly called?: ProjectIdentifier
      readonly pass: string
    }
  /** A mapping that nobody declares, of a group that is declared for `project`, which the list does not show: it may have been renamed. */
  | { readonly kind: 'perhapsRenamed'; readonly project: ProjectIdentifier }
  /** A captured value that the rule's map does not allow. */
  | { readonly kind: 'roleUnmapped'; readonly captured: string; readonly allowed: readonly string[] }
  /** The same name in two places, and no `from` that tells them apart. */
  | { readonly kind: 'ambiguous'; readonly places: readonly string[] }
  /** Two patterns want different roles for one key. */
  | { readonly kind: 'conflict'; readonly roles: readonly Role[]; readonly rules: readonly Because[] }
  /** Blank edges, control or direction characters, too long. */
  | { readonly kind: 'unsafeName'; readonly what: string }
  | { readonly kind: 'readingIncomplete'; readonly of: string; readonly why: string }
  /** Exists, and nobody declares it. */
  | { readonly kind: 'undeclared'; readonly policy: string }
  | { readonly kind: 'policy'; readonly policy: string }
  | { readonly kind: 'approval'; readonly why: ApprovalWhy }
  /** One of more creates than a limit allows. `pass`: the plan's name, with which all of it passes. */
  | ({ readonly kind: 'approval'; readonly why: 'creates'; readonly pass: string } & Flood)
  /**
   * An earlier write of unknown outcome touches the key, or (`startUp`) might, since nobody can say how the last process ended; or
   * (`justWritten`) a mapping was written there a moment ago, and the list does not show it yet.
   */
  | { readonly kind: 'quarantined'; readonly since: 'unknownOutcome' | 'startUp' | 'justWritten' }
  | { readonly kind: 'rejected'; readonly status: number; readonly sentence: string }
  /** Nobody knows what came of it, several times in a row: it is tried more and more rarely. */
  | { readonly kind: 'failing'; readonly times: number; readonly why: string }
  /** The service answered a write with a higher role than was sent, or with the one that was there; patching it again would go on for ever. */
  | { readonly kind: 'roleEchoed'; readonly sent: Role; readonly echoed: Role }
  /** The service keeps under another name what is written for this key; making it again would go on for ever. */
  | { readonly kind: 'nameEchoed'; readonly keptAs: Key }
  /** A change that this one requires waits itself or failed. */
  | { readonly kind: 'requires'; readonly key: Key }
  /** It was written so often, and undone by somebody each time: nobody fights over a key for ever. */
  | { readonly kind: 'flapping'; readonly rounds: number; readonly sinceMs: number }
  | { readonly kind: 'suspended'; readonly what: 'all' | 'grants' }

export type ProjectChanged = Extract<HoldReason, { kind: 'projectChanged' }>

/** More creates than a limit allows: how many, the limit, and which setting says so. */
export type Flood = { readonly count: number; readonly limit: number; readonly setting: string; readonly sentence: string }

export type ApprovalWhy = 'protectedRole' | 'protectedGroup' | 'groupSync' | 'allProjectsProtected'
export type HoldKind = HoldReason['kind']

/** The change, as one that waits. */
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
