import type { Guards, Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import type { Amount } from './measure.ts'

/** Counts the changes of a day that the processes with one journal have made, and that no person let pass. */
export type Day = {
  readonly hear: (event: Happened) => void
  /** A change was executed. Returns a sentence if there were too many of its kind on this day. Two sendings of one change count as one. */
  readonly count: (process: number, atMs: number, change: string, amounts: readonly Amount[]) => string | undefined
}

type Change = { readonly atMs: number; readonly amounts: readonly Amount[] }

const dayMs = 86_400_000
/** A process may write to its journal so much earlier or later that the change was made. */
const recordedMs = 5 * 60_000

/** The most changes of a kind in 24 hours. */
export const mostOfDay = (name: Amount, { day, dayCreates = Number.POSITIVE_INFINITY }: Guards): number =>
  name === 'creates' ? dayCreates : day

/**
 * A process measures the age of its own changes with its steady clock, and the age of earlier ones with the times in the journal. So a process whose
 * clock is a day ahead forgets changes too early, at its start or later, and the next process does not know them either. A time in the future counts
 * as the time of the start.
 */
export function openDay({ guards, journal, twoWriters }: Pick<Spec, 'guards' | 'journal' | 'twoWriters'>): Day {
  const steady = new Map<number, (atMs: number) => number>()
  /** The processes that may not have opened the journal yet, and the times of their starts. */
  const starting = new Map<number, number>()
  const seen = new Set<string>()
  /** When the changes were made, by the steady clocks of their processes. */
  let changes: readonly Change[] = []
  const young = (nowMs: number) => changes.filter(({ atMs }) => nowMs - atMs < dayMs - recordedMs)

  function begun(process: number): void {
    const nowMs = starting.get(process)
    starting.delete(process)
    if (nowMs !== undefined) changes = young(nowMs).map((one) => ({ ...one, atMs: Math.min(one.atMs, nowMs) }))
  }

  return {
    hear(event) {
      if (event.is === 'start') {
        const { atMs: bornMs, skewMs, drift } = event
        steady.set(event.process, (atMs) => atMs + skewMs + (atMs - bornMs) * drift)
        starting.set(event.process, bornMs + skewMs)
      }
      // A process that was refused its start has not opened the journal.
      if (event.is === 'cycle' || event.is === 'kill' || event.is === 'power') begun(event.process)
      if (event.is === 'end') changes = young(steady.get(event.process)?.(event.atMs) ?? event.atMs)
    },
    count(process, atMs, change, amounts) {
      if (journal === 'none' || twoWriters || seen.has(change)) return undefined
      seen.add(change)
      const nowMs = steady.get(process)?.(atMs) ?? atMs
      changes = [...changes, { atMs: nowMs, amounts }]
      const counts = amounts.map((name) => ({ name, count: young(nowMs).filter((one) => one.amounts.includes(name)).length }))
      const over = counts.find(({ name, count }) => count > mostOfDay(name, guards))
      return over === undefined ? undefined : `${over.name} ${over.count} of the day, of at most ${mostOfDay(over.name, guards)}`
    },
  }
}
