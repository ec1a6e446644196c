export type Limit = { requests: number; windowMs: number }
export const limiters = ['sliding-log', 'fixed-window', 'sliding-counter', 'token-bucket'] as const
export type Limiter = (typeof limiters)[number]

/** `resetAtMs` is what X-RateLimit-Reset tells; `retryAfterS` is absent where the service itself does not know (see below). */
export type Ruling = { readonly allowed: boolean; readonly remaining: number; readonly resetAtMs: number; readonly retryAfterS?: number }

/**
 * Rules on one request that arrives at `nowMs`, and enters it into `log`: the limiter's own memory of one credential, empty at first.
 *
 * | limiter         | a request is forgotten                                     | `log` holds                                  | reset |
 * |-----------------|------------------------------------------------------------|----------------------------------------------|-------|
 * | sliding-log     | one window after it arrived                                | arrivals                                     | now + window |
 * | fixed-window    | with all others, one window after the first of them        | arrivals                                     | end of the window |
 * | sliding-counter | evenly, over the window of the clock after its own         | begin of the window, counts before and in it | end of the window |
 * | token-bucket    | one at a time, a window ÷ limit after the other (as GCRA) | when all will be forgotten                   | then |
 *
 * A refused request is never entered. When the limit was lowered under a log that is already longer, a sliding log has no
 * moment to name: its 429 comes without Retry-After (measured on the Community Edition).
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

/** The count of the window before weighs as much as is left of the present one. */
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
  // Here, when what is before has become light enough; else in the next window, when what is here has.
  const [mayWeigh, first, count] = requests > sofar ? [requests - sofar - 1, beganMs, before] : [requests - 1, beganMs + windowMs, sofar]
  return refused(ruling, first + windowMs * (1 - mayWeigh / count) - nowMs)
}

/** A bucket of `requests` tokens: the generic cell rate algorithm, whose one number is when the bucket will be full again. */
function tokenBucket({ requests, windowMs }: Limit, log: number[], nowMs: number): Ruling {
  const everyMs = windowMs / requests
  const fullMs = Math.max(nowMs, log[0] ?? nowMs)
  // Sums of fractions of a ms are a little off.
  const allowed = fullMs + everyMs - nowMs <= windowMs + roundingMs
  const resetAtMs = allowed ? fullMs + everyMs : fullMs
  log[0] = resetAtMs
  const ruling = { allowed, remaining: Math.max(0, Math.floor((nowMs + windowMs + roundingMs - resetAtMs) / everyMs)), resetAtMs }
  return allowed ? ruling : refused(ruling, fullMs + everyMs - windowMs - nowMs)
}

const roundingMs = 0.001

const refused = (ruling: Ruling, waitMs: number): Ruling =>
  Number.isFinite(waitMs) ? { ...ruling, retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) } : ruling
