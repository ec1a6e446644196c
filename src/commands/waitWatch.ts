import { visible } from '../core/safeName.ts'
import type { ProgressWait } from '../render/progressText.ts'
import { type Usage, usageText, type Waited } from './budgetWait.ts'

/** One credential's budget and queue, as far as the progress shows them. */
export type BudgetQueue = {
  view(): ReturnType<Waited['view']> & { readonly unansweredMs: number; readonly circuit: { readonly open: boolean } }
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
    const waiting = [...queues()].flatMap(([name, queue]) => {
      const { length, waitMs, ...usage } = queue.view()
      return length > 0 && waitMs >= shownMs ? [{ name, waitMs, usage }] : []
    })
    const [longest] = waiting.toSorted((a, b) => b.waitMs - a.waitMs)
    return longest && { kind: 'until', ms: longest.waitMs, why: limitText(queues().size > 1 ? longest.name : undefined, longest.usage) }
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

/** @param credential its name if there are several */
const limitText = (credential: string | undefined, usage: Usage): string =>
  `rate limit${credential === undefined ? '' : ` of "${visible(credential)}"`}: ${usageText(usage)}`
