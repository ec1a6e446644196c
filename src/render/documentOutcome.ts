import { whole } from '../core/fields.ts'
import type { Key } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'

/** An outcome as the document of a plan has it. */
type DocumentOutcome =
  | {
      readonly is: 'done'
      readonly mapping?: string | undefined
      readonly echoed?: string | undefined
      readonly keptAs?: Key | undefined
      readonly earlierLastByteMs?: number | undefined
    }
  | { readonly is: 'notSent'; readonly why: string; readonly earlierLastByteMs?: number | undefined }
  | {
      readonly is: 'refused'
      readonly status: number
      readonly code: 'credential' | 'forbidden' | 'rejected' | 'gone' | 'conflict' | 'throttled' | 'redirected'
      readonly sentence: string
      readonly retryAfterMs?: number | undefined
      readonly earlierLastByteMs?: number | undefined
    }
  | { readonly is: 'unknown'; readonly why: string; readonly lastByteMs: number; readonly status?: number | undefined }

export function documentOutcome(outcome: Outcome): DocumentOutcome {
  switch (outcome.kind) {
    case 'done': {
      const { kind, mapping, echoed, storedKey, earlierLastByteMs, ...rest } = outcome
      return whole({ is: kind, mapping, echoed, keptAs: storedKey, earlierLastByteMs }, rest)
    }
    case 'notSent': {
      const { kind: is, why, hold: _, earlierLastByteMs, ...rest } = outcome
      return whole({ is, why, earlierLastByteMs }, rest)
    }
    case 'refused': {
      const { kind: is, status, code, sentence, retryAfterMs, earlierLastByteMs, ...rest } = outcome
      return whole({ is, status, code, sentence, retryAfterMs, earlierLastByteMs }, rest)
    }
    case 'unknown': {
      const { kind: is, why, lastByteMs, status, ...rest } = outcome
      return whole({ is, why, lastByteMs, status }, rest)
    }
    default:
      return outcome satisfies never
  }
}
