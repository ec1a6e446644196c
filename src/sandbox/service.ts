import { identify, nameOf } from './authentication.ts'
import type { Chance } from './chance.ts'
import type { Dialect, Gate } from './dialect.ts'
import type { Quirks } from './fault.ts'
import { pass, type Visit } from './gates.ts'
import { rateHeaders } from './rate-headers.ts'
import type { Reply } from './reply.ts'
import type { Request } from './request.ts'
import { findRoute, operationOf } from './routes.ts'
import { findWorkspace, type State } from './state.ts'
import type { Throttle } from './throttle-service.ts'

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
  const found = findRoute(request.path, dialect)
  const route = found.kind === 'route' ? found.route : undefined
  const visit: Visit = {
    request,
    dialect,
    found,
    identity: identify(state, request, nowMs),
    workspace: found.kind === 'route' ? findWorkspace(state, found.params.slug ?? '') : undefined,
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
  const { found, identity, workspace, request } = visit
  if (found.kind !== 'route') throw new Error(`${request.path} passed the gates without a route`)
  const { route, params } = found
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
