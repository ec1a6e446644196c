import { chanceFrom } from '../../../src/sandbox/chance.ts'
import type { Limit, Limiter, Published } from '../../../src/sandbox/throttle.ts'

/**
 * The conditions for every client. The service has its own time, in which a minute is a minute and Retry-After is in whole seconds. For the
 * clients this time passes `speed` times as fast, and all times in answers are divided by `speed` ("Retry-After: 3.7" for 37 seconds; all
 * clients read decimals). So no client suffers from a rounding that does not exist in real time. Our client takes time as an argument, and
 * uses the service's time.
 */
export const speed = 10
export const limit: Limit = { requests: 60, windowMs: 60_000 }
export const clientWindowMs = limit.windowMs / speed

/** Latency in each direction, in the clients' time: uniform between these, so that a round trip takes 20 to 60 ms of the service's time. */
export const oneWayMs = { least: 1, most: 3 } as const
export const roundTripMs = oneWayMs.least + oneWayMs.most
/**
 * Every client gets this many calls at a time, like the program's own queue. If they got all calls at once, most libraries would start all of
 * them at once, and libraries without a setting for the limit would get thousands of 429s.
 */
export const callsAtOnce = 4

/** How the service counts, and what it publishes. */
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

/** In the service's time: ms after the arrival of the client's first request. */
export type Traffic = {
  /** Earlier requests of others that the limiter let in: negative times, in order. */
  readonly past: readonly number[]
  /** Requests of the second user, in order, until the measurement ends. */
  readonly wishes: readonly number[]
  /** How much of its minute has passed on the service's clock at the first request. */
  readonly phaseMs: number
}

const horizonMs = 60 * limit.windowMs

/**
 * | situation | others |
 * |-----------|--------|
 * | alone     | none |
 * | shared    | a second user sends a third of the limit: every three seconds, each up to 1.5 s early or late, starting one window before |
 * | used up   | another program has used up the whole limit: most of it evenly over the half window before, the rest at once at its end |
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

/** One measurement: this many calls by one client. */
export type Cell = {
  readonly client: string
  readonly calls: number
  readonly kind: KindName
  readonly situation: Situation
  readonly seed: number
}

export type Measured = Cell & {
  /** From the start of the first call to the end of the last one, in the clients' time; absent if the client was given up. */
  readonly tookMs?: number
  readonly boundMs: number
  /** The client's own answers with 429. */
  readonly refused: number
  /** Calls that failed, or had not ended when the client was given up. */
  readonly failed: number
  readonly wishes: { readonly made: number; readonly granted: number }
  readonly arrivals: readonly Arrival[]
  /** The 99th percentile of the delay of the service's timers: the machine adds it to every latency. */
  readonly lateMs: number
}

/** In the clients' time, after the first call. */
export type Arrival = { readonly atMs: number; readonly who: 'client' | 'other'; readonly allowed: boolean }
