import { setTimeout as pause } from 'node:timers/promises'
import { connectOrigin } from '../../../src/http/origin.ts'
import { openCaller } from '../../../src/plane/call.ts'
import { apiKey } from '../../../src/plane/credential.ts'
import { openQueue } from '../../../src/plane/rate/queue.ts'
import { usualRetries } from '../../../src/plane/rate/retry.ts'
import { epochMs } from './bound.ts'
import { type Client, path, unscaled } from './client.ts'

/** Made as in src/compose/compose.ts, with the same numbers. Everything except the sockets uses the service's time, so no time is scaled. */
const client: Client = {
  name: 'plane-group-sync',
  packages: ['plane-group-sync'],
  note: 'the whole client, from `src/plane/call.ts` down to undici, as in the program; reserve 0, at most 4 requests in flight, its usual retries',
  open({ url, requests, windowMs, speed }) {
    const { random } = Math
    const now = () => Math.floor(epochMs + performance.now() * speed)
    const clock = { now, wall: now, sleep: (ms: number, signal: AbortSignal) => pause(ms / speed, undefined, { signal }) }
    const bounds = { deadlineMs: 30_000, bytesMax: 32 * 1024 * 1024, idleMs: 1_000, connections: 8, now }
    const origin = connectOrigin(new URL(url + unscaled), bounds)
    const budget = { requests, windowMs: windowMs * speed, reserve: 0, blockedMaxMs: 15 * 60_000 }
    const queue = openQueue({ budget, clock, random, lengthMax: 10_000, inFlightMax: 4 })
    const credential = apiKey('bench', async () => 'key')
    const call = openCaller({ origin, credential, queue, clock, random, retries: usualRetries, gracePeriodMs: 8_000 })
    const { signal } = new AbortController()
    return {
      call: async () => void (await call.read({ name: 'users.me', method: 'GET', path }, (body) => body, signal)),
      close: () => origin.close(),
    }
  },
}
export default client
