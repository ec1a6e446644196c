import { compare } from '../core/compare.ts'
import { type Mapping, presentRole, type Target, targetText, type WorkspaceName } from '../core/mapping.ts'
import { visible } from '../core/safeName.ts'
import { exactGroupKeys, exactProjectKeys, roleSlug } from './selectors.ts'

/**
 * Prints mappings as a declaration whose plan has no change. Equal mappings give equal text. Groups that have the same role on the same target share
 * a rule. Targets share a rule if the same groups have the same role on them. A key whose mappings differ in their role or have none, or with a
 * name that a declaration cannot contain, becomes a comment: the mapping stays undeclared, so it is reported and not changed.
 *
 * @param lists `every`: a list without mappings is printed as `[]`, managed and empty; `needed`: it is left out, so it is not managed
 */
export function printDeclaration(
  workspace: WorkspaceName,
  mappings: readonly Mapping[],
  { lists }: { readonly lists: 'every' | 'needed' },
): string {
  const byKey = [...Map.groupBy(mappings, ({ key }) => key).values()].map((same) => same.toSorted(byRole)).toSorted(byTargetAndGroup)
  const lines = (keys: readonly (readonly Mapping[])[], name: string, rules: readonly string[]) => {
    const comments = keys.filter((same) => !isDeclarable(same)).map(comment)
    if (rules.length > 0) return [`    ${name}:`, ...comments, ...rules]
    return lists === 'every' ? [`    ${name}: []`, ...comments] : comments
  }
  const inWorkspace = byKey.filter(isOfWorkspace)
  const inProjects = byKey.filter((same) => !isOfWorkspace(same))
  const body = [...lines(inWorkspace, 'workspaceRoles', rulesOf(inWorkspace)), ...lines(inProjects, 'projectRoles', rulesOf(inProjects))]
  const isEmpty = body.every((line) => line.trimStart().startsWith('#'))
  return ['version: 1', 'workspaces:', `  ${scalar(workspace)}:${isEmpty ? ' {}' : ''}`, ...body, ''].join('\n')
}

const isOfWorkspace = ([first]: readonly Mapping[]): boolean => first?.target.kind === 'workspace'

function rulesOf(keys: readonly (readonly Mapping[])[]): string[] {
  const firsts = keys.filter(isDeclarable).flatMap(([first]) => first ?? [])
  const byTargetAndRole = Map.groupBy(firsts, ({ target, role }) => JSON.stringify([target, role]))
  const rules = [...byTargetAndRole.values()].map((same) => ({
    groups: same.map(({ group }) => group),
    target: same[0]?.target,
    role: same[0]?.role ?? '',
  }))
  // Rules of several projects are joined if only the project differs.
  const joined = Map.groupBy(rules, ({ groups, target, role }) =>
    JSON.stringify([groups, role, target?.kind === 'project' ? 'project' : target]),
  )
  return [...joined.values()].flatMap((same) =>
    rule(
      same[0]?.groups ?? [],
      same.flatMap(({ target }) => target ?? []),
      same[0]?.role ?? '',
    ),
  )
}

function rule(groups: readonly string[], targets: readonly Target[], role: string): string[] {
  const [group = ''] = groups
  const said =
    groups.length === 1 ? [`      - group: ${scalar(group)}`] : ['      - groups:', ...groups.map((name) => `          - ${scalar(name)}`)]
  return [...said, ...targetLine(targets), `        role: ${scalar(role)}`]
}

function targetLine(targets: readonly Target[]): string[] {
  const projects = targets.flatMap((target) => (target.kind === 'project' ? [scalar(target.project)] : []))
  if (projects.length > 1) return [`        projects: [${projects.join(', ')}]`]
  if (projects.length === 1) return [`        project: ${projects[0]}`]
  return targets[0]?.kind === 'allProjects' ? ['        allProjects: true'] : []
}

function comment(same: readonly Mapping[]): string {
  const [first] = same
  if (first === undefined) return ''
  const roles = [...new Set(same.map(({ role }) => role))]
    .toSorted((a, b) => compare(a ?? '', b ?? ''))
    .map((role) => visible(presentRole(role)))
  const what = `${JSON.stringify(visible(first.group))} in ${visible(targetText(first.target))}`
  if (roles.length > 1) return `      # ${what} has ${same.length} mappings with different roles: ${roles.join(', ')}. Keep one of them.`
  if (first.role === null)
    return `      # ${what} has no role in Plane: write a rule with the role that it should have, or delete the mapping.`
  return `      # ${what} = ${roles.join(', ')}: a declaration cannot contain this name`
}

/** Whether all mappings of one key have the same role, and a declaration can contain their names. */
function isDeclarable(same: readonly Mapping[]): boolean {
  return same.every(
    ({ group, target, role }) =>
      role === same[0]?.role &&
      exactGroupKeys.group.safeParse(group).success &&
      roleSlug.safeParse(role).success &&
      (target.kind !== 'project' || exactProjectKeys.project.safeParse(target.project).success),
  )
}

function byTargetAndGroup([a]: readonly Mapping[], [b]: readonly Mapping[]): number {
  if (a === undefined || b === undefined) return 0
  return compare(place(a.target), place(b.target)) || compare(a.role ?? '', b.role ?? '') || compare(a.group, b.group)
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
