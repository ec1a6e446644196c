import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireFault } from './fault.ts'
import { throttled } from './gates.ts'
import { detail, html, type Reply } from './reply.ts'
import type { ServiceParts } from './service.ts'

/** No request to the service is answered before this time. */
export type Silence = { untilMs: number }

type Spoiling = {
  readonly world: Pick<ServiceParts, 'dialect'>
  readonly silence: Silence
  readonly now: () => number
  readonly cutAll: () => void
  readonly signal: AbortSignal
}

/** The answer with a fault on the wire; undefined if the connection ends without an answer. */
export async function spoiled(
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
