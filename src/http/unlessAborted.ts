/** The promise, or a rejection with the signal's reason as soon as it fires. The work behind the promise goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason as Error)
    if (signal.aborted) give()
    signal.addEventListener('abort', give, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}
