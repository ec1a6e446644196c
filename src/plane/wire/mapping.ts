import {
  type GroupName,
  keyOf,
  type List,
  listOf,
  type Mapping,
  type MappingId,
  projectCharactersMax,
  projectIdentifier,
  type Role,
  type Target,
  type WorkspaceName,
} from '../../core/mapping.ts'
import { id, parse, textMax, UnexpectedBody, z } from './fields.ts'

const mappingRow = z.object({
  id,
  idp_group_name: z.string().max(textMax),
  role: z.string().max(textMax).nullable(),
  project: z.string().max(textMax).nullish(),
  all_projects: z.boolean().nullish(),
})

export function mappingFrom(row: unknown, workspace: WorkspaceName, list: List, at = ''): Mapping {
  const fields = parse(mappingRow, row, at)
  const group = fields.idp_group_name as GroupName
  const target = list === 'workspaceRoles' ? ({ kind: 'workspace' } as const) : projectTarget(fields, at)
  return {
    id: fields.id as MappingId,
    key: keyOf(workspace, target, group),
    group,
    target,
    role: (fields.role || null) as Role | null,
  }
}

function projectTarget({ project, all_projects }: z.infer<typeof mappingRow>, at: string): Target {
  if (all_projects === true) {
    if (project) throw new UnexpectedBody(`${at}.project: ${JSON.stringify(project)} beside all_projects`)
    return { kind: 'allProjects' }
  }
  if (!project) throw new UnexpectedBody(`${at}.project: missing, and all_projects is not true`)
  // Another text, such as the id of the project, would count as the identifier of another project.
  const { length } = Array.from(project)
  if (length > projectCharactersMax)
    throw new UnexpectedBody(
      `${at}.project: ${JSON.stringify(project.slice(0, 40))} has ${length} characters, and a project's identifier has at most ${projectCharactersMax}: it is an id or a name, and no identifier`,
    )
  // Only the group in a key may contain slashes. If the project contained one, the key could be that of another project and group.
  if (project.includes('/')) throw new UnexpectedBody(`${at}.project: ${JSON.stringify(project.slice(0, 40))} is no identifier`)
  return { kind: 'project', project: projectIdentifier(project) }
}

/** The body of a create. @throws {TypeError} if the target belongs to the other list */
export function newMappingBody(list: List, group: GroupName, target: Target, role: Role): object {
  if (listOf(target) !== list) throw new TypeError(`a mapping to ${target.kind} is not one of ${list}`)
  const common = { idp_group_name: group, role }
  switch (target.kind) {
    case 'workspace':
      return common
    case 'project':
      return { ...common, project: target.project, all_projects: false }
    case 'allProjects':
      return { ...common, all_projects: true }
    default:
      return target satisfies never
  }
}

/** The body of a patch has only the fields that change: Plane keeps the value of a field that is not sent. */
export const mappingPatchBody = (patch: { readonly group?: GroupName; readonly role?: Role }): object => ({
  ...(patch.group === undefined ? {} : { idp_group_name: patch.group }),
  ...(patch.role === undefined ? {} : { role: patch.role }),
})
