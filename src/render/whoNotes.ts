import type { GroupName } from '../core/mapping.ts'
import type { HighestRole, PersonRole } from '../core/people/personRoles.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { direction } from '../core/roles.ts'
import { membershipsStayText, withoutEffectText } from './groupSync.ts'

/** `with a role`, if all groups have one today. */
export function haveText(groups: readonly GroupName[], roles: readonly PersonRole[]): string {
  const have = new Set(roles.flatMap(({ mappings }) => mappings.flatMap(({ group, before }) => (before === undefined ? [] : [group]))))
  if (groups.every((group) => have.has(group))) return 'with a role'
  return have.size === 0 ? 'that would get a role' : 'that have a role, or would get one'
}

/** Why the person does not have these roles, or keeps access after the plan, by the settings of group sync; empty if neither is so. */
export function effectText(roles: readonly PersonRole[], { groupSync, roles: order }: Pick<WorkspaceAbout, 'groupSync' | 'roles'>): string {
  if (roles.length === 0) return ''
  const never = withoutEffectText(groupSync)
  if (never !== '' || groupSync?.autoRemove !== false) return never
  return roles.some(({ before, after }) => takesAway(before, after, order)) ? membershipsStayText : ''
}

function takesAway(before: HighestRole, after: HighestRole, order: WorkspaceAbout['roles']): boolean {
  if (before === undefined || after === undefined) return before !== undefined
  return before.kind === 'role' && after.kind === 'role' && direction(before.role, after.role, order) === 'lower'
}
