import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/** As its documentation uses it for an API's limit. @see https://github.com/animir/node-rate-limiter-flexible/wiki/RateLimiterQueue */
const client: Client = {
  name: 'rate-limiter-flexible',
  packages: ['rate-limiter-flexible'],
  note: '`RateLimiterQueue` over `RateLimiterMemory`, asked once for each call, before the plain retry loop',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points: endpoint.requests, duration: endpoint.windowMs / 1000 }))
    async function attempt(): Promise<void> {
      await queue.removeTokens(1)
      await retrying(get, endpoint)
    }
    return { call: attempt, close }
  },
}
export default client
