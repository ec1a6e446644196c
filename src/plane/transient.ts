import { type Answer, NoAnswer } from '../http/origin.ts'
import { excerpt, explanation } from './answerBody.ts'
import { silenceCure } from './errors.ts'

/** The result of one sending. */
export type SendResult = { readonly answer: Answer } | { readonly error: unknown }

/**
 * Whether a failure may be gone at the next attempt: the service failed, or did not answer.
 * A 500 counts as transient, although it can be permanent (an unknown `order_by`); the number of repetitions is limited elsewhere.
 */
export function isTransient(tried: SendResult): boolean {
  if ('answer' in tried) return tried.answer.status >= 500 || tried.answer.status === 408
  return tried.error instanceof NoAnswer && transientCodes.has(tried.error.code)
}

const transientCodes: ReadonlySet<NoAnswer['code']> = new Set(['unreachable', 'deadline', 'cut'])

/** Why a request failed, without its place, and what to do. */
export type Failure = { readonly sentence: string; readonly cure: string | undefined }

/** The failure of a transient result; undefined for any other result. @param secrets they appear in no text */
export function transientFailure(tried: SendResult, secrets: () => readonly string[]): Failure | undefined {
  if (!isTransient(tried)) return undefined
  if ('answer' in tried) return { sentence: `status ${tried.answer.status} (${explanation(tried.answer, secrets())})`, cure: serverCure }
  const error = tried.error as NoAnswer
  return { sentence: excerpt(error.why, secrets(), 500), cure: silenceCure(error) }
}

const serverCure = 'see the log of Plane and of any proxy in front of it'
