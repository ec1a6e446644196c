import type { Finding } from '../finding.ts'
import type { Plan } from '../plan.ts'
import { counted, listed } from '../quantity.ts'
import { comparePositions, type GroupSync, positionText, type WorkspaceDeclaration } from '../rule.ts'

/**
 * A finding if auto-remove is off, and mappings are to be deleted, now or later: by `expires`, by `removed`, or because they are undeclared. Plane then
 * takes no membership away. There is no finding if the settings of group sync were not read.
 *
 * The place is the first entry that ends a mapping.
 *
 * @param groupSync the settings as they are after the plan is written
 */
export function removalNotFeltFindings(
  { workspace, rules, removed }: WorkspaceDeclaration,
  groupSync: GroupSync | undefined,
  { changes }: Pick<Plan, 'changes'>,
): readonly Finding[] {
  if (groupSync?.autoRemove !== false) return []
  const ending = [...rules.filter(({ expiresMs }) => expiresMs !== undefined), ...removed].map(({ because }) => because.at)
  const places = [...new Set(ending.toSorted(comparePositions).map(positionText))]
  const undeclared = changes.filter((change) => change.action === 'delete' && change.why === 'undeclared').length
  const concerned = [
    ...(places.length === 0 ? [] : [`${counted(places.length, 'entry', 'entries')} with "expires" or of "removed"`]),
    ...(undeclared === 0 ? [] : [`${counted(undeclared, 'undeclared mapping')} that this plan deletes`]),
  ]
  if (concerned.length === 0) return []
  return [
    {
      code: 'removal-not-felt',
      severity: 'warning',
      place: places[0] ?? workspace,
      sentence: `auto-remove is off in this workspace, so members of Plane keep their access when a mapping is deleted; this concerns ${listed(concerned)}`,
      cure: 'set groupSync: { autoRemove: true } in the declaration, or remove these people in Plane',
    },
  ]
}
