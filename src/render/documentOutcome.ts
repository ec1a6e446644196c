import { whole } from '../core/fields.ts'
import type { Outcome } from '../core/outcome.ts'
import type { DocumentOutcome } from '../documents/outcome.ts'
import { documentSettings } from './documentParts.ts'

export function documentOutcome(outcome: Outcome): DocumentOutcome {
  switch (outcome.kind) {
    case 'done': {
      const { kind, mapping, echoed, storedKey, answered, earlierLastByteMs, ...rest } = outcome
      const settings = answered && documentSettings(answered)
      return whole({ is: kind, mapping, echoed, keptAs: storedKey, answered: settings, earlierLastByteMs }, rest)
    }
    case 'notSent': {
      const { kind: is, why, hold: _, retryAfterMs, earlierLastByteMs, ...rest } = outcome
      return whole({ is, why, retryAfterMs, earlierLastByteMs }, rest)
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
