import { setTimeout as pause } from 'node:timers/promises'
import type { SteadyClock } from '../../../src/core/clock.ts'

/** A clock for code that uses real files: it stands still until all parties sleep. */
export type SteppedTime = SteadyClock & {
  /** Lets time pass. Returns when all parties sleep again or have ended. */
  pass(ms: number): Promise<void>
  /** Counts the work as a party until it ends. */
  party<T>(work: Promise<T>): Promise<T>
  /** Adds a party that ends when the returned function is called. */
  enter(): () => void
}

type Sleeper = { readonly atMs: number; readonly wake: () => void }

export function steppedTime(): SteppedTime {
  let now = 1_000_000
  let parties = 0
  const sleepers = new Set<Sleeper>()
  const enter = () => {
    parties++
    return () => void parties--
  }
  const allSleep = async () => {
    for (const untilMs = performance.now() + 20_000; sleepers.size < parties; await pause(1)) {
      if (performance.now() > untilMs) throw new Error(`only ${sleepers.size} of ${parties} parties sleep`)
    }
  }
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const leave = () => {
          sleepers.delete(sleeper)
          reject(signal.reason as Error)
        }
        const wake = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const sleeper = { atMs: now + ms, wake }
        sleepers.add(sleeper)
        signal.addEventListener('abort', leave, { once: true })
      }),
    enter,
    party: (work) => work.finally(enter()),
    async pass(ms) {
      const untilMs = now + ms
      await allSleep()
      for (;;) {
        const nextMs = Math.min(...[...sleepers].map(({ atMs }) => atMs))
        if (nextMs > untilMs) break
        now = nextMs
        for (const sleeper of sleepers) {
          if (sleeper.atMs > now) continue
          sleepers.delete(sleeper)
          sleeper.wake()
        }
        await allSleep()
      }
      now = untilMs
    },
  }
}
