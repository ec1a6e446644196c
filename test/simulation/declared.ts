import { contains, type Fence, names as namesGroup } from './fences.ts'

/** The declaration of a world: its text is written to the file, and the auditor checks every write against it. Shares no code with the program. */
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
  /** The earlier texts of files of teams that are gone. What they gave is undeclared, also if no other file owns it. */
  readonly gone?: readonly TeamFile[]
  /** Nothing of the file without limits is used, and it cannot be read. */
  readonly frozenOpen?: true
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

/** The text in block style, as a person writes it: a file that is cut off at a line may still be valid, with less in it. */
export function declarationText({ workspaces, comment, style = { lists: false } }: Declared): string {
  const { from, lists: merges } = style
  const fromLine = `from: [${from?.names.join(', ')}]`
  const lines = ['version: 1', `# ${comment}`, ...(from?.at === 'file' ? [fromLine] : []), 'workspaces:']
  for (const one of workspaces) {
    lines.push(`  ${one.name}:`, ...(from?.at === 'workspace' ? [`    ${fromLine}`] : []))
    for (const list of ['workspaceRoles', 'projectRoles'] as const) {
      const rules = one[list]
      if (rules === undefined) continue
      lines.push(rules.length === 0 ? `    ${list}: []` : `    ${list}:`)
      for (const same of merges ? merged(rules) : rules.map((rule) => [rule])) {
        lines.push(...ruleLines(same))
        if (from?.at === 'rule') lines.push(`        ${fromLine}`)
      }
    }
    if (one.removed.length > 0) lines.push('    removed:')
    for (const { group, at } of one.removed) lines.push(`      - { group: ${quoted(group)}, ${targetText(at, true)} }`)
    if (one.unmanaged.length > 0) lines.push('    unmanaged:')
    for (const glob of one.unmanaged) lines.push(`      - { groupGlob: ${quoted(glob)} }`)
    lines.push(...unmanagedLines(one), ...waiverLines(one))
    const isEmpty =
      one.workspaceRoles === undefined &&
      one.projectRoles === undefined &&
      one.removed.length + one.unmanaged.length + (one.unmanagedAt ?? []).length + (one.waivers ?? []).length === 0
    if (isEmpty && from?.at !== 'workspace') lines.splice(-1, 1, `  ${one.name}: {}`)
  }
  return `${lines.join('\n')}\n`
}

function unmanagedLines({ unmanaged, unmanagedAt = [] }: DeclaredWorkspace): readonly string[] {
  const entries = unmanagedAt.map(
    ({ group, at }) => `      - { ${group.endsWith('*') ? 'groupGlob' : 'group'}: ${quoted(group)}, ${targetText(at, true)} }`,
  )
  return entries.length > 0 && unmanaged.length === 0 ? ['    unmanaged:', ...entries] : entries
}

function waiverLines({ waivers = [] }: Pick<DeclaredWorkspace, 'waivers'>): readonly string[] {
  const entries = waivers.flatMap(({ changes, until }) => {
    const end = [`until: ${until}`, 'reason: "simulation"']
    const [only, ...others] = changes.map(changeWords)
    if (only !== undefined && others.length === 0) return [`      - { ${[...only, ...end].join(', ')} }`]
    return [
      '      - changes:',
      ...changes.map((change) => `          - { ${changeWords(change).join(', ')} }`),
      ...end.map((line) => `        ${line}`),
    ]
  })
  return entries.length === 0 ? [] : ['    waivers:', ...entries]
}

const changeWords = ({ group, at, from = 'none', to = 'none', was, id }: WaivedChange): readonly string[] => [
  ...[`group: ${quoted(group)}`, targetText(at, true), `from: ${from}`, `to: ${to}`],
  ...(was === undefined ? [] : [`previously: ${quoted(was)}`]),
  ...(id === undefined ? [] : [`id: ${quoted(id)}`]),
]

/** The text of a file inside a fence. */
export function teamText(team: TeamFile, comment: string): string {
  const { workspaceRoles, projectRoles, removed, unmanagedAt, waivers = [], fence, broken } = team
  if (broken === 'text') return 'version: 1\nworkspaces: [broken\n'
  const outside: DeclaredRule = { group: 'it', at: 'SECRET', role: 'guest' }
  const wrong = broken === 'outside' ? [outside] : []
  const inProjects = projectRoles === undefined && wrong.length === 0 ? {} : { projectRoles: [...(projectRoles ?? []), ...wrong] }
  const lists = { ...(workspaceRoles === undefined ? {} : { workspaceRoles }), ...inProjects }
  return declarationText({ workspaces: [{ name: fence.workspace, ...lists, removed, unmanaged: [], unmanagedAt, waivers }], comment })
}

