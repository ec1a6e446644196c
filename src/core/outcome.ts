import type { Change } from './change.ts'
import { type Codec, literal, number, optional, string, union } from './codec.ts'
import { answeredOtherwise, type GroupSync, storedGroupSync } from './groupSync.ts'
import type { Hold } from './hold.ts'
import type { Key } from './mapping.ts'

/**
 * What this program knows about a write after it was tried. `earlierLastByteMs`: an earlier attempt at this write got no usable
 * answer, and its last byte left at this time at the latest. It may have been executed, or may be executed until Δ later.
 */
export type Outcome =
  /**
   * `mapping`: the id of a new mapping. `echoed`: the role that the service answered with (see `withoutSameRole`). `storedKey`: the key under which
   * the service stored the mapping, if it is another than the one sent. `answered`: the group-sync settings that the service answered with other
   * values than were sent; absent if there are none.
   */
  | {
      readonly kind: 'done'
      readonly mapping?: string
      readonly echoed?: string
      readonly storedKey?: Key
      readonly answered?: GroupSync
      readonly earlierLastByteMs?: number
    }
  /**
   * No byte was sent, or only attempts that got a 429: connection refused, name unknown, TLS refused. `hold`: the gate stopped it, and this is its
   * reason. `retryAfterMs`: the service has asked all requests to wait, and this long is left.
   */
  | {
      readonly kind: 'notSent'
      readonly why: string
      readonly hold?: Hold
      readonly retryAfterMs?: number
      readonly earlierLastByteMs?: number
    }
  /** A complete 3xx or 4xx other than 408: the service says that it did nothing. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: RefusalCode
      readonly sentence: string
      readonly retryAfterMs?: number
      readonly earlierLastByteMs?: number
    }
  /**
   * Everything else, also every 5xx: the write may have been executed, or may still be executed until `lastByteMs` + Δ (Δ:
   * `unknownOutcomeWaitMs`, the time for which a lost request may still run). `status`: the status, if the answer was complete.
   */
  | { readonly kind: 'unknown'; readonly why: string; readonly lastByteMs: number; readonly status?: number }

/**
 * `credential`: every further call with the credential would fail, too. `forbidden`: the credential may not do this write, but perhaps others.
 * `gone`: the object does not exist. `throttled`: the same write may be sent again later.
 */
export type RefusalCode = 'credential' | 'forbidden' | 'rejected' | 'gone' | 'conflict' | 'throttled' | 'redirected'

const earlierLastByteMs = optional(number())

/** @param wait the pause that the service has asked for before a write that was not sent: a document has it, a journal does not */
export const outcomeCodec = (wait: Codec<number | undefined> | 'notStored'): Codec<Outcome> =>
  union<Outcome, 'kind'>('the outcome', ['kind', 'is'], {
    done: {
      kind: ['is', literal('done')],
      mapping: optional(string()),
      echoed: optional(string()),
      storedKey: ['keptAs', optional(string())],
      answered: optional(storedGroupSync),
      earlierLastByteMs,
    },
    notSent: { kind: ['is', literal('notSent')], why: string(), hold: 'notStored', retryAfterMs: wait, earlierLastByteMs },
    refused: {
      kind: ['is', literal('refused')],
      status: number(),
      code: string(),
      sentence: string(),
      retryAfterMs: optional(number()),
      earlierLastByteMs,
    },
    unknown: { kind: ['is', literal('unknown')], why: string(), lastByteMs: number(), status: optional(number()) },
  })

/**
 * The outcome without `echoed` if that is the role which was sent, or the service's name for it. The default role in `answered` is left out in the same way.
 *
 * @param aliases role → the service's name for it
 */
export function withoutSameRole(change: Change, outcome: Outcome, aliases: Readonly<Record<string, string>>): Outcome {
  if (outcome.kind !== 'done') return outcome
  const { echoed, answered = {}, ...rest } = outcome
  if (change.action === 'settings') {
    const differing = answeredOtherwise(change.after, answered, aliases)
    return Object.keys(differing).length === 0 ? rest : { ...rest, answered: differing }
  }
  if (!('role' in change)) return outcome
  return echoed === change.role || echoed === aliases[change.role] ? rest : outcome
}

/**
 * Whether the service has stored what was sent. A mapping that it stored under another key or with another role does not count, and settings that it
 * answered with other values do not.
 */
export const isAsSent = (outcome: Outcome): boolean =>
  outcome.kind === 'done' && outcome.storedKey === undefined && outcome.echoed === undefined && outcome.answered === undefined

/** Answers of a proxy that cannot reach the service, or of a service that is shutting down. Undefined: no answer. */
const outages: ReadonlySet<number | undefined> = new Set([undefined, 502, 503, 504])

/** Whether the next change would probably fail in the same way: there is no answer, or one that has nothing to do with the change. */
export const isOutage = (outcome: Outcome): boolean => outcome.kind === 'unknown' && outages.has(outcome.status)

/**
 * Time of the last byte of an attempt whose outcome is unknown; undefined if there is no such attempt. After this time + Δ the attempt can no
 * longer be executed. If a delete is done, an earlier attempt at it finds nothing to delete, since the service never uses an id twice.
 */
export function unsettledByteMs({ action }: Change, outcome: Outcome): number | undefined {
  if (outcome.kind === 'unknown') return outcome.lastByteMs
  return action === 'delete' && outcome.kind === 'done' ? undefined : outcome.earlierLastByteMs
}

/**
 * Time (epoch ms) until which a lost attempt at a write may still be executed; undefined if there is no such attempt. A list or a setting that was
 * requested before this time may not show the attempt yet.
 *
 * @param unknownOutcomeWaitMs Δ
 */
export function settledMs(change: Change, outcome: Outcome, unknownOutcomeWaitMs: number): number | undefined {
  const byteMs = unsettledByteMs(change, outcome)
  return byteMs === undefined ? undefined : byteMs + unknownOutcomeWaitMs
}
