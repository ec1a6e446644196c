import { type Identity, identify, nameOf } from './authentication.ts'
import type { Operation } from './call.ts'
import type { Chance } from './chance.ts'
import type { Dialect, Gate } from './dialect.ts'
import type { Quirks } from './fault.ts'
import { detail, empty, error, json, noPermission, objectNotFound, type Reply } from './reply.ts'
import type { Request } from './request.ts'
import { findRoute, operationOf, type RouteMatch } from './routes.ts'
import { findWorkspace, type State, type Workspace } from './state.ts'
import { count, type Ruling, rateHeaders, type Throttle } from './throttle.ts'

/** The parts of the service. */
export type ServiceParts = {
  readonly state: State
  readonly dialect: Dialect
  readonly throttle: Throttle
  readonly chance: Chance
}

/**
 * Either the refusal of a gate, or the operation, which runs (and changes the state) when `commit` is called. `credential`: its name.
 * `remaining`: how many requests the limiter has left, if it counted this one.
 */
export type Admission = { readonly credential: string; readonly remaining: number | undefined } & (
  | { readonly refusal: Reply }
  | { readonly commit: (quirks: Quirks, nowMs: number) => Reply }
)

const openGates: readonly Gate[] = ['address', 'method']

/** Passes a request through the gates. It counts against the budget now, even if its operation runs later. */
export function admit(world: ServiceParts, request: Request, nowMs: number): Admission {
  const { state, dialect, throttle } = world
  const match = findRoute(request.path, dialect)
  const route = match.kind === 'route' ? match.route : undefined
  const visit: Visit = {
    request,
    dialect,
    match,
    identity: identify(state, request, nowMs),
    workspace: match.kind === 'route' ? findWorkspace(state, match.params.slug ?? '') : undefined,
    operation: route && operationOf(route, request.method),
    throttle,
    nowMs,
  }
  for (const gate of route?.kind === 'open' ? openGates : dialect.gates) {
    const refusal = pass(gate, visit)
    if (refusal !== undefined) return { ...told(visit), refusal: withRate(refusal, world, visit) }
  }
  return { ...told(visit), commit: (quirks, commitMs) => withRate(run(world, visit, quirks, commitMs), world, visit) }
}

const told = ({ identity, ruling }: Visit) => ({ credential: nameOf(identity), remaining: ruling?.remaining })

function run({ state, dialect, chance }: ServiceParts, visit: Visit, quirks: Quirks, nowMs: number): Reply {
  const { match, identity, workspace, request } = visit
  if (match.kind !== 'route') throw new Error(`${request.path} passed the gates without a route`)
  const { route, params } = match
  const method = request.method as keyof typeof route.methods
  const open = { request, params, state, dialect, chance, quirks, nowMs }
  if (route.kind === 'open') return route.methods[method]?.run(open) ?? unreachable(request)
  if (identity.is !== 'known') return unreachable(request)
  const call = { ...open, caller: identity.caller }
  if (route.kind === 'service') return route.methods[method]?.run(call) ?? unreachable(request)
  if (workspace === undefined) return unreachable(request)
  return route.methods[method]?.run({ ...call, workspace }) ?? unreachable(request)
}

function unreachable({ method, path }: Request): never {
  throw new Error(`${method} ${path} passed gates that should have stopped it`)
}

/** Adds Remaining and Reset, if the dialect shows them. A request without a valid credential gets the values of an unused window. */
function withRate(reply: Reply, { state, dialect, throttle }: ServiceParts, { ruling, identity, nowMs }: Visit): Reply {
  if (dialect.rateHeaders === 'counted' && (ruling === undefined || reply.status === 429)) return reply
  const limit = identity.is === 'known' ? identity.caller.limit : state.limit
  const untouched = { allowed: true, remaining: limit.requests, resetAtMs: nowMs + limit.windowMs }
  return { ...reply, headers: { ...reply.headers, ...rateHeaders({ ...throttle, limit }, ruling ?? untouched, nowMs) } }
}

