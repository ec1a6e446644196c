import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpEnvironment } from '../../../src/directories/overHttp/reader.ts'
import { connectOrigin, type OriginOptions } from '../../../src/http/origin.ts'

/** What the reader of a directory over HTTP gets: real connections with small limits, and waits that end at once. */
export const httpEnvironment = (limits: Partial<OriginOptions> = {}, more: Partial<HttpEnvironment> = {}): HttpEnvironment => ({
  connect: (url) => connectOrigin(url, { deadlineMs: 2_000, bytesMax: 100_000, idleMs: 1_000, connections: 4, now: Date.now, ...limits }),
  now: Date.now,
  wall: Date.now,
  wait: (_, signal) => sleep(1, undefined, { signal }),
  random: () => 1,
  ...more,
})
