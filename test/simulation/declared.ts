import { contains, type Fence } from './fences.ts'

/**
 * The declaration of a world. `declarationText.ts` writes it to files, and the auditor checks every write against it: `audit/wanted.ts` says what it wants.
 * Shares no code with the program.
 */
export type Declared = {
  readonly workspaces: readonly DeclaredWorkspace[]
  /** Changes the bytes of the file and nothing else. */
  readonly comment: string
  /** How the file says it; absent: one entry for each rule, and no `from`. */
  readonly style?: Style
}
/** `from`: all directories of the world, and where they are named; so it changes nothing. `lists`: rules that differ only in their groups share an entry. */
type Style = { readonly from?: { readonly at: 'file' | 'workspace' | 'rule'; readonly names: readonly string[] }; readonly lists: boolean }

export type DeclaredWorkspace = {
  readonly name: string
  /** An absent list is not managed. An empty list is managed, and nothing should exist in it. */
  readonly workspaceRoles?: readonly DeclaredRule[]
  readonly projectRoles?: readonly DeclaredRule[]
  readonly removed: readonly Place[]
  readonly unmanaged: readonly string[]
  /** Unmanaged mappings on one target. The group may be a glob. */
  readonly unmanagedAt?: readonly Place[]
  /** Changes that may pass the guards until a time. */
  readonly waivers?: readonly DeclaredWaiver[]
  /** With fences: the files of teams. The rest is of a file without limits. */
  readonly teams?: readonly TeamFile[]
  /** Invalid files of teams of which nothing is used. The declaration does not prove that a mapping is undeclared. `earlier`: their texts before. */
  readonly frozen?: readonly (TeamFile & { readonly earlier: readonly TeamFile[] })[]
  /** Nothing of the file without limits is used, and it cannot be read. These are its texts before. */
  readonly frozenOpen?: readonly DeclaredWorkspace[]
  /** With fences: the former texts of files that are gone. */
  readonly gone?: readonly TeamFile[]
  /** With fences: the former texts of all files, also of the file without limits. */
  readonly former?: readonly (TeamFile | DeclaredWorkspace)[]
}
/** Changes that may pass the guards. `until`: a moment in UTC. */
export type DeclaredWaiver = {
  readonly changes: readonly WaivedChange[]
  readonly until: string
}
/** Absent: `from` no mapping yet, `to` the mapping is deleted, `was` no rename, `id` any group of this name. `was`: its group before the rename. */
export type WaivedChange = Place & { readonly from?: string; readonly to?: string; readonly was?: string; readonly id?: string }
/** A file inside a fence. `broken`: it is no YAML, has a rule that is outside of its fence, or has waivers without being allowed to. */
export type TeamFile = Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles' | 'removed' | 'waivers'> & {
  readonly file: string
  readonly fence: Fence
  readonly unmanagedAt: readonly Place[]
  readonly broken?: 'text' | 'outside' | 'waivers'
}
/** `at`: `workspace`, `*` for all projects, or a project's identifier. */
export type Place = { readonly group: string; readonly at: string }
export type DeclaredRule = {
  readonly at: string
  readonly role: string
  readonly allowProtected?: boolean
  /** A day, or a moment in UTC. The rule is valid from the beginning of the day, or from the moment on. */
  readonly starts?: string
  /** A day, or a moment in UTC. The rule is valid until the end of the day, or until just before the moment. */
  readonly expires?: string
  /** The rule applies even if its project is unknown. */
  readonly sendsProject?: boolean
  readonly reason?: string
  /** The file of a team that contains the rule, and its fence. */
  readonly inside?: { readonly file: string; readonly fence: Fence } | undefined
} & (
  | { readonly group: string; readonly previously?: string; readonly send?: boolean }
  /** A glob of the form `prefix*`. */
  | { readonly glob: string }
  /**
   * Groups of the form `prefix-…`. The project is the prefix, translated by `map` to one or several, or else in upper case. `at` is not used.
   * `skipsProject`: a project that was never known is left out.
   */
  | {
      readonly captured: readonly string[]
      readonly map: Readonly<Record<string, string | readonly string[]>>
      readonly skipsProject?: boolean
    }
)

export const keyOf = ({ group, at }: Place): string => `${at} ${group}`
export const matches = (glob: string, name: string): boolean => name.startsWith(glob.slice(0, -1))
const isMoment = (text: string): boolean => text.includes('T')
const beginOf = (text: string): number => Date.parse(isMoment(text) ? text : `${text}T00:00:00Z`)
export const endOf = (text: string): number => beginOf(text) + (isMoment(text) ? 0 : 86_400_000)

export type ExactRule = Extract<DeclaredRule, { readonly group: string }>
export const ruleOf = (one: DeclaredWorkspace, { group, at }: Place): ExactRule | undefined =>
  rulesOf(one).find((rule): rule is ExactRule => 'group' in rule && rule.group === group && rule.at === at)

/**
 * The targets on which a rule gives a group its role: `workspace`, `*` or identifiers of projects. None if the rule does not name the group. A rule inside
 * a fence gives nothing outside of it.
 */
export function targetsOf(rule: DeclaredRule, group: string): readonly string[] {
  const { inside } = rule
  const targets = namedTargets(rule, group)
  return inside === undefined ? targets : targets.filter((at) => contains(inside.fence, { group, at }))
}

