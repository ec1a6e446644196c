import type { Origin, OriginOptions, Request } from '../../src/http/origin.ts'
import type { Admission } from '../../src/sandbox/service.ts'
import type { Chance } from './chance.ts'
import { type Flight, openFlight, type Sent } from './flight.ts'
import { key } from './given.ts'
import type { Service } from './service.ts'
import type { Fate, Lacking, Spec, Trap } from './spec.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

/** The network between processes and the service: which requests arrive, when, and their fate. */
export type Network = {
  /** @param process the number of the process, for the trace */
  readonly origin: (process: number, url: URL, options: OriginOptions, clock: ClockOf) => Origin
  /** A call of another program with the same key. */
  readonly foreign: () => void
  /** From now on there are no faults. */
  readonly calm: () => void
  /** How often each kind of fate happened. */
  readonly fates: ReadonlyMap<string, number>
}
/** The clock of a process, and the true length of one of its durations. */
export type ClockOf = { readonly now: () => number; readonly trueMs: (ms: number) => number }

export type Surroundings = {
  readonly spec: Spec
  readonly service: Service
  readonly time: Time
  readonly chance: Chance
  readonly trace: (event: Happened) => void
  readonly onTrap: (trap: Trap, process: number) => void
}

/** How long the service does not answer while its worker is replaced (measured: about 3 s). */
const silenceMs = 3_000
/** The longest time of one way between process and service. */
const wayMs = 60

