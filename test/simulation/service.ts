import { chanceFrom } from '../../src/sandbox/chance.ts'
import { speak } from '../../src/sandbox/dialect.ts'
import type { Quirks } from '../../src/sandbox/fault.ts'
import { encode, type Reply } from '../../src/sandbox/reply.ts'
import type { Request as ServiceRequest } from '../../src/sandbox/request.ts'
import { type Admission, admit, type ServiceParts } from '../../src/sandbox/service.ts'
import type { Project, ProjectMapping, State, WorkspaceMapping } from '../../src/sandbox/state.ts'
import { key, nextKey, windowMs } from './given.ts'
import { type Holding, simulatedProjects } from './projects.ts'
import type { Lacking, ProjectChange, Row, Spec } from './spec.ts'

/** The service of one world: operations and limiters of the sandbox, without its sockets. */
export type Service = {
  readonly state: State
  readonly limit: { requests: number; windowMs: number }
  /** Counts the request, and returns its execution, which may run later. */
  readonly admit: (request: ServiceRequest, nowMs: number) => Admission
  readonly reply: (
    reply: Reply,
    nowMs: number,
  ) => { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  readonly rows: (workspace: string) => StoredRow[]
  /** The rows as they were at that time. */
  readonly rowsAt: (workspace: string, atMs: number) => StoredRow[]
  /** Which project had which identifier, and when. */
  readonly holdings: (workspace: string) => readonly Holding[]
  readonly changeProject: (workspace: string, change: ProjectChange, nowMs: number) => void
  readonly quirks: (list: boolean, drift: 'grow' | 'shrink' | undefined, lacking?: Pick<Lacking, 'share' | 'which'>) => Quirks
  readonly edit: (workspace: string, does: 'add' | 'set' | 'drop', row: Row, nowMs: number) => void
  readonly forgetLogs: () => void
  /** Call after rows changed: lists that lag still show the state before. */
  readonly changed: (workspace: string, nowMs: number) => void
  /** Runs `work` with the projects and mappings of one workspace as they were at that time. */
  readonly asOf: <T>(workspace: string, atMs: number, work: () => T) => T
  /** Runs `work` with only the first mappings of each list. @param share the share of its mappings */
  readonly cutTo: <T>(workspace: string, share: number, work: () => T) => T
}
/** `project`: the id of its project, if its target is one project. */
export type StoredRow = Row & { readonly id: string; readonly project: string | undefined }

export function simulatedService(spec: Spec, nowMs: number): Service {
  const chance = chanceFrom(spec.seed ^ 0x5eed)
  const limit = { requests: spec.serviceLimit, windowMs }
  const stamp = () => ({ id: chance.uuid(), created_at: nowMs, updated_at: nowMs })
  const projectRow = ({ group, at, role }: Row): ProjectMapping => ({
    ...stamp(),
    idp_group_name: group,
    project: at === '*' ? null : at,
    all_projects: at === '*',
    role,
  })
  const workspaceRow = ({ group, role }: Row): WorkspaceMapping => ({ ...stamp(), idp_group_name: group, role })
  const projectNamed = (identifier: string): Project => ({
    ...stamp(),
    identifier,
    name: identifier,
    network: 2,
    archived_at: null,
    project_lead: null,
    states: [],
    workItems: [],
  })
  const state: State = {
    limit,
    users: [{ id: chance.uuid(), name: 'admin', email: 'admin@example.com', utcOffsetMinutes: 120 }],
    keys: [key, nextKey].map((value) => ({ value, owner: 'admin', rights: 'admin', enabled: true })),
    applications: [],
    tokens: [],
    workspaces: Object.fromEntries(
      Object.entries(spec.rows).map(([name, rows]) => [
        name,
        {
          id: name,
          projects: spec.projects.map(projectNamed),
          projectMappings: rows.filter(({ at }) => at !== 'workspace').map(projectRow),
          workspaceMappings: rows.filter(({ at }) => at === 'workspace').map(workspaceRow),
          stickies: [],
          pages: [],
        },
      ]),
    ),
  }
  const projects = new Map(Object.entries(state.workspaces).map(([name, one]) => [name, simulatedProjects(one, projectNamed, nowMs)]))
  const history = new Map<string, Past[]>()
  const pastOf = (name: string): Past[] => {
    const past = history.get(name) ?? []
    history.set(name, past)
    return past
  }
  const copies = (name: string): Rows | undefined => {
    const found = state.workspaces[name]
    return (
      found && {
        projects: found.projects.map((row) => ({ ...row })),
        projectMappings: found.projectMappings.map((row) => ({ ...row })),
        workspaceMappings: found.workspaceMappings.map((row) => ({ ...row })),
      }
    )
  }
  function changed(name: string, atMs: number): void {
    projects.get(name)?.adopt()
    const rows = copies(name)
    if (rows !== undefined) pastOf(name).push({ fromMs: atMs, rows })
  }
  for (const name of Object.keys(spec.rows)) changed(name, nowMs)
  function asOf<T>(name: string, atMs: number, work: () => T): T {
    const found = state.workspaces[name]
    const past = pastOf(name).findLast(({ fromMs }) => fromMs <= atMs)
    if (found === undefined || past === undefined) return work()
    return having(found, past.rows, work)
  }
  function cutTo<T>(name: string, share: number, work: () => T): T {
    const found = state.workspaces[name]
    if (found === undefined) return work()
    const cut = <Row>(rows: readonly Row[]) => rows.slice(0, Math.floor(rows.length * share))
    const { projectMappings, workspaceMappings } = found
    return having(found, { projectMappings: cut(projectMappings), workspaceMappings: cut(workspaceMappings) }, work)
  }
  const throttle = { limiter: spec.limiter, published: spec.published, fields: spec.rateFields, memories: new Map() }
  const world: ServiceParts = { state, dialect: speak(spec.dialect), throttle, chance }

  function edit(workspace: string, does: 'add' | 'set' | 'drop', row: Row, atMs: number): void {
    const found = state.workspaces[workspace]
    if (found === undefined) return
    const list: (WorkspaceMapping & Partial<ProjectMapping>)[] = row.at === 'workspace' ? found.workspaceMappings : found.projectMappings
    const index = list.findIndex((one) => one.idp_group_name === row.group && atOf(one) === row.at)
    const isThere = row.at === 'workspace' || row.at === '*' || found.projects.some(({ identifier }) => identifier === row.at)
    if (does === 'add' && index < 0 && isThere) list.push(row.at === 'workspace' ? workspaceRow(row) : projectRow(row))
    const one = list[index]
    if (one === undefined) return changed(workspace, atMs)
    if (does === 'drop') list.splice(index, 1)
    if (does === 'set') Object.assign(one, { role: row.role, updated_at: atMs })
    changed(workspace, atMs)
  }

  function rows(workspace: string): StoredRow[] {
    const found = state.workspaces[workspace]
    if (found === undefined) return []
    const all: (WorkspaceMapping & Partial<ProjectMapping>)[] = [...found.workspaceMappings, ...found.projectMappings]
    const project = (id: string) => projects.get(workspace)?.projectOf(id)
    return all.map((one) => ({ id: one.id, group: one.idp_group_name, at: atOf(one), role: one.role ?? '', project: project(one.id) }))
  }

  return {
    state,
    limit,
    admit: (request, atMs) => admit(world, request, atMs),
    reply(reply, atMs) {
      const { bytes, headers } = encode(reply)
      const date = spec.dates ? { date: new Date(atMs).toUTCString() } : {}
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      return { status: reply.status, headers: { ...lower, ...date }, body: bytes.toString('utf8') }
    },
    rows,
    rowsAt: (workspace, atMs) => asOf(workspace, Math.max(atMs, nowMs), () => rows(workspace)),
    holdings: (workspace) => projects.get(workspace)?.holdings ?? [],
    changeProject(workspace, change, atMs) {
      projects.get(workspace)?.apply(change, atMs)
      changed(workspace, atMs)
    },
    quirks: (list, drift, lacking) => ({
      ...(lacking === undefined ? {} : { lacking: { kind: 'lacking', ...lacking } }),
      ...(spec.duplicates === undefined ? {} : { duplicates: { kind: 'duplicates', status: spec.duplicates } }),
      ...(spec.echo ? { roleEchoed: { kind: 'roleEchoed', sent: 'member', echoed: 'contributor' } } : {}),
      ...(list && spec.perPage !== undefined ? { envelope: { kind: 'envelope', perPage: spec.perPage } } : {}),
      ...(list && drift !== undefined ? { drift: { kind: 'drift', by: drift } } : {}),
    }),
    edit,
    changed,
    asOf,
    cutTo,
    forgetLogs: () => throttle.memories.clear(),
  }
}

type Workspace = State['workspaces'][string]
type Rows = Pick<Workspace, 'projects' | 'projectMappings' | 'workspaceMappings'>
type Past = { readonly fromMs: number; readonly rows: Rows }

function having<T>(found: Workspace, rows: Partial<Rows>, work: () => T): T {
  const { projects, projectMappings, workspaceMappings } = found
  Object.assign(found, rows)
  try {
    return work()
  } finally {
    Object.assign(found, { projects, projectMappings, workspaceMappings })
  }
}

const atOf = (row: WorkspaceMapping & Partial<ProjectMapping>): string =>
  row.all_projects === undefined ? 'workspace' : row.all_projects ? '*' : (row.project ?? '')
