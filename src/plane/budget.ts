import { aged, alive, allowed, type Budget, type BudgetSettings, ceiling, tickMs, used, windowsToGrow } from './ledger.ts'

/**
 * The ledger of one credential's requests: when may the next one be sent?
 *
 * The rule that no limiter refuses, without synchronised clocks: request k goes out only when the answer to request k−limit is
 * at least one window old. Sent times would be too early: the service counts on arrival, which is later (measured: 7–9 refusals
 * in 60 by sent time, none by received time). Requests in flight occupy their place. Full bursts, no pacing: a log that is empty
 * is spent at once. Others who spend the same credential show in `Remaining` and occupy places too.
 *
 * Pure functions over plain state; times are epoch ms.
 */

/** What an answer, or its absence, says about the budget. */
export type Facts =
  | {
      readonly is: 'answer'
      readonly status: number
      readonly limit?: number
      readonly remaining?: number
      readonly retryAfterMs?: number
      /** Of a 429 only. */
      readonly resetMs?: number
    }
  | { readonly is: 'silence'; readonly sent: boolean }

export type BudgetView = {
  readonly limit: number
  readonly used: number
  readonly others: number
  /** What we may still send at once, the reserve taken off. */
  readonly remaining: number
  readonly waitMs: number
  readonly blockedUntilMs: number
}

export function emptyBudget(settings: BudgetSettings): Budget {
  return {
    settings,
    limit: settings.requests,
    published: undefined,
    growsAtMs: 0,
    ours: [],
    others: [],
    inFlight: [],
    crowded: false,
    blockedUntilMs: 0,
    heard: undefined,
    excess: undefined,
  }
}

/** The settings were edited: what was sent stays sent. A limit that was lowered for a 429 is forgotten with the old one. */
export const withSettings = (budget: Budget, settings: BudgetSettings): Budget => ({
  ...budget,
  settings,
  limit: ceiling(settings, budget.published),
})

/** When the next request may be sent: `now` or later; Infinity while only an answer can tell. */
export function earliestMs(budget: Budget, now: number): number {
  const state = aged(budget, now)
  const { settings, ours, others, inFlight, blockedUntilMs } = state
  const room = allowed(state) - inFlight.length - 1
  if (room < 0) return Number.POSITIVE_INFINITY
  const places = [...ours, ...others].sort((a, b) => a - b)
  const leaving = places[places.length - room - 1]
  const at = Math.max(now, blockedUntilMs, leaving === undefined ? 0 : leaving + settings.windowMs + tickMs)
  return inFlight.length > 0 && goesAlone(state, at) ? Number.POSITIVE_INFINITY : at
}

export function sent(budget: Budget, now: number): Budget {
  const state = aged(budget, now)
  return { ...state, inFlight: [...state.inFlight, now], crowded: state.crowded || state.inFlight.length > 0 }
}

/**
 * @param sentAtMs what `sent` was told
 * @param now when the answer was complete, or the request given up
 */
export function received(budget: Budget, sentAtMs: number, facts: Facts, now: number): Budget {
  const before = aged(budget, now)
  const inFlight = before.inFlight.toSpliced(Math.max(0, before.inFlight.indexOf(sentAtMs)), 1)
  const settled = {
    ...before,
    inFlight,
    crowded: before.crowded && inFlight.length > 0,
    ours: isCounted(facts) ? [...before.ours, now] : before.ours,
    blockedUntilMs: Math.max(before.blockedUntilMs, blockedUntil(facts, before.settings, now)),
  }
  if (facts.is === 'silence') return settled
  if (facts.status === 429) return throttled(settled, before, now)
  const published = facts.limit ?? before.published
  const most = ceiling(before.settings, published)
  const known = { ...settled, published, limit: before.published === published ? Math.min(before.limit, most) : most }
  const wiser = facts.remaining === undefined ? known : learned(known, facts.remaining, { crowded: before.crowded, sentAtMs, now })
  return { ...wiser, heard: { atMs: now, others: alive(wiser.others, now, wiser.settings).length } }
}

export function view(budget: Budget, now: number): BudgetView {
  const state = aged(budget, now)
  const at = earliestMs(state, now)
  return {
    limit: state.limit,
    used: used(state, now),
    others: alive(state.others, now, state.settings).length,
    remaining: Math.max(0, allowed(state) - used(state, now)),
    waitMs: Number.isFinite(at) ? at - now : 0,
    blockedUntilMs: state.blockedUntilMs,
  }
}

/**
 * One at a time where the estimate is a guess: nothing heard for a window, a 429 was the last word, the limit is lowered, or places of
 * others ran out by age alone.
 */
function goesAlone({ heard, limit, published, others, settings }: Budget, at: number): boolean {
  if (heard === undefined || at >= heard.atMs + settings.windowMs || limit < ceiling(settings, published)) return true
  return alive(others, at, settings).length < heard.others
}

/** Plane counts neither refused requests nor refused credentials nor redirects (measured). All else may have been counted. */
function isCounted(facts: Facts): boolean {
  if (facts.is === 'silence') return facts.sent
  const { status } = facts
  return !(status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400))
}

function blockedUntil(facts: Facts, { windowMs, blockedMaxMs }: BudgetSettings, now: number): number {
  if (facts.is === 'silence') return 0
  // Plane leaves Retry-After out after its limit was lowered; a window of silence empties every log.
  const unsaidMs = facts.status === 429 ? Math.min(facts.resetMs ?? windowMs, windowMs) : undefined
  const waitMs = facts.retryAfterMs ?? unsaidMs
  return waitMs === undefined ? 0 : now + Math.min(Math.max(waitMs, tickMs), blockedMaxMs)
}

/** A 429 that our own count does not explain lowers the limit, once for all that were in flight together. */
function throttled(settled: Budget, before: Budget, now: number): Budget {
  const unheard = { ...settled, heard: undefined, excess: undefined }
  const known = used(settled, now)
  if (known >= before.limit || before.blockedUntilMs > now) return unheard
  const limit = Math.max(1, Math.min(before.limit - 1, Math.max(known, Math.floor(before.limit / 2))))
  return { ...unheard, limit, growsAtMs: now + windowsToGrow * settled.settings.windowMs }
}

/**
 * Others' use is what the service counts beyond our own. It rises with one low value and falls only by age, or when two answers
 * in a row, each alone in flight, agree that it is less: `Remaining` reads too high when the service counts without a lock.
 * The service counted at some time since `sentAtMs`, so it may have counted whatever occupied a place then.
 */
function learned(budget: Budget, remaining: number, at: { crowded: boolean; sentAtMs: number; now: number }): Budget {
  const { settings, inFlight, excess: before } = budget
  const most = ceiling(settings, budget.published)
  const excess = Math.max(0, most - remaining) - alive(budget.ours, at.sentAtMs, settings).length - inFlight.length
  const noticed = Math.max(0, excess - alive(budget.others, at.sentAtMs, settings).length)
  const others = noticed === 0 ? budget.others : [...budget.others, ...Array.from({ length: noticed }, () => at.now)]
  if (at.crowded || inFlight.length > 0) return { ...budget, others }
  if (before === undefined) return { ...budget, others, excess }
  const agreed = Math.max(0, excess, before)
  // Where the service's numbers follow our own count they say all that a lowered limit was to guard against.
  const followed = excess >= 0 && before >= 0
  return { ...budget, excess, others: agreed === 0 ? [] : others.slice(-agreed), limit: followed ? most : budget.limit }
}
