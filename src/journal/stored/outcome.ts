import { defined, whole } from '../../core/fields.ts'
import type { Key } from '../../core/mapping.ts'
import type { Outcome } from '../../core/outcome.ts'
import { groupSyncFromStored, type StoredGroupSync, storedGroupSync } from './groupSync.ts'
import { inField, notUnderstood, read, type Tell } from './unknown.ts'

export type StoredOutcome =
  | {
      readonly is: 'done'
      readonly mapping?: string | undefined
      readonly echoed?: string | undefined
      readonly keptAs?: Key | undefined
      readonly answered?: StoredGroupSync | undefined
      readonly earlierLastByteMs?: number | undefined
    }
  | { readonly is: 'notSent'; readonly why: string; readonly earlierLastByteMs?: number | undefined }
  | {
      readonly is: 'refused'
      readonly status: number
      readonly code: StoredRefusalCode
      readonly sentence: string
      readonly retryAfterMs?: number | undefined
      readonly earlierLastByteMs?: number | undefined
    }
  | { readonly is: 'unknown'; readonly why: string; readonly lastByteMs: number; readonly status?: number | undefined }

type StoredRefusalCode = 'credential' | 'forbidden' | 'rejected' | 'gone' | 'conflict' | 'throttled' | 'redirected'

export function storedOutcome(outcome: Outcome): StoredOutcome {
  switch (outcome.kind) {
    case 'done': {
      const { kind: _, mapping, echoed, storedKey, answered, earlierLastByteMs, ...rest } = outcome
      const settings = answered && storedGroupSync(answered)
      return whole({ is: 'done', mapping, echoed, keptAs: storedKey, answered: settings, earlierLastByteMs }, rest)
    }
    case 'notSent': {
      const { kind: _, why, hold: _hold, retryAfterMs: _wait, earlierLastByteMs, ...rest } = outcome
      return whole({ is: 'notSent', why, earlierLastByteMs }, rest)
    }
    case 'refused': {
      const { kind: _, status, code, sentence, retryAfterMs, earlierLastByteMs, ...rest } = outcome
      return whole({ is: 'refused', status, code, sentence, retryAfterMs, earlierLastByteMs }, rest)
    }
    case 'unknown': {
      const { kind: _, why, lastByteMs, status, ...rest } = outcome
      return whole({ is: 'unknown', why, lastByteMs, status }, rest)
    }
    default:
      return outcome satisfies never
  }
}

export function outcomeFromStored(stored: StoredOutcome, tell: Tell): Outcome {
  const { is } = stored
  switch (stored.is) {
    case 'done': {
      const { is: _, mapping, echoed, keptAs, answered, earlierLastByteMs, ...rest } = stored
      const settings = answered && groupSyncFromStored(answered, inField(tell, 'answered'))
      const from = { kind: 'done' as const, mapping, echoed, storedKey: keptAs, answered: settings, earlierLastByteMs }
      return read(defined(from), rest, tell)
    }
    case 'notSent': {
      const { is: _, why, earlierLastByteMs, ...rest } = stored
      return read(defined({ kind: 'notSent' as const, why, earlierLastByteMs }), rest, tell)
    }
    case 'refused': {
      const { is: _, status, code, sentence, retryAfterMs, earlierLastByteMs, ...rest } = stored
      return read(defined({ kind: 'refused' as const, status, code, sentence, retryAfterMs, earlierLastByteMs }), rest, tell)
    }
    case 'unknown': {
      const { is: _, why, lastByteMs, status, ...rest } = stored
      return read(defined({ kind: 'unknown' as const, why, lastByteMs, status }), rest, tell)
    }
    default:
      stored satisfies never
      throw notUnderstood('the outcome', is)
  }
}
