import type { SteadyClock } from '../../core/clock.ts'

/** The reason for aborting a timer. One shared error, because the default reason of `abort()` would record a stack at each request. */
export const noLongerNeeded = new Error('this timer is no longer needed')

/**
 * Runs `work` with a signal that fires `gracePeriodMs` after `signal`, so that a stop does not cut `work` short. If `signal` has already fired,
 * `work` gets `signal` itself.
 */
export async function withGracePeriod<T>(
  work: (signal: AbortSignal) => Promise<T>,
  gracePeriodMs: number,
  clock: Pick<SteadyClock, 'sleep'>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) return work(signal)
  const late = new AbortController()
  const ended = new AbortController()
  const onStop = () => {
    const tooLate = () => late.abort(signal.reason)
    clock.sleep(gracePeriodMs, ended.signal).then(tooLate, () => undefined)
  }
  signal.addEventListener('abort', onStop)
  try {
    return await work(late.signal)
  } finally {
    signal.removeEventListener('abort', onStop)
    ended.abort(noLongerNeeded)
  }
}
