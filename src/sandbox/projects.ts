import { userNamed } from './authentication.ts'
import type { Call, Methods, WorkspaceCall } from './call.ts'
import { drift, withoutHidden } from './drift.ts'
import { showList } from './pagination.ts'
import { showUser } from './people.ts'
import { rowFields, type Shape, timestamp } from './projection.ts'
import { objectNotFound, type Reply } from './reply.ts'
import type { Project, WorkItem, Workspace } from './state.ts'

const user = (name: string | null, { state }: Call) => (name === null ? null : userNamed(state, name))

const projectShape: Shape<Project> = {
  fields: rowFields<Project>({
    identifier: (row) => row.identifier,
    name: (row) => row.name,
    network: (row) => row.network,
    workspace: (_, { workspace }) => workspace.id,
    project_lead: (row, call) => user(row.project_lead, call)?.id ?? null,
    archived_at: (row, call) => timestamp(row.archived_at, call),
  }),
  relations: {
    project_lead: (row, call) => {
      const lead = user(row.project_lead, call)
      return lead === null ? null : showUser(lead)
    },
  },
}

/** `…/projects/`: public projects, and those with the caller as a member; archived ones included. */
export const projects: Methods<WorkspaceCall> = {
  GET: {
    scope: 'projects:read',
    quirks: ['envelope', 'drift', 'overlap', 'lacking'],
    run: (call) => {
      const { workspace, caller } = call
      const seen = workspace.projects.filter((project) => project.network === 2 || isMember(project, caller.user.name))
      const reply = showList(projectShape, withoutHidden(seen, call), call, { form: 'envelope', orders: true })
      drift(call, workspace.projects, (row, id) => ({ ...row, id, identifier: id.slice(0, 8).toUpperCase() }))
      const isThere = (project: string | null) => project === null || workspace.projects.some(({ identifier }) => identifier === project)
      // The mappings of a deleted project go with it.
      if (call.quirks.drift?.by === 'shrink') workspace.projectMappings = workspace.projectMappings.filter((row) => isThere(row.project))
      return reply
    },
  },
}

/** `…/projects/{project_id}/work-items/`: for members only. */
export const workItems: Methods<WorkspaceCall> = {
  GET: { scope: 'projects:read', quirks: ['envelope', 'drift', 'overlap', 'lacking'], run: listWorkItems },
}

/** Whether a person may see the work items of a project. False if the project does not exist. */
export function admitsMember({ projects }: Workspace, params: Readonly<Record<string, string>>, userName: string): boolean {
  const project = projects.find(({ id }) => id === params.id)
  return project !== undefined && isMember(project, userName)
}

const isMember = (project: Project, name: string) => project.members?.includes(name) ?? true

function listWorkItems(call: WorkspaceCall): Reply {
  const { workspace, params } = call
  const project = workspace.projects.find(({ id }) => id === params.id)
  if (project === undefined) return objectNotFound()
  const reply = showList(workItemShape(project), withoutHidden(project.workItems, call), call, { form: 'envelope', orders: true })
  drift(call, project.workItems, (row, id) => ({ ...row, id }))
  return reply
}

function workItemShape(project: Project): Shape<WorkItem> {
  const state = ({ state }: WorkItem) => project.states.find(({ name }) => name === state) ?? null
  return {
    fields: rowFields<WorkItem>({
      sequence_id: (row) => row.sequence_id,
      name: (row) => row.name,
      priority: (row) => row.priority,
      state: (row) => state(row)?.id ?? null,
      assignees: (row, call) => row.assignees.map((name) => user(name, call)?.id),
      project: () => project.id,
      workspace: (_, { workspace }) => workspace.id,
    }),
    relations: {
      state,
      assignees: (row, call) => row.assignees.map((name) => showUser(userNamed(call.state, name))),
      project: () => ({ id: project.id, identifier: project.identifier, name: project.name }),
    },
  }
}
