import { expect, test } from 'vitest'
import { clipped } from '../../../src/core/memory/memory.ts'
import { recentWritesFrom, recentWritesOf } from '../../../src/core/memory/recentWrites.ts'

const now = 10_000_000
const hour = 3_600_000
const waitMs = 100
type Timed = Parameters<typeof clipped>[0]

/** A memory with one entry of each kind, all of one time. */
const timed = (atMs: number) =>
  ({
    recentWrites: recentWritesFrom([{ atMs } as never]),
    inDoubt: { c: { atMs } },
    failures: { c: atMs },
    lastApplied: [{ atMs: [1, atMs], shownFromMs: atMs }],
  }) as unknown as Timed
const timesOf = ({ recentWrites, inDoubt, failures, lastApplied }: Timed) => ({
  written: recentWritesOf(recentWrites).map(({ atMs }) => atMs),
  tried: Object.values(inDoubt).map(({ atMs }) => atMs),
  failed: Object.values(failures),
  applied: lastApplied.map(({ atMs, shownFromMs }) => [...atMs, shownFromMs]),
})

test('no write is later than now, and no list needs to be newer than one wait from now', () => {
  expect(timesOf(clipped(timed(now + 9 * hour), now, waitMs))).toEqual({
    written: [now],
    tried: [now],
    failed: [now],
    applied: [[1, now, now + waitMs]],
  })
})

test('possible times stay', () => {
  for (const atMs of [now - hour, now]) expect(timesOf(clipped(timed(atMs), now, waitMs))).toEqual(timesOf(timed(atMs)))
})
