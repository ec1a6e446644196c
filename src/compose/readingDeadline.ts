import { durationText } from '../core/quantity.ts'
import type { Reading } from '../core/reading.ts'
import type { Deadline } from '../directories/deadline.ts'
import { unlessAborted } from '../http/origin.ts'

/** `setting`: the name of the limit in the settings; absent if no setting has it. */
type ReadingDeadline = { readonly ms: number; readonly setting?: string }

/**
 * Limits the time of a whole reading, whatever it waits for: a server that sends page after page, or a disk that does not answer. A reading that
 * takes longer fails, and what was read is dropped. The reader knows the time that is left, so that it does not begin a wait that is longer.
 */
export function withReadingDeadline<T>(
  read: (signal: AbortSignal, deadline: Deadline) => Promise<Reading<T>>,
  { ms, setting }: ReadingDeadline,
  now: () => number,
): (signal: AbortSignal) => Promise<Reading<T>> {
  return async (signal) => {
    const atMs = now()
    const failed = (why: string, cure?: string): Reading<T> => ({
      status: 'failed',
      why,
      ...(cure === undefined ? {} : { cure }),
      atMs,
      tookMs: now() - atMs,
    })
    const deadline = AbortSignal.timeout(ms)
    const until = AbortSignal.any([signal, deadline])
    try {
      const reading = await unlessAborted(read(until, { leftMs: () => atMs + ms - now() }), until)
      // If the reading notices the deadline first, its result says only that it was given up. The result below names the limit instead.
      if (reading.status !== 'failed' || !deadline.aborted) return reading
    } catch (error) {
      if (!until.aborted) throw error
    }
    if (signal.aborted) return failed('given up while it was read')
    const cure = setting === undefined ? 'check the disk' : `find out why it is slow, or raise ${setting}`
    return failed(`it was not read to its end within ${durationText(ms)}`, cure)
  }
}
