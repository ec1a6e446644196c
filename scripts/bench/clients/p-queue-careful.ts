import PQueue from 'p-queue'
import type { Client } from '../sideBySide/client.ts'
import { openGet, retrying } from './get.ts'

/**
 * What somebody builds who has met 429s before, from documented parts alone: `strict`, an interval a second longer than the service's window,
 * and nothing begun while a 429 says so.
 *
 * @see https://github.com/sindresorhus/p-queue#pause
 */
const client: Client = {
  name: 'p-queue, by hand',
  packages: ['p-queue'],
  note: 'the best that we could build from its parts: strict, the interval a second longer than the window, `pause` for as long as a 429 says',
  open(endpoint) {
    const { get, close } = openGet(endpoint)
    const interval = endpoint.windowMs + 1_000 / endpoint.speed
    const queue = new PQueue({ interval, intervalCap: endpoint.requests, strict: true })
    let pausedUntilMs = 0
    function pause(ms: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, performance.now() + ms)
      queue.pause()
      setTimeout(() => (performance.now() < pausedUntilMs ? undefined : queue.start()), Math.ceil(ms) + 1)
    }
    return { call: () => queue.add(() => retrying(get, endpoint, pause)), close }
  },
}
export default client
