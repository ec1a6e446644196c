import type Bottleneck from 'bottleneck'
import type { Endpoint } from '../sideBySide/client.ts'
import { TooMany } from './get.ts'

/** "To re-run your job, simply return an integer from the 'failed' event handler." @see https://github.com/SGrondin/bottleneck#retries */
export function retryFailed(limiter: Bottleneck, { windowMs, speed }: Endpoint): void {
  limiter.on('failed', (error: unknown, { retryCount }) => {
    if (!(error instanceof TooMany)) return undefined
    return Math.ceil(error.retryAfterMs ?? Math.random() * Math.min(windowMs, (1_000 * 2 ** retryCount) / speed))
  })
}
