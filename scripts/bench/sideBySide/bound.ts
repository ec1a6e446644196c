import { rule } from '../../../src/sandbox/throttle.ts'
import { callsAtOnce, type Kind, limit, roundTripMs, speed, type Traffic } from './world.ts'

/** 10 ms of the service's time are 1 ms of the clients' time. */
const stepMs = 10
/** After two windows without a request, no limiter counts any earlier request. */
const memoryMs = 2 * limit.windowMs

/**
 * The shortest possible time for `calls`, in the clients' ms. It is the time of a client that knows the limiter, its memory, both clocks and all
 * future requests of the second user. This client also gets four calls at a time, and takes no place from the second user. The time is
 *
 *     (the earliest moment at which the service can have let the last of `calls` in) + (one mean round trip)
 *
 * counted from the arrival of the first call. The limiter lets a call in at the earliest moment that meets three conditions: the limiter allows
 * the call; it would still allow every later request of the second user; and one mean round trip has passed since the call four places before.
 * Taking the earliest moment is optimal: in any other schedule the k-th call is not earlier than here, because a call that is let in earlier
 * is also forgotten no later. Without a second user this is, with r for the round trip,
 *
 * | limiter                   | bound, of n calls with limit L and window W |
 * |---------------------------|---------------------------------------------|
 * | sliding log, fixed window | (⌈n ÷ L⌉ − 1) × W + ⌈m ÷ 4⌉ × r, m = n − (⌈n ÷ L⌉ − 1) × L being the last burst |
 * | token bucket              | (n − L) × W ÷ L + r, for n > L |
 * | sliding counter           | as for the sliding log while the counts leave room; then each call when the fading count of the previous window makes room for it |
 *
 * A service that publishes nothing, or wrong numbers, has the bound of its limiter. A service that counts without a lock has the bound of the
 * limiter that it is meant to be: a client that sends many calls at once there gets more than the limit, and may be faster than the bound. A
 * client that takes the second user's places may be faster, too.
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

/** A whole minute of the clock, so that the phase is counted from its start. */
export const epochMs = 1_800_000_000_000
