import type { ChangesInDoubt } from './inDoubt.ts'
import { type LastApplied, lastAppliedKeptMs } from './lastApplied.ts'
import type { Quarantine } from './quarantine.ts'
import { type RecentWrites, recentWritesFrom, recentWritesOf } from './recentWrites.ts'
import { type Edit, editsKeptMs, editsSince } from './seen.ts'

const dayMs = 86_400_000
/** A list older than this is read again before the next write. One slice may take long, since it may wait for a budget that many share. */
export const listKeptMs = 3_600_000

/** The parts of the memory that end at a time. */
type Ending = {
  readonly quarantine: Quarantine
  readonly failures: Readonly<Record<string, number>>
  readonly inDoubt: ChangesInDoubt
  readonly recentWrites: RecentWrites
  readonly lastApplied: readonly LastApplied[]
  readonly edits: readonly Edit[]
}

/**
 * Drops entries that no longer matter, so that the memory stays small. A quarantine that is over is kept for `listKeptMs` more: until then a slice
 * may still use a list that was read during the quarantine.
 */
export function forget<T extends Ending>(memory: T, nowMs: number): T {
  return {
    ...memory,
    quarantine: keepEntries(memory.quarantine, (untilMs) => nowMs < untilMs + listKeptMs),
    failures: keepEntries(memory.failures, (atMs) => nowMs < atMs + dayMs),
    inDoubt: keepEntries(memory.inDoubt, ({ atMs }) => nowMs < atMs + dayMs),
    recentWrites: recentWritesFrom(recentWritesOf(memory.recentWrites).filter(({ atMs }) => nowMs < atMs + dayMs)),
    lastApplied: memory.lastApplied.filter(({ shownFromMs }) => nowMs < shownFromMs + lastAppliedKeptMs),
    edits: editsSince(memory.edits, nowMs - editsKeptMs),
  }
}

/** The wanted entries of a record. */
export const keepEntries = <T>(record: Readonly<Record<string, T>>, wanted: (value: T, name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => wanted(value, name)))
