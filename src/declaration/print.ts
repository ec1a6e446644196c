import { compare } from '../core/compare.ts'
import { type Mapping, presentRole, type Target, targetText, type WorkspaceName } from '../core/mapping.ts'
import { counted } from '../core/quantity.ts'
import { unknownRole } from '../core/roles.ts'
import { oneLine, visible } from '../core/safeName.ts'
import { groupName, project as projectName, roleSlug, sendableName } from './nameFields.ts'

/**
 * Prints mappings as a declaration whose plan has no change. Equal mappings give equal text. Groups that have the same role on the same target share
 * a rule. Targets share a rule if the same groups have the same role on them. A mapping that no rule can declare, for its name or role, is listed
 * under `unmanaged`, so that no policy deletes it. A key becomes a comment if its mappings differ in their role or have no role, or if a declaration
 * cannot contain its names. Its mappings then stay undeclared.
 *
 * @param roles the roles that a rule may give; absent: any
 * @param lists `every`: a list without mappings is printed as `[]`, managed and empty; `needed`: it is left out, so it is not managed
 */
export function printDeclaration(
  workspace: WorkspaceName,
  mappings: readonly Mapping[],
  { lists, roles }: { readonly lists: 'every' | 'needed'; readonly roles?: readonly string[] },
): string {
  const byKey = keysInOrder(mappings)
  const lines = (keys: readonly (readonly Mapping[])[], name: string, rules: readonly string[]) => {
    const comments = keys.filter((ofKey) => sayable(ofKey, roles) === 'neither').map(comment)
    if (rules.length > 0) return [`    ${name}:`, ...comments, ...rules]
    return lists === 'every' ? [`    ${name}: []`, ...comments] : comments
  }
  const inWorkspace = byKey.filter(isOfWorkspace)
  const inProjects = byKey.filter((ofKey) => !isOfWorkspace(ofKey))
  const others = byKey.filter((ofKey) => sayable(ofKey, roles) === 'unmanaged').flatMap((ofKey) => unmanagedEntry(ofKey, roles))
  const ruled = (keys: readonly (readonly Mapping[])[]) => rulesOf(keys.filter((ofKey) => sayable(ofKey, roles) === 'rule'))
  const body = [
    ...lines(inWorkspace, 'workspaceRoles', ruled(inWorkspace)),
    ...lines(inProjects, 'projectRoles', ruled(inProjects)),
    ...(others.length === 0 ? [] : ['    unmanaged:', ...others]),
  ]
  return document(workspace, body)
}

/** A file with these lines for one workspace. Comments alone declare nothing. */
export function document(workspace: WorkspaceName, body: readonly string[]): string {
  const isEmpty = body.every((line) => line.trimStart().startsWith('#'))
  return ['version: 1', 'workspaces:', `  ${scalar(workspace)}:${isEmpty ? ' {}' : ''}`, ...body, ''].join('\n')
}

const isOfWorkspace = ([first]: readonly Mapping[]): boolean => first?.target.kind === 'workspace'

function rulesOf(keys: readonly (readonly Mapping[])[]): string[] {
  const firsts = keys.flatMap(([first]) => first ?? [])
  const byTargetAndRole = Map.groupBy(firsts, ({ target, role }) => JSON.stringify([target, role]))
  const rules = [...byTargetAndRole.values()].map((mappings) => ({
    groups: mappings.map(({ group }) => group),
    target: mappings[0]?.target,
    role: mappings[0]?.role ?? '',
  }))
  // Rules of several projects are joined if only the project differs.
  const joined = Map.groupBy(rules, ({ groups, target, role }) =>
    JSON.stringify([groups, role, target?.kind === 'project' ? 'project' : target]),
  )
  return [...joined.values()].flatMap((parts) =>
    rule(
      parts[0]?.groups ?? [],
      parts.flatMap(({ target }) => target ?? []),
      parts[0]?.role ?? '',
    ),
  )
}

/** A list is in one line if the line has at most this many characters. */
const columnsMax = 120

function rule(groups: readonly string[], targets: readonly Target[], role: string): string[] {
  const [group = ''] = groups
  const listed = `      - group: [${groups.map(scalar).join(', ')}]`
  const names = groups.length === 1 ? [`      - group: ${scalar(group)}`] : [listed]
  const groupLines = listed.length <= columnsMax ? names : ['      - group:', ...groups.map((name) => `          - ${scalar(name)}`)]
  return [...groupLines, ...targetWords(targets).map((words) => `        ${words}`), `        role: ${scalar(role)}`]
}

