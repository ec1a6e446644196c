/**
 * When the next request of one credential may be sent. Infinite: only an answer to a request in flight can tell.
 *
 * Request k is sent when the answer to request k−limit is at least one window old, plus a margin for clock drift. A service that counts
 * requests then never refuses one, and the clocks need not be synchronised. To count from the time of sending would free the place too
 * early, because the service counts on arrival (measured: 7–9 refusals in 60 by sent time, none by received time). A request in flight
 * occupies a place. Requests are not spread over the window: if no place is occupied, all places are used in one burst. Requests of other
 * programs with the same credential show in `Remaining` and occupy places too.
 *
 * Pure functions over plain state; times are epoch ms. `answered.ts` says what an answer changes.
 */
export function earliestMs(budget: Budget, now: number): number {
  const state = aged(budget, now)
  const { settings, countedAtMs, foreignUsage, inFlight, blockedUntilMs } = state
  const room = allowed(state) - inFlight.length - 1
  if (room < 0) return Number.POSITIVE_INFINITY
  const heldMs = placeMs(settings)
  const places = [...countedAtMs.map((time) => time + heldMs), ...expiriesMs(foreignUsage, settings.windowMs)].sort((a, b) => a - b)
  const leavesMs = places[places.length - room - 1]
  const at = Math.max(now, blockedUntilMs, leavesMs === undefined ? 0 : leavesMs + tickMs)
  return inFlight.length > 0 && mustGoAlone(state, at) ? Number.POSITIVE_INFINITY : at
}

/** The budget after a request was sent. */
export function sent(budget: Budget, now: number): Budget {
  const state = aged(budget, now)
  return {
    ...state,
    beganMs: state.beganMs ?? now,
    inFlight: [...state.inFlight, now],
    overlapping: state.overlapping || state.inFlight.length > 0,
  }
}

export type BudgetView = {
  readonly windowMs: number
  readonly limit: number
  /** The limit without the reserve, at least 1. */
  readonly allowed: number
  readonly used: number
  readonly others: number
  /** How many requests may be sent now, without the reserve. */
  readonly remaining: number
  readonly waitMs: number
  /** The wait of each of the next requests, ascending: one entry for each request that fits into one window. It assumes that others go on as now. */
  readonly waitsMs: readonly number[]
  readonly blockedUntilMs: number
  /** How long the oldest request in flight has been without an answer; 0 if none is in flight. */
  readonly unansweredMs: number
}

export function view(budget: Budget, now: number): BudgetView {
  const state = aged(budget, now)
  const at = earliestMs(state, now)
  const waitMs = Number.isFinite(at) ? at - now : 0
  return {
    windowMs: state.settings.windowMs,
    limit: state.limit,
    allowed: allowed(state),
    used: used(state, now),
    others: foreignUsageAt(state, now),
    remaining: Math.max(0, allowed(state) - used(state, now)),
    waitMs,
    waitsMs: waitsMs(state, waitMs, now),
    blockedUntilMs: state.blockedUntilMs,
    unansweredMs: state.inFlight.reduce((ms, sentAtMs) => Math.max(ms, now - sentAtMs), 0),
  }
}

/**
 * How long each of the next requests waits for its place. A place of ours is free when its request has left the window; the places that others
 * occupy are taken again by them.
 */
function waitsMs(state: Budget, waitMs: number, now: number): readonly number[] {
  const { countedAtMs, inFlight, settings } = state
  const heldMs = placeMs(settings)
  const leavesMs = [...countedAtMs, ...inFlight.map(() => now)].map((time) => time + heldMs + tickMs)
  const places = Math.max(1, allowed(state) - foreignUsageAt(state, now))
  return Array.from({ length: places }, (_, nth) => Math.max(waitMs, (leavesMs[leavesMs.length - places + nth] ?? now) - now))
}

