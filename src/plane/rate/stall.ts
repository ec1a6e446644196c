import { NotSent } from '../notSent.ts'
import { throttledCure } from '../throttled.ts'
import type { BudgetSettings } from './budgetState.ts'

/**
 * The time for which every answer to a credential has asked to wait. Normally a call waits for at most a few windows before it is sent.
 * With a key that always gets a 429 each call would wait for the next 429, and a cycle would last for hours. So if the time is too long,
 * calls fail at once, unsent, until `untilMs`, the time that the service named.
 *
 * Pure functions over plain state; times are epoch ms.
 */
export type Stall = { readonly sinceMs: number; readonly untilMs: number }

const lastingMs = 300_000

/** The stall after an answer, or after a request without one. @param blockedUntilMs the `blockedUntilMs` of the budget after this answer */
export function stallAfter(
  before: Stall | undefined,
  blockedUntilMs: number,
  { windowMs }: BudgetSettings,
  now: number,
): Stall | undefined {
  if (blockedUntilMs <= now) return undefined
  // A wait that ended more than a window ago was another stall.
  const goesOn = before !== undefined && now < before.untilMs + windowMs
  return { sinceMs: goesOn ? before.sinceMs : now, untilMs: blockedUntilMs }
}

/** Whether the stall is longer than a limit can explain: five minutes, or a window if that is longer. */
export const isTooLong = (stall: Stall | undefined, { windowMs }: BudgetSettings, now: number): stall is Stall =>
  stall !== undefined && now < stall.untilMs && stall.untilMs - stall.sinceMs >= Math.max(lastingMs, windowMs)

/** The error for a request that is not sent because of a stall. Its status is 429, the answer that the service would give. */
export function stalled({ sinceMs, untilMs }: Stall): NotSent {
  const since = `since ${time(sinceMs)} every answer to this credential has asked to wait`
  const again = `the service is asked again from ${time(untilMs)} on`
  return new NotSent('throttled', `not sent: ${since}; ${again}`, { untilMs, status: 429, cure: throttledCure })
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
