import type { Call, Methods, OpenCall, Operation, WorkspaceCall } from './call.ts'
import { groupSyncConfig } from './config.ts'
import type { Dialect } from './dialect.ts'
import type { Reachable } from './fault.ts'
import { mappingRow, mappingRows } from './mappings.ts'
import { issueToken } from './oauth.ts'
import { admitsMember, me, page, projects, roles, sticky, workItems } from './projects.ts'
import { uuid, type Workspace } from './state.ts'

type Extras = {
  readonly uncounted?: 'stickies'
  /** The identifier in the address is one of a project. */
  readonly ofProject?: true
  /** Whether a person may use the address, in addition to the rights in the workspace. */
  readonly admits?: (workspace: Workspace, params: Readonly<Record<string, string>>, userName: string) => boolean
}

/** An address with its operations. `open` needs no credential. */
type Route = { readonly address: string } & Extras &
  (
    | { readonly kind: 'workspace'; readonly methods: Methods<WorkspaceCall> }
    | { readonly kind: 'service'; readonly methods: Methods<Call> }
    | { readonly kind: 'open'; readonly methods: Methods<OpenCall> }
  )

const workspace = (address: string, methods: Methods<WorkspaceCall>, extras: Extras = {}): Route => ({
  address: `/api/v1/workspaces/:slug/${address}`,
  kind: 'workspace',
  methods,
  ...extras,
})

/** Every address of the service. */
const routes: readonly Route[] = [
  { address: '/auth/o/token/', kind: 'open', methods: { POST: { run: issueToken } } },
  { address: '/api/v1/users/me/', kind: 'service', methods: { GET: { run: me } } },
  workspace('group-sync/config/', groupSyncConfig),
  workspace('group-sync/project-mappings/', mappingRows('project')),
  workspace('group-sync/project-mappings/:id/', mappingRow('project')),
  workspace('group-sync/workspace-mappings/', mappingRows('workspace')),
  workspace('group-sync/workspace-mappings/:id/', mappingRow('workspace')),
  workspace('projects/', projects),
  workspace('projects/:id/work-items/', workItems, { admits: admitsMember, ofProject: true }),
  workspace('roles/', roles),
  workspace('stickies/:id/', sticky, { uncounted: 'stickies' }),
  workspace('pages/:id/', page),
]

/** Every operation with its address. */
export const operations: readonly Reachable[] = routes.flatMap(({ address, methods }) =>
  Object.entries<Operation<never>>(methods).map(([method, { quirks = [] }]) => ({ method, address, quirks })),
)

/** The operation of an address; undefined if the address has no such method. */
export function operationOf({ methods }: Route, method: string): Operation<never> | undefined {
  const byMethod: Readonly<Record<string, Operation<never>>> = methods
  return Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
}

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'slashMissing' }
  | { readonly kind: 'unknown' }

export function findRoute(path: string, dialect: Pick<Dialect, 'slashless' | 'malformedProjectId'>): RouteMatch {
  const { slashless } = dialect
  const exact = match(path, dialect)
  if (exact !== undefined) return exact
  const slashed = match(`${path}/`, dialect)
  if (slashed === undefined) return { kind: 'unknown' }
  if (slashless === 'redirect') return { kind: 'slashMissing' }
  return path.endsWith('/work-items') ? slashed : { kind: 'unknown' }
}

function match(path: string, { malformedProjectId }: Pick<Dialect, 'malformedProjectId'>): RouteMatch | undefined {
  const segments = path.split('/')
  for (const route of routes) {
    const params = bind(route.address.split('/'), segments)
    if (params === undefined) continue
    const isMalformed = route.ofProject === true && !uuid.test(params.id ?? '')
    if (!isMalformed || malformedProjectId === 'unknown object') return { kind: 'route', route, params }
  }
  return undefined
}

function bind(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== segment) return undefined
      continue
    }
    const value = decoded(segment)
    if (value === undefined || value === '') return undefined
    params[part.slice(1)] = value
  }
  return params
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined // a broken percent sequence is an address that does not exist
  }
}
