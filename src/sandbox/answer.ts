import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import { type ArmedRule, type Quirks, strike, type WireFault } from './fault.ts'
import { throttled } from './gates.ts'
import { detail, encode, error, html, type Reply } from './reply.ts'
import { type Request, readRequest } from './request.ts'
import { enter, type LoggedRequest, loggedBody } from './request-log.ts'
import { findRoute, operationOf } from './routes.ts'
import { type Admission, admit, type ServiceParts } from './service.ts'

/** The context of all requests. */
export type Answering = {
  readonly world: ServiceParts
  readonly faults: readonly ArmedRule[]
  /** The random numbers of faults. They are separate, so that identifiers are the same with and without faults. */
  readonly luck: Chance
  readonly requests: LoggedRequest[]
  readonly now: () => number
  /** No request is answered before this time. */
  readonly silence: { untilMs: number }
  readonly cutAll: () => void
  readonly signal: AbortSignal
}

/** Reads, admits, runs and answers one request, with the faults that strike it. Never rejects. */
export async function answer(context: Answering, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const request = await readRequest(incoming)
    await sleep(Math.max(0, context.silence.untilMs - context.now()), undefined, { signal: context.signal })
    if (request === undefined) send(outgoing, detail(413, 'Request body is too large.', { Connection: 'close' }))
    else await serve(context, request, outgoing)
  } catch (cause) {
    if (context.signal.aborted || incoming.errored !== null) return // closed, or the client broke off while it was sending
    if (!outgoing.headersSent) send(outgoing, error(500, `The sandbox itself failed: ${String(cause)}`))
  }
}

async function serve(context: Answering, request: Request, outgoing: ServerResponse): Promise<void> {
  const { world, requests, faults, luck, now, signal } = context
  const { method, path } = request
  const found = findRoute(path, world.dialect)
  const operation = found.kind === 'route' ? operationOf(found.route, method) : undefined
  const { wire, quirks, latencyMs, texts } = strike(faults, { method, path, quirks: operation?.quirks ?? [] }, luck)
  const received = { receivedAt: now(), faults: texts }
  const entry = enter(requests, { method, path, query: request.query.toString(), body: loggedBody(path, request.body), ...received })
  // A fault before the commit strikes before the request reaches the service, so the request does not count.
  const admission = reachesService(wire) ? admit(world, request, entry.receivedAt) : undefined
  const pause = (ms: number) => (ms > 0 ? sleep(ms, undefined, { signal }) : undefined)
  if (wire?.kind === 'late') {
    outgoing.socket?.resetAndDestroy()
    await pause(wire.afterMs)
  }
  await pause(latencyMs['before commit'])
  const committed = admission && commit(admission, quirks, entry, now())
  await pause(latencyMs['after commit'])
  const reply = wire === undefined ? committed : await spoiled(wire, committed, context, outgoing)
  if (reply === undefined || outgoing.destroyed) return
  entry.status = reply.status
  entry.answeredAt = now()
  send(outgoing, reply, wire?.kind === 'truncated' ? wire.answer : undefined)
}

function reachesService(wire: WireFault | undefined): boolean {
  if (wire === undefined || wire.kind === 'late' || wire.kind === 'truncated') return true
  return 'when' in wire && wire.when === 'after commit'
}

/** Runs the operation. A refused request has none. */
function commit(admission: Admission, quirks: Quirks, entry: LoggedRequest, nowMs: number): Reply {
  if ('refusal' in admission) return admission.refusal
  const reply = admission.commit(quirks, nowMs)
  if (reply.status < 400) entry.committedAt = nowMs
  return reply
}

/** The answer with the fault; undefined if the connection ends without an answer. */
async function spoiled(
  wire: WireFault,
  reply: Reply | undefined,
  { world, silence, now, cutAll, signal }: Answering,
  outgoing: ServerResponse,
): Promise<Reply | undefined> {
  switch (wire.kind) {
    case 'late':
      return undefined
    case 'lost':
      await sleep(wire.silenceMs, undefined, { signal })
      outgoing.socket?.end()
      return undefined
    case 'reset':
      outgoing.socket?.resetAndDestroy()
      return undefined
    case 'outage':
      silence.untilMs = now() + wire.silenceMs
      cutAll()
      return undefined
    case 'throttled':
      return throttled(world.dialect.throttledBody, wire.retryAfterS)
    case 'status':
      return wire.status >= 500
        ? html(wire.status, `<html><body><h1>${wire.status}</h1></body></html>`)
        : detail(wire.status, 'A fault was asked for.')
    case 'html':
      return html(200, '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>')
    case 'redirect':
      return { status: wire.status, headers: { Location: wire.location } }
    case 'truncated':
      return reply
    default:
      return wire satisfies never
  }
}

/** Sends an answer. `Connection` is set here. If Node sets this header itself, it also adds `Keep-Alive`, which the service does not send. */
function send(outgoing: ServerResponse, reply: Reply, half?: 'whole' | 'cut off'): void {
  const { bytes, headers } = encode(reply)
  const part = half === undefined ? bytes : bytes.subarray(0, bytes.length >> 1)
  const length = reply.status === 204 ? {} : { 'Content-Length': String(half === 'cut off' ? bytes.length : part.length) }
  outgoing.writeHead(reply.status, { Connection: 'keep-alive', ...headers, ...length })
  if (half === 'cut off') outgoing.write(part, () => outgoing.destroy())
  else outgoing.end(part)
}
