import { rule } from '../../../src/sandbox/throttle.ts'
import { callsAtOnce, type Kind, limit, roundTripMs, speed, type Traffic } from './world.ts'

/** Of the service's time; 1 ms for the clients. */
const stepMs = 10
/** After two windows of silence no limiter remembers a request that took a place. */
const memoryMs = 2 * limit.windowMs

/**
 * The shortest possible time for `calls`, in the clients' ms: what a client needs that knows the limiter, its memory, both clocks and all that
 * others will ask, is given its calls four at a time like everybody, and takes nothing from anybody. It is
 *
 *     (the earliest moment at which the service can have let the last of `calls` in) + (one mean round trip)
 *
 * counted from the arrival of the first. A call is let in at the earliest moment at which the limiter allows it *and* would still allow
 * every later wish of the second user, and not before the answer to the fourth call before it can have come and the call itself have gone:
 * one mean round trip later. Earliest first is best: whatever schedule there is, its k-th call is not before ours, since calls that were let
 * in earlier weigh no more on any later moment. Without others this is, with r for the round trip,
 *
 * | limiter                   | bound, of n calls with limit L and window W |
 * |---------------------------|---------------------------------------------|
 * | sliding log, fixed window | (⌈n ÷ L⌉ − 1) × W + ⌈m ÷ 4⌉ × r, m = n − (⌈n ÷ L⌉ − 1) × L being the last burst |
 * | token bucket              | (n − L) × W ÷ L + r, for n > L |
 * | sliding counter           | as the log for what fits, then as the counts of the clock's windows fade |
 *
 * A service that tells nothing, or tells it wrongly, is bound by the limiter that it has; one that counts without a lock by the limiter that
 * it means to be: who sends many at once there gets more than the limit, and may be faster than the bound. So may be who takes the
 * second user's places.
 */
export function boundMs({ limiter }: Pick<Kind, 'limiter'>, { past, wishes, phaseMs }: Traffic, calls: number): number {
  const log: number[] = []
  const ask = (memory: number[], atMs: number) => rule(limiter, limit, memory, epochMs + phaseMs + atMs).allowed
  for (const atMs of past) ask(log, atMs)
  const letIn: number[] = []
  let next = 0
  for (let atMs = 0; ; atMs += stepMs) {
    while (next < wishes.length && (wishes[next] as number) <= atMs) ask(log, wishes[next++] as number)
    const later = wishes.slice(next, next + limit.requests).filter((wishMs) => wishMs <= atMs + memoryMs)
    while (atMs >= (letIn.at(-callsAtOnce) ?? Number.NEGATIVE_INFINITY) + roundTripMs * speed && letsIn(log, atMs, later, ask)) {
      ask(log, atMs)
      letIn.push(atMs)
      if (letIn.length === calls) return atMs / speed + roundTripMs
    }
  }
}

function letsIn(log: readonly number[], atMs: number, later: readonly number[], ask: (memory: number[], atMs: number) => boolean): boolean {
  const trial = [...log]
  return ask(trial, atMs) && later.every((wishMs) => ask(trial, wishMs))
}

/** A whole minute of the clock, so that a phase is one. */
export const epochMs = 1_800_000_000_000
