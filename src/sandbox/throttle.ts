export type Limit = { requests: number; windowMs: number }
export const limiters = ['sliding-log', 'fixed-window'] as const
export type Limiter = (typeof limiters)[number]

/** `resetAtMs` is what X-RateLimit-Reset tells; `retryAfterS` is absent where the service itself does not know (see below). */
export type Ruling = { readonly allowed: boolean; readonly remaining: number; readonly resetAtMs: number; readonly retryAfterS?: number }

/**
 * Rules on one request that arrives at `nowMs`, and enters it into `log` (arrival times of the allowed requests, oldest first).
 *
 * | limiter      | a request leaves the log                           | reset            |
 * |--------------|----------------------------------------------------|------------------|
 * | sliding-log  | one window after it arrived                        | now + window     |
 * | fixed-window | with all others, one window after the first of them | end of the window |
 *
 * A refused request is never entered. When the limit was lowered under a log that is already longer, a sliding log has no
 * moment to name: its 429 comes without Retry-After (measured on the Community Edition).
 */
export function rule(limiter: Limiter, limit: Limit, log: number[], nowMs: number): Ruling {
  forget(limiter, limit, log, nowMs)
  const allowed = log.length < limit.requests
  if (allowed) log.push(nowMs)
  const oldestMs = log[0] ?? nowMs
  const resetAtMs = limiter === 'sliding-log' ? nowMs + limit.windowMs : oldestMs + limit.windowMs
  const remaining = Math.max(0, limit.requests - log.length)
  if (allowed || (limiter === 'sliding-log' && log.length > limit.requests)) return { allowed, remaining, resetAtMs }
  return { allowed, remaining, resetAtMs, retryAfterS: Math.max(1, Math.ceil((oldestMs + limit.windowMs - nowMs) / 1000)) }
}

function forget(limiter: Limiter, { windowMs }: Limit, log: number[], nowMs: number): void {
  if (limiter === 'fixed-window') {
    if (log[0] !== undefined && log[0] + windowMs <= nowMs) log.length = 0
    return
  }
  const kept = log.findIndex((atMs) => atMs > nowMs - windowMs)
  log.splice(0, kept === -1 ? log.length : kept)
}
