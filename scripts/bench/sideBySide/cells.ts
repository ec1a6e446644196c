import { type Cell, type KindName, kinds, situations } from './world.ts'

/** File names in `scripts/bench/clients`, in the order of the tables; ours comes first. */
export const clients = [
  'ours',
  'p-queue',
  'p-queue-strict',
  'p-queue-careful',
  'bottleneck-reservoir',
  'bottleneck-leaky',
  'limiter',
  'p-throttle',
  'rate-limiter-flexible',
  'retry-agent',
  'axios-retry',
  'octokit',
] as const

export type Size = {
  /** The numbers of calls in the first table, one for each column. There every client is alone on a sliding log. */
  readonly calls: readonly number[]
  /** The number of calls in every other cell. */
  readonly callsElsewhere: number
}

export const whole: Size = { calls: [61, 120, 300, 600], callsElsewhere: 300 }
export const quick: Size = { calls: [61, 120], callsElsewhere: 120 }

/** Every cell once. The cells of one column run at the same time, so that other work on the machine disturbs all clients equally. */
export function cellsOf({ calls, callsElsewhere }: Size, seed: number, only: readonly string[]): readonly Cell[] {
  const overCalls = calls.filter((count) => count !== callsElsewhere).map((count) => columnOf('sliding log', 'alone', count))
  const names = Object.keys(kinds) as KindName[]
  const elsewhere = situations.flatMap((situation) => names.map((kind) => columnOf(kind, situation, callsElsewhere)))
  const chosen = only.length === 0 ? clients : clients.filter((client) => only.includes(client))
  return [...overCalls, ...elsewhere].flatMap((column) => chosen.map((client) => ({ ...column, client, seed })))
}

const columnOf = (kind: KindName, situation: Cell['situation'], calls: number) => ({ kind, situation, calls })
