import { by } from '../core/compare.ts'
import { targetText } from '../core/mapping.ts'
import { positionText, type Rule, type WorkspaceDeclaration } from '../core/rule.ts'
import { type FenceTexts, openFences } from './fence.ts'

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
 *
 * @returns undefined if there is no such fence with limits
 */
export function ceilingOf(
  path: string,
  fences: FenceTexts,
  declared: ReadonlyMap<string, WorkspaceDeclaration>,
): readonly CeilingRow[] | undefined {
  const text = fences[path]
  if (text === undefined || text === 'everything') return undefined
  const fenceOf = openFences({ [path]: text })
  const rules = (declared.get(text.workspace)?.rules ?? []).filter(
    (rule) => rule.fenced === true && !Array.isArray(fenceOf(rule.because.at.file)),
  )
  const entries = Map.groupBy(rules, (rule) => `${positionText(rule.because.at)} ${groupsText(rule)}`)
  return [...entries.values()].flatMap((same) => rowOf(same)).toSorted(by(({ targets, groups }) => `${targets.join()} ${groups}`))
}

/** The rules of one entry differ in their targets only. */
function rowOf(same: readonly Rule[]): readonly CeilingRow[] {
  const [first] = same
  if (first === undefined) return []
  const { role } = first
  const roles = role.kind === 'fixed' ? [role.role] : [...new Set(role.map.values())]
  const targets = [...new Set(same.flatMap(targetTexts))]
  return [{ targets, groups: groupsText(first), roles, at: positionText(first.because.at) }]
}

function targetTexts({ target }: Rule): readonly string[] {
  if (target.kind === 'fixed') return [targetText(target.target)]
  return [...(target.only ?? target.map.values().flatMap((projects) => projects))].toSorted()
}

function groupsText({ groups }: Rule): string {
  if (groups.kind === 'exact') return groups.name
  const inside = (groups.within ?? []).map((one) => (one.kind === 'exact' ? one.name : one.pattern.source))
  const except = groups.except.size === 0 ? '' : `, except ${[...groups.except].join(', ')}`
  return `names like ${groups.pattern.source} among ${inside.join(', ')}${except}`
}
