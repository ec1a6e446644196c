import type { Clock } from '../core/clock.ts'

/** The parts that the loop works with. Times are epoch ms: ticks and dates by `clock.wall`, all others by `clock.now`. */
export type LoopParts<Report> = {
  /** @returns undefined for a cycle that only answers an order: the report before it says when the next cycle begins */
  readonly cycle: (why: Trigger, signal: AbortSignal) => Promise<Report | undefined>
  /** The first tick of the schedule after `afterMs`. It is asked again in every round, because a reload may change the schedule. */
  readonly nextTickMs: (afterMs: number) => number
  /** A tick or a date is delayed by a random part of this, so that many instances do not call at once. */
  readonly jitterMs: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  /** When the first hold of the report ends; undefined if no hold ends at a known time. */
  readonly heldUntilMs: (report: Report) => number | undefined
  /** When the next rule starts or ends, by `clock.wall`; undefined if no rule has such a date. */
  readonly nextDateMs?: (report: Report) => number | undefined
  readonly triggers: Triggers
  readonly clock: Clock
  readonly onBegin?: (why: Trigger) => void
  /** An error after which no cycle may follow: the loop throws it. */
  readonly isFinal?: (error: unknown) => boolean
  /** The cycle threw; the loop goes on. */
  readonly onError: (error: unknown, why: Trigger) => void
  /** In how many ms the next cycle begins, if nothing triggers one earlier. */
  readonly onNext?: (inMs: number) => void
}

/** A timer does not notice that the clock is set or the machine sleeps, so both clocks are read again after this time. */
const sleepMaxMs = 60_000
/** The shortest pause before a cycle that a hold triggers. Without it, a hold whose end is always "now" would start cycles without a pause. */
const holdPauseMs = 1_000

/**
 * Runs cycles until `signal` fires: one at once, then one for each tick of the schedule, each trigger and each hold that ends. The loop waits for
 * its cycle, so cycles cannot overlap. Any number of ticks and triggers during a cycle leads to exactly one further cycle.
 * After `signal` no cycle begins. The running cycle gets the signal, and the promise resolves when it has ended.
 */
export async function runLoop<Report>(loop: LoopParts<Report>, signal: AbortSignal): Promise<void> {
  const { triggers, clock } = loop
  let why: Trigger | undefined = signal.aborted ? undefined : 'start'
  let asked = nothingAsked
  let missedMs = Number.POSITIVE_INFINITY
  while (why !== undefined) {
    // The cycle that begins now serves all triggers until here. That of an order does not.
    const also: Trigger | undefined = triggers.take()
    const begun: Trigger = why === 'order' ? (also ?? why) : why
    // The cycle of an order serves no tick.
    const isOrder: boolean = begun === 'order'
    missedMs = Math.min(isOrder ? missedMs : Number.POSITIVE_INFINITY, loop.nextTickMs(clock.wall()))
    asked = await runCycleOnce(loop, begun, asked, signal)
    const jitterMs = Math.floor(loop.random() * loop.jitterMs())
    const pausedMs = isOrder ? Number.NEGATIVE_INFINITY : clock.now() + holdPauseMs
    const heldUntilMs = Math.max(asked.heldUntilMs, pausedMs)
    why = await nextTrigger(loop, { ...asked, missedMs, jitterMs, heldUntilMs, isAfterOrder: isOrder }, signal)
  }
}

/** The times at which the last report asks for a cycle. Infinite if it asks for none. */
type Asked = { readonly heldUntilMs: number; readonly dateMs: number }

const never = Number.POSITIVE_INFINITY
const nothingAsked: Asked = { heldUntilMs: never, dateMs: never }

