import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Addition } from './seed.ts'
import { emptySummary, joined, type Summary } from './summary.ts'
import type { Answer, Order } from './worker.ts'

export type Simulation = {
  readonly from: number
  readonly worldsMax: number
  /** The simulation ends after this time, even if worlds are left. */
  readonly minutesMax?: number
  /** The simulation ends when one of these promises is broken. */
  readonly untilBroken?: readonly string[]
  /** The name of a planted mistake. */
  readonly plant?: string
  readonly workers?: number
  /** Kinds of faults that are left out of all worlds. */
  readonly without?: readonly Addition[]
  readonly onProgress?: (sofar: Summary) => void
}

const chunk = 25
/** Node keeps compiled modules here, so that a process starts in a third of the time. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** Runs worlds in as many processes as the machine has processors. The same seeds give the same worlds, for any number of processes. */
export async function simulate({
  from,
  worldsMax,
  minutesMax,
  untilBroken,
  plant,
  workers,
  without = [],
  onProgress,
}: Simulation): Promise<Summary> {
  const endsMs = minutesMax === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutesMax * 60_000
  let next = from
  let sum = emptySummary
  const order = (): Order | undefined => {
    const worlds = Math.min(chunk, from + worldsMax - next)
    if (worlds <= 0 || performance.now() >= endsMs || sum.broken.some(({ violation }) => untilBroken?.includes(violation.promise)))
      return undefined
    next += worlds
    return { from: next - worlds, worlds, without }
  }
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const hooks = plant === undefined ? [] : ['--import', join(import.meta.dirname, 'plantHook.ts')]
      // Nearly all objects are short-lived. With more room for new objects the garbage collector has less to do. Many errors are made, and no
      // result has their stacks.
      const faster = ['--max-semi-space-size=64', '--stack-trace-limit=0']
      const env = { NODE_COMPILE_CACHE: compiled, ...process.env, ...(plant === undefined ? {} : { PLANE_GROUP_SYNC_PLANT: plant }) }
      const child = fork(join(import.meta.dirname, 'worker.ts'), { execArgv: [...faster, ...hooks], env })
      const give = () => {
        const mine = order()
        if (mine === undefined) child.disconnect()
        else child.send(mine)
      }
      child.on('message', ({ summary }: Answer) => {
        sum = joined(sum, summary)
        onProgress?.(sum)
        give()
      })
      child.on('error', reject)
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a process of the simulation ended with ${code}`))))
      give()
    })
  await Promise.all(Array.from({ length: workers ?? availableParallelism() }, one))
  return sum
}
