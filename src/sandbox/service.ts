import { identify } from './authentication.ts'
import type { Operation, Request } from './call.ts'
import type { Chance } from './chance.ts'
import type { Dialect } from './dialect.ts'
import type { Quirks } from './fault.ts'
import { type Gate, pass, type Visit } from './gates.ts'
import type { Reply } from './reply.ts'
import { findRoute } from './routes.ts'
import { findWorkspace, type State } from './state.ts'
import type { Limiter } from './throttle.ts'

/** What the service is made of; `logs` holds, for each credential, when its counted requests arrived. */
export type World = {
  readonly state: State
  readonly dialect: Dialect
  readonly limiter: Limiter
  readonly logs: Map<string, number[]>
  readonly chance: Chance
}

/** Either an answer that was decided at the gates, or the operation, which runs (and changes the state) when it is called. */
export type Admission = { readonly refusal: Reply } | { readonly commit: (quirks: Quirks, nowMs: number) => Reply }

const openGates: readonly Gate[] = ['address', 'method']

/** Takes a request in: it counts against the budget now, whenever its operation runs. */
export function admit(world: World, request: Request, nowMs: number): Admission {
  const { state, dialect, limiter, logs } = world
  const found = findRoute(request.path, dialect)
  const route = found.is === 'route' ? found.route : undefined
  const methods: Readonly<Record<string, Operation<never>>> = route?.methods ?? {}
  const visit: Visit = {
    request,
    dialect,
    found,
    identity: identify(state, request, nowMs),
    workspace: found.is === 'route' ? findWorkspace(state, found.params.slug ?? '') : undefined,
    operation: Object.hasOwn(methods, request.method) ? methods[request.method] : undefined,
    limiter,
    logs,
    limit: state.limit,
    nowMs,
  }
  for (const gate of route?.kind === 'open' ? openGates : dialect.gates) {
    const refusal = pass(gate, visit)
    if (refusal !== undefined) return { refusal: withRate(refusal, visit) }
  }
  return { commit: (quirks, commitMs) => withRate(run(world, visit, quirks, commitMs), visit) }
}

function run({ state, dialect, chance }: World, visit: Visit, quirks: Quirks, nowMs: number): Reply {
  const { found, identity, workspace, request } = visit
  if (found.is !== 'route') throw new Error(`${request.path} passed the gates without a route`)
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

/** Remaining and Reset, where the dialect shows them. A request without a good credential is shown a window that is untouched. */
function withRate(reply: Reply, { ruling, dialect, nowMs, limiter, limit }: Visit): Reply {
  if (dialect.rateHeaders === 'counted' && (ruling === undefined || reply.status === 429)) return reply
  const { remaining, resetAtMs } = ruling ?? { remaining: limit.requests, resetAtMs: nowMs + limit.windowMs }
  const reset = limiter === 'sliding-log' ? Math.floor(resetAtMs / 1000) : Math.ceil(resetAtMs / 1000)
  return { ...reply, headers: { ...reply.headers, 'X-RateLimit-Remaining': String(remaining), 'X-RateLimit-Reset': String(reset) } }
}
