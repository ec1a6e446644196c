import type { SteadyClock } from '../core/clock.ts'
import { unlessAborted } from '../http/origin.ts'
import { noLongerNeeded } from '../plane/rate/queue.ts'

const tooLate = new Error('its time is over')

/**
 * Runs `read`, and gives it up after `ms`, also while it waits for the rate limit.
 *
 * @throws the error of `read`; the reason of `signal`; or an error that says that the time is over
 */
export async function briefly<T>(
  read: (signal: AbortSignal) => Promise<T>,
  ms: number,
  { sleep }: Pick<SteadyClock, 'sleep'>,
  signal: AbortSignal,
): Promise<T> {
  const late = new AbortController()
  const ended = new AbortController()
  sleep(ms, ended.signal).then(
    () => late.abort(tooLate),
    () => undefined,
  )
  const until = AbortSignal.any([signal, late.signal])
  try {
    return await unlessAborted(read(until), until)
  } finally {
    ended.abort(noLongerNeeded)
  }
}

/** Whether an error of `briefly` says that the time is over. */
export const isTooLate = (error: unknown): boolean => error === tooLate
