import type { Limit, Limiter, Ruling } from './throttle.ts'

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
