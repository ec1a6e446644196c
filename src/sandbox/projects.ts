import { userNamed } from './authentication.ts'
import type { Call, Methods, WorkspaceCall } from './call.ts'
import { drift, withoutHidden } from './drift.ts'
import { showList } from './pagination.ts'
import { rowFields, type Shape, showOne, timestamp, wholeRow } from './projection.ts'
import { detail, error, json, objectNotFound, type Reply } from './reply.ts'
import { type Page, type Project, type Sticky, type User, uuid, type WorkItem, type Workspace } from './state.ts'

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

const showUser = ({ id, name, email }: User) => ({ id, email, display_name: name, first_name: name, last_name: '' })

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

/** The roles that the documentation names. `member` of a project is in the specification's examples. */
export const roleDefaults = {
  workspace: ['owner', 'admin', 'member', 'guest'],
  project: ['admin', 'contributor', 'commenter', 'guest', 'member'],
}

/** `users/me/`: the cheapest way to try a key. */
export const me = ({ caller }: Call): Reply => json(200, showUser(caller.user))

const namespaces = ['project', 'workspace'] as const
type Role = { readonly slug: string; readonly namespace: (typeof namespaces)[number] }

const roleShape: Shape<Role> = {
  fields: { slug: ({ slug }) => slug, name: ({ slug }) => slug, namespace: ({ namespace }) => namespace },
}

/** `…/roles/?namespace=workspace|project`; without `namespace` the roles of both, project first. */
export const roles: Methods<WorkspaceCall> = {
  GET: {
    quirks: ['envelope', 'overlap'],
    run: (call) => {
      const slugs = call.workspace.roles ?? roleDefaults
      const asked = call.request.query.get('namespace')
      const shown = namespaces.filter((namespace) => asked === null || namespace === asked)
      if (shown.length === 0) return error(400, 'namespace must be workspace or project.')
      const rows = shown.flatMap((namespace) => slugs[namespace].map((slug) => ({ slug, namespace })))
      return showList(roleShape, rows, call, { form: 'envelope', perPage: call.dialect.rolesPerPage })
    },
  },
}

const stickyShape: Shape<Sticky> = {
  fields: rowFields<Sticky>({
    name: (row) => row.name,
    description_html: (row) => row.description_html,
    color: (row) => row.color,
    workspace: (_, { workspace }) => workspace.id,
    owner: (row, { state }) => userNamed(state, row.owner).id,
  }),
  relations: { owner: (row, { state }) => showUser(userNamed(state, row.owner)) },
}

const pageShape: Shape<Page> = {
  fields: rowFields<Page>({
    name: (row) => row.name,
    description: (row) => row.description,
    description_html: (row) => row.description_html,
    workspace: (_, { workspace }) => workspace.id,
    owned_by: (row, { state }) => userNamed(state, row.owned_by).id,
  }),
  relations: { owned_by: (row, { state }) => showUser(userNamed(state, row.owned_by)) },
}

/** `…/stickies/{resource_id}/`: only the owner sees a sticky. */
export const sticky: Methods<WorkspaceCall> = {
  GET: {
    scope: 'stickies:read',
    run: (call) => {
      const row = call.workspace.stickies.find(({ id, owner }) => id === call.params.id && owner === call.caller.user.name)
      if (row === undefined) return stickyNotFound(call)
      return call.dialect.stickyProjection === 'ignored' ? json(200, wholeRow(stickyShape, row, call)) : showOne(stickyShape, row, call)
    },
  },
}

function stickyNotFound({ params, dialect }: WorkspaceCall): Reply {
  if (dialect.stickyNotFound === 'error') return objectNotFound()
  return detail(404, uuid.test(params.id ?? '') ? 'No Sticky matches the given query.' : 'Not found.')
}

/** `…/pages/{page_id}/` */
export const page: Methods<WorkspaceCall> = {
  GET: {
    scope: 'wiki.pages:read',
    run: (call) => {
      const row = call.workspace.pages.find(({ id }) => id === call.params.id)
      return row === undefined ? objectNotFound() : showOne(pageShape, row, call)
    },
  },
}
