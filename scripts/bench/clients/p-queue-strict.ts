import PQueue from 'p-queue'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/** "Use it when an API enforces strict rate limits." @see https://github.com/sindresorhus/p-queue#strict */
const client: Client = {
  name: 'p-queue, strict',
  packages: ['p-queue'],
  note: 'the same with `strict: true`: a sliding window over the start times of calls',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const queue = new PQueue({ interval: endpoint.windowMs, intervalCap: endpoint.requests, strict: true })
    return { call: () => queue.add(() => retrying(get, endpoint)), close }
  },
}
export default client
