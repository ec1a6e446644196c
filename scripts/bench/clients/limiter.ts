import { RateLimiter } from 'limiter'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/** "Pace work". @see https://github.com/jhurliman/node-rate-limiter#pace-work */
const client: Client = {
  name: 'limiter',
  packages: ['limiter'],
  note: '`RateLimiter`, a token bucket with a count for each interval; asked once for each call, before the plain retry loop',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const limiter = new RateLimiter({ tokensPerInterval: endpoint.requests, interval: endpoint.windowMs })
    async function attempt(): Promise<void> {
      await limiter.removeTokens(1)
      await retrying(get, endpoint)
    }
    return { call: attempt, close }
  },
}
export default client
