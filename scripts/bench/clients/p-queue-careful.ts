import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Client } from '../sideBySide/client.ts'
import { openGet, TooMany } from './get.ts'

/**
 * Built by hand from documented parts, as by a user who knows 429s: `strict`, an interval one second longer than the service's window, and a
 * pause for as long as a 429 says, or for a window if it does not say.
 *
 * @see https://github.com/sindresorhus/p-queue#pause
 */
const client: Client = {
  name: 'p-queue, by hand',
  packages: ['p-queue'],
  note: 'strict, an interval one second longer than the window, and `pause` for as long as a 429 says, or for a window if it does not say',
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
    async function retrying(): Promise<void> {
      for (;;) {
        try {
          return await get()
        } catch (error) {
          if (!(error instanceof TooMany)) throw error
          const ms = error.retryAfterMs ?? endpoint.windowMs
          pause(ms)
          await sleep(ms)
        }
      }
    }
    return { call: () => queue.add(retrying), close }
  },
}
export default client
