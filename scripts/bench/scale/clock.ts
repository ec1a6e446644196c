import type { Clock } from '../../../src/core/clock.ts'
import { virtualTime } from '../../../test/unit/plane/virtualTime.ts'

/** Virtual time: after each turn of the event loop it jumps to the next sleeper. Work of the real disk takes no virtual time. */
export function jumpingClock(startMs: number): Clock {
  const time = virtualTime(startMs)
  let isRunning = false
  return {
    now: time.now,
    wall: time.now,
    sleep(ms, signal) {
      const slept = time.sleep(ms, signal)
      if (!isRunning) {
        isRunning = true
        void time.run().finally(() => (isRunning = false))
      }
      return slept
    },
  }
}
