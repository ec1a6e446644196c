/** Places of the limit that other programs with the same credential occupy: the service's count minus our own requests. */
export type ForeignUsage = {
  readonly count: number
  /** When an answer showed the count. */
  readonly atMs: number
  /** When all of these requests have expired: one window later, or at the reset that the service named. */
  readonly expiredMs: number
  /**
   * Until then each of these requests counts for a whole window, because the guess of `expiriesMs` (that they expire evenly) has proved wrong.
   */
  readonly noEvenExpiryUntilMs: number
}

export const noForeignUsage: ForeignUsage = { count: 0, atMs: 0, expiredMs: 0, noEvenExpiryUntilMs: 0 }

/**
 * When each of the requests expires, ascending. Their times are unknown, so the expiries are spread evenly until `expiredMs`. That is right for a
 * token bucket and a sliding counter (both report `expiredMs` as their reset), and the best guess for a sliding log.
 */
export function expiriesMs({ count, atMs, expiredMs, noEvenExpiryUntilMs }: ForeignUsage, windowMs: number): readonly number[] {
  const evenly = atMs >= noEvenExpiryUntilMs
  return Array.from({ length: count }, (_, nth) => (evenly ? Math.ceil(atMs + ((expiredMs - atMs) * (nth + 1)) / count) : atMs + windowMs))
}
