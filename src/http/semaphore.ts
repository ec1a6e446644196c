/** At most so many at a time; whoever comes later waits in line. */
export type Semaphore = {
  /** Settles when it is one's turn, with what ends it. @throws the signal's reason when it fires before */
  take(signal: AbortSignal): Promise<() => void>
}

export function openSemaphore(atOnce: number): Semaphore {
  // In the order of their coming; whoever gives up leaves it.
  const waiting = new Set<() => void>()
  let taken = 0

  /** The turn goes on to whoever waits longest: nobody who comes meanwhile is before them. */
  function end(): void {
    const [next] = waiting
    if (next === undefined) taken--
    else next()
  }

  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        if (taken < atOnce) {
          taken++
          return resolve(end)
        }
        const giveUp = () => {
          waiting.delete(begin)
          reject(signal.reason as Error)
        }
        const begin = () => {
          waiting.delete(begin)
          signal.removeEventListener('abort', giveUp)
          resolve(end)
        }
        waiting.add(begin)
        signal.addEventListener('abort', giveUp, { once: true })
      }),
  }
}
