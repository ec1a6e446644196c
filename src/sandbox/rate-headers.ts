import type { Limit, Limiter, Ruling } from './throttle.ts'

/**
 * What the service tells of its limit, as far as the dialect tells it at all.
 *
 * | published | Remaining |
 * |-----------|-----------|
 * | counted   | what is left |
 * | unlocked  | what is left by a log that is read and written without a lock: it jumps, and more gets through (see `ruleUnlocked`) |
 * | constant  | always the limit, as for bearer tokens |
 * | nothing   | never said; no Retry-After either |
 */
export const publications = ['counted', 'unlocked', 'constant', 'nothing'] as const
export type Published = (typeof publications)[number]

/** Under which names: Plane's own, the present IETF draft's, or those of the drafts before. */
export const rateFieldNames = ['x-ratelimit', 'ratelimit', 'ratelimit-03'] as const
export type RateFields = (typeof rateFieldNames)[number]

/**
 * The header fields that tell what `ruling` says.
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
      // Plane adds a window to the present second.
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
