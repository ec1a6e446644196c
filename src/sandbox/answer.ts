import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, nameOf } from './authentication.ts'
import type { Chance } from './chance.ts'
import { control, isControl } from './control.ts'
import type { Controls } from './controls.ts'
import { type ArmedRule, type Quirks, strike, type WireFault } from './fault.ts'
import { detail, error, html, type Reply, send } from './reply.ts'
import { type BodyBytes, type Request, readBytes, type Target, targetOf } from './request.ts'
import { enter, type LoggedRequest, loggedBody, type RequestLog } from './request-log.ts'
import { findRoute, operationOf } from './routes.ts'
import { type Admission, admit, type ServiceParts, throttled } from './service.ts'

/** The context of all requests. */
export type Answering = {
  readonly world: ServiceParts
  readonly controls: Controls
  readonly faults: readonly ArmedRule[]
  /** The random numbers of faults. They are separate, so that identifiers are the same with and without faults. */
  readonly luck: Chance
  readonly log: RequestLog
  readonly bytes: BodyBytes
  readonly now: () => number
  readonly silence: Silence
  readonly cutAll: () => void
  /** Is told each request when its answer was sent, or when it is certain that it gets none. */
  readonly onAnswered: (request: LoggedRequest, tookMs: number) => void
  readonly signal: AbortSignal
}

const bodyBytesMax = 1024 * 1024

/** Reads, admits, runs and answers one request, with the faults that strike it. Never rejects. */
export async function answer(context: Answering, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { bytes, signal } = context
  const target = targetOf(incoming)
  try {
    if (isControl(target.path)) return send(outgoing, await control(context, target, incoming))
    const body = await readBytes(incoming, bodyBytesMax, bytes)
    try {
      await sleep(Math.max(0, context.silence.untilMs - context.now()), undefined, { signal })
      await serve(context, target, body, incoming, outgoing)
    } finally {
      if (typeof body !== 'string') bytes.held -= body.length
    }
  } catch (cause) {
    if (signal.aborted || incoming.errored !== null) return // closed, or the client broke off while it was sending
    if (!outgoing.headersSent) send(outgoing, error(500, `The sandbox itself failed: ${String(cause)}`))
  }
}

async function serve(
  context: Answering,
  { path, query }: Target,
  body: Awaited<ReturnType<typeof readBytes>>,
  { method = 'GET', headers }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { world, faults, luck, now } = context
  const bytes = typeof body === 'string' ? Buffer.alloc(0) : body
  const request: Request = { method, path, query: new URLSearchParams(query), headers, body: bytes }
  const match = findRoute(path, world.dialect)
  const operation = match.kind === 'route' ? operationOf(match.route, method) : undefined
  const struck = typeof body === 'string' ? undefined : strike(faults, { method, path, quirks: operation?.quirks ?? [] }, luck)
  const receivedAt = now()
  const entry = enter(context.log, {
    ...{ method, path, query, body: loggedBody(path, bytes), bodyBytes: bytes.length, receivedAt },
    ...(headers['user-agent'] !== undefined && { userAgent: headers['user-agent'] }),
    credential: nameOf(identify(world.state, request, receivedAt)),
    faults: struck?.texts ?? [],
  })
  try {
    const reply = struck === undefined ? unread(body === 'no room') : await outcome(context, request, entry, struck, outgoing)
    if (reply === undefined || outgoing.destroyed) return
    entry.status = reply.status
    entry.answeredAt = now()
    send(outgoing, reply, struck?.wire?.kind === 'truncated' ? struck.wire.answer : undefined)
  } finally {
    context.onAnswered(entry, now() - entry.receivedAt)
  }
}

const unread = (isFull: boolean): Reply =>
  isFull ? error(503, 'The sandbox holds too many requests that wait for their answer.') : detail(413, 'Request body is too large.')

/** The answer to a request, after its operation has run. Undefined if the connection ends without an answer. */
async function outcome(
  context: Answering,
  request: Request,
  entry: LoggedRequest,
  { wire, quirks, latencyMs }: ReturnType<typeof strike>,
  outgoing: ServerResponse,
): Promise<Reply | undefined> {
  const { world, now, signal } = context
  // A fault before the commit strikes before the request reaches the service, so the request does not count.
  const admission = reachesService(wire) ? admit(world, request, entry.receivedAt) : undefined
  if (admission?.remaining !== undefined) entry.remaining = admission.remaining
  const pause = (ms: number) => (ms > 0 ? sleep(ms, undefined, { signal }) : undefined)
  if (wire?.kind === 'late') {
    outgoing.socket?.resetAndDestroy()
    await pause(wire.afterMs)
  }
  await pause(latencyMs['before commit'])
  const committed = admission && commit(admission, quirks, entry, now())
  await pause(latencyMs['after commit'])
  return wire === undefined ? committed : spoiled(wire, committed, context, outgoing)
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

/** No request to the service is answered before this time. */
type Silence = { untilMs: number }

type Spoiling = {
  readonly world: Pick<ServiceParts, 'dialect'>
  readonly silence: Silence
  readonly now: () => number
  readonly cutAll: () => void
  readonly signal: AbortSignal
}

/** The answer with a fault on the wire; undefined if the connection ends without an answer. */
async function spoiled(
  wire: WireFault,
  reply: Reply | undefined,
  { world, silence, now, cutAll, signal }: Spoiling,
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
