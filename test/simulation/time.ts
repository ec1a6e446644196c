/** Virtual time: it moves only from event to event, in order. Times are whole epoch ms, like those of a machine's clock. */
export type Time = {
  readonly now: () => number
  /** Runs `work` at `atMs`, or as the next event if that is past. Returns a function that cancels it. */
  readonly at: (atMs: number, work: () => void) => () => void
  /** Runs events until none is left, `untilMs` is reached or `done` returns true. Between two events, all promises settle that can settle without time. */
  readonly run: (untilMs: number, done?: () => boolean) => Promise<void>
  readonly events: () => number
}

type Event = { readonly atMs: number; readonly order: number; work: (() => void) | undefined }

/** @param turn waits for the next turn of the real event loop, so that all promises settle that can */
export function virtualTime(startMs: number, eventsMax: number, turn: () => Promise<void>): Time {
  const heap: Event[] = []
  let now = startMs
  let [order, events] = [0, 0]

  async function run(untilMs: number, done: () => boolean = () => false): Promise<void> {
    await turn()
    while (!done()) {
      const next = heap[0]
      if (next === undefined || next.atMs > untilMs) {
        now = Math.max(now, untilMs)
        return
      }
      pop(heap)
      if (next.work === undefined) continue
      if (++events > eventsMax) throw new Endless(`more than ${eventsMax} events`)
      now = Math.max(now, next.atMs)
      next.work()
      await turn()
    }
  }

  return {
    now: () => now,
    at(atMs, work) {
      const event: Event = { atMs: Math.max(atMs, now), order: order++, work }
      push(heap, event)
      return () => {
        event.work = undefined
      }
    },
    run,
    events: () => events,
  }
}

/** Thrown if a world does not end, because some code loops without time. */
export class Endless extends Error {
  override readonly name = 'Endless'
}

const before = (a: Event, b: Event): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

function push(heap: Event[], event: Event): void {
  heap.push(event)
  for (let at = heap.length - 1; at > 0; ) {
    const parent = (at - 1) >> 1
    if (before(heap[parent] as Event, event)) return
    heap[at] = heap[parent] as Event
    heap[parent] = event
    at = parent
  }
}

function pop(heap: Event[]): void {
  const last = heap.pop() as Event
  if (heap.length === 0) return
  heap[0] = last
  for (let at = 0; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    let first = at
    if (left < heap.length && before(heap[left] as Event, heap[first] as Event)) first = left
    if (right < heap.length && before(heap[right] as Event, heap[first] as Event)) first = right
    if (first === at) return
    heap[at] = heap[first] as Event
    heap[first] = last
    at = first
  }
}
