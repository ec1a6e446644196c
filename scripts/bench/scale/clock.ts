import type { Clock } from '../../../src/core/clock.ts'
import { virtualTime } from '../../../test/unit/plane/virtualTime.ts'

/** Time that goes on by itself, to whoever wakes first, whenever the event loop has turned. What real disks do takes no time. */
export function jumpingClock(startMs: number): Clock {
  const time = virtualTime(startMs)
  let isRunning = false
  return {
    now: time.now,
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
