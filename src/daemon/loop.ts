import type { Clock } from '../core/clock.ts'
import type { Trigger, Triggers } from './triggers.ts'

/** The parts that the loop works with. All times are epoch ms of `clock`. */
export type LoopParts<Report> = {
  readonly cycle: (why: Trigger, signal: AbortSignal) => Promise<Report>
  /** The first tick of the schedule after `afterMs`. It is asked again in every round, because a reload may change the schedule. */
  readonly nextTickMs: (afterMs: number) => number
  /** A tick is delayed by a random part of this, so that many instances do not call at once. */
  readonly jitterMs: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  /** When the first hold of the report ends; undefined if no hold ends at a known time. */
  readonly heldUntilMs: (report: Report) => number | undefined
  readonly triggers: Triggers
  /** Whether the settings were edited, so that the next cycle begins now. It is asked every few seconds between cycles. */
  readonly edited?: () => Promise<boolean>
  readonly clock: Clock
  readonly onBegin?: (why: Trigger) => void
  readonly onReport: (report: Report, why: Trigger) => void
  /** An error after which no cycle may follow: the loop throws it. */
  readonly isFinal?: (error: unknown) => boolean
  /** The cycle threw; the loop goes on. */
  readonly onError: (error: unknown, why: Trigger) => void
  /** When the next cycle begins, if nothing triggers one earlier. */
  readonly onNext?: (atMs: number) => void
}

/** A timer does not notice that the clock is set or the machine sleeps, so the clock is read again after this time. It is below Node's 2³¹ ms. */
const sleepMaxMs = 60_000
/** The pause between two checks of the settings file. The kubelet needs up to a minute to bring an edit, so a shorter pause would not help. */
const editedEveryMs = 10_000
/** The shortest pause before a cycle that a hold triggers. Without it, a hold whose end is always "now" would start cycles without a pause. */
const holdPauseMs = 1_000

/**
 * Runs cycles until `signal` fires: one at once, then one for each tick of the schedule, each trigger and each hold that ends. The loop waits for
 * its cycle, so cycles cannot overlap. Any number of ticks and triggers during a cycle leads to exactly one further cycle.
 * After `signal` no cycle begins. The running cycle gets the signal, and the promise resolves when it has ended.
 */
export async function runLoop<Report>(loop: LoopParts<Report>, signal: AbortSignal): Promise<void> {
  const { triggers, clock } = loop
  const jitter = () => Math.floor(loop.random() * loop.jitterMs())
  let why: Trigger | undefined = signal.aborted ? undefined : 'start'
  while (why !== undefined) {
    // The cycle that begins now serves all triggers until here.
    triggers.take()
    const missedMs = loop.nextTickMs(clock.now())
    const heldMs: number | undefined = await runCycleOnce(loop, why, signal)
    const nowMs: number = clock.now()
    const tickMs = (missedMs <= nowMs ? missedMs : loop.nextTickMs(nowMs)) + jitter()
    const goesOnMs: number = heldMs === undefined ? Number.POSITIVE_INFINITY : Math.max(heldMs, nowMs + holdPauseMs)
    why = await nextTrigger(loop, goesOnMs < tickMs ? { why: 'hold', atMs: goesOnMs } : { why: 'schedule', atMs: tickMs }, signal)
  }
}

/** Runs one cycle. @returns when its first hold ends */
async function runCycleOnce<Report>(loop: LoopParts<Report>, why: Trigger, signal: AbortSignal): Promise<number | undefined> {
  try {
    loop.onBegin?.(why)
    const report = await loop.cycle(why, signal)
    loop.onReport(report, why)
    return loop.heldUntilMs(report)
  } catch (error) {
    if (loop.isFinal?.(error) === true) throw error
    if (!signal.aborted || error !== signal.reason) loop.onError(error, why)
    return undefined
  }
}

/** Waits until `due` or for a trigger. @returns the trigger of the next cycle; undefined after `signal` */
async function nextTrigger<Report>(
  { triggers, clock, onNext, edited }: LoopParts<Report>,
  due: { readonly why: Trigger; readonly atMs: number },
  signal: AbortSignal,
): Promise<Trigger | undefined> {
  onNext?.(Math.max(due.atMs, clock.now()))
  const napMs = edited === undefined ? sleepMaxMs : editedEveryMs
  while (!signal.aborted) {
    const fired = triggers.take()
    if (fired !== undefined) return fired
    const leftMs = due.atMs - clock.now()
    if (leftMs <= 0) return due.why
    const woken = AbortSignal.any([signal, triggers.fired()])
    await clock.sleep(Math.min(leftMs, napMs), woken).catch(() => undefined)
    if (!woken.aborted && (await edited?.())) return 'reload'
  }
  return undefined
}
