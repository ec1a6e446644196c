import { SandboxError } from './sandboxError.ts'

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
  const [before, counted] = knownMs === beganMs ? [former, latter] : [knownMs + windowMs === beganMs ? latter : 0, 0]
  const weighed = before * (1 - (nowMs - beganMs) / windowMs)
  const allowed = weighed + counted + 1 <= requests
  const countedNow = counted + (allowed ? 1 : 0)
  log.splice(0, 3, beganMs, before, countedNow)
  const ruling = { allowed, remaining: Math.max(0, Math.floor(requests - weighed - countedNow)), resetAtMs: beganMs + windowMs }
  if (allowed) return ruling
  // The next request is possible in this window when the weighted previous count is low enough, else in the next window.
  const [mayWeigh, first, count] =
    requests > counted ? [requests - counted - 1, beganMs, before] : [requests - 1, beganMs + windowMs, counted]
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

/** A later overwrite of one credential's log; a list of them is in the order of time. */
export type Write = { readonly atMs: number; readonly log: readonly number[] }

/** The time between reading the log and writing it back. */
export const raceMs = 5

/**
 * Like `rule`, for a service that reads its log, decides, and writes the log back later, without a lock. Overlapping requests see the same
 * log, and the last of them overwrites the entries of the others. More requests than the limit get through, and Remaining goes up and down
 * (measured on the Community Edition: of 150 requests 60, 84, 112, 146 got through with 1, 5, 20, 50 at a time).
 */
export function ruleUnlocked(limiter: Limiter, limit: Limit, log: number[], writes: Write[], nowMs: number): Ruling {
  while (writes[0] !== undefined && writes[0].atMs <= nowMs) overwrite(log, (writes.shift() as Write).log)
  const copy = [...log]
  const ruling = rule(limiter, limit, copy, nowMs)
  if (ruling.allowed) writes.push({ atMs: nowMs + raceMs, log: copy })
  return ruling
}

function overwrite(log: number[], entries: readonly number[]): void {
  log.length = 0
  for (const atMs of entries) log.push(atMs)
}

/** The throttle of one service: its way to count, the content of its headers, and the log of each credential. */
export type Throttle = {
  readonly limiter: Limiter
  readonly published: Published
  readonly fields: RateFields
  readonly memories: Map<string, { readonly log: number[]; readonly writes: Write[] }>
}

/** Each token has a log of its own, and a client may ask for any number of tokens. */
const memoriesMax = 50_000

/** Decides about one request with this credential, and counts it. */
export function count({ limiter, published, memories }: Throttle, credential: string, limit: Limit, nowMs: number): Ruling {
  const memory = memories.get(credential) ?? { log: [], writes: [] }
  // The credential that was used last is at the end.
  memories.delete(credential)
  memories.set(credential, memory)
  const [oldest] = memories.keys()
  if (memories.size > memoriesMax && oldest !== undefined) memories.delete(oldest)
  return published === 'unlocked' ? ruleUnlocked(limiter, limit, memory.log, memory.writes, nowMs) : rule(limiter, limit, memory.log, nowMs)
}

/**
 * The content of the rate-limit headers, on the answers that have these headers in the dialect.
 *
 * | published | Remaining |
 * |-----------|-----------|
 * | counted   | the remaining requests |
 * | unlocked  | the remaining requests by a log without a lock: the number jumps, and more requests get through (see `ruleUnlocked`) |
 * | constant  | always the limit, as for bearer tokens |
 * | nothing   | absent; no Retry-After either |
 */
export const publications = ['counted', 'unlocked', 'constant', 'nothing'] as const
export type Published = (typeof publications)[number]

/** The names of the headers: Plane's own, those of the present IETF draft, or those of earlier drafts. */
export const rateFieldNames = ['x-ratelimit', 'ratelimit', 'ratelimit-03'] as const
export type RateFields = (typeof rateFieldNames)[number]

/**
 * The header fields for a `ruling`.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ drafts 10 (`ratelimit`) and 03 (`ratelimit-03`)
 */
export function rateHeaders(
  { published, fields, limiter, limit }: { published: Published; fields: RateFields; limiter: Limiter; limit: Limit },
  { remaining, resetAtMs }: Ruling,
  nowMs: number,
): Readonly<Record<string, string>> {
  if (published === 'nothing') return {}
  const left = published === 'constant' ? limit.requests : remaining
  const [windowS, resetS] = [limit.windowMs, Math.max(0, resetAtMs - nowMs)].map((ms) => Math.ceil(ms / 1000))
  switch (fields) {
    case 'x-ratelimit': {
      // For a sliding log Plane sends the present second plus one window.
      const reset = limiter === 'sliding-log' ? Math.floor(resetAtMs / 1000) : Math.ceil(resetAtMs / 1000)
      return { 'X-RateLimit-Remaining': String(left), 'X-RateLimit-Reset': String(reset) }
    }
    case 'ratelimit':
      return { RateLimit: `"default";r=${left};t=${resetS}`, 'RateLimit-Policy': `"default";q=${limit.requests};w=${windowS}` }
    case 'ratelimit-03':
      return {
        'RateLimit-Limit': `${limit.requests}, ${limit.requests};w=${windowS}`,
        'RateLimit-Remaining': String(left),
        'RateLimit-Reset': String(resetS),
      }
    default:
      return fields satisfies never
  }
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  m: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** Reads `60/minute`, `10/s`, `5/600ms`, `100/10m`. @throws {SandboxError} */
export function readLimit(text: string): Limit {
  const [, requests, count = '1', unit = ''] = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})?\s*([a-z]+)\s*$/.exec(text) ?? []
  const windowMs = Number(count) * ((Object.hasOwn(unitMs, unit) && unitMs[unit]) || 0)
  if (requests === undefined || Number(requests) === 0 || windowMs === 0) {
    throw new SandboxError(`limit "${text}" cannot be read: write requests/window, as 60/minute, 10/s or 5/600ms`)
  }
  return { requests: Number(requests), windowMs }
}

/** The inverse of `readLimit`: `60/minute`, `5/600ms`. */
export function limitText({ requests, windowMs }: Limit): string {
  const unit = (['day', 'hour', 'minute', 'second'] as const).find((name) => windowMs % (unitMs[name] ?? 1) === 0)
  const count = windowMs / (unit === undefined ? 1 : (unitMs[unit] ?? 1))
  return `${requests}/${count === 1 && unit !== undefined ? '' : count}${unit ?? 'ms'}`
}

const durationMaxMs = 86_400_000

/** `250ms`, `1.5s`, `2m` → milliseconds; undefined if it is no duration, or longer than a day. Node's timers end after 24 days at the latest. */
export function readDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  return count === undefined || ms > durationMaxMs ? undefined : ms
}
