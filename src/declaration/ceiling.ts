import { by } from '../core/compare.ts'
import { projectWords } from '../core/fencedProjects.ts'
import { targetText } from '../core/mapping.ts'
import { positionText, type Rule, type WorkspaceDeclaration } from '../core/rule.ts'
import { type FenceText, openFences } from './fence.ts'

/** The most that one entry of a file can give: `groups` names exact groups, or says which names a pattern may match. */
export type CeilingRow = {
  readonly targets: readonly string[]
  readonly groups: string
  readonly roles: readonly string[]
  readonly at: string
}

/**
 * The most that the present files of a fence can give, whatever groups the directories have: an exact rule gives its role to its group, and a pattern gives
 * it to every group that anyone may create with a name inside of the fence. Rules that have ended or start later count, too.
 */
export function ceilingOf(path: string, text: FenceText, declared: ReadonlyMap<string, WorkspaceDeclaration>): readonly CeilingRow[] {
  const fenceOf = openFences({ [path]: text })
  const rules = (declared.get(text.workspace)?.rules ?? []).filter(
    (rule) => rule.fenced === true && !Array.isArray(fenceOf(rule.because.at.file)),
  )
  const entries = Map.groupBy(rules, (rule) => `${positionText(rule.because.at)} ${groupsText(rule)}`)
  return [...entries.values()].flatMap((ofEntry) => rowOf(ofEntry)).toSorted(by(({ targets, groups }) => `${targets.join()} ${groups}`))
}

/** The most that any files of a fence may give. `expiresMs`: role → how long after today a rule that gives it may end. */
export type FenceBounds = {
  readonly bounds: readonly Omit<CeilingRow, 'at'>[]
  readonly expiresMs: Readonly<Record<string, number>>
  readonly may: readonly string[]
}

export function fenceBounds({ workspaceRoles, projectRoles, may, demand }: FenceText): FenceBounds {
  const row = (
    targets: readonly string[],
    { groups, groupsWithout, roles }: Pick<NonNullable<FenceText['workspaceRoles']>, 'groups' | 'groupsWithout' | 'roles'>,
  ) => ({
    targets,
    groups: bounded(groups, groupsWithout).join(', '),
    roles,
  })
  return {
    bounds: [
      ...(workspaceRoles === undefined ? [] : [row([targetText({ kind: 'workspace' })], workspaceRoles)]),
      ...(projectRoles === undefined
        ? []
        : [
            row(
              [
                ...bounded(projectRoles.projects, projectRoles.projectsWithout),
                ...(projectRoles.allProjects ? [targetText({ kind: 'allProjects' })] : []),
              ],
              projectRoles,
            ),
          ]),
    ],
    expiresMs: demand.expires,
    may,
  }
}

/** The words of a fence, each with the words of other teams for whose names it does not stand. */
const bounded = (words: readonly string[], without: Readonly<Record<string, readonly string[]>> = {}): readonly string[] =>
  words.map((word) => (without[word] === undefined ? word : `${word} (not ${without[word].join(', ')})`))

/** The rules of one entry differ in their targets only. */
function rowOf(rules: readonly Rule[]): readonly CeilingRow[] {
  const [first] = rules
  if (first === undefined) return []
  const { role } = first
  const roles = role.kind === 'fixed' ? [role.role] : [...new Set(role.map.values())]
  const targets = [...new Set(rules.flatMap(targetTexts))]
  return [{ targets, groups: groupsText(first), roles, at: positionText(first.because.at) }]
}

function targetTexts({ target }: Rule): readonly string[] {
  if (target.kind === 'fixed') return [targetText(target.target)]
  return [...(target.only === undefined ? target.map.values().flatMap((projects) => projects) : projectWords(target.only))].toSorted()
}

function groupsText({ groups }: Rule): string {
  if (groups.kind === 'exact') return groups.name
  const inside = (groups.within ?? []).map((selector) => (selector.kind === 'exact' ? selector.name : selector.pattern.source))
  const except = groups.except.size === 0 ? '' : `, except ${[...groups.except].join(', ')}`
  return `names like ${groups.pattern.source} among ${inside.join(', ')}${except}`
}
