import { number, object, optional, string } from './codec.ts'
import { compare } from './compare.ts'
import type { FencedProjects } from './fencedProjects.ts'
import type { GroupSync } from './groupSync.ts'
import type { GroupName, List, ProjectIdentifier, Role, Target, WorkspaceName } from './mapping.ts'
import type { WaiverWords } from './waiverWords.ts'

/** A place in a file. */
export type Position = { readonly file: string; readonly line: number; readonly column: number }
const storedPosition = object<Position>({ file: string(), line: number(), column: number() })

/** The text of a place that editors can open. */
export const positionText = ({ file, line, column }: Position): string => `${file}:${line}:${column}`
/** The same, or only the file if the position means the file as a whole. */
export const placeText = (at: Position): string => (at.line === 0 ? at.file : positionText(at))
/** The same for a reason in a row: `groups.yaml:12`. */
export const lineText = ({ file, line }: Position): string => `${file}:${line}`

/** A rule with the owner whom its file says: `teams/web.yaml:6 of team-web`. */
export const ruleText = ({ at, owner }: Pick<Provenance, 'at' | 'owner'>): string =>
  owner === undefined || owner === '' ? lineText(at) : `${lineText(at)} of ${owner}`

export function comparePositions(a: Position, b: Position): number {
  return compare(a.file, b.file) || a.line - b.line || a.column - b.column
}

/**
 * The origin of a mapping: the place of its rule, the owner, the reason, the pattern that selects groups (absent for an exact name), the directory
 * that has the group, and the end of the rule (epoch ms).
 */
export type Provenance = {
  readonly at: Position
  readonly owner?: string
  readonly reason?: string
  readonly pattern?: PatternText
  readonly directory?: string
  readonly expiresMs?: number
}
/** The fields of an origin in a document and in the journal, in their order. */
export const provenanceFields = {
  at: storedPosition,
  owner: optional(string()),
  reason: optional(string()),
  pattern: optional(object<PatternText>({ syntax: string(), source: string() })),
  directory: optional(string()),
  expiresMs: optional(number()),
} as const

/** The named groups that a pattern captures from a name. */
export type Captures = Readonly<Record<string, string>>
/** Undefined if the name does not match. */
export type Matcher = (name: string) => Captures | undefined

/** A pattern as its file says it: the value of `groupGlob` or of `groupRegex`. */
export type PatternText = { readonly syntax: 'glob' | 'regex'; readonly source: string }

/**
 * A pattern over whole names. `steps`: the size of its program; a match costs up to `steps` × characters of the name. The result of `compile`
 * grows while it matches names, so nothing keeps it. Nothing in this part calls `compile`: names are matched before, and `Matches` is the result.
 */
export type Pattern = PatternText & {
  readonly steps: number
  readonly compile: (ignoring?: 'case') => Matcher
}

export type GroupSelector = { readonly kind: 'exact'; readonly name: GroupName } | PatternSelector
/**
 * `without`: the pattern selects no name that one of these selects. `within`: the groups of the file's fence. The pattern selects only names that one of them
 * selects, too. `fence`: the path of this fence, since an owner may have several.
 */
type PatternSelector = {
  readonly kind: 'pattern'
  readonly pattern: Pattern
  readonly except: ReadonlySet<GroupName>
  readonly without?: readonly GroupSelector[]
  readonly within?: readonly GroupSelector[]
  readonly fence?: string
}

/** `capture`: the name of a named group of the pattern. `map`: captured text → its meaning (projects or a role), from the declaration. */
type Capture<T> = { readonly capture: string; readonly map: ReadonlyMap<string, T> }

/** `only`: the projects of the file's fence. A captured text stands for no other project. */
type CapturedTarget = { readonly kind: 'captured'; readonly only?: FencedProjects } & Capture<readonly ProjectIdentifier[]>
export type TargetSelector = { readonly kind: 'fixed'; readonly target: Target } | CapturedTarget
export type RoleSelector = { readonly kind: 'fixed'; readonly role: Role } | ({ readonly kind: 'captured' } & Capture<Role>)

/** One entry of a declaration after its lists were multiplied out: one selector of groups, one target, one role. */
export type Rule = {
  readonly groups: GroupSelector
  readonly target: TargetSelector
  readonly role: RoleSelector
  /** The directories in which the group is looked for; undefined: all. */
  readonly from?: readonly string[]
  readonly allowProtected: boolean
  readonly unknownGroups: 'hold' | 'send'
  /** `skip` only if the project is captured: a project that was never known is left out. */
  readonly unknownProjects: 'hold' | 'send' | 'skip'
  /** Time from which the rule applies, epoch ms. It is before `expiresMs`. */
  readonly startsMs?: number
  /** Time from which the rule no longer applies, epoch ms. */
  readonly expiresMs?: number
  /** The earlier name of the group, so that a rename is one patch. */
  readonly previously?: GroupName
  /** How people call the group, as the file says it. If the directory calls it otherwise, its grants wait. */
  readonly label?: string
  readonly because: Provenance
  /** The file is inside a fence that allows `removed`. So what an exact rule of it has named for long is deleted when the rule goes. */
  readonly mayRemove?: true
} & Fenced

