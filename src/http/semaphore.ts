/** Limits how many callers work at a time. Others wait in the order of their calls. */
export type Semaphore = {
  /** Settles in the caller's turn, with a function that ends the turn. @throws the signal's reason if it fires before */
  take(signal: AbortSignal): Promise<() => void>
}

export function openSemaphore(atOnce: number): Semaphore {
  // The waiting calls, in their order. An aborted call is removed.
  const waiting = new Set<() => void>()
  let taken = 0

  /** Passes the turn to the call that has waited longest. */
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
