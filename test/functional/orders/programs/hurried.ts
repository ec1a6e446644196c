import { setTimeout as pause } from 'node:timers/promises'
import type { SteadyClock } from '../../../../src/core/clock.ts'

/** A clock that is ten times as fast as real time. */
export const hurried: SteadyClock = {
  now: () => Math.floor(performance.timeOrigin + performance.now() * 10),
  sleep: (ms, signal) => pause(ms / 10, undefined, { signal }),
}

/** Chance, for programs that are killed at random moments anyway. */
export const upTo = (most: number): number => Math.random() * most