/** Exact rules that differ only in their groups, together. */
const merged = (rules: readonly DeclaredRule[]): readonly (readonly DeclaredRule[])[] => [
  ...Map.groupBy(rules, (rule) =>
    'group' in rule && rule.previously === undefined ? JSON.stringify({ ...rule, group: '' }, Object.keys(rule).toSorted()) : rule,
  ).values(),
]

function ruleLines(same: readonly DeclaredRule[]): string[] {
  const [rule] = same as [DeclaredRule]
  const groups = same.flatMap((one) => ('group' in one ? [quoted(one.group)] : []))
  const lines = [`      - ${groups.length > 1 ? `group: [${groups.join(', ')}]` : selectorText(rule)}`]
  if ('captured' in rule) lines.push(`        project: { capture: app, map: ${JSON.stringify(rule.map)} }`)
  else if (rule.at !== 'workspace') lines.push(`        ${targetText(rule.at, false)}`)
  lines.push(`        role: ${quoted(rule.role)}`)
  if (rule.allowProtected === true) lines.push('        allowProtected: true')
  if (rule.starts !== undefined) lines.push(`        starts: ${rule.starts}`)
  if (rule.expires !== undefined) lines.push(`        expires: ${rule.expires}`)
  if ('group' in rule && rule.previously !== undefined) lines.push(`        previously: ${quoted(rule.previously)}`)
  if ('group' in rule && rule.send === true) lines.push('        unknownGroups: send')
  if (rule.sendsProject === true) lines.push('        unknownProjects: send')
  else if ('captured' in rule && rule.skipsProject === true) lines.push('        unknownProjects: skip')
  if (rule.reason !== undefined) lines.push(`        reason: ${quoted(rule.reason)}`)
  return lines
}

function selectorText(rule: DeclaredRule): string {
  if ('group' in rule) return `group: ${quoted(rule.group)}`
  return 'glob' in rule ? `groupGlob: ${quoted(rule.glob)}` : `groupRegex: ${quoted(`(?<app>${rule.captured.join('|')})-.*`)}`
}

function targetText(at: string, workspaceToo: boolean): string {
  if (at === '*') return 'allProjects: true'
  return at === 'workspace' && workspaceToo ? 'workspace: true' : `project: ${quoted(at)}`
}

const quoted = (text: string): string => JSON.stringify(text)

export const keyOf = ({ group, at }: Place): string => `${at} ${group}`
const matches = (glob: string, name: string): boolean => name.startsWith(glob.slice(0, -1))
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

const rulesIn = ({ workspaceRoles = [], projectRoles = [] }: Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles'>) => [
  ...workspaceRoles,
  ...projectRoles,
]

/** Whether the declaration manages the mapping: it is declared, or else undeclared. */
export function owns(one: Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles' | 'teams'>, place: Place): boolean {
  const has = (file: typeof one) => (place.at === 'workspace' ? file.workspaceRoles : file.projectRoles) !== undefined
  return has(one) || (one.teams ?? []).some((team) => has(team) && contains(team.fence, place))
}

/** Whether a file that is gone may have given the mapping. Then the mapping is owned, if it is ours. */
export const wasGiven = ({ gone = [] }: DeclaredWorkspace, { group, at }: Place): boolean =>
  gone.flatMap(rulesIn).some((rule) => targetsOf(rule, group).includes(at))

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

/** The desired state of one key. `unknown`: no mapping may be created or deleted. */
export type Wanted = { readonly is: 'role'; readonly role: string } | { readonly is: 'absent' | 'unknown' | 'undeclared' | 'unmanaged' }

export type Facts = {
  /** Whether a directory contains the group. */
  readonly known: boolean
  readonly nowMs: number
  /** Whether rules that skip unknown projects say nothing about the project. */
  readonly skips?: boolean
  /** Whether the mapping certainly exists. It shows its group to patterns, also if no directory contains the group. */
  readonly mapped?: boolean
}

