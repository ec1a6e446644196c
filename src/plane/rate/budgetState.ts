import { expiriesMs, type ForeignUsage, noForeignUsage } from './foreignUsage.ts'

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
export const placeMs = ({ windowMs }: BudgetSettings): number => windowMs + Math.ceil(windowMs * driftMax)
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
export const reserved = ({ limit, settings }: Budget): number => Math.ceil(limit * settings.reserve)

/** How many places of the limit we may occupy, at least 1. */
export const allowed = (budget: Budget): number => Math.max(1, budget.limit - reserved(budget))