/** @returns the times of its report. If it made none: those that are still to come of the reports before it. */
async function runCycleOnce<Report>(loop: LoopParts<Report>, why: Trigger, before: Asked, signal: AbortSignal): Promise<Asked> {
  const [beganMs, beganDateMs] = [loop.clock.now(), loop.clock.wall()]
  try {
    loop.onBegin?.(why)
    const report = await loop.cycle(why, signal)
    if (report === undefined) return before
    return { heldUntilMs: loop.heldUntilMs(report) ?? never, dateMs: loop.nextDateMs?.(report) ?? never }
  } catch (error) {
    if (loop.isFinal?.(error) === true) throw error
    if (!signal.aborted || error !== signal.reason) loop.onError(error, why)
    // A time that had passed has had this cycle. Otherwise a cycle that throws each time would begin again and again without a pause.
    return { heldUntilMs: ifAfter(beganMs, before.heldUntilMs), dateMs: ifAfter(beganDateMs, before.dateMs) }
  }
}

const ifAfter = (beganMs: number, atMs: number): number => (atMs > beganMs ? atMs : never)

/**
 * The times that end the wait between two cycles. `missedMs`: the first tick after the last cycle began. If this tick was during that cycle, it is in
 * the past, and the next cycle begins at once. `jitterMs`: the delay of the tick. `heldUntilMs`: the end of the first hold, infinite if no hold ends
 * at a known time. `dateMs`: when the next rule starts or ends, infinite if no rule does. `isAfterOrder`: the last cycle was that of an order. A cycle
 * that is due comes before the next order then, so that orders without a pause do not stop the schedule.
 */
type Due = {
  readonly missedMs: number
  readonly jitterMs: number
  readonly heldUntilMs: number
  readonly dateMs: number
  readonly isAfterOrder: boolean
}

/** Waits for the next tick, the end of a hold, or a trigger. @returns the trigger of the next cycle; undefined after `signal` */
async function nextTrigger<Report>(
  { triggers, clock, nextTickMs, onNext }: LoopParts<Report>,
  { missedMs, jitterMs, heldUntilMs, dateMs, isAfterOrder }: Due,
  signal: AbortSignal,
): Promise<Trigger | undefined> {
  let tickMs = missedMs
  /** If the clock was set back, the schedule has an earlier tick. If it was set forward, the tick may have passed already. */
  const untilTickMs = () => {
    tickMs = Math.min(tickMs, nextTickMs(clock.wall()))
    return tickMs + jitterMs - clock.wall()
  }
  const untilHeldMs = () => heldUntilMs - clock.now()
  const untilDateMs = () => dateMs + jitterMs - clock.wall()
  onNext?.(Math.max(0, Math.min(untilTickMs(), untilHeldMs(), untilDateMs())))
  while (!signal.aborted) {
    const fired = triggers.take()
    if (fired !== undefined && (fired !== 'order' || !isAfterOrder)) return fired
    const [tickLeftMs, holdLeftMs, dateLeftMs] = [untilTickMs(), untilHeldMs(), untilDateMs()]
    const leftMs = Math.min(tickLeftMs, holdLeftMs, dateLeftMs)
    if (leftMs <= 0) return leftMs === tickLeftMs ? 'schedule' : leftMs === holdLeftMs ? 'hold' : 'date'
    if (fired !== undefined) return fired
    const woken = AbortSignal.any([signal, triggers.fired()])
    await clock.sleep(Math.min(leftMs, sleepMaxMs), woken).catch(() => undefined)
  }
  return undefined
}

/** The reasons to run a cycle. */
export const triggerNames = ['start', 'schedule', 'hold', 'date', 'reload', 'order'] as const
export type Trigger = (typeof triggerNames)[number]

/** Holds at most one request for a cycle, so any number of requests leads to one cycle. */
export type Triggers = {
  readonly fire: (why: Trigger) => void
  /**
   * Takes the waiting request. If there were several, it is the first one that is no order: the cycle of an order may be about some workspaces only, and
   * orders wait in a queue of their own.
   */
  readonly take: () => Trigger | undefined
  /** Aborted as soon as a request waits. */
  readonly fired: () => AbortSignal
}

export function openTriggers(): Triggers {
  let waiting: Trigger | undefined
  let bell = new AbortController()
  return {
    fire(why) {
      if (waiting === undefined || waiting === 'order') waiting = why
      bell.abort()
    },
    take() {
      const why = waiting
      waiting = undefined
      if (bell.signal.aborted) bell = new AbortController()
      return why
    },
    fired: () => bell.signal,
  }
}
