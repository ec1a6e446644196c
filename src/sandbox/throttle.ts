export type Limit = { requests: number; windowMs: number }
export const limiters = ['sliding-log', 'fixed-window', 'sliding-counter', 'token-bucket'] as const
export type Limiter = (typeof limiters)[number]

/** `resetAtMs` is the value of X-RateLimit-Reset. `retryAfterS` is absent if the service does not know it (see `rule`). */
export type Ruling = { readonly allowed: boolean; readonly remaining: number; readonly resetAtMs: number; readonly retryAfterS?: number }

/**
 * Decides about one request that arrives at `nowMs`, and adds it to `log`, the limiter's memory of one credential, which is empty at first.
 *
 * | limiter         | a request is forgotten                                     | `log` holds                                  | reset |
 * |-----------------|------------------------------------------------------------|----------------------------------------------|-------|
 * | sliding-log     | one window after it arrived                                | arrivals                                     | now + window |
 * | fixed-window    | with all others, one window after the first of them        | arrivals                                     | end of the window |
 * | sliding-counter | evenly, during the next window of the clock                | begin of the window, counts before and in it | end of the window |
 * | token-bucket    | one after each span of window ÷ limit, as in GCRA          | when all will be forgotten                   | the same time |
 *
 * A refused request is not added. If the limit was lowered below the length of the log, a sliding log knows no time for the next request:
 * its 429 has no Retry-After (measured on the Community Edition).
 */
export function rule(limiter: Limiter, limit: Limit, log: number[], nowMs: number): Ruling {
  switch (limiter) {
    case 'sliding-log':
      return slidingLog(limit, log, nowMs)
    case 'fixed-window':
      return fixedWindow(limit, log, nowMs)
    case 'sliding-counter':
      return slidingCounter(limit, log, nowMs)
    case 'token-bucket':
      return tokenBucket(limit, log, nowMs)
    default:
      return limiter satisfies never
  }
}

function slidingLog({ requests, windowMs }: Limit, log: number[], nowMs: number): Ruling {
  const kept = log.findIndex((atMs) => atMs > nowMs - windowMs)
  log.splice(0, kept === -1 ? log.length : kept)
  const allowed = log.length < requests
  if (allowed) log.push(nowMs)
  const ruling = { allowed, remaining: Math.max(0, requests - log.length), resetAtMs: nowMs + windowMs }
  return allowed || log.length > requests ? ruling : refused(ruling, (log[0] ?? nowMs) + windowMs - nowMs)
}

function fixedWindow({ requests, windowMs }: Limit, log: number[], nowMs: number): Ruling {
  if (log[0] !== undefined && log[0] + windowMs <= nowMs) log.length = 0
  const allowed = log.length < requests
  if (allowed) log.push(nowMs)
  const resetAtMs = (log[0] ?? nowMs) + windowMs
  const ruling = { allowed, remaining: Math.max(0, requests - log.length), resetAtMs }
  return allowed ? ruling : refused(ruling, resetAtMs - nowMs)
}

/** The count of the previous window is weighted by the remaining share of the present one. */
function slidingCounter({ requests, windowMs }: Limit, log: number[], nowMs: number): Ruling {
  const beganMs = Math.floor(nowMs / windowMs) * windowMs
  const [knownMs = beganMs, former = 0, latter = 0] = log
  const [before, sofar] = knownMs === beganMs ? [former, latter] : [knownMs + windowMs === beganMs ? latter : 0, 0]
  const weighed = before * (1 - (nowMs - beganMs) / windowMs)
  const allowed = weighed + sofar + 1 <= requests
  const here = sofar + (allowed ? 1 : 0)
  log.splice(0, 3, beganMs, before, here)
  const ruling = { allowed, remaining: Math.max(0, Math.floor(requests - weighed - here)), resetAtMs: beganMs + windowMs }
  if (allowed) return ruling
  // The next request is possible in this window when the weighted previous count is low enough, else in the next window.
  const [mayWeigh, first, count] = requests > sofar ? [requests - sofar - 1, beganMs, before] : [requests - 1, beganMs + windowMs, sofar]
  return refused(ruling, first + windowMs * (1 - mayWeigh / count) - nowMs)
}

/** A bucket of `requests` tokens by the generic cell rate algorithm. Its state is one number: when the bucket is full again. */
function tokenBucket({ requests, windowMs }: Limit, log: number[], nowMs: number): Ruling {
  const everyMs = windowMs / requests
  const fullMs = Math.max(nowMs, log[0] ?? nowMs)
  // Sums of fractions of a ms are not exact.
  const allowed = fullMs + everyMs - nowMs <= windowMs + roundingMs
  const resetAtMs = allowed ? fullMs + everyMs : fullMs
  log[0] = resetAtMs
  const ruling = { allowed, remaining: Math.max(0, Math.floor((nowMs + windowMs + roundingMs - resetAtMs) / everyMs)), resetAtMs }
  return allowed ? ruling : refused(ruling, fullMs + everyMs - windowMs - nowMs)
}

const roundingMs = 0.001

const refused = (ruling: Ruling, waitMs: number): Ruling =>
  Number.isFinite(waitMs) ? { ...ruling, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) } : ruling