/** `fenced`: the entry is of a file inside a fence. So it must not change what a file without limits says of the same key. */
type Fenced = { readonly fenced?: true }

/**
 * A rule with an exact name, whose group has another name in its directory now: the same id. The declaration in git is the truth, so a person has to
 * change it there.
 */
export type RenamedGroup = {
  readonly rule: Rule
  readonly target: Target
  readonly directory: string
  readonly was: GroupName
  readonly now: GroupName
  /** Whether the rule can have the new name. `outside`: not before its fence contains it. `no`: `note` says why. */
  readonly canRename: 'yes' | 'outside' | 'no'
  /** What to know of the new name. */
  readonly note?: string
}

/** A mapping that was declared before and is to be deleted. */
export type Removal = { readonly group: GroupName; readonly target: Target; readonly because: Provenance } & Fenced

/** Mappings that are never touched and never reported. Without `target`: on every target. */
export type Unmanaged = { readonly groups: GroupSelector; readonly target?: Target; readonly because: Provenance } & Fenced

/** The approval of a reviewed file. Its changes may pass the guards until `untilMs` (epoch ms, by the date). */
export type DeclaredWaiver = { readonly words: WaiverWords; readonly untilMs: number; readonly because: Provenance } & Fenced

/** `contested`: places of files inside fences that contradict each other. `wanted` lacks the settings about which they do. Absent: no dispute. */
export type DeclaredSettings = { readonly wanted: GroupSync; readonly because: Provenance; readonly contested?: readonly Provenance[] }

/** The keys of one list that a fence contains: these groups on these targets. The workspace list has one target. */
export type FencedKeys = {
  readonly list: List
  readonly groups: readonly GroupSelector[]
  readonly projects: FencedProjects
  /** Whether a mapping to all projects is inside. */
  readonly allProjects: boolean
  /** The place where a file names the list. */
  readonly because: Provenance
}

/**
 * A file of which nothing is used, since it is invalid or no fence matches it, or a folder that cannot be read. It gives nothing and takes nothing: the
 * keys that it names are held, and the mappings that it gave. No mapping of a workspace that it may speak of is known to be undeclared.
 */
export type FrozenFile = {
  /** The place of the first mistake, and the owner of the fence. */
  readonly because: Provenance
  readonly why: string
  /** The names of files and folders. The empty text is the folder of the declaration. */
  readonly paths: readonly string[]
  readonly names: readonly FrozenNames[]
  /** False: a part of the text cannot be read. It could say anything about the keys that the file may speak of. */
  readonly isWhole: boolean
  readonly rights: FileRights
  /** The keys that the file may speak of; absent: all keys of the workspace. */
  readonly fence?: readonly Omit<FencedKeys, 'because'>[]
}
/** Whose word counts more: a file without limits, then a file inside a fence, then a file that no fence matches. */
export type FileRights = 'unlimited' | 'fenced' | 'none'

/** The groups and targets that an entry of a frozen file names. Without `targets`: every target of `list`, and without `list` every target. */
export type FrozenNames = { readonly groups: readonly GroupSelector[]; readonly list?: List; readonly targets?: readonly Target[] }

/** All that the files declare for one workspace. */
export type WorkspaceDeclaration = {
  readonly workspace: WorkspaceName
  /** The lists that a file without limits names. All mappings of such a list are managed. */
  readonly owns: ReadonlySet<List>
  /** The keys that are managed because a file inside a fence names their list. Absent: none. */
  readonly ownsKeys?: readonly FencedKeys[]
  /** The files that may speak of the workspace and are not used. Absent: none. */
  readonly frozen?: readonly FrozenFile[]
  readonly rules: readonly Rule[]
  readonly removed: readonly Removal[]
  readonly unmanaged: readonly Unmanaged[]
  /** Absent: none. */
  readonly waivers?: readonly DeclaredWaiver[]
  readonly groupSync?: DeclaredSettings
}

export const nothingDeclared = (workspace: WorkspaceName): WorkspaceDeclaration => ({
  workspace,
  owns: new Set(),
  rules: [],
  removed: [],
  unmanaged: [],
})

/**
 * A hash of the content of a text, that is of a rule, a removal or an unmanaged entry: 64 bits in hex. The place in the file and the owner
 * of the file are not part of it. A collision of two hashes is safe: it can only keep a hold for longer than needed, never lift one.
 */
export type TextHash = string & { readonly __brand: 'TextName' }
