import { setTimeout as sleep } from 'node:timers/promises'
import { connectOrigin, type Origin, type Request } from '../../../src/http/origin.ts'

/** The network and the clock of a reader that asks a real server. @param before gets each request, and may hold it up */
export const callsTo = (before: (request: Request) => unknown) => ({
  connect(url: URL): Origin {
    const origin = connectOrigin(url, { deadlineMs: 20_000, bytesMax: 10_000_000, idleMs: 2_000, connections: 8, now: Date.now })
    return {
      ...origin,
      async request(request, signal) {
        await before(request)
        return origin.request(request, signal)
      },
    }
  },
  now: Date.now,
  wall: Date.now,
  wait: (_ms: number, signal: AbortSignal) => sleep(1, undefined, { signal }),
  random: () => 1,
})
