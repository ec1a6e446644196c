import { windowMs } from '../given.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** Refusals of the rate limiter that a program could have known to come. */
export type Throttling = {
  readonly hear: (event: Happened) => string | undefined
  /** How many there were of all kinds. */
  readonly count: () => number
}

/**
 * None on a sliding log that was observed for a window: no process began in it, nobody else spent the key, nothing that was not the limiter
 * refused, and the limit is the one that was told. Elsewhere so many at most as can be on their way together when something unknown shows.
 * And whoever is asked to wait waits (Retry-After).
 */
export function openThrottling({ limiter, settingsLimit, serviceLimit, twoWriters }: Spec): Throttling {
  const unknown: number[] = []
  const askedUntil = new Map<number, number>()
  let [count, isTold] = [0, limiter === 'sliding-log' && settingsLimit <= serviceLimit && !twoWriters]
  return {
    count: () => count,
    hear(event) {
      if (event.is === 'start' || (event.is === 'throttled' && event.byFate)) unknown.push(event.atMs)
      if (event.is === 'happening' && event.what === 'limit') isTold = false
      if (event.is === 'happening' && (event.others > 0 || event.what === 'serviceRestart')) unknown.push(event.atMs)
      if (event.is === 'foreign') unknown.push(event.atMs)
      if (event.is === 'answered' && event.retryAfterS !== undefined) {
        const untilMs = event.atMs + event.retryAfterS * 1_000
        askedUntil.set(event.process, Math.max(untilMs - clockMs(event.retryAfterS), askedUntil.get(event.process) ?? 0))
      }
      if (event.is === 'sent' && event.atMs < (askedUntil.get(event.process) ?? 0))
        return `sent ${(askedUntil.get(event.process) ?? 0) - event.atMs} ms before the service had asked for it`
      if (event.is !== 'throttled' || event.byFate) return undefined
      count++
      if (!isTold) return undefined
      if (!unknown.some((atMs) => event.atMs - atMs <= observedMs)) return 'a 429 on a sliding log that was observed for a window'
      return count > unknown.length * togetherMax ? `${count} refusals after ${unknown.length} unknown moments` : undefined
    },
  }
}

/** By how much a wait may be shorter than it was told: clocks drift, and tell whole ms. */
const clockMs = (waitS: number): number => waitS + 2
/** A window, and what is on its way. */
const observedMs = windowMs + 1_000
/** As many requests as are in flight together. */
const togetherMax = 4
