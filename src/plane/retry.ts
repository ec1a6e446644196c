import { type Answer, NoAnswer } from '../http/origin.ts'
import type { Clock } from './queue.ts'
import { retryAfter } from './rateHeaders.ts'

export type RetryOptions = {
  /** Attempts of a read that fails for a while, the first one counted. */
  readonly attemptsMax: number
  /** How often a request that was refused with 429 is sent again. */
  readonly throttledMax: number
  readonly pauseMs: number
  readonly pauseMaxMs: number
  /** From the first attempt on; none is begun later. */
  readonly withinMs: number
}

export const usualRetries: RetryOptions = { attemptsMax: 3, throttledMax: 3, pauseMs: 500, pauseMaxMs: 8_000, withinMs: 300_000 }

/**
 * Sends again what may be sent again, a few times, and gives back the last answer or throws the last failure.
 * A 429 was surely not executed, so any method is repeated; the budget behind `attempt` knows how long to wait. A read is repeated after
 * a transient failure, with full jitter. A write of unknown outcome never is: only a new reading can tell what became of it.
 *
 * @param random 0 ≤ x < 1
 */
export async function withRetries(
  attempt: () => Promise<Answer>,
  { kind, options, clock, random }: { kind: 'read' | 'write'; options: RetryOptions; clock: Clock; random: () => number },
  signal: AbortSignal,
): Promise<Answer> {
  const endsMs = clock.now() + options.withinMs
  let throttled = 0
  for (let failures = 0; ; ) {
    const tried = await attempt().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('answer' in tried && tried.answer.status === 429) {
      const waitMs = retryAfter(tried.answer, clock.now()) ?? 0
      if (++throttled > options.throttledMax || clock.now() + waitMs >= endsMs) return tried.answer
      continue
    }
    failures++
    const pauseMs = Math.floor(random() * Math.min(options.pauseMaxMs, options.pauseMs * 2 ** failures))
    const again = kind === 'read' && isTransient(tried) && failures < options.attemptsMax && clock.now() + pauseMs < endsMs
    if (!again || signal.aborted) {
      if ('answer' in tried) return tried.answer
      throw tried.error
    }
    // An abort during the pause shows as the next attempt's failure.
    await clock.sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** 500 is among them although it can be permanent (an unknown `order_by`): the number of attempts bounds what that costs. */
function isTransient(tried: { answer: Answer } | { error: unknown }): boolean {
  if ('answer' in tried) return tried.answer.status >= 500 || tried.answer.status === 408
  const { error } = tried
  if (!(error instanceof NoAnswer)) return false
  return error.code === 'unreachable' || error.code === 'deadline' || error.code === 'cut'
}
