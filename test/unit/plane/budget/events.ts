export type VirtualEvents = {
  now(): number
  at(atMs: number, run: () => void): void
  after(ms: number, run: () => void): void
  /** Runs the events in the order of their times while `wanted` is true. Events of the same time run in the order in which they were added. */
  run(wanted: () => boolean): void
}

/** Time that jumps from one event to the next. */
export function virtualEvents(beginMs: number): VirtualEvents {
  const events: { readonly atMs: number; readonly run: () => void }[] = []
  let now = beginMs
  const at = (atMs: number, run: () => void) => {
    const place = events.findLastIndex((other) => other.atMs <= atMs)
    events.splice(place + 1, 0, { atMs, run })
  }
  return {
    now: () => now,
    at,
    after: (ms, run) => at(now + ms, run),
    run(wanted) {
      for (let event = events.shift(); event !== undefined && wanted(); event = events.shift()) {
        now = Math.max(now, event.atMs)
        event.run()
      }
    },
  }
}
