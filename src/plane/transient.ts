import { type Answer, NoAnswer } from '../http/origin.ts'

/** The result of one sending. */
export type SendResult = { readonly answer: Answer } | { readonly error: unknown }

/**
 * A short text for a failure that may be gone at the next attempt: the service failed, or did not answer. Undefined for any other result.
 * A 500 counts as transient, although it can be permanent (an unknown `order_by`); the number of repetitions is limited elsewhere.
 */
export function transience(tried: SendResult): string | undefined {
  if ('answer' in tried) {
    const { status } = tried.answer
    return status >= 500 || status === 408 ? `status ${status}` : undefined
  }
  const { error } = tried
  return error instanceof NoAnswer ? words[error.code] : undefined
}

const words: Readonly<Record<NoAnswer['code'], string | undefined>> = {
  unreachable: 'no connection',
  deadline: 'no answer in time',
  cut: 'an answer cut off',
  tls: undefined,
  tooLarge: undefined,
  aborted: undefined,
}
