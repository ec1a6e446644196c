import type { Clock } from '../../core/clock.ts'
import { type Answer, NoAnswer } from '../../http/origin.ts'
import { type Tried, transience } from '../transient.ts'
import type { Queue } from './queue.ts'

export type RetryOptions = {
  /** Attempts of what fails for a while, the first one counted. */
  readonly attemptsMax: number
  /** How often a request that was refused with 429 is sent again. */
  readonly throttledMax: number
  readonly pauseMs: number
  readonly pauseMaxMs: number
  /** From the first attempt on; after a failure none is begun later. */
  readonly withinMs: number
}

export const usualRetries: RetryOptions = { attemptsMax: 3, throttledMax: 3, pauseMs: 500, pauseMaxMs: 8_000, withinMs: 300_000 }

/** `earlierLastByteMs`: an earlier attempt may have been executed too, or may be yet; when its last byte can have left. */
export type Attempted = Tried & { readonly earlierLastByteMs?: number }

export type Retrying = {
  readonly options: RetryOptions
  /** Executing it twice is like executing it once. */
  readonly idempotent: boolean
  /** Asked before each repetition after a failure. */
  readonly mayRetry: Queue['mayRetry']
  readonly clock: Clock
  /** 0 ≤ x < 1 */
  readonly random: () => number
}

/**
 * Sends again what may be sent again, a few times, and gives back what came of the last attempt.
 *
 * | what came of it | what is repeated |
 * |---|---|
 * | 429: surely not executed | everything; the budget behind `attempt` knows how long to wait |
 * | a transient failure before any byte left | everything, with full jitter, inside the retry budget |
 * | another transient failure: it may have been executed | what is idempotent, likewise. A create never is: only a new reading can tell |
 */
export async function withRetries(attempt: () => Promise<Answer>, retrying: Retrying, signal: AbortSignal): Promise<Attempted> {
  const { options, idempotent, mayRetry, clock, random } = retrying
  const endsMs = clock.now() + options.withinMs
  let [throttled, failures] = [0, 0]
  let earlier: Pick<Attempted, 'earlierLastByteMs'> = {}
  for (;;) {
    const tried = await attempt().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('answer' in tried && tried.answer.status === 429) {
      // However long it was in the queue: where a limit is low, that is minutes. A key that is refused for ever meets the stall.
      if (++throttled > options.throttledMax) return { ...tried, ...earlier }
      continue
    }
    failures++
    const lastByteMs = lastByteOf(tried)
    const pauseMs = Math.floor(random() * Math.min(options.pauseMaxMs, options.pauseMs * 2 ** failures))
    const repeatable = transience(tried) !== undefined && (idempotent || lastByteMs === undefined)
    const inTime = failures < options.attemptsMax && clock.now() + pauseMs < endsMs && !signal.aborted
    if (!repeatable || !inTime || !mayRetry()) return { ...tried, ...earlier }
    if (lastByteMs !== undefined) earlier = { earlierLastByteMs: lastByteMs }
    // An abort during the pause shows as the next attempt's failure.
    await clock.sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** When the last byte of a request that may have been executed can have left; undefined where none has. */
function lastByteOf(tried: Tried): number | undefined {
  if ('answer' in tried) return tried.answer.receivedAtMs
  const { error } = tried
  return error instanceof NoAnswer && error.sent ? error.atMs : undefined
}