export function simulatedNetwork({ spec, service, time, chance, trace, onTrap }: Surroundings): Network {
  const fateOf = new Map(spec.fates.map(({ request, fate }) => [request, fate]))
  const traps = new Map(spec.traps.map((trap) => [trap.write, trap]))
  const patched = new Set<string>()
  /** How often each delete was sent. */
  const deleted = new Map<string, number>()
  const firstLists = new Set<string>()
  const fates = new Map<string, number>()
  /** Requests under way, each with its execution if that has not happened yet. */
  const flying = new Map<Flight, Executing>()
  let [requests, writes, arrived, silentUntilMs, calm, lackedOnce] = [0, 0, 0, 0, false, false]
  const struck = (what: string) => void fates.set(what, (fates.get(what) ?? 0) + 1)

  function fateNow(wanted: Request, request: number, process: number): Fate | undefined {
    if (calm) return undefined
    const trap = wanted.method === 'GET' ? undefined : traps.get(++writes)
    if (trap !== undefined) onTrap(trap, process)
    const fate = refusedFate(wanted) ?? byIdFate(wanted) ?? patchFate(wanted) ?? deleteFate(wanted) ?? trap?.fate ?? fateOf.get(request)
    if (fate !== undefined) struck(fate.is)
    return fate
  }

  function byIdFate({ method, path }: Request): Fate | undefined {
    const by = spec.lacking?.elsewhere
    return by === undefined || method !== 'GET' || !/-mappings\/[^/]+\/$/.test(path) ? undefined : { is: 'notFound', by }
  }

  function refusedFate({ method }: Request): Fate | undefined {
    const { refusing } = spec
    const sinceMs = time.now() - spec.beginMs
    if (refusing === undefined || sinceMs < refusing.fromMs || sinceMs >= refusing.untilMs || !refusing.methods.includes(method))
      return undefined
    return { is: 'refused', by: refusing.by, status: refusing.status }
  }

  function patchFate({ method, path, body = '' }: Request): Fate | undefined {
    const { patchFate: aimed } = spec
    if (aimed === undefined || method !== 'PATCH' || body.includes('idp_group_name') !== (aimed.of === 'rename')) return undefined
    const isFirst = !patched.has(`${path} ${body}`)
    patched.add(`${path} ${body}`)
    return isFirst || !aimed.once ? aimed.fate : undefined
  }

  function deleteFate({ method, path }: Request): Fate | undefined {
    const { deleteFate: aimed } = spec
    if (aimed === undefined || method !== 'DELETE' || (!deleted.has(path) && deleted.size >= aimed.deletes)) return undefined
    const sendings = (deleted.get(path) ?? 0) + 1
    deleted.set(path, sendings)
    return sendings === 1 ? aimed.first : sendings === 2 ? aimed.again : undefined
  }

  /** The share of its rows that a list shows. Undefined: all of them. */
  function shownShare({ process, wanted: { path }, fate }: Letter): number | undefined {
    const { firstList, journal } = spec
    const arrives = fate === undefined || ['stale', 'slow', 'driftGrow', 'driftShrink'].includes(fate.is)
    if (firstList === undefined || calm || (journal === 'none' && process !== firstList.process) || firstLists.has(path)) return undefined
    if (arrives) firstLists.add(path)
    if (fate !== undefined) return undefined
    struck(firstList.shows === 0 ? 'firstList empty' : 'firstList cut')
    return firstList.shows
  }

  /** What the answer to a list lacks now. */
  function hidden(list: Lacking['of'] | undefined): Pick<Lacking, 'share' | 'which'> | undefined {
    const { lacking } = spec
    const sinceMs = time.now() - spec.beginMs
    if (lacking === undefined || lacking.of !== list || calm || sinceMs < lacking.fromMs) return undefined
    if (lacking.once ? lackedOnce : sinceMs > lacking.untilMs) return undefined
    lackedOnce = true
    struck(`lacking ${lacking.which}`)
    return { share: lacking.share, which: lacking.which }
  }

  function send(process: number, wanted: Request, deadlineMs: number, clock: ClockOf, signal: AbortSignal): Flight['result'] {
    const request = ++requests
    const fate = fateNow(wanted, request, process)
    const { method, path, body = '' } = wanted
    trace({
      atMs: time.now(),
      is: 'sent',
      process,
      request,
      method,
      path,
      query: new URLSearchParams(wanted.query).toString(),
      body,
      fate: fate?.is ?? '',
    })
    const flight = openFlight({ process, request, deadlineMs, clock }, time, trace, () => void flying.delete(flight), signal)
    if (fate?.is === 'unreachable') flight.later(chance.between(1, 200), () => flight.silence('unreachable', false))
    else if (fate?.is === 'lostRequest') flight.later(chance.between(1, 5_000), () => flight.silence('cut', true))
    else {
      const letter: Letter = { process, request, wanted, fate, flight }
      flying.set(flight, { over: false })
      // From here on its sender cannot take it back.
      time.at(time.now() + chance.between(1, wayMs), () => arrive(letter))
    }
    return flight.result
  }

  function arrive(letter: Letter): void {
    const { process, request, wanted, fate, flight } = letter
    if (time.now() < silentUntilMs) return flight.silence('unreachable', false)
    if (spec.recycleEvery !== undefined && !calm && ++arrived % spec.recycleEvery === 0) return recycle()
    // The service neither counts nor executes a request that is answered before it arrives.
    const atDoor = fate !== undefined && isAnsweredAtDoor(fate)
    const admission = atDoor ? undefined : service.admit(requestOf(wanted), time.now())
    const refused = admission !== undefined && 'refusal' in admission ? admission.refusal.status : undefined
    if (fate?.is === 'throttled' || refused === 429)
      trace({ atMs: time.now(), is: 'throttled', request, process, byFate: fate?.is === 'throttled' })
    else if (admission !== undefined && refused !== 401 && refused !== 403) trace({ atMs: time.now(), is: 'counted', request, process })
    serve(letter, () => execute(letter, admission), admission !== undefined)
  }

  function execute(letter: Letter, admission: Admission | undefined): Sent {
    const { process, request, wanted, fate } = letter
    const { method, path } = wanted
    if (admission === undefined) return service.reply(throttledReply(fate), time.now())
    if ('refusal' in admission) return service.reply(admission.refusal, time.now())
    const now = time.now()
    const workspace = path.split('/')[4] ?? ''
    const list = method === 'GET' && path.endsWith('-mappings/')
    const projects = method === 'GET' && path.endsWith('/projects/')
    const drift = list ? driftOf(fate, service.rows(workspace).length) : undefined
    const quirks = service.quirks(list, drift, hidden(list ? 'mappings' : projects ? 'projects' : undefined))
    const share = list ? shownShare(letter) : undefined
    const commit = () => admission.commit(quirks, now)
    const run = share === undefined ? commit : () => service.cutTo(workspace, share, commit)
    // A list that grows or shrinks between two pages is shown without lag, because an earlier state of the list would not show the change.
    const lagMs = (!list && !projects) || calm || drift !== undefined ? undefined : fate?.is === 'stale' ? fate.lagMs : spec.lagMs
    const reply = lagMs === undefined ? run() : service.asOf(workspace, now - lagMs, run)
    const sent = service.reply(reply, now)
    if (method === 'GET' && drift === undefined) return sent
    service.changed(workspace, now)
    if (method === 'GET') return sent
    if (reply.status < 400) trace({ atMs: now, is: 'committed', request, process, row: rowOf(path, sent.body), status: reply.status })
    return sent
  }

  /** Serves a request according to its fate. @param counted the limiter let it in, so the answer is the service's own */
  function serve({ fate, flight }: Letter, run: () => Sent, counted: boolean): void {
    const soon = (work: () => void) => flight.later(chance.between(1, wayMs), work)
    switch (fate?.is) {
      case 'late':
        flight.silence('cut', true)
        time.at(time.now() + fate.afterMs, run)
        return
      case 'lostAnswer':
        run()
        soon(() => flight.silence('cut', true))
        return
      case 'hang':
        run()
        return
      case 'status':
        if (fate.committed) run()
        if (fate.laterMs !== undefined) time.at(time.now() + fate.laterMs, run)
        soon(() => flight.answer({ status: fate.status, headers: waitHeader(fate), body: `{"detail":"A fault with key ${key}"}` }, false))
        return
      case 'notFound':
        soon(() => flight.answer(notFound[fate.by], false))
        return
      case 'refused':
        soon(() => flight.answer(refusedAnswer(fate), false))
        return
      case 'html':
        if (fate.instead !== true) run()
        soon(() => flight.answer({ status: 200, headers: {}, body: '<!doctype html><title>Sign in</title>' }, false))
        return
      case 'truncated': {
        const sent = run()
        soon(() => flight.answer({ ...sent, body: sent.body.slice(0, sent.body.length >> 1) }, sent.body.length < 2))
        return
      }
      case 'slow': {
        const executing: Executing = { run, over: false }
        flying.set(flight, executing)
        // It is executed even if its sender has gone.
        time.at(time.now() + fate.beforeMs, () => {
          if (executing.over) return
          const sent = run()
          flight.later(fate.afterMs, () => flight.answer(sent, true))
        })
        return
      }
      default: {
        const sent = run()
        soon(() => flight.answer(sent, counted))
      }
    }
  }

  /** Cuts all connections, some after their request was executed. The service then does not answer for a while. */
  function recycle(): void {
    struck('recycled')
    silentUntilMs = time.now() + silenceMs
    for (const [flight, executing] of [...flying]) {
      executing.over = true
      if (chance.is(0.5)) executing.run?.()
      flight.silence('cut', true)
    }
  }

  return {
    origin: (process, url, { deadlineMs }, clock) => ({
      url,
      request: (wanted, signal) => send(process, wanted, deadlineMs, clock, signal),
      close: async () => {},
    }),
    foreign() {
      trace({ atMs: time.now(), is: 'foreign' })
      service.admit(requestOf({ method: 'GET', path: '/api/v1/users/me/', headers: { 'x-api-key': key } }), time.now())
    },
    calm: () => {
      calm = true
    },
    fates,
  }
}

