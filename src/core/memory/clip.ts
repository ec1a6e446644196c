import { type ChangesInDoubt, pauseMaxMs } from './inDoubt.ts'
import type { LastApplied } from './lastApplied.ts'
import { type RecentWrites, recentWritesFrom, recentWritesOf } from './recentWrites.ts'

type Timed = {
  readonly recentWrites: RecentWrites
  readonly inDoubt: ChangesInDoubt
  readonly refusals: Readonly<Record<string, number>>
  readonly lastApplied: readonly LastApplied[]
}

/**
 * The memory without impossible times. A write cannot be later than `nowMs`. A pause cannot end later than a pause that begins at `nowMs`. Such times
 * come from a clock that was ahead. If they stayed, a write with a future time would count in `guards.day` until a day after that time, and until
 * about that time every list would count as too old to show the write.
 *
 * @param waitMs Δ
 */
export function clipped({ recentWrites, inDoubt, refusals, lastApplied }: Timed, nowMs: number, waitMs: number): Timed {
  const past = (atMs: number) => Math.min(atMs, nowMs)
  return {
    recentWrites: recentWritesFrom(recentWritesOf(recentWrites).map((one) => ({ ...one, atMs: past(one.atMs) }))),
    inDoubt: mapped(inDoubt, (one) => ({
      ...one,
      atMs: past(one.atMs),
      againFromMs: Math.min(one.againFromMs, nowMs + pauseMaxMs),
    })),
    refusals: mapped(refusals, past),
    lastApplied: lastApplied.map((one) => ({
      ...one,
      atMs: one.atMs.map(past),
      shownFromMs: Math.min(one.shownFromMs, nowMs + waitMs),
    })),
  }
}

const mapped = <T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
