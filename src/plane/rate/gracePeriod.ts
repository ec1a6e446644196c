import type { Clock } from '../../core/clock.ts'

/** Why a timer is no longer wanted. One for all: the reason that `abort()` makes by itself has a stack, at each request. */
export const noLongerNeeded = new Error('nobody waits for this any more')

/**
 * Runs what a stop should not cut short: the signal that `work` is given fires `lingerMs` after `signal`, so that what has begun may end.
 * What begins after `signal` gets one that has fired.
 */
export async function withGracePeriod<T>(
  work: (signal: AbortSignal) => Promise<T>,
  lingerMs: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) return work(signal)
  const [late, ended] = [new AbortController(), new AbortController()]
  const onStop = () => {
    const tooLate = () => late.abort(signal.reason)
    clock.sleep(lingerMs, ended.signal).then(tooLate, () => undefined)
  }
  signal.addEventListener('abort', onStop, { once: true })
  try {
    return await work(late.signal)
  } finally {
    signal.removeEventListener('abort', onStop)
    ended.abort(noLongerNeeded)
  }
}
