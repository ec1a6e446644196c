import { aged, allowed, type Budget, ceiling, foreignUsageAt, placeMs, reserved, tickMs, used } from './budgetState.ts'
import { expiriesMs } from './foreignUsage.ts'

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
  /** The service asked to wait, so `used` does not say what it counts. */
  readonly isBlocked: boolean
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
    isBlocked: now < state.blockedUntilMs,
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
