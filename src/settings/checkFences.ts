import { didYouMean } from '../core/nearest.ts'
import { firstNames } from '../core/quantity.ts'
import { knownRoles, unknownRole, unknownRoleCure } from '../core/roles.ts'
import type { AddProblem } from '../yaml/document.ts'
import type { Settings } from './schema.ts'

/** Fences that name a workspace or a role which the settings do not have, and fences without a key inside. */
export function checkFences({ fences = {}, workspaces, roles }: Settings, at: AddProblem): void {
  const known = knownRoles(roles)
  const isKnown = new Set(known)
  const names = Object.keys(workspaces)
  for (const [path, fence] of Object.entries(fences)) {
    if (fence === 'everything') continue
    const base = ['fences', path]
    const { workspace, workspaceRoles, projectRoles, demand } = fence
    if (!Object.hasOwn(workspaces, workspace)) {
      const cure = () => `${didYouMean(workspace, names)}name one of: ${firstNames(names)}`
      at([...base, 'workspace'], `the settings name no workspace "${workspace}"`, cure)
    }
    if (workspaceRoles === undefined && projectRoles === undefined)
      at(base, 'nothing is inside this fence', 'add `projectRoles` or `workspaceRoles`', 'key')
    if (projectRoles !== undefined && projectRoles.projects.length === 0 && !projectRoles.allProjects)
      at([...base, 'projectRoles'], 'no project is inside this fence', 'add `projects`', 'key')
    for (const [list, inside] of Object.entries({ workspaceRoles, projectRoles }))
      for (const [index, role] of (inside?.roles ?? []).entries())
        if (!isKnown.has(role)) at([...base, list, 'roles', index], unknownRole(role), () => unknownRoleCure(role, known))
    for (const role of Object.keys(demand.expires))
      if (!isKnown.has(role)) at([...base, 'demand', 'expires', role], unknownRole(role), () => unknownRoleCure(role, known), 'key')
  }
}
