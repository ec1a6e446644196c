import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'

export const realClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  wall: Date.now,
  sleep: (ms, signal) => pause(ms, undefined, { signal }),
}
