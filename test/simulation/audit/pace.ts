import { windowMs } from '../given.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** Checks that a process does not wait longer than the limiter requires. */
export type Pace = {
  /** Returns a sentence if a call came too late. */
  readonly hear: (event: Happened) => string | undefined
}

/** A refused call that waits, and is the only possible reason why its process sends nothing. */
type Waiting = {
  readonly process: number
  readonly sinceMs: number
  /** The time until which the service asked to wait. */
  untilMs: number
}

/**
 * After a refusal the next call must come as soon as two conditions hold: the service's wait is over, and the process's own calls of the last
 * window leave room. It may take twice that time. Room is counted with half the limit, less the reserve: an unexplained refusal may halve the limit.
 *
 * Checked only if nothing else explains a wait: on a sliding log with published counts, with one process, and without faults for a while.
 */
export function openPace({ limiter, published, settingsLimit, serviceLimit, reserve, twoWriters }: Spec): Pace {
  let isPlain = limiter === 'sliding-log' && published === 'counted' && settingsLimit <= serviceLimit && !twoWriters
  /** Calls that the limiter may count → when they ended. */
  const calls = new Map<number, number | undefined>()
  let waiting: Waiting | undefined
  let [disturbedMs, refusals] = [Number.NEGATIVE_INFINITY, 0]

  function disturbed(atMs: number): void {
    disturbedMs = atMs
    waiting = undefined
  }

  function refused({ process, request, atMs, retryAfterS = windowMs / 1_000 }: Extract<Happened, { is: 'answered' }>): void {
    calls.delete(request)
    const untilMs = atMs + retryAfterS * 1_000
    if (waiting !== undefined) waiting.untilMs = Math.max(waiting.untilMs, untilMs)
    else {
      // Only the first refusal in a while: later ones may lengthen each other's wait.
      if (atMs - disturbedMs >= undisturbedMs) waiting = { process, sinceMs: atMs, untilMs }
      disturbedMs = atMs
      refusals++
    }
  }

  function sent({ process, atMs }: Extract<Happened, { is: 'sent' }>): string | undefined {
    const waited = waiting
    waiting = undefined
    if (waited?.process !== process || [...calls.values()].includes(undefined)) return undefined
    const half = Math.max(1, Math.floor(settingsLimit / 2 ** refusals))
    const room = Math.max(1, half - Math.ceil((half * Number.parseInt(reserve, 10)) / 100))
    const leaving = [...calls.values()].map((endedMs = atMs) => endedMs + windowMs + driftMs).toSorted((a, b) => b - a)
    const couldMs = Math.max(waited.untilMs, leaving[room - 1] ?? 0) - waited.sinceMs
    const tookMs = atMs - waited.sinceMs
    return tookMs > 2 * couldMs + slackMs
      ? `refused, and sent again only after ${tookMs} ms; ${couldMs} ms would have been enough`
      : undefined
  }

  return {
    hear(event) {
      if (!isPlain) return undefined
      switch (event.is) {
        case 'sent': {
          const delay = sent(event)
          calls.set(event.request, undefined)
          return delay
        }
        case 'answered':
          if (event.status === 429) {
            refused(event)
            return undefined
          }
          calls.set(event.request, event.atMs)
          // After a refusal one call goes alone, so it waits for the calls that were under way.
          if (waiting !== undefined) waiting.untilMs = Math.max(waiting.untilMs, event.atMs)
          if (event.status >= 500 || !event.intact) disturbed(event.atMs)
          return undefined
        case 'silence':
          calls.set(event.request, event.atMs)
          disturbed(event.atMs)
          return undefined
        case 'start':
          // A new process cannot know the calls of the processes before it.
          if (event.process > 0) disturbed(event.atMs)
          return undefined
        case 'happening':
          // The limit is no longer the one in the settings.
          if (event.what === 'limit') isPlain = false
          disturbed(event.atMs)
          return undefined
        case 'foreign':
          disturbed(event.atMs)
          return undefined
        case 'cycled':
          // No call waits any more.
          waiting = undefined
          return undefined
        default:
      }
      return undefined
    },
  }
}

const undisturbedMs = 3 * windowMs
const driftMs = 100
const slackMs = 5_000