type Letter = {
  readonly process: number
  readonly request: number
  readonly wanted: Request
  readonly fate: Fate | undefined
  readonly flight: Flight
}
/** `over`: the request was executed, or its worker ended before that. */
type Executing = { readonly run?: () => Sent; over: boolean }

const requestOf = ({ method, path, query, headers, body }: Request) => ({
  method,
  path,
  query: new URLSearchParams(query),
  headers: { ...headers },
  body: Buffer.from(body ?? ''),
})

function throttledReply(fate: Fate | undefined) {
  return {
    status: fate?.is === 'status' ? fate.status : 429,
    headers: waitHeader(fate),
    body: { json: { detail: 'Request was throttled.' } },
  }
}

function isAnsweredAtDoor(fate: Fate): boolean {
  if (fate.is === 'status') return fate.status === 401 || fate.status === 403
  return fate.is === 'throttled' || fate.is === 'notFound' || fate.is === 'refused' || (fate.is === 'html' && fate.instead === true)
}

const notFound: Readonly<Record<Extract<Fate, { is: 'notFound' }>['by'], Sent>> = {
  proxy: { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' },
  page: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><head><title>404 Not Found</title></head></html>' },
  address: { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"Page not found."}' },
}

function refusedAnswer({ by, status }: Extract<Fate, { is: 'refused' }>): Sent {
  if (by === 'page') return { status, headers: { 'content-type': 'text/html' }, body: `<html><head><title>${status}</title></head></html>` }
  const why =
    by === 'scope' ? 'The token lacks the scope workspaces.group_sync:write.' : 'You do not have permission to perform this action.'
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ detail: why }) }
}

function waitHeader(fate: Fate | undefined): Readonly<Record<string, string>> {
  const told = fate?.is === 'throttled' || fate?.is === 'status' ? fate.retryAfterS : undefined
  return told === undefined ? {} : { 'retry-after': String(told) }
}

/** A list grows or shrinks after a page of it was sent; the last row stays. */
function driftOf(fate: Fate | undefined, rows: number): 'grow' | 'shrink' | undefined {
  if (fate?.is === 'driftGrow') return 'grow'
  return fate?.is === 'driftShrink' && rows > 1 ? 'shrink' : undefined
}

/** The id of the row that a write changed. */
function rowOf(path: string, body: string): string | undefined {
  const inPath = /-mappings\/([^/]+)\/$/.exec(path)?.[1]
  return inPath ?? (JSON.parse(body) as { id?: string }).id
}
