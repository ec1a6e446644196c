import type { Clock } from '../../../src/core/clock.ts'

export type VirtualTime = Clock & {
  /** Sets the machine's clock forward, or back if negative. */
  set(byMs: number): void
  /** Runs until no sleeper is left, or until `untilMs`. */
  run(untilMs?: number): Promise<void>
}

type Sleeper = { readonly atMs: number; readonly order: number; readonly wake: () => void }

/** A clock that stands still until all code sleeps, and then jumps to the end of the shortest sleep. */
export function virtualTime(startMs = 1_000_000): VirtualTime {
  let now = startMs
  let setMs = 0
  let order = 0
  let sleepers: Sleeper[] = []
  return {
    now: () => now,
    wall: () => now + setMs,
    set(byMs) {
      setMs += byMs
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal.reason as Error)
        }
        const wake = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const sleeper: Sleeper = { atMs: now + ms, order: order++, wake }
        if (signal.aborted) return reject(signal.reason as Error)
        signal.addEventListener('abort', leave, { once: true })
        sleepers.push(sleeper)
      }),
    async run(untilMs = Number.POSITIVE_INFINITY) {
      for (;;) {
        // Every promise that can settle without time passing does so before the event loop turns.
        await new Promise((resolve) => setImmediate(resolve))
        const next = sleepers.reduce<Sleeper | undefined>(
          (first, other) =>
            first === undefined || other.atMs < first.atMs || (other.atMs === first.atMs && other.order < first.order) ? other : first,
          undefined,
        )
        if (next === undefined || next.atMs > untilMs) return
        now = Math.max(now, next.atMs)
        sleepers = sleepers.filter((other) => other !== next)
        next.wake()
      }
    },
  }
}

export const never = new AbortController().signal