export function wanted(one: DeclaredWorkspace, place: Place, facts: Facts): Wanted {
  const { group, at } = place
  const { known, nowMs, skips = false } = facts
  if (one.unmanaged.some((glob) => matches(glob, group))) return { is: 'unmanaged' }
  if (one.teams !== undefined) {
    const frozen = heldByFrozen(one, place, nowMs)
    return frozen ?? wantedByFiles(one, one.teams, place, facts)
  }
  if (one.removed.some((removed) => keyOf(removed) === keyOf(place))) return { is: 'absent' }
  const named = rulesOf(one).filter((rule) => targetsOf(rule, group).includes(at) && !(skips && isSkipping(rule)))
  // A rule that has not started claims nothing. What exists for it stays until another rule decides.
  const rules = named.filter((rule) => hasStarted(rule, nowMs))
  if (named.length > 0 && rules.length === 0) return { is: 'unknown' }
  const exact = rules.filter((rule) => 'group' in rule)
  const patterns = rules.filter((rule) => !('group' in rule))
  if (exact.length + patterns.length === 0) return { is: 'undeclared' }
  const living = exact.find((rule) => lives(rule, nowMs))
  if (living !== undefined) return known || ('send' in living && living.send) ? { is: 'role', role: living.role } : { is: 'unknown' }
  const roles = new Set(patterns.filter((rule) => lives(rule, nowMs)).map(({ role }) => role))
  if (roles.size === 0) return { is: 'absent' }
  const [role] = roles
  return roles.size === 1 && known && role !== undefined ? { is: 'role', role } : { is: 'unknown' }
}

/** Whether nothing of a file is used. The declaration does not prove then that a mapping is undeclared. */
export const isFrozen = ({ frozen, frozenOpen }: DeclaredWorkspace): boolean => frozen !== undefined || frozenOpen === true

/**
 * What invalid files make of a key: it is held if such a file names it, or cannot be read and no other file names it exactly. A rule of its file that has
 * ended before has ended.
 */
function heldByFrozen(one: DeclaredWorkspace, place: Place, nowMs: number): Wanted | undefined {
  const { frozen = [], frozenOpen } = one
  const isNamed = isNamedWithoutLimits(one, place, nowMs)
  const isExact =
    isNamed || (one.teams ?? []).some((team) => isNamedWithoutLimits({ ...team, name: one.name, unmanaged: [] }, place, nowMs))
  if (frozenOpen === true && !isExact) return { is: 'unknown' }
  const holding = frozen.filter((file) => {
    if (!contains(file.fence, place)) return false
    return file.broken !== 'text' && isSpoken(file, place) ? !isNamed : file.broken === 'text' && !isExact
  })
  if (holding.length === 0) return undefined
  const hasEndedBefore = holding.some(({ earlier }) =>
    earlier.flatMap(rulesIn).some((rule) => targetsOf(rule, place.group).includes(place.at) && hasEnded(rule, nowMs)),
  )
  return { is: hasEndedBefore ? 'absent' : 'unknown' }
}

const isSpoken = (file: TeamFile, place: Place): boolean =>
  rulesIn(file).some((rule) => targetsOf(rule, place.group).includes(place.at)) ||
  file.removed.some((one) => keyOf(one) === keyOf(place)) ||
  file.unmanagedAt.some(({ group, at }) => at === place.at && namesGroup(group, place.group))

/** Whether the file without limits removes the mapping, or names it in a rule that counts now. */
const isNamedWithoutLimits = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  one.removed.some((removed) => keyOf(removed) === keyOf(place)) ||
  rulesOf({ ...one, teams: [] }).some(
    (rule) => 'group' in rule && targetsOf(rule, place.group).includes(place.at) && hasStarted(rule, nowMs) && lives(rule, nowMs),
  )

const isSkipping = (rule: DeclaredRule): boolean => 'captured' in rule && rule.skipsProject === true && rule.sendsProject !== true

/**
 * Whether a rule that gives the key its role also allows a protected role for it. A rule gives no role to a group that no directory contains, unless it
 * says so itself. A pattern of a file without limits decides before the file of a team.
 */
export const vouchedFor = (one: DeclaredWorkspace, place: Place, known: boolean, nowMs: number): boolean =>
  rulesOf(one).some(
    (rule) =>
      'group' in rule &&
      targetsOf(rule, place.group).includes(place.at) &&
      rule.allowProtected === true &&
      (known || rule.send === true) &&
      lives(rule, nowMs) &&
      (rule.inside === undefined || !isSaidWithoutLimits(one, place, known, nowMs)),
  )

/** Whether a rule of the file without limits names the mapping now. A pattern names only groups that directories know. */
const isSaidWithoutLimits = (one: DeclaredWorkspace, { group, at }: Place, known: boolean, nowMs: number): boolean =>
  rulesOf(one).some(
    (rule) => rule.inside === undefined && (known || 'group' in rule) && targetsOf(rule, group).includes(at) && lives(rule, nowMs),
  )

/** One statement about a mapping. `is`: what it wants now. `file`: of a team; absent: the file without limits. */
type Said = {
  readonly weight: 'removed' | 'exact' | 'pattern'
  readonly file?: string | undefined
  readonly is: 'role' | 'absent' | 'unknown'
  readonly role: string
}

