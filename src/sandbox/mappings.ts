import { readBody, type Sent } from './body.ts'
import type { Methods, WorkspaceCall } from './call.ts'
import { drift, withoutHidden } from './drift.ts'
import { showList } from './pagination.ts'
import { rowFields, type Shape, showOne } from './projection.ts'
import { empty, error, json, objectNotFound, type Reply } from './reply.ts'
import type { ProjectMapping, WorkspaceMapping } from './state.ts'

const fields = {
  project: {
    idp_group_name: { type: 'text', charactersMax: 255 },
    project: { type: 'text', charactersMax: 12, nullable: true },
    all_projects: { type: 'boolean' },
    role: { type: 'text', charactersMax: 255 },
  },
  workspace: {
    idp_group_name: { type: 'text', charactersMax: 255 },
    role: { type: 'text', charactersMax: 255 },
  },
} as const

type Kind = 'project' | 'workspace'
/** Both kinds have one type: a workspace mapping is one without a project. */
type Mapping = WorkspaceMapping & Partial<Pick<ProjectMapping, 'project' | 'all_projects'>>

const shapes: Readonly<Record<Kind, Shape<Mapping>>> = {
  project: {
    fields: rowFields<Mapping>({
      idp_group_name: (row) => row.idp_group_name,
      project: (row) => row.project,
      all_projects: (row) => row.all_projects,
      role: (row) => row.role,
    }),
  },
  workspace: { fields: rowFields<Mapping>({ idp_group_name: (row) => row.idp_group_name, role: (row) => row.role }) },
}

const scope = { read: 'workspaces.group_sync:read', write: 'workspaces.group_sync:write' }

/** `…/group-sync/{project,workspace}-mappings/`: the list is a bare array. */
export const mappingRows = (kind: Kind): Methods<WorkspaceCall> => ({
  GET: { scope: scope.read, quirks: ['envelope', 'drift', 'overlap', 'lacking'], run: (call) => list(kind, call) },
  POST: { scope: scope.write, writes: true, quirks: ['roleEchoed', 'duplicates'], run: (call) => create(kind, call) },
})

/** `…/group-sync/{project,workspace}-mappings/{mapping_id}/` */
export const mappingRow = (kind: Kind): Methods<WorkspaceCall> => ({
  GET: { scope: scope.read, run: (call) => withRow(kind, call, (row) => showOne(shapes[kind], row, call)) },
  PATCH: {
    scope: scope.write,
    writes: true,
    quirks: ['roleEchoed', 'duplicates'],
    run: (call) => withRow(kind, call, (row) => update(kind, row, call)),
  },
  DELETE: { scope: scope.write, writes: true, run: (call) => withRow(kind, call, (row) => remove(kind, row, call)) },
})

// The workspace's mappings of one kind. A row of kind `project` always has its project fields: create sets them, update keeps them.
const rowsOf = (kind: Kind, { workspace }: WorkspaceCall): Mapping[] =>
  kind === 'project' ? workspace.projectMappings : workspace.workspaceMappings

function list(kind: Kind, call: WorkspaceCall): Reply {
  const rows = rowsOf(kind, call)
  const reply = showList(shapes[kind], withoutHidden(rows, call), call, { form: 'array' })
  drift(call, rows, (row, id) => ({
    ...row,
    id,
    idp_group_name: `${Array.from(row.idp_group_name).slice(0, 240).join('')}-${id.slice(0, 8)}`,
  }))
  return reply
}

function create(kind: Kind, call: WorkspaceCall): Reply {
  const read = readBody(call, fields[kind], ['idp_group_name', 'role'])
  if ('refusal' in read) return read.refusal
  const sent: Sent<typeof fields.project> = read.sent
  const blank = kind === 'project' ? { project: null, all_projects: false } : {}
  const row = {
    id: call.chance.uuid(),
    idp_group_name: '',
    ...blank,
    role: '',
    created_at: call.nowMs,
    updated_at: call.nowMs,
    ...normal(sent, call),
  }
  const refusal = judge(kind, row, call) ?? full(call)
  if (refusal !== undefined) return refusal
  rowsOf(kind, call).push(row)
  return showOne(shapes[kind], row, call, 201)
}

function update(kind: Kind, row: Mapping, call: WorkspaceCall): Reply {
  const read = readBody(call, fields[kind], [])
  if ('refusal' in read) return read.refusal
  const changed = { ...row, ...normal(read.sent, call), updated_at: call.nowMs }
  const refusal = judge(kind, changed, call)
  if (refusal !== undefined) return refusal
  Object.assign(row, changed)
  return showOne(shapes[kind], row, call)
}

function remove(kind: Kind, row: Mapping, call: WorkspaceCall): Reply {
  const rows = rowsOf(kind, call)
  rows.splice(rows.indexOf(row), 1)
  return empty(204)
}

function withRow(kind: Kind, call: WorkspaceCall, run: (row: Mapping) => Reply): Reply {
  const row = rowsOf(kind, call).find(({ id }) => id === call.params.id)
  return row === undefined ? objectNotFound() : run(row)
}

/** The values to store, which may differ from those that were sent: identifiers are upper-cased, and a fault may rename a role. */
function normal(sent: Sent<typeof fields.project>, { quirks }: WorkspaceCall): Sent<typeof fields.project> {
  const { role, project } = sent
  return {
    ...sent,
    ...(typeof project === 'string' && { project: project.toUpperCase() }),
    ...(role !== undefined && role === quirks.roleEchoed?.sent && { role: quirks.roleEchoed.echoed }),
  }
}

/** So many mappings can be made, in all workspaces together: the sandbox keeps them in memory. A state file may have more. */
const mappingsMax = 100_000

function full({ state }: WorkspaceCall): Reply | undefined {
  const spaces = Object.values(state.workspaces)
  const count = spaces.reduce((sum, { projectMappings, workspaceMappings }) => sum + projectMappings.length + workspaceMappings.length, 0)
  return count < mappingsMax ? undefined : error(507, `The sandbox has ${mappingsMax} mappings, and makes no more.`)
}

/** Checks a whole mapping before it is created or changed. Returns the refusal, if there is one. */
function judge(kind: Kind, row: Mapping, call: WorkspaceCall): Reply | undefined {
  const { workspace, quirks } = call
  const known = workspace.roles?.[kind]
  if (known !== undefined && row.role !== null && !known.includes(row.role))
    return json(400, { role: [`"${row.role}" is not a role of this ${kind}.`] })
  if (kind === 'project') {
    if (row.all_projects && row.project !== null) return error(400, 'project and all_projects are mutually exclusive.')
    if (!row.all_projects && row.project === null) return error(400, 'Either project or all_projects is required.')
    const exists = row.all_projects || workspace.projects.some(({ identifier }) => identifier === row.project)
    if (!exists) return json(400, { project: [`Project with identifier "${row.project}" does not exist in this workspace.`] })
  }
  if (quirks.duplicates === undefined) return undefined
  const isAlike = (mapping: Mapping) => mapping.idp_group_name === row.idp_group_name && mapping.project === row.project
  const taken = rowsOf(kind, call).some((mapping) => mapping.id !== row.id && isAlike(mapping))
  return taken ? error(quirks.duplicates.status, 'A mapping for this group already exists.') : undefined
}
