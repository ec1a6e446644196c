import { windowMs } from '../given.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** Whether a process makes less of a limit than it could. */
export type Pace = {
  /** What came too late, and by how much. */
  readonly hear: (event: Happened) => string | undefined
}

/** A refused call, which waits: nothing else can be the reason that a process sends nothing. */
type Waiting = {
  readonly process: number
  readonly sinceMs: number
  /** As long as the service asked to wait. */
  untilMs: number
}

/**
 * From a refusal on the next call comes as soon as the service asked for it and the process's own calls of the last window leave room, in
 * twice that time at most. Room is counted by half the limit, less the reserve, since a refusal that nobody can explain may halve it.
 *
 * Looked at where nothing else explains a wait: on a sliding log that says what it counts, with one process that nobody disturbed for a while.
 */
export function openPace({ limiter, published, settingsLimit, serviceLimit, reserve, twoWriters }: Spec): Pace {
  let isPlain = limiter === 'sliding-log' && published === 'counted' && settingsLimit <= serviceLimit && !twoWriters
  /** Calls that may be counted, and when they ended. */
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
      // Only the first one of a while: later ones may lengthen each other's wait.
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
          // After a refusal one goes alone, so it waits for what was on its way.
          if (waiting !== undefined) waiting.untilMs = Math.max(waiting.untilMs, event.atMs)
          if (event.status >= 500 || !event.intact) disturbed(event.atMs)
          return undefined
        case 'silence':
          calls.set(event.request, event.atMs)
          disturbed(event.atMs)
          return undefined
        case 'start':
          // What the ones before it sent it cannot know.
          if (event.process > 0) disturbed(event.atMs)
          return undefined
        case 'happening':
          // What is lowered is not the limit that was told.
          if (event.what === 'limit') isPlain = false
          disturbed(event.atMs)
          return undefined
        case 'foreign':
          disturbed(event.atMs)
          return undefined
        case 'cycled':
          // Nobody waits any more.
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