/** The desired state of a key about which several files speak. A file inside a fence never overrides the file without limits. */
function wantedByFiles(one: DeclaredWorkspace, teams: readonly TeamFile[], place: Place, facts: Facts): Wanted {
  const covering = teamsLeaving(teams, place)
  const removals = [one, ...teams].flatMap((file): Said[] => {
    const name = 'file' in file ? file.file : undefined
    const isRemoved = file.removed.some((removed) => keyOf(removed) === keyOf(place))
    const isHeld = name !== undefined && covering.some((other) => other.file !== name)
    return isRemoved ? [{ weight: 'removed', is: isHeld ? 'unknown' : 'absent', role: '', file: name }] : []
  })
  const speaking = rulesOf(one).filter(
    (rule) => targetsOf(rule, place.group).includes(place.at) && !(facts.skips === true && isSkipping(rule)),
  )
  // A glob covers the groups that directories know, and those of mappings. A mapping on another target may show the group to it.
  const isShown = facts.known || facts.mapped === true
  const isSure = isShown || !speaking.some((rule) => 'group' in rule)
  const leaving = isSure ? covering : covering.filter(({ unmanagedAt }) => unmanagedAt.some((entry) => keyOf(entry) === keyOf(place)))
  const naming = speaking.filter((rule) => !isLeft(rule, leaving))
  const started = naming.filter((rule) => hasStarted(rule, facts.nowMs))
  if (naming.length + removals.length === 0) return { is: leaving.length > 0 ? 'unmanaged' : 'undeclared' }
  if (started.length + removals.length === 0) return { is: 'unknown' }
  const living = started.filter((rule) => leaving.length > 0 || lives(rule, facts.nowMs))
  const all = [...removals, ...living.map((rule) => saidBy(rule, leaving.length > 0, facts))]
  // A pattern speaks of the same groups as a glob.
  const exact = isShown ? [] : all.filter(({ weight }) => weight !== 'pattern')
  const said = exact.length > 0 ? exact : all
  if (said.length === 0) return { is: 'absent' }
  const [open, fenced] = [said.filter(({ file }) => file === undefined), said.filter(({ file }) => file !== undefined)]
  if (open.length === 0 || fenced.length === 0) return decided(said)
  const [first, second] = [decided(open), decided(fenced)]
  if (open.some(({ weight }) => weight !== 'pattern')) return first
  return resultText(first) === resultText(second) ? first : { is: 'unknown' }
}

/** The files of teams in which the mapping is unmanaged. */
const teamsLeaving = (teams: readonly TeamFile[], place: Place): readonly TeamFile[] =>
  teams.filter(({ unmanagedAt, fence }) => {
    const covers = unmanagedAt.some(({ group, at }) => at === place.at && namesGroup(group, place.group))
    return covers && contains(fence, place)
  })

/** With fences: whether a pattern may speak of a group that no directory knows, because a mapping on another target shows it the group. */
export const mayBeShown = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  one.teams !== undefined && (isSaidWithoutLimits(one, place, true, nowMs) || teamsLeaving(one.teams, place).length > 0)

/** An unmanaged entry of a team silences patterns of teams, and exact rules of its own file. It only holds all other rules. */
const isLeft = (rule: DeclaredRule, leaving: readonly TeamFile[]): boolean =>
  rule.inside !== undefined &&
  leaving.length > 0 &&
  !('group' in rule && leaving.some(({ file }) => file !== (rule.inside as NonNullable<typeof rule.inside>).file))

function saidBy(rule: DeclaredRule, isHeld: boolean, { known }: Facts): Said {
  const isKnown = known || ('group' in rule && rule.send === true)
  const is = isHeld || !isKnown ? 'unknown' : 'role'
  return { weight: 'group' in rule ? 'exact' : 'pattern', is, role: rule.role, file: rule.inside?.file }
}

const resultText = (want: Wanted): string => (want.is === 'role' ? `role ${want.role}` : want.is)

/** What statements with equal rights want together. Files of teams that name the mapping and contradict each other hold it. */
function decided(said: readonly Said[]): Wanted {
  const named = said.filter(({ weight, file }) => weight !== 'pattern' && file !== undefined)
  if (new Set(named.map(({ weight, role }) => `${weight === 'removed'} ${role}`)).size > 1) return { is: 'unknown' }
  const weight = (['removed', 'exact', 'pattern'] as const).find((one) => said.some((other) => other.weight === one))
  const speaking = said.filter((one) => one.weight === weight)
  if (weight === 'removed') return { is: speaking.every(({ is }) => is === 'absent') ? 'absent' : 'unknown' }
  const granting = speaking.filter(({ is }) => is === 'role')
  const [first] = granting
  const isSure = weight === 'exact' || granting.length === speaking.length
  return first !== undefined && isSure && new Set(granting.map(({ role }) => role)).size === 1
    ? { is: 'role', role: first.role }
    : { is: 'unknown' }
}
