import PQueue from 'p-queue'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/** The interval options with their default, fixed windows. @see https://github.com/sindresorhus/p-queue#interval */
const client: Client = {
  name: 'p-queue, interval',
  packages: ['p-queue'],
  note: '`interval` and `intervalCap`; it does not see the answers, so each task is the plain retry loop',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const queue = new PQueue({ interval: endpoint.windowMs, intervalCap: endpoint.requests })
    return { call: () => queue.add(() => retrying(get, endpoint)), close }
  },
}
export default client
