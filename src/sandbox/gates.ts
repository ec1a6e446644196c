import type { Identity } from './authentication.ts'
import type { Operation } from './call.ts'
import type { Dialect, Gate } from './dialect.ts'
import { detail, empty, error, json, noPermission, objectNotFound, type Reply } from './reply.ts'
import type { Request } from './request.ts'
import type { RouteMatch } from './routes.ts'
import type { Workspace } from './state.ts'
import type { Ruling } from './throttle.ts'
import { count, type Throttle } from './throttle-service.ts'

/** One request on its way through the gates. The rate gate sets `ruling`. */
export type Visit = {
  readonly request: Request
  readonly dialect: Dialect
  readonly found: RouteMatch
  readonly identity: Identity
  readonly workspace: Workspace | undefined
  readonly operation: Operation<never> | undefined
  readonly throttle: Throttle
  readonly nowMs: number
  ruling?: Ruling
}

/** The refusal of a gate; undefined if the request may go on. */
export function pass(gate: Gate, visit: Visit): Reply | undefined {
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

function address({ found, request }: Visit): Reply | undefined {
  if (found.kind === 'route') return undefined
  if (found.kind === 'unknown') return error(404, 'Page not found.')
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
  const { identity, found, dialect, throttle, nowMs } = visit
  if (identity.is !== 'known') return undefined
  if (found.kind === 'route' && found.route.uncounted === 'stickies' && !dialect.stickiesCount) return undefined
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

function rights({ found, identity, workspace, operation, dialect }: Visit): Reply | undefined {
  if (identity.is !== 'known' || found.kind !== 'route') return undefined
  const { caller } = identity
  if (found.route.kind === 'workspace') {
    const reached = workspace !== undefined && (caller.workspaces?.includes(found.params.slug ?? '') ?? true)
    if (!reached) return dialect.unknownWorkspaceStatus === 404 ? error(404, 'Workspace not found.') : noPermission()
    const admitted = found.route.admits?.(workspace, found.params, caller.user.name) ?? true
    if (!admitted) return dialect.unseenProjectStatus === 404 ? objectNotFound() : noPermission()
  }
  if (operation?.writes && caller.rights === 'read-only') return noPermission()
  const lacking = operation?.scope !== undefined && caller.scopes !== undefined && !caller.scopes.includes(operation.scope)
  return lacking ? detail(403, `The token lacks the scope ${operation.scope}.`) : undefined
}

function notAllowed({ request, found }: Visit): Reply {
  const allowed = found.kind === 'route' ? Object.keys(found.route.methods).join(', ') : ''
  return detail(405, `Method "${request.method}" not allowed.`, { Allow: allowed })
}
