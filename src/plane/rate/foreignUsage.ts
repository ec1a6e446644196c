/** Places of the limit that other programs with the same credential occupy: the service's count minus our own requests. */
export type ForeignUsage = {
  readonly count: number
  /** When an answer showed it. */
  readonly atMs: number
  /** When all of these requests have expired: one window later, or at the reset that the service named. */
  readonly goneMs: number
  /** Until then each request counts for a whole window, because an even expiry has proved wrong. */
  readonly stayUntilMs: number
}

export const noForeignUsage: ForeignUsage = { count: 0, atMs: 0, goneMs: 0, stayUntilMs: 0 }

/**
 * When each of the requests expires, ascending. Their times are unknown, so the expiries are spread evenly until `goneMs`. That is right for a
 * token bucket and for a sliding counter, whose reset is `goneMs`, and the best guess for a sliding log.
 */
export function leavingMs({ count, atMs, goneMs, stayUntilMs }: ForeignUsage, windowMs: number): readonly number[] {
  const evenly = atMs >= stayUntilMs
  return Array.from({ length: count }, (_, nth) => (evenly ? Math.ceil(atMs + ((goneMs - atMs) * (nth + 1)) / count) : atMs + windowMs))
}