/**
 * Whether requests go one at a time, because the estimate is uncertain. A wrong estimate then costs one refusal, and the answer to a
 * request that is alone corrects it. The estimate is uncertain in these cases:
 * - the last answer was a 429, or is not fresh;
 * - the requests in flight already use up what the last answer left to us (`Remaining` minus the reserve);
 * - other programs use the credential, and some of their requests have expired by our estimate, or few places are left;
 * - `Remaining` does not follow our sending, and a 429 came lately or has lowered the limit.
 */
function mustGoAlone(state: Budget, at: number): boolean {
  const { settings, limit, published, foreignUsage, inFlight, lastAnswer, remainingFollows, pauseMs, blockedUntilMs } = state
  if (lastAnswer === undefined || at >= lastAnswer.atMs + settings.windowMs * freshShare) return true
  if (remainingFollows && (lastAnswer.remaining ?? Number.POSITIVE_INFINITY) <= reserved(state) + inFlight.length) return true
  if (foreignUsage.count > 0 && (foreignUsageAt(state, at) < foreignUsage.count || used(state, at) + few >= allowed(state))) return true
  const throttled = pauseMs > 0 && at < blockedUntilMs + settings.windowMs
  return !remainingFollows && (throttled || limit < ceiling(settings, published))
}

/** An answer is fresh for this share of a window. After that its `Remaining` is too old. */
export const freshShare = 0.1
const few = 3

/** The requests of one credential, and what is known of its limit. Plain state; times are epoch ms. */
export type Budget = {
  readonly settings: BudgetSettings
  /** The limit that the service publishes; undefined if it publishes none. */
  readonly published: number | undefined
  /** When an answer last published the limit. */
  readonly publishedAtMs: number
  /** The limit in use: the `ceiling`, or less after a 429 that our count does not explain. */
  readonly limit: number
  /** When a lowered limit grows next. */
  readonly growsAtMs: number
  /** When the first request was sent; undefined before it. Usage before that time is unknown. */
  readonly beganMs: number | undefined
  /**
   * When our counted requests were answered. Kept for one window; for longer while a request is in flight, because the `Remaining` in its answer may
   * still include them.
   */
  readonly countedAtMs: readonly number[]
  /** When the requests in flight were sent. */
  readonly inFlight: readonly number[]
  /**
   * Whether requests have overlapped since the last moment without a request in flight. If they overlap, a service without a lock counts too few of
   * them.
   */
  readonly overlapping: boolean
  readonly foreignUsage: ForeignUsage
  readonly blockedUntilMs: number
  /** How long the last 429 blocked the credential. */
  readonly pauseMs: number
  /** The last answer; undefined if it was a 429, or if there is none. */
  readonly lastAnswer: { readonly atMs: number; readonly remaining: number | undefined } | undefined
  /** `Remaining` has fallen while we sent, so it is not a constant. */
  readonly remainingFollows: boolean
}

export type BudgetSettings = {
  readonly requests: number
  readonly windowMs: number
  /** Share of the limit that is left to others, 0 to 1. */
  readonly reserve: number
  /** The longest time that one answer can block, even if its `Retry-After` is longer. */
  readonly blockedMaxMs: number
}

/** Clocks are read in whole ms, so a true age may be up to 1 ms less than the measured one. */
export const tickMs = 1
/** Our clock may run faster than the service's. NTP corrects a clock by at most 500 ppm (`ntp_adjtime(2)`). */
const driftMax = 0.0005
/** How long a request of ours occupies a place: one window of the service's clock, measured by our clock. */
const placeMs = ({ windowMs }: BudgetSettings): number => windowMs + Math.ceil(windowMs * driftMax)
/** A conclusion from a 429 is tested again after this many windows. */
export const windowsUntilRetest = 5

