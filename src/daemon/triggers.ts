/** The reasons to run a cycle. */
export const triggerNames = ['start', 'schedule', 'hold', 'date', 'reload', 'order'] as const
export type Trigger = (typeof triggerNames)[number]

/** Holds at most one request for a cycle, so any number of requests leads to one cycle. */
export type Triggers = {
  readonly fire: (why: Trigger) => void
  /**
   * Takes the waiting request. If there were several, it is the first one that is no order: the cycle of an order may be about some workspaces only, and
   * orders wait in a queue of their own.
   */
  readonly take: () => Trigger | undefined
  /** Aborted as soon as a request waits. */
  readonly fired: () => AbortSignal
}

export function openTriggers(): Triggers {
  let waiting: Trigger | undefined
  let bell = new AbortController()
  return {
    fire(why) {
      if (waiting === undefined || waiting === 'order') waiting = why
      bell.abort()
    },
    take() {
      const why = waiting
      waiting = undefined
      if (bell.signal.aborted) bell = new AbortController()
      return why
    },
    fired: () => bell.signal,
  }
}
