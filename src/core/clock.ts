/** The clock for every duration: waits, limits, quarantines, ages. Setting the clock of the machine does not change it. */
export type SteadyClock = {
  /** Epoch ms: the machine's time when the process started, plus the time that has passed since then. */
  now(): number
  /** Settles after `ms`, or rejects when `signal` fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Both clocks of the machine. A date is compared with `wall` only, and a duration is never measured with it. */
export type Clock = SteadyClock & {
  /** Epoch ms of the machine's clock. It jumps when a person or NTP sets it, and while the machine is suspended. */
  wall(): number
}

/** One moment by both clocks, epoch ms. */
export type Moment = { readonly steadyMs: number; readonly wallMs: number }

export const momentOf = ({ now, wall }: Pick<Clock, 'now' | 'wall'>): Moment => ({ steadyMs: now(), wallMs: wall() })

/**
 * How long ago a moment was, in ms: the larger of the two clocks' answers. The steady clock stops while the machine is suspended, and a person or NTP
 * may set the other clock back. So a reading is never taken for younger than it is.
 */
export const ageMs = (then: Moment, now: Moment): number => Math.max(now.steadyMs - then.steadyMs, now.wallMs - then.wallMs)

/** How long the machine was suspended between two moments, in ms. A clock that was set forward looks the same. */
export const suspendedMs = (then: Moment, now: Moment): number => ageMs(then, now) - (now.steadyMs - then.steadyMs)

/** How far the machine's clock was set since the process started, in ms; positive if it was set forward. */
export const steppedMs = ({ now, wall }: Pick<Clock, 'now' | 'wall'>): number => wall() - now()

/** The moment of a date of the machine's clock, as that clock is set now. A file has dates, since the next process has another steady clock. */
export const momentOfDate = (clock: Pick<Clock, 'now' | 'wall'>, wallMs: number): Moment => ({
  steadyMs: wallMs - steppedMs(clock),
  wallMs,
})

/** Converts a steady time into a date of the machine's clock, as that clock is set now. Other programs compare such a date with their own clocks. */
export const dateOf = (clock: Pick<Clock, 'now' | 'wall'>, atMs: number): number => atMs + steppedMs(clock)

/** The reason for aborting a timer. One shared error, because the default reason of `abort()` would record a stack at each request. */
export const noLongerNeeded = new Error('this timer is no longer needed')