/** Like `targetsOf`, with what is outside of the fence. */
export function namedTargets(rule: DeclaredRule, group: string): readonly string[] {
  if ('group' in rule) return rule.group === group ? [rule.at] : []
  if ('glob' in rule) return matches(rule.glob, group) ? [rule.at] : []
  const prefix = rule.captured.find((one) => group.startsWith(`${one}-`))
  return prefix === undefined ? [] : projectsOf(rule, prefix)
}

/** All project identifiers that a rule can name. */
export function projectsNamedBy(rule: DeclaredRule): readonly string[] {
  const only = rule.inside?.fence.projectRoles?.projects
  if ('captured' in rule) return rule.captured.flatMap((prefix) => projectsOf(rule, prefix)).filter((at) => only?.includes(at) !== false)
  return rule.at === 'workspace' || rule.at === '*' ? [] : [rule.at]
}

/** All statements of a workspace that name projects: its rules for projects, and the list `removed`. `text` changes only with an edit. */
export function statementsOf(one: DeclaredWorkspace): readonly Statement[] {
  const known = statements.get(one)
  if (known !== undefined) return known
  const { teams = [] } = one
  const made = [
    ...[one, ...teams]
      .flatMap(({ projectRoles = [] }) => projectRoles)
      .map((rule): Statement => ({ text: textOf(rule), rule, names: projectsNamedBy(rule), at: (group) => targetsOf(rule, group) })),
    ...[one, ...teams]
      .flatMap(({ removed }) => removed)
      .flatMap((place): Statement[] => {
        if (place.at === 'workspace' || place.at === '*') return []
        return [{ text: `removed ${keyOf(place)}`, names: [place.at], at: (group) => (group === place.group ? [place.at] : []) }]
      }),
  ]
  statements.set(one, made)
  return made
}
const statements = new WeakMap<DeclaredWorkspace, readonly Statement[]>()

/**
 * The fields of a rule that say which project and which groups a person means. One more project in the map of a capturing rule does not change the
 * meaning of the others. `unknownGroups` and `unknownProjects` do not say which project is meant.
 */
const words = ['at', 'role', 'group', 'glob', 'captured', 'previously', 'allowProtected', 'starts', 'expires', 'reason'] as const

/** The order of a rule's fields has no meaning. `allowProtected: false` is the default. */
export const textOf = (rule: DeclaredRule): string =>
  JSON.stringify({ ...rule, allowProtected: rule.allowProtected || undefined }, [...words])

/** Whether the workspace has this statement and the statement names the project. */
export const states = (one: DeclaredWorkspace, text: string, identifier: string): boolean =>
  statementsOf(one).some((statement) => statement.text === text && statement.names.includes(identifier))

export type Statement = {
  readonly text: string
  /** Absent in an entry of `removed`. */
  readonly rule?: DeclaredRule
  /** All project identifiers that the statement can name. */
  readonly names: readonly string[]
  /** The targets that the statement names for a group. */
  readonly at: (group: string) => readonly string[]
}

const projectsOf = ({ map }: Extract<DeclaredRule, { readonly captured: unknown }>, prefix: string): readonly string[] =>
  [map[prefix] ?? prefix.toUpperCase()].flat()

export const rulesOf = (one: DeclaredWorkspace): readonly DeclaredRule[] => [one, ...(one.teams ?? [])].flatMap(rulesIn)

export const rulesIn = ({ workspaceRoles = [], projectRoles = [] }: Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles'>) => [
  ...workspaceRoles,
  ...projectRoles,
]

/** Whether the declaration manages the mapping: it is declared, or else undeclared. */
export function owns(one: Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles' | 'teams'>, place: Place): boolean {
  const has = (file: typeof one) => (place.at === 'workspace' ? file.workspaceRoles : file.projectRoles) !== undefined
  return has(one) || (one.teams ?? []).some((team) => has(team) && contains(team.fence, place))
}

/** Whether a former text may have given the mapping. What it gave, and is ours, is undeclared in a list that is read, also if no file owns the place now. */
export const wasOwned = ({ former = [] }: DeclaredWorkspace, place: Place): boolean => former.some((file) => mayGive(file, place))

/** Whether a file that is gone may have given the mapping. */
export const isOfGone = ({ gone = [] }: DeclaredWorkspace, place: Place): boolean => gone.some((file) => mayGive(file, place))

const mayGive = (file: TeamFile | DeclaredWorkspace, place: Place): boolean =>
  (place.at === 'workspace' ? file.workspaceRoles : file.projectRoles) !== undefined && (!('fence' in file) || contains(file.fence, place))

export const hasStarted = ({ starts }: DeclaredRule, nowMs: number): boolean => starts === undefined || beginOf(starts) <= nowMs
/** Each moment at which a rule starts or ends. */
export const datesIn = ({ workspaces }: Declared): readonly number[] =>
  workspaces
    .flatMap(rulesOf)
    .flatMap(({ starts, expires }) => [
      ...(starts === undefined ? [] : [beginOf(starts)]),
      ...(expires === undefined ? [] : [endOf(expires)]),
    ])

export const hasEnded = ({ expires }: DeclaredRule, nowMs: number): boolean => expires !== undefined && endOf(expires) <= nowMs
export const lives = (rule: DeclaredRule, nowMs: number): boolean => hasStarted(rule, nowMs) && !hasEnded(rule, nowMs)
