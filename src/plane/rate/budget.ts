import { aged, allowed, type Budget, ceiling, othersAt, placeMs, reserved, tickMs, used } from './budgetState.ts'
import { leavingMs } from './foreignUsage.ts'

/**
 * When may the next request of one credential be sent?
 *
 * The rule that no limiter which counts refuses, without synchronised clocks: request k goes out only when the answer to request k−limit
 * is at least one window old, and a little more for what two clocks differ. Sent times would be too early: the service counts on arrival, which is later (measured: 7–9 refusals
 * in 60 by sent time, none by received time). Requests in flight occupy their place. Full bursts, no pacing: a log that is empty
 * is spent at once. Others who spend the same credential show in `Remaining` and occupy places too.
 *
 * Pure functions over plain state; times are epoch ms. What an answer changes is in `answered.ts`.
 */
export function earliestMs(budget: Budget, now: number): number {
  const state = aged(budget, now)
  const { settings, ours, others, inFlight, blockedUntilMs } = state
  const room = allowed(state) - inFlight.length - 1
  if (room < 0) return Number.POSITIVE_INFINITY
  const heldMs = placeMs(settings)
  const places = [...ours.map((time) => time + heldMs), ...leavingMs(others, settings.windowMs)].sort((a, b) => a - b)
  const leavesMs = places[places.length - room - 1]
  const at = Math.max(now, blockedUntilMs, leavesMs === undefined ? 0 : leavesMs + tickMs)
  return inFlight.length > 0 && goesAlone(state, at) ? Number.POSITIVE_INFINITY : at
}

export function sent(budget: Budget, now: number): Budget {
  const state = aged(budget, now)
  return {
    ...state,
    beganMs: state.beganMs ?? now,
    inFlight: [...state.inFlight, now],
    crowded: state.crowded || state.inFlight.length > 0,
  }
}

export type BudgetView = {
  readonly windowMs: number
  readonly limit: number
  /** Of the limit, with the reserve taken off: one at least. */
  readonly allowed: number
  readonly used: number
  readonly others: number
  /** What we may still send at once, the reserve taken off. */
  readonly remaining: number
  readonly waitMs: number
  readonly blockedUntilMs: number
}

export function view(budget: Budget, now: number): BudgetView {
  const state = aged(budget, now)
  const at = earliestMs(state, now)
  return {
    windowMs: state.settings.windowMs,
    limit: state.limit,
    allowed: allowed(state),
    used: used(state, now),
    others: othersAt(state, now),
    remaining: Math.max(0, allowed(state) - used(state, now)),
    waitMs: Number.isFinite(at) ? at - now : 0,
    blockedUntilMs: state.blockedUntilMs,
  }
}

/**
 * One at a time where the estimate is a guess, so that a wrong one costs one refusal, and an answer that came alone mends it: nothing was
 * heard for a while, or only a 429; what was said to be left is on its way; others have left as far as we know, or they take part and
 * few places are left; a 429 taught a limit that `Remaining` does not confirm.
 */
function goesAlone(state: Budget, at: number): boolean {
  const { settings, limit, published, others, inFlight, heard, follows, pauseMs, blockedUntilMs } = state
  if (heard === undefined || at >= heard.atMs + settings.windowMs * freshShare) return true
  if (follows && (heard.remaining ?? Number.POSITIVE_INFINITY) <= reserved(state) + inFlight.length) return true
  if (others.count > 0 && (othersAt(state, at) < others.count || used(state, at) + few >= allowed(state))) return true
  const throttled = pauseMs > 0 && at < blockedUntilMs + settings.windowMs
  return !follows && (throttled || limit < ceiling(settings, published))
}

/** An answer older than this share of a window no longer says what is left. */
export const freshShare = 0.1
const few = 3
