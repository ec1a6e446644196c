import Bottleneck from 'bottleneck'
import type { Client } from '../sideBySide/client.ts'
import { retryFailed } from './bottleneck.ts'
import { openGet } from './get.ts'

/**
 * The "Refresh Interval" of its documentation, with `maxConcurrent` as recommended there. `heartbeatInterval` says how often it looks at the
 * clock. The default is 250 ms; here it is scaled like the pauses of all clients.
 *
 * @see https://github.com/SGrondin/bottleneck#refresh-interval
 */
const client: Client = {
  name: 'bottleneck, reservoir',
  packages: ['bottleneck'],
  note: '`reservoir` is refreshed in each window, `maxConcurrent: 4`; its own retries, by the `failed` event, after Retry-After',
  open(endpoint) {
    const { requests, windowMs, speed } = endpoint
    const { get, close } = openGet(endpoint)
    const heartbeat = { heartbeatInterval: 250 / speed }
    const limiter = new Bottleneck({
      reservoir: requests,
      reservoirRefreshAmount: requests,
      reservoirRefreshInterval: windowMs,
      maxConcurrent: 4,
      ...heartbeat,
    })
    retryFailed(limiter, endpoint)
    return { call: () => limiter.schedule(get), close: async () => Promise.all([limiter.disconnect(), close()]) }
  },
}
export default client
