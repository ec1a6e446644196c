import { type Answer, NoAnswer } from '../../../src/http/origin.ts'
import { never, type VirtualTime } from './virtualTime.ts'

export type ServiceOptions = {
  readonly limiter: 'slidingLog' | 'fixedWindow' | 'tokenBucket'
  readonly requests: number
  readonly windowMs: number
  /** Each way, drawn for each request. */
  readonly latencyMs: () => number
  /** `falls`: as Plane does; `constant`: as for bearer tokens; `racing`: counted without a lock; `none`. */
  readonly remaining: 'falls' | 'constant' | 'racing' | 'none'
  readonly retryAfter: boolean
  /** Arrival times before the first request of ours, of ours or of others. */
  readonly past?: readonly number[]
  readonly random?: () => number
}

export type ModelledService = {
  call(): Promise<Answer>
  /** Somebody else with the same key; takes effect at once. */
  other(): boolean
  lower(requests: number): void
  /** Arrivals of ours that were let through, and how many were refused. */
  readonly arrivals: readonly number[]
  refused(): number
  lowest(): number
}

/** The service's side of the rate limit, written from its documentation and measurements: shares nothing with the budget. */
export function modelledService(time: VirtualTime, options: ServiceOptions): ModelledService {
  const { windowMs } = options
  let limit = options.requests
  let log = [...(options.past ?? [])]
  let windowFrom: number | undefined
  let tokens = limit
  let tokensAtMs = time.now()
  let refusals = 0
  let lowest = Number.POSITIVE_INFINITY
  const arrivals: number[] = []

  function admit(): boolean {
    const now = time.now()
    if (options.limiter === 'tokenBucket') {
      tokens = Math.min(limit, tokens + ((now - tokensAtMs) * limit) / windowMs)
      tokensAtMs = now
      if (tokens < 1) return false
      tokens -= 1
      return true
    }
    if (options.limiter === 'fixedWindow') {
      windowFrom ??= now
      if (now >= windowFrom + windowMs) {
        windowFrom = now
        log = []
      }
    } else log = log.filter((at) => at > now - windowMs)
    if (log.length >= limit) return false
    log.push(now)
    return true
  }

  const left = () => (options.limiter === 'tokenBucket' ? Math.floor(tokens) : limit - log.length)

  function headers(ok: boolean): Record<string, string> {
    const freeMs =
      options.limiter === 'fixedWindow' ? (windowFrom ?? 0) + windowMs - time.now() : (log[0] ?? time.now()) + windowMs - time.now()
    if (!ok) return options.retryAfter && log.length <= limit ? { 'retry-after': String(Math.ceil(freeMs / 1000)) } : {}
    const reset = { 'x-ratelimit-reset': String(Math.ceil((time.now() + windowMs) / 1000)) }
    const noise = options.remaining === 'racing' ? Math.floor((options.random ?? Math.random)() * 5) : 0
    switch (options.remaining) {
      case 'none':
        return {}
      case 'constant':
        return { ...reset, 'x-ratelimit-remaining': String(limit) }
      default:
        return { ...reset, 'x-ratelimit-remaining': String(Math.min(limit, left() + noise)) }
    }
  }

  return {
    arrivals,
    refused: () => refusals,
    lowest: () => lowest,
    lower: (requests) => {
      limit = requests
    },
    other: () => admit(),
    async call() {
      const sentAtMs = time.now()
      await time.sleep(options.latencyMs(), never)
      const ok = admit()
      if (ok) {
        arrivals.push(time.now())
        lowest = Math.min(lowest, left())
      } else refusals++
      const said = headers(ok)
      await time.sleep(options.latencyMs(), never)
      return { status: ok ? 200 : 429, headers: said, body: '[]', sentAtMs, receivedAtMs: time.now() }
    },
  }
}

export const lost = (atMs: number) => new NoAnswer('cut', true, atMs, 'cut')
