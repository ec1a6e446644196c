import { windowMs } from '../given.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** Finds refusals of the rate limiter that the program could have avoided. */
export type Throttling = {
  readonly hear: (event: Happened) => string | undefined
  /** The number of all refusals. */
  readonly count: () => number
}

/**
 * No refusal is allowed on a sliding log that was observed for a window. That means: in this window no process started, no other program used
 * the key, only the limiter refused calls, and the limit was the one in the settings. Otherwise at most as many refusals are allowed as
 * calls can be under way together. In addition, a process that is asked to wait must wait (Retry-After).
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

/** How much shorter a wait may be than asked for: clocks drift, and show whole ms. */
const clockMs = (waitS: number): number => waitS + 2
/** A window, and the time of calls under way. */
const observedMs = windowMs + 1_000
/** The most requests that are in flight together. */
const togetherMax = 4
