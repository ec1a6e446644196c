import Bottleneck from 'bottleneck'
import type { Client } from '../sideBySide/client.ts'
import { retryFailed } from './bottleneck.ts'
import { openGet } from './get.ts'

/** Step 1 of its "Quick Start". @see https://github.com/SGrondin/bottleneck#quick-start */
const client: Client = {
  name: 'bottleneck, leaky',
  packages: ['bottleneck'],
  note: '`minTime` is window ÷ limit, and `maxConcurrent: 1`: an even rate without bursts; retries as above',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const limiter = new Bottleneck({ minTime: endpoint.windowMs / endpoint.requests, maxConcurrent: 1 })
    retryFailed(limiter, endpoint)
    return { call: () => limiter.schedule(get), close: async () => Promise.all([limiter.disconnect(), close()]) }
  },
}
export default client
