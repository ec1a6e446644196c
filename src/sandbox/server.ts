import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answering, answer } from './answer.ts'
import { chanceFrom } from './chance.ts'
import { type DialectName, speak } from './dialect.ts'
import { type ArmedRule, arm, type Rule } from './fault.ts'
import { readFault } from './fault-text.ts'
import type { Published, RateFields } from './rate-headers.ts'
import type { LoggedRequest } from './request-log.ts'
import type { State } from './state.ts'
import type { StateInput } from './state-input.ts'
import { newState } from './state-new.ts'
import type { Limit, Limiter } from './throttle.ts'

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
  /** Rules, or their text form. */
  readonly faults?: readonly (Rule | string)[]
}

export type Sandbox = AsyncDisposable & {
  /** The address, without a trailing slash. */
  readonly url: string
  /** The live state: the next request sees a change of it. */
  readonly state: State
  /** The last 100,000 requests, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Replaces all faults. Counts of matches begin at zero. */
  readonly setFaults: (rules: readonly (Rule | string)[]) => void
  readonly addFault: (rule: Rule | string) => void
  /** Cuts connections, drops late commits, and frees the port. */
  readonly close: () => Promise<void>
}

/**
 * Starts the service of the specification as a local HTTP server. Rejects if the address is not available (`EADDRINUSE`, …).
 *
 * @throws {SandboxError} if the state or a fault cannot be read
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, now = Date.now, seed = 1 } = options
  const dialect = speak(options.dialect ?? 'specification')
  const chance = chanceFrom(seed)
  const state = newState(options.state ?? {}, chance, now())
  if (options.limit !== undefined) state.limit = { ...options.limit }
  const rules = (options.faults ?? []).map(armed)
  const requests: LoggedRequest[] = []
  const closing = new AbortController()
  const { limiter = dialect.limiter, published = 'counted', rateFields = 'x-ratelimit' } = options
  const world = { state, dialect, throttle: { limiter, published, fields: rateFields, memories: new Map() }, chance }
  const answering: Answering = {
    world,
    rules,
    luck: chanceFrom(seed + 1),
    requests,
    now,
    silence: { untilMs: 0 },
    cutAll,
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
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    state,
    requests,
    setFaults(next) {
      const ready = next.map(armed)
      rules.length = 0
      for (const rule of ready) rules.push(rule)
    },
    addFault: (rule) => void rules.push(armed(rule)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const armed = (rule: Rule | string): ArmedRule => arm(typeof rule === 'string' ? readFault(rule) : rule)

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
