import { chanceFrom } from '../../../src/sandbox/chance.ts'
import type { Published } from '../../../src/sandbox/rate-headers.ts'
import type { Limit, Limiter } from '../../../src/sandbox/throttle.ts'

/**
 * What every client meets. The service lives in time of its own, in which a minute is a minute and Retry-After is in whole seconds; for the
 * clients that time passes `speed` times as fast, and what they are told is divided by it ("Retry-After: 3.7" for 37 seconds; all of them
 * read decimals). So nobody is hurt by a rounding that real time would not show. Ours takes time as an argument, and lives in the service's.
 */
export const speed = 10
export const limit: Limit = { requests: 60, windowMs: 60_000 }
export const clientWindowMs = limit.windowMs / speed

/** Each way, in the clients' time: uniform between these, so a round trip takes 20 to 60 ms of the service's. */
export const oneWayMs = { least: 1, most: 3 } as const
export const roundTripMs = oneWayMs.least + oneWayMs.most
/**
 * Every client is given its calls so many at a time, as the program's own queue sends them. Given all at once most libraries begin them all at
 * once, and those that cannot be told a limit meet thousands of 429s.
 */
export const callsAtOnce = 4

/** How the service counts, and what it tells of it. */
export type Kind = { readonly limiter: Limiter; readonly published: Published }
export const kinds = {
  'sliding log': { limiter: 'sliding-log', published: 'counted' },
  'fixed window': { limiter: 'fixed-window', published: 'counted' },
  'sliding counter': { limiter: 'sliding-counter', published: 'counted' },
  'token bucket': { limiter: 'token-bucket', published: 'counted' },
  'publishes nothing': { limiter: 'sliding-log', published: 'nothing' },
  'never falls': { limiter: 'sliding-log', published: 'constant' },
  jumps: { limiter: 'sliding-log', published: 'unlocked' },
} as const satisfies Readonly<Record<string, Kind>>
export type KindName = keyof typeof kinds

export const situations = ['alone', 'shared', 'used up'] as const
export type Situation = (typeof situations)[number]

/** Times of the service, in ms after the client's first request arrives. */
export type Traffic = {
  /** What others asked before, as far as the limiter let them: negative times, in order. */
  readonly past: readonly number[]
  /** What the second user asks, once each, in order, for as long as anything here lasts. */
  readonly wishes: readonly number[]
  /** How far into its minute the service's clock is at the first request. */
  readonly phaseMs: number
}

const horizonMs = 60 * limit.windowMs

/**
 * | situation | others |
 * |-----------|--------|
 * | alone     | nobody |
 * | shared    | a second user asks a third of the limit: every three seconds, each up to 1.5 s early or late, for a window already |
 * | used up   | another program used the whole limit up: most of it evenly over the half window before, the rest at once at its end |
 */
export function trafficOf(situation: Situation, seed: number): Traffic {
  const { draw } = chanceFrom(seed)
  const phaseMs = Math.floor(draw() * limit.windowMs)
  switch (situation) {
    case 'alone':
      return { past: [], wishes: [], phaseMs }
    case 'shared': {
      const everyMs = (3 * limit.windowMs) / limit.requests
      const count = (limit.windowMs + horizonMs) / everyMs
      const all = Array.from({ length: count }, (_, index) => Math.round((index + draw()) * everyMs - limit.windowMs))
      return { past: all.filter((atMs) => atMs < 0), wishes: all.filter((atMs) => atMs >= 0), phaseMs }
    }
    case 'used up': {
      const everyMs = limit.windowMs / 2 / limit.requests
      const spread = Array.from({ length: limit.requests }, (_, index) => Math.floor((index + draw()) * everyMs - limit.windowMs / 2))
      return { past: [...spread, ...spread.map(() => -1)], wishes: [], phaseMs }
    }
    default:
      return situation satisfies never
  }
}

/** What is measured once: so many calls by one client. */
export type Cell = {
  readonly client: string
  readonly calls: number
  readonly kind: KindName
  readonly situation: Situation
  readonly seed: number
}

export type Measured = Cell & {
  /** From the first call's begin to the last one's end, in the clients' time; absent where it was given up. */
  readonly tookMs?: number
  readonly boundMs: number
  /** Own answers with 429. */
  readonly refused: number
  /** Calls that failed, or had not ended when it was given up. */
  readonly failed: number
  readonly wishes: { readonly made: number; readonly granted: number }
  readonly arrivals: readonly Arrival[]
  /** How late a timer of the service came, at the 99th percentile: what the machine adds to every latency. */
  readonly lateMs: number
}

/** In the clients' time, after the first one. */
export type Arrival = { readonly atMs: number; readonly who: 'client' | 'other'; readonly allowed: boolean }
