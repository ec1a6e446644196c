import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** Counts the changes of a day that the processes with one journal have made. */
export type Day = {
  readonly hear: (event: Happened) => void
  /**
   * A change was executed. Returns a sentence if there were too many on this day. Two sendings of one change count as one. A change that the service
   * executes late is counted as of its sending: a later one that a person let exceed the limit (`isAllowed`) does not count before it.
   */
  readonly revise: (process: number, atMs: number, change: string, sending?: Sending) => string | undefined
}

type Sending = { readonly sentMs: number; readonly isAllowed: boolean }
type Change = Sending & { readonly atMs: number }

const dayMs = 86_400_000
/** A process may write to its journal so much earlier or later that the change was made. */
const recordedMs = 5 * 60_000

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
    revise(process, atMs, change, { sentMs, isAllowed } = { sentMs: atMs, isAllowed: false }) {
      if (journal === 'none' || twoWriters || seen.has(change)) return undefined
      seen.add(change)
      const nowMs = steady.get(process)?.(atMs) ?? atMs
      changes = [...changes, { atMs: nowMs, sentMs, isAllowed }]
      const count = young(nowMs).filter((one) => !one.isAllowed || one.sentMs <= sentMs).length
      return !isAllowed && count > guards.dayChanges ? `change ${count} of the day, of at most ${guards.dayChanges}` : undefined
    },
  }
}
