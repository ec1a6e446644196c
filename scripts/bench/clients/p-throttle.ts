import pThrottle from 'p-throttle'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/** "ensuring the limit is not exceeded for any interval" @see https://github.com/sindresorhus/p-throttle#strict */
const client: Client = {
  name: 'p-throttle',
  packages: ['p-throttle'],
  note: '`strict: true`, around the plain retry loop',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const throttled = pThrottle({ limit: endpoint.requests, interval: endpoint.windowMs, strict: true })(() => retrying(get, endpoint))
    return { call: () => throttled(), close }
  },
}
export default client
