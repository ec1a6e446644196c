import { datesIn } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/** The time that the clock of each process shows, and whether its cycles go on. */
export type Clocks = {
  /** Returns a sentence if the next cycle of a process came too late, or not at all. */
  readonly hear: (event: Happened) => string | undefined
  /** How far the clock of a process was set forward since its cycle began, in ms. For the program this looks as if the machine was suspended. */
  readonly suspendedMs: (process: number) => number
  /** How far the clock of a process is ahead of what any process of this world has seen before, beyond the time that has passed. */
  readonly aheadMs: (process: number) => number
  /**
   * Lists of dates, in ms, by which a process may decide which rules have started and ended when it sends a write. At least one list must allow the
   * write. A list allows it if each date in the list allows it. If the service tells its date, and the clocks of service and process
   * differ by more than an hour, both dates must allow the write.
   */
  readonly dates: (process: number, atMs: number) => readonly (readonly number[])[]
}

/** A clock shows whole ms. */
const roundMs = 1
/** The most that a clock can have drifted by the end of a world, and the most by which a date in a header is late. */
const driftMs = 5_000
const headerMs = 70_000
const agreeMs = 3_600_000
/** A tick may be delayed by the jitter; a process that sleeps looks at the clock once a minute. */
const lateMs = 10_000 + 60_000 + driftMs
const calmIntervalMs = 10 * 60_000

/** `runs`: it is a daemon that nothing has ended. `endedMs`: when its last cycle ended, while no cycle runs. `sets`: how often the clock was set since. */
type Process = {
  readonly bornMs: number
  readonly drift: number
  skewsMs: number[]
  runs: boolean
  endedMs: number | undefined
  sets: number
}

export function openClocks(spec: Pick<Spec, 'dates' | 'intervalMs' | 'versions'>): Clocks {
  const dated = spec.versions.flatMap(({ declared }) => datesIn(declared))
  const processes = new Map<number, Process>()
  let isCalm = false
  /** The least that a clock was ahead of the time of the world. */
  let leastMs = Number.POSITIVE_INFINITY

  function idle(process: number, atMs: number): string | undefined {
    const one = processes.get(process)
    if (one?.endedMs === undefined || !one.runs) return undefined
    // A clock that is set back moves the next tick by up to one interval. The interval may have changed while the process waited.
    const expectedMs = (2 + one.sets) * (isCalm ? Math.max(calmIntervalMs, spec.intervalMs) : spec.intervalMs) + lateMs
    const waitedMs = atMs - one.endedMs
    return waitedMs <= expectedMs ? undefined : `process ${process} began no cycle for ${Math.round(waitedMs / 1_000)} s`
  }

  return {
    hear(event) {
      switch (event.is) {
        case 'start':
          leastMs = Math.min(leastMs, event.skewMs)
          processes.set(event.process, {
            bornMs: event.atMs,
            drift: event.drift,
            skewsMs: [event.skewMs],
            runs: event.mode === 'daemon',
            endedMs: undefined,
            sets: 0,
          })
          return undefined
        case 'clockSet':
          for (const one of processes.values()) {
            const skewMs = (one.skewsMs.at(-1) as number) + event.byMs
            one.skewsMs.push(skewMs)
            one.sets++
            leastMs = Math.min(leastMs, skewMs)
          }
          return undefined
        case 'cycle': {
          const late = idle(event.process, event.atMs)
          const one = processes.get(event.process) as Process
          one.endedMs = undefined
          one.skewsMs = one.skewsMs.slice(-1)
          return late
        }
        case 'cycled':
          Object.assign(processes.get(event.process) as Process, { endedMs: event.atMs, sets: 0 })
          return undefined
        case 'calm':
          isCalm = true
          return undefined
        case 'stop':
        case 'kill':
        case 'power': {
          const late = idle(event.process, event.atMs)
          const one = processes.get(event.process)
          if (one !== undefined) one.runs = false
          return late
        }
        default:
          return undefined
      }
    },
    suspendedMs(process) {
      const skewsMs = processes.get(process)?.skewsMs ?? []
      return (skewsMs.at(-1) ?? 0) - (skewsMs[0] ?? 0)
    },
    aheadMs: (process) => (processes.get(process)?.skewsMs.at(-1) ?? 0) - leastMs,
    dates(process, atMs) {
      const { bornMs, drift, skewsMs } = processes.get(process) as Process
      const skewMs = (skewsMs.at(-1) as number) + (atMs - bornMs) * drift
      const own = [atMs + skewMs - roundMs, atMs + skewMs + roundMs]
      const alone = own.map((date) => [date])
      if (!spec.dates || Math.abs(skewMs) < agreeMs - headerMs) return alone
      // The date in a header may be any of the last 70 s. It matters on which side of a rule's date it is.
      const [fromMs, untilMs] = [atMs - headerMs, atMs + driftMs]
      const sides = dated.flatMap((dateMs) => [dateMs - 1, dateMs]).filter((dateMs) => dateMs > fromMs && dateMs < untilMs)
      const both = own.flatMap((date) => [fromMs, ...sides, untilMs].map((there) => [date, there]))
      return Math.abs(skewMs) > agreeMs + headerMs ? both : [...alone, ...both]
    },
  }
}
