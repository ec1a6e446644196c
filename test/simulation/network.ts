import { type Answer, NoAnswer, type Origin, type OriginOptions, type Request } from '../../src/http/origin.ts'
import type { Admission } from '../../src/sandbox/service.ts'
import type { Chance } from './chance.ts'
import type { Service } from './service.ts'
import type { Fate, Spec, Trap } from './spec.ts'
import type { Time } from './time.ts'
import type { Happened } from './trace.ts'

/** The wires between processes and the service: what arrives, when, and what becomes of it. */
export type Network = {
  /** @param process number of the process, for the trace */
  readonly origin: (process: number, url: URL, options: OriginOptions, clock: ClockOf) => Origin
  /** Somebody else's call with the same key. */
  readonly foreign: () => void
  readonly calm: () => void
  readonly fates: ReadonlyMap<string, number>
  readonly requests: () => number
}
/** A process's own clock, and how long one of its durations truly takes. */
export type ClockOf = { readonly now: () => number; readonly trueMs: (ms: number) => number }

type Flying = { readonly cut: (executed: boolean) => void }

const silenceMs = 3_000

export function simulatedNetwork(
  spec: Spec,
  service: Service,
  time: Time,
  chance: Chance,
  trace: (event: Happened) => void,
  onTrap: (trap: Trap, process: number) => void,
): Network {
  const fateOf = new Map(spec.fates.map(({ request, fate }) => [request, fate]))
  const fates = new Map<string, number>()
  const flying = new Set<Flying>()
  const traps = new Map(spec.traps.map((trap) => [trap.write, trap]))
  let [requests, writes, arrived, silentUntilMs, calm] = [0, 0, 0, 0, false]

  const foreign = () =>
    void service.admit(serviceRequest({ method: 'GET', path: '/api/v1/users/me/', headers: { 'x-api-key': keyOf() } }), time.now())

  function send(process: number, wanted: Request, deadlineMs: number, clock: ClockOf, signal: AbortSignal): Promise<Answer> {
    const request = ++requests
    const trap = wanted.method === 'GET' || calm ? undefined : traps.get(++writes)
    if (trap !== undefined) onTrap(trap, process)
    const fate: Fate | undefined = calm ? undefined : (trap?.fate ?? fateOf.get(request))
    if (fate !== undefined) fates.set(fate.is, (fates.get(fate.is) ?? 0) + 1)
    const { method, path } = wanted
    const sentAtMs = clock.now()
    const query = new URLSearchParams(wanted.query).toString()
    trace({ atMs: time.now(), is: 'sent', process, request, method, path, query, body: wanted.body ?? '', fate: fate?.is ?? '' })
    return new Promise<Answer>((resolve, reject) => {
      let open = true
      const timers: (() => void)[] = []
      const later = (ms: number, work: () => void) => void timers.push(time.at(time.now() + ms, () => (open ? work() : undefined)))
      const close = () => {
        open = false
        for (const cancel of timers) cancel()
        signal.removeEventListener('abort', onAbort)
        flying.delete(wire)
      }
      const silence = (code: NoAnswer['code'], sent: boolean, why: string) => {
        close()
        trace({ atMs: time.now(), is: 'silence', process, request, why: code })
        reject(new NoAnswer(code, sent, clock.now(), why))
      }
      const onAbort = () => silence('aborted', true, 'given up')
      const answer = (status: number, headers: Record<string, string>, body: string, intact: boolean) => {
        close()
        trace({ atMs: time.now(), is: 'answered', process, request, status, body, intact })
        resolve({ status, headers, body, sentAtMs, receivedAtMs: clock.now() })
      }
      let execute: (() => void) | undefined
      const wire: Flying = {
        cut: (executed) => {
          if (executed) execute?.()
          execute = undefined
          if (open) silence('cut', true, 'the connection ended before the answer was complete')
        },
      }
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort)
      later(clock.trueMs(deadlineMs), () => silence('deadline', true, `no complete answer within ${deadlineMs / 1000} s`))
      if (fate?.is === 'unreachable')
        return later(chance.between(1, 200), () => silence('unreachable', false, 'cannot connect (ECONNREFUSED)'))
      if (fate?.is === 'lostRequest') return later(chance.between(1, 5_000), () => silence('cut', true, 'the connection ended'))
      flying.add(wire)

      /** Leaves the client's reach once it has arrived: what follows happens whether somebody listens or not. */
      const arrive = () => {
        if (time.now() < silentUntilMs) return open ? silence('unreachable', false, 'cannot connect (ECONNREFUSED)') : undefined
        if (spec.recycleEvery !== undefined && !calm && ++arrived % spec.recycleEvery === 0) return recycle()
        // The service neither counts nor executes what is refused at its door.
        const atDoor = fate?.is === 'throttled' || (fate?.is === 'status' && (fate.status === 401 || fate.status === 403))
        const admission = atDoor ? undefined : service.admit(serviceRequest(wanted), time.now())
        const refused = admission !== undefined && 'refusal' in admission ? admission.refusal : undefined
        if (fate?.is === 'throttled' || refused?.status === 429)
          trace({ atMs: time.now(), is: 'throttled', request, process, byFate: fate?.is === 'throttled' })
        else if (admission !== undefined && refused?.status !== 401 && refused?.status !== 403)
          trace({ atMs: time.now(), is: 'counted', request, process })
        serve(admission)
      }
      const serve = (admission: Admission | undefined) => {
        const workspace = path.split('/')[4] ?? ''
        const list = method === 'GET' && /-mappings\/$/.test(path)
        const drift =
          fate?.is === 'driftGrow' ? 'grow' : fate?.is === 'driftShrink' && service.rows(workspace).length > 1 ? 'shrink' : undefined
        const run = (): { status: number; headers: Record<string, string>; body: string } => {
          if (admission === undefined) return service.reply(throttledReply(fate))
          if ('refusal' in admission) return service.reply(admission.refusal)
          const { commit } = admission
          const now = time.now()
          const reply =
            list && fate?.is === 'stale'
              ? service.asOf(workspace, now - fate.lagMs, () => commit(service.quirks(list, drift), now))
              : commit(service.quirks(list, drift), now)
          if (method !== 'GET') service.changed(workspace, now)
          const sent = service.reply(reply)
          if (reply.status < 400 && method !== 'GET')
            trace({ atMs: time.now(), is: 'committed', request, process, row: rowOf(path, sent.body), status: reply.status })
          return sent
        }
        const instead = (status: number, body: string) => answer(status, {}, body, false)
        const soon = chance.between(1, 60)
        switch (fate?.is) {
          case 'late':
            silence('cut', true, 'the connection ended before the answer was complete')
            time.at(time.now() + fate.afterMs, () => void run())
            return
          case 'lostAnswer':
            run()
            return later(soon, () => silence('cut', true, 'the connection ended before the answer was complete'))
          case 'hang':
            run()
            return
          case 'status':
            if (fate.committed) run()
            return later(soon, () => instead(fate.status, `{"detail":"A fault with key ${keyOf()}"}`))
          case 'html':
            run()
            return later(soon, () => instead(200, '<!doctype html><title>Sign in</title>'))
          case 'truncated': {
            const { status, headers, body } = run()
            return later(soon, () => answer(status, headers, body.slice(0, body.length >> 1), body.length < 2))
          }
          case 'slow': {
            execute = () => void run()
            time.at(time.now() + fate.beforeMs, () => {
              if (execute === undefined) return
              execute = undefined
              const { status, headers, body } = run()
              later(fate.afterMs, () => answer(status, headers, body, true))
            })
            return
          }
          default: {
            const { status, headers, body } = run()
            later(soon, () => answer(status, headers, body, admission !== undefined))
          }
        }
      }
      time.at(time.now() + chance.between(1, 60), arrive)
    })
  }

  /** All connections are cut, some after the request was executed, and nothing answers for a while (measured: about 3 s). */
  function recycle(): void {
    fates.set('recycled', (fates.get('recycled') ?? 0) + 1)
    silentUntilMs = time.now() + silenceMs
    for (const wire of [...flying]) wire.cut(chance.is(0.5))
  }

  return {
    origin: (process, url, { deadlineMs }, clock) => ({
      url,
      request: (wanted, signal) => send(process, wanted, deadlineMs, clock, signal),
      close: async () => {},
    }),
    foreign,
    calm: () => {
      calm = true
    },
    fates,
    requests: () => requests,
  }
}

import { key } from './service.ts'

const keyOf = () => key

function serviceRequest({ method, path, query, headers, body }: Request) {
  return { method, path, query: new URLSearchParams(query), headers: { ...headers }, body: Buffer.from(body ?? '') }
}

function throttledReply(fate: Fate | undefined) {
  const told = fate?.is === 'throttled' ? fate.retryAfterS : undefined
  return {
    status: 429,
    body: { json: { detail: 'Request was throttled.' } },
    ...(told === undefined ? {} : { headers: { 'Retry-After': String(told) } }),
  }
}

/** The row that a write was about. */
function rowOf(path: string, body: string): string | undefined {
  const inPath = /-mappings\/([^/]+)\/$/.exec(path)?.[1]
  if (inPath !== undefined) return inPath
  return (JSON.parse(body) as { id?: string }).id
}
