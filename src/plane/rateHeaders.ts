import type { Answer } from '../http/origin.ts'
import type { Facts } from './budget.ts'

/**
 * What an answer's headers say about the budget. `X-RateLimit-Reset` is read from a 429 alone: the specification calls it the end of the
 * window, Plane always sends now + window, and only after a refusal without `Retry-After` is either better than knowing nothing.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ `RateLimit: "default";r=50;t=30`, earlier `limit=60, remaining=50`
 */
export function factsOf({ status, headers }: Pick<Answer, 'status' | 'headers'>, now: number): Facts {
  const limit = whole(headers['x-ratelimit-limit']) ?? whole(headers['ratelimit-limit'])
  const remaining = whole(headers['x-ratelimit-remaining']) ?? whole(headers['ratelimit-remaining']) ?? lowest(headers.ratelimit)
  const retryAfterMs = retryAfter({ headers }, now)
  const resetMs = status === 429 ? reset(headers, now) : undefined
  return {
    is: 'answer',
    status,
    ...(limit === undefined || limit === 0 ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetMs === undefined ? {} : { resetMs }),
  }
}

/** How long the service asks to wait, in ms: seconds, or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter({ headers }: Pick<Answer, 'headers'>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - theirClock(headers, now))
}

/** Until the reset, in ms; it is told in whole seconds, rounded who knows how. */
function reset(headers: Answer['headers'], now: number): number | undefined {
  const told = whole(headers['x-ratelimit-reset'])
  if (told !== undefined && told > secondsOfAnEpoch) return Math.max(0, (told + 1) * 1000 - theirClock(headers, now))
  const seconds = told ?? whole(headers['ratelimit-reset'])
  return seconds === undefined ? undefined : seconds * 1000
}

/** Their dates are compared with their clock where the answer tells it: ours may be minutes off. */
function theirClock(headers: Answer['headers'], now: number): number {
  const at = Date.parse(headers.date ?? '')
  return Number.isNaN(at) ? now : at
}

/** Smaller numbers are seconds from now (some put those into the header), greater ones the time. */
const secondsOfAnEpoch = 1e9

const whole = (text: string | undefined): number | undefined => {
  const digits = /^\s*(\d{1,10})(?!\d)/.exec(text ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Of several policies the one with the least left binds. */
function lowest(text: string | undefined): number | undefined {
  const left = [...(text ?? '').matchAll(/(?:^|[;,\s])(?:r|remaining)=(\d{1,10})(?!\d)/g)].map((found) => Number(found[1]))
  return left.length === 0 ? undefined : Math.min(...left)
}
