import { type ForeignUsage, leavingMs, noForeignUsage } from './foreignUsage.ts'

/** What a credential has sent, and what is believed of its limit: plain state. Times are epoch ms. */
export type Budget = {
  readonly settings: BudgetSettings
  /** As the service says it; undefined where it does not. */
  readonly published: number | undefined
  /** When an answer said it. */
  readonly publishedAtMs: number
  /** The limit as it is believed now: the settings', or what the service publishes, or less after an unexplained 429. */
  readonly limit: number
  readonly growsAtMs: number
  /** The first request: what the credential was used for in the window before is unknown. */
  readonly beganMs: number | undefined
  /** When our counted requests were answered; kept for a window, and for as long as an answer is on its way that may have counted them. */
  readonly ours: readonly number[]
  /** When the requests without an answer were sent. */
  readonly inFlight: readonly number[]
  /** Two requests were in flight together since the last moment with none: `Remaining` is then read without a lock. */
  readonly crowded: boolean
  readonly others: ForeignUsage
  readonly blockedUntilMs: number
  /** How long the last 429 blocked. */
  readonly pauseMs: number
  /** The last answer since the last 429. */
  readonly heard: { readonly atMs: number; readonly remaining: number | undefined } | undefined
  /** `Remaining` was seen to fall as we sent: it is more than a constant. */
  readonly follows: boolean
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
/** Our clock may go faster than the service's: NTP corrects a clock by at most 500 ppm at a time (`ntp_adjtime(2)`). */
const driftMax = 0.0005
/** How long a request of ours occupies its place: a window of the service's clock, measured by ours. */
export const placeMs = ({ windowMs }: BudgetSettings): number => windowMs + Math.ceil(windowMs * driftMax)
/** A belief that a 429 has taught is doubted after so many windows. */
export const windowsToDoubt = 5

export const emptyBudget = (settings: BudgetSettings): Budget => ({
  settings,
  published: undefined,
  publishedAtMs: 0,
  limit: settings.requests,
  growsAtMs: 0,
  beganMs: undefined,
  ours: [],
  inFlight: [],
  crowded: false,
  others: noForeignUsage,
  blockedUntilMs: 0,
  pauseMs: 0,
  heard: undefined,
  follows: false,
})

/** The settings were edited: what was sent stays sent. A limit that was lowered for a 429 is forgotten with the old one. */
export const withSettings = (budget: Budget, settings: BudgetSettings): Budget =>
  isSame(budget.settings, settings) ? budget : { ...budget, settings, limit: ceiling(settings, budget.published) }

const isSame = (a: BudgetSettings, b: BudgetSettings): boolean =>
  a.requests === b.requests && a.windowMs === b.windowMs && a.reserve === b.reserve && a.blockedMaxMs === b.blockedMaxMs

/** Drops what has left the window, and lets a lowered limit grow. A clock that was set back must not block us for the difference. */
export function aged(budget: Budget, now: number): Budget {
  const { settings, others, follows } = budget
  const { windowMs } = settings
  const inFlight = notAfter(budget.inFlight, now)
  const oldest = inFlight[0] ?? now
  const most = ceiling(settings, budget.published)
  const growsAtMs = Math.min(budget.growsAtMs, now + windowsToDoubt * windowMs)
  const grows = budget.limit < most && now >= growsAtMs
  return {
    ...budget,
    inFlight,
    publishedAtMs: Math.min(budget.publishedAtMs, now),
    ours: notAfter(alive(budget.ours, oldest, settings), now),
    others: others.atMs <= now ? others : { ...others, atMs: now, goneMs: now + windowMs },
    blockedUntilMs: Math.min(budget.blockedUntilMs, now + settings.blockedMaxMs),
    limit: grows ? Math.min(most, budget.limit + (follows ? 1 : Math.ceil(most / 10))) : budget.limit,
    growsAtMs: grows ? now + windowsToDoubt * windowMs : growsAtMs,
  }
}

/** Those of `times`, which are in order, that occupy a place at `at`. */
export function alive(times: readonly number[], at: number, settings: BudgetSettings): readonly number[] {
  const heldMs = placeMs(settings) + tickMs
  const first = times.findIndex((time) => time + heldMs > at)
  return first === 0 ? times : first === -1 ? [] : times.slice(first)
}

const notAfter = (times: readonly number[], now: number) =>
  (times.at(-1) ?? now) <= now ? times : times.map((time) => Math.min(time, now))

export const othersAt = ({ others, settings }: Budget, at: number): number =>
  leavingMs(others, settings.windowMs).filter((time) => time + tickMs > at).length

/** Places that are taken at `at`, as far as nothing more is sent. */
export const used = (budget: Budget, at: number): number =>
  alive(budget.ours, at, budget.settings).length + othersAt(budget, at) + budget.inFlight.length

export const ceiling = (settings: BudgetSettings, published: number | undefined): number =>
  Math.max(1, Math.min(settings.requests, published ?? settings.requests))

/** Places of the limit that are left to others. */
export const reserved = ({ limit, settings }: Budget): number => Math.ceil(limit * settings.reserve)

export const allowed = (budget: Budget): number => Math.max(1, budget.limit - reserved(budget))