/** What a rule says of its targets: `project: [ENG, OPS]`; empty for the workspace. */
export function targetWords(targets: readonly Target[]): readonly string[] {
  const projects = targets.flatMap((target) => (target.kind === 'project' ? [scalar(target.project)] : []))
  if (projects.length > 1) return [`project: [${projects.join(', ')}]`]
  if (projects.length === 1) return [`project: ${projects[0]}`]
  return targets[0]?.kind === 'allProjects' ? ['allProjects: true'] : []
}

/** What an entry that is no rule says of its target: the list does not say it for the workspace. */
export const entryTargetWords = (target: Target): readonly string[] =>
  target.kind === 'workspace' ? ['workspace: true'] : targetWords([target])

function comment(mappings: readonly Mapping[]): string {
  const [first] = mappings
  if (first === undefined) return ''
  const roles = [...new Set(mappings.map(({ role }) => role))]
    .toSorted((a, b) => compare(a ?? '', b ?? ''))
    .map((role) => visible(presentRole(role)))
  const what = keyText(first)
  if (roles.length > 1)
    return `      # ${what} has ${counted(mappings.length, 'mapping')} with different roles: ${roles.join(', ')}. Keep one of them.`
  if (first.role === null)
    return `      # ${what} has no role in Plane: write a rule with the role that it should have, or delete the mapping.`
  return `      # ${what} = ${roles.join(', ')}: a declaration cannot contain this name`
}

/** A mapping in a comment. */
export const keyText = ({ group, target }: Pick<Mapping, 'group' | 'target'>): string =>
  `${JSON.stringify(visible(group))} in ${visible(targetText(target))}`

/** Where a declaration can contain the mappings of one key. */
function sayable(mappings: readonly Mapping[], roles: readonly string[] | undefined): 'rule' | 'unmanaged' | 'neither' {
  const [first] = mappings
  if (first === undefined || first.role === null || mappings.some(({ role }) => role !== first.role)) return 'neither'
  if (!isNameable(first)) return 'neither'
  return whyNoRule(first, roles) === undefined ? 'rule' : 'unmanaged'
}

/** Whether a declaration can contain the names of this mapping. */
export const isNameable = ({ group, target }: Mapping): boolean =>
  groupName.safeParse(group).success && (target.kind !== 'project' || projectName.safeParse(target.project).success)

/** Why a rule cannot declare this mapping; undefined if a rule can. The names of the mapping are valid in a declaration. */
function whyNoRule({ group, role }: Mapping, roles: readonly string[] | undefined): string | undefined {
  const named = sendableName.safeParse(group)
  if (!named.success) return named.error.issues[0]?.message
  if (role === null) return 'it has no role'
  if (!roleSlug.safeParse(role).success) return `${JSON.stringify(oneLine(role, 100))} is not the slug of a role`
  return roles === undefined || roles.includes(role) ? undefined : unknownRole(role)
}

function unmanagedEntry([first]: readonly Mapping[], roles: readonly string[] | undefined): string[] {
  if (first === undefined) return []
  const target = entryTargetWords(first.target).map((words) => `        ${words}`)
  return [`      - group: ${scalar(first.group)}`, ...target, `        reason: ${scalar(whyNoRule(first, roles) ?? '')}`]
}

/** The mappings of each key, by target and group. */
export const keysInOrder = (mappings: readonly Mapping[]): readonly (readonly Mapping[])[] =>
  [...Map.groupBy(mappings, ({ key }) => key).values()].map((ofKey) => ofKey.toSorted(byRole)).toSorted(byTargetAndGroup)

function byTargetAndGroup([a]: readonly Mapping[], [b]: readonly Mapping[]): number {
  if (a === undefined || b === undefined) return 0
  return (
    compare(place(a.target), place(b.target)) ||
    compare(a.role ?? '', b.role ?? '') ||
    compare(a.group, b.group) ||
    compare(a.target.kind, b.target.kind)
  )
}

const byRole = (a: Mapping, b: Mapping): number => compare(a.role ?? '', b.role ?? '')
const place = (target: Target): string => (target.kind === 'project' ? `1${target.project}` : '0')

/**
 * A text as a YAML scalar. It is plain if a reader of any YAML version reads it as this text; else it is in double quotes, with invisible
 * characters escaped.
 */
export function scalar(text: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]+)*$/u.test(text) && !/^(?:true|false|yes|no|on|off|y|n|null)$/i.test(text)) return text
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u0085]/gu, escape)
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
