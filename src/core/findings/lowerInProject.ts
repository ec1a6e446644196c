import type { Desired, DesiredRole } from '../desired.ts'
import type { Finding } from '../finding.ts'
import type { GroupName } from '../mapping.ts'
import { counted, listedFirst } from '../quantity.ts'
import { type RoleSettings, rankOf } from '../roles.ts'
import { comparePositions, lineText, positionText } from '../rule.ts'

const shownMax = 10

/** A declared role in one project, and that of the same group in all projects. */
type Lower = { readonly own: DesiredRole; readonly general: DesiredRole }

/**
 * A finding about declared roles in a project that give no more than the declared role of the same group in all projects. In a project the higher role
 * decides, so the role in the project narrows nothing. Roles that `roles.order` lacks are not compared.
 */
export function lowerInProjectFindings({ mappings }: Pick<Desired, 'mappings'>, roles: RoleSettings): readonly Finding[] {
  const general = new Map<GroupName, DesiredRole>()
  for (const one of mappings.values()) if (one.kind === 'role' && one.target.kind === 'allProjects') general.set(one.group, one)
  if (general.size === 0) return []
  const lower: Lower[] = []
  for (const own of mappings.values()) {
    const wider = own.kind === 'role' && own.target.kind === 'project' ? general.get(own.group) : undefined
    if (own.kind === 'role' && wider !== undefined && isNoMore(own, wider, roles)) lower.push({ own, general: wider })
  }
  const sorted = lower.toSorted((a, b) => comparePositions(a.own.because.at, b.own.because.at))
  const [first] = sorted
  if (first === undefined) return []
  const shown = sorted.slice(0, shownMax).map(rowText)
  return [
    {
      code: 'lower-in-project',
      severity: 'info',
      place: positionText(first.own.because.at),
      sentence: `${counted(sorted.length, 'role')} in a project ${sorted.length === 1 ? 'gives' : 'give'} no more than the role of the same group in all projects: ${listedFirst(shown, sorted.length)}`,
      cure: 'in a project the higher of the two roles decides: remove the lower one, or declare the projects one by one instead of allProjects',
    },
  ]
}

function isNoMore({ role }: DesiredRole, { role: wider }: DesiredRole, roles: RoleSettings): boolean {
  const [own, general] = [rankOf(role, roles), rankOf(wider, roles)]
  return own >= 0 && own <= general
}

const rowText = ({ own, general }: Lower): string => {
  const project = own.target.kind === 'project' ? own.target.project : ''
  return `${own.group} is ${own.role} in ${project}, and ${general.role} in all projects by ${lineText(general.because.at)}`
}