/** One request on its way through the gates. The rate gate sets `ruling`. */
type Visit = {
  readonly request: Request
  readonly dialect: Dialect
  readonly match: RouteMatch
  readonly identity: Identity
  readonly workspace: Workspace | undefined
  readonly operation: Operation<never> | undefined
  readonly throttle: Throttle
  readonly nowMs: number
  ruling?: Ruling
}

/** The refusal of a gate; undefined if the request may go on. */
function pass(gate: Gate, visit: Visit): Reply | undefined {
  switch (gate) {
    case 'address':
      return address(visit)
    case 'accept':
      return accepts(visit.request) ? undefined : detail(406, 'Could not satisfy the request Accept header.')
    case 'credential':
      return credential(visit)
    case 'rate':
      return rate(visit)
    case 'rights':
      return rights(visit)
    case 'method':
      return visit.operation === undefined ? notAllowed(visit) : undefined
    default:
      return gate satisfies never
  }
}

function address({ match, request }: Visit): Reply | undefined {
  if (match.kind === 'route') return undefined
  if (match.kind === 'unknown') return error(404, 'Page not found.')
  const query = request.query.size === 0 ? '' : `?${request.query.toString()}`
  return empty(301, { Location: `${request.path}/${query}` })
}

function accepts({ headers }: Request): boolean {
  const ranges = (headers.accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase())
  return ranges.some((range) => range === '*/*' || range === 'application/*' || range === 'application/json')
}

function credential({ identity, dialect }: Visit): Reply | undefined {
  if (identity.is === 'known') return undefined
  if (identity.is === 'missing') return detail(401, 'Authentication credentials were not provided.')
  if (identity.by === 'token') return detail(401, 'Given access token is not valid')
  return detail(dialect.refusedKeyStatus, 'Given API token is not valid')
}

function rate(visit: Visit): Reply | undefined {
  const { identity, match, dialect, throttle, nowMs } = visit
  if (identity.is !== 'known') return undefined
  if (match.kind === 'route' && match.route.uncounted === 'stickies' && !dialect.stickiesCount) return undefined
  const { id, by, limit } = identity.caller
  if (by === 'token' && !dialect.tokensCount) {
    visit.ruling = { allowed: true, remaining: limit.requests, resetAtMs: nowMs + limit.windowMs }
    return undefined
  }
  visit.ruling = count(throttle, id, limit, nowMs)
  const { allowed, retryAfterS } = visit.ruling
  if (allowed) return undefined
  return throttled(dialect.throttledBody, dialect.retryAfter && throttle.published !== 'nothing' ? retryAfterS : undefined)
}

/** The answer 429, of the throttle or of a fault. */
export function throttled(body: Dialect['throttledBody'], retryAfterS: number | undefined): Reply {
  const headers = retryAfterS === undefined ? undefined : { 'Retry-After': String(retryAfterS) }
  if (body === 'code') return json(429, { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' }, headers)
  const wait = retryAfterS === undefined ? '' : ` Expected available in ${retryAfterS} second${retryAfterS === 1 ? '' : 's'}.`
  return detail(429, `Request was throttled.${wait}`, headers)
}

function rights({ match, identity, workspace, operation, dialect }: Visit): Reply | undefined {
  if (identity.is !== 'known' || match.kind !== 'route') return undefined
  const { caller } = identity
  if (match.route.kind === 'workspace') {
    const reached = workspace !== undefined && (caller.workspaces?.includes(match.params.slug ?? '') ?? true)
    if (!reached) return dialect.unknownWorkspaceStatus === 404 ? error(404, 'Workspace not found.') : noPermission()
    const admitted = match.route.admits?.(workspace, match.params, caller.user.name) ?? true
    if (!admitted) return dialect.unseenProjectStatus === 404 ? objectNotFound() : noPermission()
  }
  if (operation?.writes && caller.rights === 'read-only') return noPermission()
  const lacking = operation?.scope !== undefined && caller.scopes !== undefined && !caller.scopes.includes(operation.scope)
  return lacking ? detail(403, `The token lacks the scope ${operation.scope}.`) : undefined
}

function notAllowed({ request, match }: Visit): Reply {
  const allowed = match.kind === 'route' ? Object.keys(match.route.methods).join(', ') : ''
  return detail(405, `Method "${request.method}" not allowed.`, { Allow: allowed })
}
