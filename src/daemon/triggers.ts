/** Why a cycle runs. */
export const triggerNames = ['start', 'schedule', 'hold', 'reload'] as const
export type Trigger = (typeof triggerNames)[number]

/** Where requests for a cycle wait. It has one place: any number of them leads to one cycle. */
export type Triggers = {
  readonly fire: (why: Trigger) => void
  /** What waits, if anything, and forgets it. The first that asked names the cycle. */
  readonly take: () => Trigger | undefined
  /** Fires when something waits; aborted already where something does. */
  readonly fired: () => AbortSignal
}

export function openTriggers(): Triggers {
  let waiting: Trigger | undefined
  let bell = new AbortController()
  return {
    fire(why) {
      waiting ??= why
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
