import { NotSent } from '../notSent.ts'
import { throttledCure } from '../throttled.ts'
import type { BudgetSettings } from './budgetState.ts'

/**
 * How long a credential has had no answer but such that ask to wait. Waiting is how a limit is kept, and costs a window or a few; but a key
 * that is refused for ever would make each call wait its turn for the next refusal, and a cycle last for hours. So after a while, or where
 * the service itself names one as long, nobody waits any more: calls fail at once, unsent, until the time that it named.
 *
 * Pure functions over plain state; times are epoch ms.
 */
export type Stall = { readonly sinceMs: number; readonly untilMs: number }

const lastingMs = 300_000

/** After an answer, or the absence of one. @param blockedUntilMs the budget's, with it */
export function stallAfter(
  before: Stall | undefined,
  blockedUntilMs: number,
  { windowMs }: BudgetSettings,
  now: number,
): Stall | undefined {
  if (blockedUntilMs <= now) return undefined
  // What was asked for long ago is another one: nobody has asked since.
  const goesOn = before !== undefined && now < before.untilMs + windowMs
  return { sinceMs: goesOn ? before.sinceMs : now, untilMs: blockedUntilMs }
}

/** Longer than a limit needs that is kept: whoever has spent a long window waits for its end. A clock that was set back does not count. */
export const isTooLong = (stall: Stall | undefined, { windowMs }: BudgetSettings, now: number): stall is Stall =>
  stall !== undefined && now >= stall.sinceMs && now < stall.untilMs && stall.untilMs - stall.sinceMs >= Math.max(lastingMs, windowMs)

/** Nothing is sent if the service has asked to wait for too long: the answer is known without asking. */
export function stalled({ sinceMs, untilMs }: Stall): NotSent {
  const since = `since ${time(sinceMs)} the service only asks to wait with this credential`
  const again = `it is asked again from ${time(untilMs)} on`
  return new NotSent('throttled', `not sent: ${since}; ${again}`, { untilMs, status: 429, cure: throttledCure })
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
