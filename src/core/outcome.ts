import type { Change } from './change.ts'
import type { Key } from './mapping.ts'

/** What is known about a write after it was tried. `earlierLastByteMs`: an earlier sending of it got no answer; its last byte. */
export type Outcome =
  /** `echoed`: the role that the service answered with. `keptAs`: the key, where it is another one. `mapping`: the id that it gave. */
  | {
      readonly is: 'done'
      readonly mapping?: string
      readonly echoed?: string
      readonly keptAs?: Key
      readonly earlierLastByteMs?: number
    }
  /** No byte of it left: connection refused, name unknown, TLS refused. */
  | { readonly is: 'notSent'; readonly why: string; readonly earlierLastByteMs?: number }
  /** A complete 3xx or 4xx other than 408: the service says that it did nothing. */
  | {
      readonly is: 'refused'
      readonly status: number
      readonly code: RefusalCode
      readonly sentence: string
      readonly retryAfterMs?: number
      readonly earlierLastByteMs?: number
    }
  /** All else, every 5xx included: it may have been executed, or may be until `lastByteMs` + Δ. `status`: of a complete answer. */
  | { readonly is: 'unknown'; readonly why: string; readonly lastByteMs: number; readonly status?: number }

/** `credential`: no further call with it makes sense. `forbidden`: it may not do this; others perhaps. `gone`: the object is not there. `throttled`: the same write may be sent again later. */
export type RefusalCode = 'credential' | 'forbidden' | 'rejected' | 'gone' | 'conflict' | 'throttled' | 'redirected'

/** Whether there is by now what was sent. A mapping that the service keeps under another key is none that anybody asked for. */
export const isAsSent = (outcome: Outcome): boolean => outcome.is === 'done' && outcome.keptAs === undefined

/** What a proxy answers where there is no service, and a service that is shutting down. */
const outages: ReadonlySet<number | undefined> = new Set([undefined, 502, 503, 504])

/** Whether the next change would hardly fare better: no answer, or one that is not about this change. */
export const isOutage = (outcome: Outcome): boolean => outcome.is === 'unknown' && outages.has(outcome.status)

/**
 * The last byte of a sending whose fate nobody knows: Δ later it is settled. Of a delete that is done an earlier sending finds nothing any
 * more, since the service uses no id twice.
 */
export function unsettledByteMs({ action }: Change, outcome: Outcome): number | undefined {
  if (outcome.is === 'unknown') return outcome.lastByteMs
  return action === 'delete' && outcome.is === 'done' ? undefined : outcome.earlierLastByteMs
}