export const emptyBudget = (settings: BudgetSettings): Budget => ({
  settings,
  published: undefined,
  publishedAtMs: 0,
  limit: settings.requests,
  growsAtMs: 0,
  beganMs: undefined,
  countedAtMs: [],
  inFlight: [],
  overlapping: false,
  foreignUsage: noForeignUsage,
  blockedUntilMs: 0,
  pauseMs: 0,
  lastAnswer: undefined,
  remainingFollows: false,
})

/** The budget after an edit of the settings. Requests stay counted. If the settings differ, a limit that a 429 lowered rises to the new ceiling. */
export const withSettings = (budget: Budget, settings: BudgetSettings): Budget =>
  isSame(budget.settings, settings) ? budget : { ...budget, settings, limit: ceiling(settings, budget.published) }

const isSame = (a: BudgetSettings, b: BudgetSettings): boolean =>
  a.requests === b.requests && a.windowMs === b.windowMs && a.reserve === b.reserve && a.blockedMaxMs === b.blockedMaxMs

/** Drops requests that have left the window, and lets a lowered limit grow. */
export function aged(budget: Budget, now: number): Budget {
  const { settings, inFlight, growsAtMs, remainingFollows } = budget
  const most = ceiling(settings, budget.published)
  const grows = budget.limit < most && now >= growsAtMs
  return {
    ...budget,
    countedAtMs: occupyingAt(budget.countedAtMs, inFlight[0] ?? now, settings),
    limit: grows ? Math.min(most, budget.limit + (remainingFollows ? 1 : Math.ceil(most / 10))) : budget.limit,
    growsAtMs: grows ? now + windowsUntilRetest * settings.windowMs : growsAtMs,
  }
}

/** The `times` that occupy a place at `at`. @param times ascending */
export function occupyingAt(times: readonly number[], at: number, settings: BudgetSettings): readonly number[] {
  const heldMs = placeMs(settings) + tickMs
  const first = times.findIndex((time) => time + heldMs > at)
  return first === 0 ? times : first === -1 ? [] : times.slice(first)
}

/** How many of others' requests occupy a place at `at`, by our estimate. */
export const foreignUsageAt = ({ foreignUsage, settings }: Budget, at: number): number =>
  expiriesMs(foreignUsage, settings.windowMs).filter((time) => time + tickMs > at).length

/** How many places are occupied at `at` if nothing more is sent. */
export const used = (budget: Budget, at: number): number =>
  occupyingAt(budget.countedAtMs, at, budget.settings).length + foreignUsageAt(budget, at) + budget.inFlight.length

/** The highest limit that may be used: the settings', or the published one if that is lower. */
export const ceiling = (settings: BudgetSettings, published: number | undefined): number =>
  Math.max(1, Math.min(settings.requests, published ?? settings.requests))

/** How many places of the limit are left to others. */
const reserved = ({ limit, settings }: Budget): number => Math.ceil(limit * settings.reserve)

/** How many places of the limit we may occupy, at least 1. */
export const allowed = (budget: Budget): number => Math.max(1, budget.limit - reserved(budget))

/** The budget of revocations: they may use the reserve, so that access ends in time also beside a program that takes all other places. */
export const withReserve = (budget: Budget): Budget => ({ ...budget, settings: { ...budget.settings, reserve: 0 } })

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

const noForeignUsage: ForeignUsage = { count: 0, atMs: 0, expiredMs: 0, noEvenExpiryUntilMs: 0 }

/**
 * When each of the requests expires, ascending. Their times are unknown, so the expiries are spread evenly until `expiredMs`. That is right for a
 * token bucket and a sliding counter (both report `expiredMs` as their reset), and the best guess for a sliding log.
 */
function expiriesMs({ count, atMs, expiredMs, noEvenExpiryUntilMs }: ForeignUsage, windowMs: number): readonly number[] {
  const evenly = atMs >= noEvenExpiryUntilMs
  return Array.from({ length: count }, (_, nth) => (evenly ? Math.ceil(atMs + ((expiredMs - atMs) * (nth + 1)) / count) : atMs + windowMs))
}
