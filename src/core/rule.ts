import { compare } from './compare.ts'
import { type GroupName, type List, type ProjectIdentifier, type Role, type Target, targetText, type WorkspaceName } from './mapping.ts'

/** Where something was said, as a compiler names it. */
export type Position = { readonly file: string; readonly line: number; readonly column: number }

/** As compilers write it, and editors open it. */
export const positionText = ({ file, line, column }: Position): string => `${file}:${line}:${column}`

export function comparePositions(a: Position, b: Position): number {
  return compare(a.file, b.file) || a.line - b.line || a.column - b.column
}

/** Why a mapping is as it is: the rule, and who stands behind it. */
export type Because = { readonly at: Position; readonly owner?: string; readonly reason?: string; readonly directory?: string }

/** A compiled pattern over whole names: the named groups it captured, or undefined where the name does not match. */
export type Matcher = (name: string) => Readonly<Record<string, string>> | undefined

export type GroupSelector =
  | { readonly kind: 'exact'; readonly name: GroupName }
  | { readonly kind: 'pattern'; readonly source: string; readonly matches: Matcher; readonly except: ReadonlySet<GroupName> }

/** A captured value and what the declaration makes of it. */
export type Capture<T> = { readonly capture: string; readonly map: ReadonlyMap<string, T> }

export type TargetSelector =
  | { readonly kind: 'fixed'; readonly target: Target }
  | ({ readonly kind: 'captured' } & Capture<ProjectIdentifier>)
export type RoleSelector = { readonly kind: 'fixed'; readonly role: Role } | ({ readonly kind: 'captured' } & Capture<Role>)

/** One line of a declaration with its lists multiplied out: one selector of groups, one target, one role. */
export type Rule = {
  readonly groups: GroupSelector
  readonly target: TargetSelector
  readonly role: RoleSelector
  /** The directories that may know the group; undefined: all. */
  readonly from?: readonly string[]
  readonly allowProtected: boolean
  readonly unknownGroups: 'hold' | 'send'
  readonly unknownProjects: 'hold' | 'send'
  /** The first moment at which the rule no longer holds, epoch ms. */
  readonly expiresMs?: number
  /** The name that the same mapping had: turns a rename into one patch. */
  readonly previously?: GroupName
  readonly because: Because
}

/** What was ours and should go. */
export type Removal = { readonly group: GroupName; readonly target: Target; readonly because: Because }

/** What is never touched and never reported. An absent target: wherever the group is mapped. */
export type Unmanaged = { readonly groups: GroupSelector; readonly target?: Target; readonly because: Because }

/** The workspace's own group-sync settings, in the declaration's words. Only what is said is compared. */
export type GroupSync = {
  readonly enabled?: boolean
  readonly syncOnLogin?: boolean
  readonly autoRemove?: boolean
  readonly offlineSync?: boolean
  readonly groupAttribute?: string
  readonly defaultWorkspaceRole?: Role | null
}

/** Everything that the sources say about one workspace. A list that no source names is not owned. */
export type WorkspaceDeclaration = {
  readonly workspace: WorkspaceName
  readonly owns: ReadonlySet<List>
  readonly rules: readonly Rule[]
  readonly removed: readonly Removal[]
  readonly unmanaged: readonly Unmanaged[]
  readonly groupSync?: { readonly wanted: GroupSync; readonly because: Because }
}

export const nothingDeclared = (workspace: WorkspaceName): WorkspaceDeclaration => ({
  workspace,
  owns: new Set(),
  rules: [],
  removed: [],
  unmanaged: [],
})

/** Whether the declaration says that a mapping is never touched and never reported. */
export function isUnmanaged(unmanaged: readonly Unmanaged[], group: GroupName, target: Target): boolean {
  return unmanaged.some((entry) => selects(entry.groups, group) && (entry.target === undefined || sameTarget(entry.target, target)))
}

export function selects(selector: GroupSelector, group: GroupName): boolean {
  if (selector.kind === 'exact') return selector.name === group
  return !selector.except.has(group) && selector.matches(group) !== undefined
}

/** Identifiers of projects are upper-case, so none reads like another target. */
const sameTarget = (a: Target, b: Target): boolean => targetText(a) === targetText(b)

/**
 * A short name of the words of a rule, a removal or an unmanaged entry: 64 bits in hex. Other words have another name; the place in the file
 * and the owner of the file are no part of it. Should two texts have one name, a changed text is held for longer; nothing passes by it.
 */
export type TextName = string & { readonly __brand: 'TextName' }
