import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** Asks a daemon for /healthz again and again. `stop` returns how long each answer took, in ms, and fails if one was no 200. */
export function probeHealth(url: string): { stop(): Promise<readonly number[]> } {
  const took: number[] = []
  const over = new AbortController()
  const probing = (async () => {
    while (!over.signal.aborted) {
      const beganMs = performance.now()
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      took.push(performance.now() - beganMs)
      await sleep(20)
    }
  })()
  return {
    async stop() {
      over.abort()
      await probing
      return took
    },
  }
}
