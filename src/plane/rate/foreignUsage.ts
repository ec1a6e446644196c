/** Places of the limit that are taken, and not by us: what the service counts beyond our own requests. */
export type ForeignUsage = {
  readonly count: number
  /** When an answer said so. */
  readonly atMs: number
  /** Unless more come all of them are gone then: one window later, or when the service said that it starts anew. */
  readonly goneMs: number
  /** Until then they are believed to stay for a whole window: that they leave evenly has proved wrong. */
  readonly stayUntilMs: number
}

export const noForeignUsage: ForeignUsage = { count: 0, atMs: 0, goneMs: 0, stayUntilMs: 0 }

/**
 * When each of them leaves, in order. Nobody knows when they came: evenly over the time that is left to them is right for a token bucket
 * and for a sliding counter, whose resets tell that time, and the best guess for a sliding log.
 */
export function leavingMs({ count, atMs, goneMs, stayUntilMs }: ForeignUsage, windowMs: number): readonly number[] {
  const evenly = atMs >= stayUntilMs
  return Array.from({ length: count }, (_, nth) => (evenly ? Math.ceil(atMs + ((goneMs - atMs) * (nth + 1)) / count) : atMs + windowMs))
}
