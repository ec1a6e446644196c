import { noLongerNeeded, type SteadyClock } from '../../core/clock.ts'
import { type Answer, NoAnswer } from '../../http/origin.ts'
import { isTransient, type SendResult } from '../transient.ts'

export type RetryOptions = {
  /** Attempts in all when each fails transiently, the first one included. */
  readonly attemptsMax: number
  /** How often a request is sent again after a 429. */
  readonly throttledMax: number
  readonly pauseMs: number
  readonly pauseMaxMs: number
  /** How long after the first attempt the last one may begin. It does not apply after a 429. */
  readonly withinMs: number
}

export const usualRetries: RetryOptions = { attemptsMax: 3, throttledMax: 3, pauseMs: 500, pauseMaxMs: 8_000, withinMs: 300_000 }

/**
 * `earlierLastByteMs`: the latest time at which the last byte of an earlier attempt left; present if that attempt may have been executed too, or may
 * still be executed.
 */
export type AttemptResult = SendResult & { readonly earlierLastByteMs?: number }

type RetryContext = {
  readonly options: RetryOptions
  /** Whether executing the request twice has the same effect as once. */
  readonly idempotent: boolean
  /** Asked before each repetition after a failure. */
  readonly mayRetry: () => boolean
  readonly clock: SteadyClock
  /** 0 ≤ x < 1 */
  readonly random: () => number
}

/**
 * Sends a request, repeats it where that is safe, and returns the result of the last attempt.
 *
 * | result | repeated |
 * |---|---|
 * | 429: not executed | any request; the budget behind `attempt` decides how long it waits |
 * | a transient failure before any byte left | any request, with full jitter, within the retry budget |
 * | another transient failure: perhaps executed | an idempotent request, likewise. A create is not: only a new list shows whether it was executed |
 */
export async function withRetries(attempt: () => Promise<Answer>, retrying: RetryContext, signal: AbortSignal): Promise<AttemptResult> {
  const { options, idempotent, mayRetry, clock, random } = retrying
  const endsMs = clock.now() + options.withinMs
  let throttled = 0
  let failures = 0
  let earlier: Pick<AttemptResult, 'earlierLastByteMs'> = {}
  for (;;) {
    const tried = await attempt().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('answer' in tried && tried.answer.status === 429) {
      // `withinMs` does not apply to a 429: with a low limit a request waits minutes in the queue. The stall stops a key that only gets 429.
      if (++throttled > options.throttledMax) return { ...tried, ...earlier }
      continue
    }
    failures++
    const lastByteMs = lastByteOf(tried)
    const pauseMs = Math.floor(random() * Math.min(options.pauseMaxMs, options.pauseMs * 2 ** failures))
    const repeatable = isTransient(tried) && (idempotent || lastByteMs === undefined)
    const inTime = failures < options.attemptsMax && clock.now() + pauseMs < endsMs && !signal.aborted
    if (!repeatable || !inTime || !mayRetry()) return { ...tried, ...earlier }
    if (lastByteMs !== undefined) earlier = { earlierLastByteMs: lastByteMs }
    // After an abort during the pause the next attempt fails.
    await clock.sleep(pauseMs, signal).catch(() => undefined)
  }
}

/** If the request may have been executed: the latest time at which its last byte can have left. Undefined if no byte left. */
function lastByteOf(tried: SendResult): number | undefined {
  if ('answer' in tried) return tried.answer.receivedAtMs
  const { error } = tried
  return error instanceof NoAnswer && error.sent ? error.atMs : undefined
}

/**
 * How many repetitions all callers of one credential may send: one for each ten answered requests, and six an hour; at most ten are saved up.
 * A service that is down then gets hardly more requests than without repetitions. A request that always fails costs a few repetitions an hour,
 * over all cycles. Finagle and gRPC do the same.
 *
 * @see https://finagle.github.io/blog/2016/02/08/retry-budgets · https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export type RetryBudget = { readonly balance: number; readonly atMs: number }

export const retriesMax = 10
/** The balance counts tenths of a repetition, because ten times 0.1 is not exactly 1. */
const cost = 10
const perAnswer = 1
const perMs = (6 * cost) / 3_600_000

export const fullRetryBudget = (now: number): RetryBudget => ({ balance: retriesMax * cost, atMs: now })

/** The budget after an answer that is no transient failure. */
export const deposit = (budget: RetryBudget, now: number): RetryBudget => earned(budget, now, perAnswer)

/** The budget without one repetition; undefined if none is left. */
export function withdraw(budget: RetryBudget, now: number): RetryBudget | undefined {
  const { balance } = earned(budget, now, 0)
  return balance < cost ? undefined : { balance: balance - cost, atMs: now }
}

const earned = ({ balance, atMs }: RetryBudget, now: number, more: number): RetryBudget => ({
  balance: Math.min(retriesMax * cost, balance + more + Math.max(0, now - atMs) * perMs),
  atMs: now,
})

/**
 * Runs `work` with a signal that fires `gracePeriodMs` after `signal`, so that a stop does not cut `work` short. If `signal` has already fired,
 * `work` gets `signal` itself.
 */
export async function withGracePeriod<T>(
  work: (signal: AbortSignal) => Promise<T>,
  gracePeriodMs: number,
  clock: Pick<SteadyClock, 'sleep'>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) return work(signal)
  const late = new AbortController()
  const ended = new AbortController()
  const onStop = () => {
    const tooLate = () => late.abort(signal.reason)
    clock.sleep(gracePeriodMs, ended.signal).then(tooLate, () => undefined)
  }
  signal.addEventListener('abort', onStop)
  try {
    return await work(late.signal)
  } finally {
    signal.removeEventListener('abort', onStop)
    ended.abort(noLongerNeeded)
  }
}
