import { type Answer, NoAnswer } from '../http/origin.ts'

/** What became of one sending. */
export type Tried = { readonly answer: Answer } | { readonly error: unknown }

/**
 * What may be over at the next attempt, in a word for people: the service failed, or nothing answered. Undefined for all else.
 * 500 is among them although it can be permanent (an unknown `order_by`): what repeats it is bounded elsewhere.
 */
export function transience(tried: Tried): string | undefined {
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
