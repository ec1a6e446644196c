import type { Clock } from '../core/clock.ts'
import type { Trigger, Triggers } from './triggers.ts'

/** What the loop needs of the world. All moments are epoch ms of `clock`. */
export type Loop<Report> = {
  readonly cycle: (why: Trigger, signal: AbortSignal) => Promise<Report>
  /** The first tick of the schedule after a moment. Asked anew at every turn, so that a reload may change the schedule. */
  readonly nextTickMs: (afterMs: number) => number
  /** A tick is delayed by a random part of this, so that many instances do not call at once. */
  readonly jitterMs: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  /** When something that the report says is held may go on; undefined where nothing waits for a moment. */
  readonly heldUntilMs: (report: Report) => number | undefined
  readonly triggers: Triggers
  /** Asked every few seconds between cycles: whether the settings were edited, so that the next cycle should begin now. */
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

/** Timers count on while a clock is set or a machine sleeps, so the clock is asked again after this. It also stays below Node's 2³¹ ms. */
const sleepMaxMs = 60_000
/** One look at a file's times. The kubelet needs up to a minute to bring an edit, so more often would not be sooner. */
const editedEveryMs = 10_000
/** A hold that says "now" again and again must not make a hot loop. */
const holdPauseMs = 1_000

/**
 * Runs cycles until `signal` fires: one at once, then one for each tick of the schedule, each trigger and each hold that ends. There is one
 * loop and it waits for its cycle, so cycles cannot overlap; whatever asks for one while another runs leads to exactly one more.
 * After `signal` no cycle begins; the running one is given the signal, and the promise resolves when it has ended.
 */
export async function runLoop<Report>(loop: Loop<Report>, signal: AbortSignal): Promise<void> {
  const { triggers, clock } = loop
  const jitter = () => Math.floor(loop.random() * loop.jitterMs())
  let why: Trigger | undefined = signal.aborted ? undefined : 'start'
  while (why !== undefined) {
    // What asked before the cycle begins is served by it.
    triggers.take()
    const missedMs = loop.nextTickMs(clock.now())
    const heldMs: number | undefined = await attempt(loop, why, signal)
    const nowMs: number = clock.now()
    const tickMs = (missedMs <= nowMs ? missedMs : loop.nextTickMs(nowMs)) + jitter()
    const goesOnMs: number = heldMs === undefined ? Number.POSITIVE_INFINITY : Math.max(heldMs, nowMs + holdPauseMs)
    why = await nextTrigger(loop, goesOnMs < tickMs ? { why: 'hold', atMs: goesOnMs } : { why: 'schedule', atMs: tickMs }, signal)
  }
}

/** One cycle. Gives the moment for which something in it waits. */
async function attempt<Report>(loop: Loop<Report>, why: Trigger, signal: AbortSignal): Promise<number | undefined> {
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

/** Waits for the due moment or a trigger, whichever is first. Undefined: stop. */
async function nextTrigger<Report>(
  { triggers, clock, onNext, edited }: Loop<Report>,
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
