import { durationText } from '../../core/quantity.ts'
import type { Answer } from '../../http/origin.ts'
import { factsOf } from '../../http/rateHeaders.ts'
import type { Deadline } from '../deadline.ts'
import { DirectoryError } from '../directoryError.ts'

/** What answers of a directory have said about its rate limit: nothing is sent before `untilMs`. All readings of the directory share it. */
export type AskedWait = { untilMs: number; toldMs: number }
export const noWaitAsked = (): AskedWait => ({ untilMs: Number.NEGATIVE_INFINITY, toldMs: Number.NEGATIVE_INFINITY })

type PaceOptions = {
  readonly asked: AskedWait
  /** The share of each rate limit, from 0 to 1, that is left for other programs. Default: 0. */
  readonly reserve?: number | undefined
  readonly deadline: Deadline
  readonly now: () => number
  /** The machine's clock, for dates in answers. */
  wall(): number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
}

/** When the next request of a reading may be sent. */
type RequestPace = {
  /** Waits until the server allows a request. */
  turn(where: string, signal: AbortSignal): Promise<void>
  /** Takes note of the rate limit in an answer. */
  answered(answer: Pick<Answer, 'status' | 'headers'>): void
  /** Waits before the same request is sent again. */
  beforeRetry(failure: DirectoryError, attempt: number, signal: AbortSignal): Promise<void>
}

const waitFirstMs = 200
const waitMaxMs = 5_000
/** A later reading asks anew after this, since a server may have meant less than it said. Windows of rate limits are shorter. */
const carriedMaxMs = 300_000

/**
 * Obeys `Retry-After` and the rate-limit headers: if only the reserve is left of a limit, the next request waits for the reset. A wait that is longer
 * than the rest of the reading ends the reading. @throws {DirectoryError}
 */
export function openRequestPace({ asked, reserve = 0, deadline, now, wall, wait, random }: PaceOptions): RequestPace {
  const usedUp = reserve > 0 ? 'the rate limit of the server is used up to the reserve' : 'the rate limit of the server is used up'
  const reserveCure = 'raise readingTimeout, lower reserve, or find out which other program uses up the rate limit'
  asked.untilMs = Math.min(asked.untilMs, asked.toldMs + carriedMaxMs)
  const blockedMs = () => Math.max(0, asked.untilMs - now())

  async function pause(ms: number, why: string, cure: string | undefined, signal: AbortSignal): Promise<void> {
    const leftMs = deadline.leftMs()
    if (ms < leftMs) return wait(ms, signal)
    throw new DirectoryError('throttled', `${why}; the next request is due in ${durationText(ms)}, and ${rest(leftMs)}`, {
      cure: cure ?? 'raise readingTimeout, or find out which other program uses up the rate limit',
    })
  }

  return {
    async turn(where, signal) {
      const ms = blockedMs()
      if (ms > 0) await pause(ms, `${where}: ${usedUp}`, reserve > 0 ? reserveCure : undefined, signal)
    },
    answered(answer) {
      const { quotas, retryAfterMs = 0 } = factsOf(answer, wall())
      const untilResetMs = quotas.reduce(
        (most, { limit = 0, remaining = Number.POSITIVE_INFINITY, resetMs = 0 }) =>
          remaining <= reserve * limit ? Math.max(most, resetMs) : most,
        0,
      )
      const untilMs = now() + Math.max(retryAfterMs, untilResetMs)
      if (untilMs > asked.untilMs) Object.assign(asked, { untilMs, toldMs: now() })
    },
    async beforeRetry({ message, cure, waitMs }, attempt, signal) {
      const jitterMs = random() * Math.min(waitMaxMs, waitFirstMs * 2 ** attempt)
      const askedMs = Math.max(waitMs, blockedMs())
      await pause(Math.max(jitterMs, askedMs), message, askedMs > jitterMs ? undefined : cure, signal)
    },
  }
}

const rest = (leftMs: number): string => (leftMs > 0 ? `the reading has ${durationText(leftMs)} left` : 'the reading has no time left')
