/** What a credential has sent, and what is believed of its limit: plain state. Times are epoch ms. */
export type Budget = {
  readonly settings: BudgetSettings
  /** The limit as it is believed now: the settings', or what the service publishes, or less after an unexplained 429. */
  readonly limit: number
  readonly published: number | undefined
  readonly growsAtMs: number
  /** When our counted requests were answered; kept for a window, and for as long as an answer is on its way that may have counted them. */
  readonly ours: readonly number[]
  /** Places that others are believed to occupy, by the time at which they were noticed. */
  readonly others: readonly number[]
  /** When the requests without an answer were sent. */
  readonly inFlight: readonly number[]
  /** Two requests were in flight together since the last moment with none: `Remaining` is then read without a lock. */
  readonly crowded: boolean
  readonly blockedUntilMs: number
  /** The last answer that was not a 429, and what it left believed: until there is one, requests go one at a time. */
  readonly heard: { readonly atMs: number; readonly others: number } | undefined
  /** Places beyond our own at the last answer that came alone; negative where the service counts less than we do. */
  readonly excess: number | undefined
}

export type BudgetSettings = {
  readonly requests: number
  readonly windowMs: number
  /** Share of the limit that is left to others, 0 to 1. */
  readonly reserve: number
  /** No answer blocks for longer, whatever its Retry-After says. */
  readonly blockedMaxMs: number
}

/** Clocks are read in whole ms, so an age may be short by one. */
export const tickMs = 1
/** A lowered limit grows by a tenth after so many windows without a 429. */
export const windowsToGrow = 5

/** Drops what has left the window, and lets a lowered limit grow. A clock that was set back must not block us for the difference. */
export function aged(budget: Budget, now: number): Budget {
  const { settings, growsAtMs } = budget
  const inFlight = notAfter(budget.inFlight, now)
  const oldest = inFlight[0] ?? now
  const most = ceiling(settings, budget.published)
  const grows = budget.limit < most && now >= growsAtMs
  return {
    ...budget,
    inFlight,
    ours: notAfter(alive(budget.ours, oldest, settings), now),
    others: notAfter(alive(budget.others, oldest, settings), now),
    blockedUntilMs: Math.min(budget.blockedUntilMs, now + settings.blockedMaxMs),
    limit: grows ? Math.min(most, budget.limit + Math.ceil(most / 10)) : budget.limit,
    growsAtMs: grows ? now + windowsToGrow * settings.windowMs : growsAtMs,
  }
}

/** Those of `times`, which are in order, that occupy a place at `at`. */
export function alive(times: readonly number[], at: number, { windowMs }: BudgetSettings): readonly number[] {
  const first = times.findIndex((time) => time + windowMs + tickMs > at)
  return first === 0 ? times : first === -1 ? [] : times.slice(first)
}

const notAfter = (times: readonly number[], now: number) =>
  (times.at(-1) ?? now) <= now ? times : times.map((time) => Math.min(time, now))

export const used = ({ ours, others, inFlight, settings }: Budget, now: number) =>
  alive(ours, now, settings).length + alive(others, now, settings).length + inFlight.length

export const ceiling = (settings: BudgetSettings, published: number | undefined) =>
  Math.max(1, Math.min(settings.requests, published ?? settings.requests))

export const allowed = ({ limit, settings }: Budget) => Math.max(1, limit - Math.ceil(limit * settings.reserve))
