import type { SteadyClock } from '../core/clock.ts'
import { visible } from '../core/safeName.ts'
import { everyMs, longestWait, usageText, type WaitingQueue } from '../log/limitWait.ts'
import type { ProgressWait } from '../render/progressText.ts'

/** One credential's budget and queue, as far as the progress shows them. */
export type BudgetQueue = {
  view(): ReturnType<WaitingQueue['view']> & { readonly unansweredMs: number; readonly circuit: { readonly open: boolean } }
}

/** Knows what a command waits for. */
type WaitWatch = {
  /** Undefined if it does not wait. */
  wait(): ProgressWait | undefined
  /** The time until the text of the wait changes. */
  nextMs(): number
  /** Returns `reading`, and watches how long it takes. */
  reading<T>(directory: string, reading: Promise<T>): Promise<T>
  pause(untilMs: number | undefined): void
  isPaused(): boolean
}

/** Shorter waits are not shown. */
const shownMs = 500
/** An answer that takes this long is slow. */
const slowMs = 3_000

export function openWaitWatch(queues: () => ReadonlyMap<string, BudgetQueue>, now: () => number): WaitWatch {
  const readings = new Map<string, number>()
  let pausedUntilMs: number | undefined

  function forLimit(): ProgressWait | undefined {
    const longest = longestWait(queues(), shownMs)
    return longest && { kind: 'until', ...longest }
  }

  function forDirectory(): ProgressWait | undefined {
    const [oldest] = [...readings].toSorted(([, a], [, b]) => a - b)
    return oldest && slow(`directory ${visible(oldest[0])}`, now() - oldest[1])
  }

  function wait(): ProgressWait | undefined {
    if (pausedUntilMs !== undefined)
      return { kind: 'until', ms: Math.max(0, pausedUntilMs - now()), why: 'an earlier write may still be executed' }
    const unanswered = () => [...queues().values()].reduce((ms, queue) => Math.max(ms, queue.view().unansweredMs), 0)
    return forLimit() ?? forDirectory() ?? slow('Plane', unanswered())
  }

  return {
    wait,
    nextMs() {
      const present = wait()
      // Each number of seconds is shown for one second. One more ms, since a timer may be early.
      return present?.kind === 'until' ? present.ms - Math.max(0, Math.ceil(present.ms / 1000) - 1) * 1000 + 1 : 1_000
    },
    reading(directory, reading) {
      readings.set(directory, now())
      return reading.finally(() => readings.delete(directory))
    },
    pause(untilMs) {
      pausedUntilMs = untilMs
    },
    isPaused: () => pausedUntilMs !== undefined,
  }
}

const slow = (of: string, ms: number): ProgressWait | undefined => (ms < slowMs ? undefined : { kind: 'answer', of, ms })

type SayingWaits = {
  /** Returns the queues by credential. It is called at every check, because a reload may change the queues. */
  readonly queues: () => ReadonlyMap<string, WaitingQueue>
  readonly clock: SteadyClock
  readonly say: (sentence: string) => void
}

const lookMs = 500
/** Shorter waits are not reported. */
const patienceMs = 2_000
/**
 * The pause between two sentences about one credential. If the limit is reached, nearly every request has to wait. Without this pause each of
 * these waits would be reported.
 */
const quietMs = 10_000

type Wait = { readonly fromMs: number; readonly untilMs: number; readonly isSaid: boolean }

/** Reports each longer wait for a rate limit once, with its length and credential. Dispose it to stop. */
export function sayBudgetWaits({ queues, clock, say }: SayingWaits): Disposable {
  const waits = new Map<string, Wait>()
  const saidMs = new Map<string, number>()

  return everyMs(lookMs, clock, (nowMs) => {
    for (const [name, queue] of queues()) {
      const { length, waitMs, ...budget } = queue.view()
      if (length === 0 || waitMs === 0) {
        waits.delete(name)
        continue
      }
      const untilMs = nowMs + waitMs
      const known = waits.get(name)
      // A wait whose end has moved to a later time counts as a new wait.
      const wait = known === undefined || untilMs > known.untilMs + lookMs ? { fromMs: nowMs, untilMs, isSaid: false } : known
      const isDue = !wait.isSaid && nowMs - wait.fromMs >= patienceMs && nowMs - (saidMs.get(name) ?? Number.NEGATIVE_INFINITY) >= quietMs
      waits.set(name, { ...wait, isSaid: wait.isSaid || isDue })
      if (!isDue) continue
      saidMs.set(name, nowMs)
      say(`Waiting ${Math.ceil(waitMs / 1000)} s for the rate limit of credential "${visible(name)}" (${usageText(budget)}).\n`)
    }
  })
}
