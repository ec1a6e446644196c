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
    const isEmpty =
      one.workspaceRoles === undefined && one.projectRoles === undefined && one.removed.length === 0 && one.unmanaged.length === 0
    if (isEmpty && from?.at !== 'workspace') lines.splice(-1, 1, `  ${one.name}: {}`)
  }
  return `${lines.join('\n')}\n`
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
const endOf = (text: string): number => beginOf(text) + (isMoment(text) ? 0 : 86_400_000)

export type ExactRule = Extract<DeclaredRule, { readonly group: string }>
export const ruleOf = (one: DeclaredWorkspace, { group, at }: Place): ExactRule | undefined =>
  rulesOf(one).find((rule): rule is ExactRule => 'group' in rule && rule.group === group && rule.at === at)

/** The targets on which a rule gives a group its role: `workspace`, `*` or identifiers of projects. None if the rule does not name the group. */
export function targetsOf(rule: DeclaredRule, group: string): readonly string[] {
  if ('group' in rule) return rule.group === group ? [rule.at] : []
  if ('glob' in rule) return matches(rule.glob, group) ? [rule.at] : []
  const prefix = rule.captured.find((one) => group.startsWith(`${one}-`))
  return prefix === undefined ? [] : projectsOf(rule, prefix)
}

/** All project identifiers that a rule can name. */
export function projectsNamedBy(rule: DeclaredRule): readonly string[] {
  if ('captured' in rule) return rule.captured.flatMap((prefix) => projectsOf(rule, prefix))
  return rule.at === 'workspace' || rule.at === '*' ? [] : [rule.at]
}

/** All statements of a workspace that name projects: its rules for projects, and the list `removed`. `text` changes only with an edit. */
export function statementsOf(one: DeclaredWorkspace): readonly Statement[] {
  const known = statements.get(one)
  if (known !== undefined) return known
  const made = [
    ...(one.projectRoles ?? []).map(
      (rule): Statement => ({ text: textOf(rule), rule, names: projectsNamedBy(rule), at: (group) => targetsOf(rule, group) }),
    ),
    ...one.removed.flatMap((place): Statement[] => {
      if (place.at === 'workspace' || place.at === '*') return []
      return [{ text: `removed ${keyOf(place)}`, names: [place.at], at: (group) => (group === place.group ? [place.at] : []) }]
    }),
  ]
  statements.set(one, made)
  return made
}
const statements = new WeakMap<DeclaredWorkspace, readonly Statement[]>()

/**
 * One more project in the map of a capturing rule does not change the meaning of the others. `unknownGroups` and `unknownProjects` do not say
 * which project is meant. `allowProtected: false` is the default.
 */
export const textOf = (rule: DeclaredRule): string =>
  JSON.stringify({
    ...rule,
    ...('captured' in rule ? { map: {} } : {}),
    ...{ send: undefined, sendsProject: undefined, skipsProject: undefined },
    allowProtected: rule.allowProtected === true ? true : undefined,
  })

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

export const rulesOf = (one: DeclaredWorkspace): readonly DeclaredRule[] => [...(one.workspaceRoles ?? []), ...(one.projectRoles ?? [])]
const hasStarted = ({ starts }: DeclaredRule, nowMs: number): boolean => starts === undefined || beginOf(starts) <= nowMs
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

/**
 * @param known whether a directory contains the group
 * @param skips whether rules that skip unknown projects say nothing about the project
 */
export function wanted(one: DeclaredWorkspace, place: Place, known: boolean, nowMs: number, skips = false): Wanted {
  const { group, at } = place
  if (one.unmanaged.some((glob) => matches(glob, group))) return { is: 'unmanaged' }
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

const isSkipping = (rule: DeclaredRule): boolean => 'captured' in rule && rule.skipsProject === true && rule.sendsProject !== true

/** Whether the deciding rule itself allows a protected role for the key. */
export const vouchedFor = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  rulesOf(one).some(
    (rule) => 'group' in rule && rule.group === place.group && rule.at === place.at && rule.allowProtected === true && lives(rule, nowMs),
  )
