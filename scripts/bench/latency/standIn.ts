import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Served } from './serve.ts'
import type { Kind, Shape } from './world.ts'

export type StandIn = AsyncDisposable & {
  readonly url: string
  /** How many requests have come so far. */
  requests(): Promise<number>
}

/** A stand-in for a directory behind a latency, as a process of its own, so that it takes no time of the reader's process. It ends with the block. */
export async function standIn(kind: Kind, shape: Shape, latencyMs: number): Promise<StandIn> {
  const child = fork(join(import.meta.dirname, 'serve.ts'), [kind, JSON.stringify(shape), `${latencyMs}`])
  const ended = once(child, 'exit')
  const told = async (): Promise<Served> => {
    const [served] = await Promise.race([once(child, 'message'), ended.then(() => [])])
    if (served === undefined) throw new Error(`the stand-in for ${kind} has ended`)
    return served as Served
  }
  const first = await told()
  if (!('url' in first)) throw new Error(`the stand-in for ${kind} has no address`)
  return {
    url: first.url,
    async requests() {
      child.send('requests')
      const served = await told()
      return 'requests' in served ? served.requests : Number.NaN
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}
