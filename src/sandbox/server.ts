import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answering, answer } from './answer.ts'
import { type Controls, openControls } from './controls.ts'
import { type DialectName, speak } from './dialect.ts'
import type { LoggedRequest } from './request-log.ts'
import type { StateInput } from './state-input.ts'
import type { Limit, Limiter, Published, RateFields } from './throttle.ts'

export type SandboxOptions = {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: a free port. */
  readonly port?: number
  /** Default `specification`. */
  readonly dialect?: DialectName
  /** The limit of each credential. Default: that of the state, else 60 requests a minute. A window of 600 ms makes fast tests. */
  readonly limit?: Limit
  /** Default: that of the dialect. */
  readonly limiter?: Limiter
  /** The content of the rate-limit headers; default `counted`. */
  readonly published?: Published
  /** Default `x-ratelimit`. */
  readonly rateFields?: RateFields
  /** Default: that of the dialect. */
  readonly idleConnectionMs?: number
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** The seed of identifiers, tokens and the probability of faults. */
  readonly seed?: number
  /** The content of a state file. Default: one workspace `acme` with projects ENG and OPS, and the key `sandbox-key`. */
  readonly state?: StateInput
  /** The text forms of faults. */
  readonly faults?: readonly string[]
  /** Is told each request to the service when its answer was sent, or when it is certain that it gets none. */
  readonly onAnswered?: (request: LoggedRequest, tookMs: number) => void
}

export type Sandbox = AsyncDisposable &
  Controls & {
    /** The address, without a trailing slash. */
    readonly url: string
    /** Cuts connections, drops late commits, and frees the port. */
    readonly close: () => Promise<void>
  }

/**
 * Starts the service of the specification as a local HTTP server. Rejects if the address is not available (`EADDRINUSE`, …).
 *
 * @throws {SandboxError} if the state cannot be read, or if a fault cannot be read or can never strike
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, now = Date.now, seed = 1 } = options
  const dialect = speak(options.dialect ?? 'specification')
  const { limiter = dialect.limiter, published = 'counted', rateFields = 'x-ratelimit' } = options
  const throttle = { limiter, published, fields: rateFields, memories: new Map() }
  const silence = { untilMs: 0 }
  const { state, limit, faults: texts } = options
  const { controls, chance, luck, log, faults } = openControls({ state, limit, faults: texts, seed }, now, () => {
    throttle.memories.clear()
    silence.untilMs = 0
  })
  const closing = new AbortController()
  const answering: Answering = {
    world: { state: controls.state, dialect, throttle, chance },
    ...{ controls, faults, luck, log, now, silence, cutAll },
    bytes: { held: 0 },
    onAnswered: options.onAnswered ?? (() => undefined),
    signal: closing.signal,
  }

  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => void answer(answering, incoming, outgoing))
  server.keepAliveTimeout = options.idleConnectionMs ?? dialect.idleConnectionMs
  server.keepAliveTimeoutBuffer = 0 // without this a connection closes a second later
  function cutAll(): void {
    server.closeAllConnections()
  }

  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  const close = async () => {
    closing.abort()
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    cutAll()
    await closed
  }
  return {
    ...controls,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
