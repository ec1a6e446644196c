import { factsOf } from '../../../../src/http/rateHeaders.ts'
import { received } from '../../../../src/plane/rate/answered.ts'
import { type BudgetSettings, earliestMs, emptyBudget, sent, view } from '../../../../src/plane/rate/budget.ts'
import { chanceFrom } from '../../../../src/sandbox/chance.ts'
import {
  count,
  type Limit,
  type Limiter,
  type Published,
  type RateFields,
  type Ruling,
  rateHeaders,
  type Throttle,
} from '../../../../src/sandbox/throttle.ts'
import { virtualEvents } from './events.ts'

export const minute = 60_000
/** The start is in the middle of a window of the clock. */
export const startMs = Date.UTC(2026, 0, 1) + 20_000

/** One client, one limiter, and one key that others may use, too. The same seed gives the same course. Times are epoch ms. */
export type World = {
  readonly seed: number
  readonly calls: number
  readonly settings: BudgetSettings
  readonly limiter: Limiter
  readonly limit: Limit
  readonly published: Published
  readonly fields: RateFields
  /** Whether a 429 has Retry-After. */
  readonly retryAfter: boolean
  /** The least and the most latency of each direction. */
  readonly latencyMs: readonly [number, number]
  readonly inFlightMax: number
  /** Arrivals of requests of others. Those before the start are the past of the key. */
  readonly others: readonly number[]
  /** The times at which the operator changes the limit. */
  readonly changes: readonly { readonly atMs: number; readonly requests: number }[]
  /** The times at which the program starts again. It does not know its earlier requests then. */
  readonly restartsMs: readonly number[]
}

export const world = (more: Partial<World>): World => ({
  seed: 1,
  calls: 300,
  settings: { requests: 60, windowMs: minute, reserve: 0, blockedMaxMs: 60 * minute },
  limiter: 'sliding-log',
  limit: { requests: 60, windowMs: minute },
  published: 'counted',
  fields: 'x-ratelimit',
  retryAfter: true,
  latencyMs: [10, 100],
  inFlightMax: 4,
  others: [],
  changes: [],
  restartsMs: [],
  ...more,
})

/** Times are ms since the start. */
export type Course = {
  readonly tookMs: number
  /** The times at which the limiter refused requests of the client, and those at which it accepted them. */
  readonly refusedMs: readonly number[]
  readonly arrivalsMs: readonly number[]
  /** The number of requests of others during the work, and the number of those that were refused. */
  readonly others: { readonly came: number; readonly refused: number }
  /** How many of the client's requests left less than the reserve, although others had sent nothing since the last counted answer to the client. */
  readonly belowReserve: number
}

/** Sends all calls as the queue does: up to `inFlightMax` at a time, when the budget allows. Refused calls are sent again. */
export function follow(world: World): Course {
  const { settings, inFlightMax, latencyMs } = world
  const chance = chanceFrom(world.seed)
  const latency = () => latencyMs[0] + Math.floor(chance.draw() * (latencyMs[1] - latencyMs[0] + 1))
  const throttle: Throttle = { limiter: world.limiter, published: world.published, fields: world.fields, memories: new Map() }
  const limit = { ...world.limit }
  const events = virtualEvents(Math.min(startMs, ...world.others))
  const [refusedMs, arrivalsMs]: [number[], number[]] = [[], []]
  const others = { came: 0, refused: 0, lastMs: 0 }
  let budget = emptyBudget(settings)
  let [waiting, open, inFlight, life, belowReserve, doneMs] = [world.calls, world.calls, 0, 0, 0, startMs]
  let toldMs: number | undefined
  let waker = 0

  function pump(): void {
    const mine = ++waker
    while (waiting > 0 && inFlight < inFlightMax) {
      const atMs = earliestMs(budget, events.now())
      if (atMs > events.now()) {
        if (Number.isFinite(atMs)) events.at(atMs, () => (waker === mine ? pump() : undefined))
        return
      }
      send()
    }
  }

  function send(): void {
    const [sentAtMs, mine] = [events.now(), life]
    waiting--
    inFlight++
    budget = sent(budget, sentAtMs)
    events.after(latency(), () => {
      const arrivedMs = events.now()
      const ruling = count(throttle, 'key', limit, arrivedMs)
      const headers = headersOf(world, limit, ruling, arrivedMs)
      ;(ruling.allowed ? arrivalsMs : refusedMs).push(arrivedMs - startMs)
      const least = Math.ceil(limit.requests * settings.reserve)
      if (ruling.allowed && ruling.remaining < least && toldMs !== undefined && others.lastMs < toldMs) belowReserve++
      events.after(latency(), () => {
        if (ruling.allowed) open--
        else waiting++
        if (mine === life) {
          inFlight--
          toldMs = sentAtMs
          budget = received(budget, sentAtMs, factsOf({ status: ruling.allowed ? 200 : 429, headers }, events.now()), events.now())
        }
        doneMs = events.now()
        pump()
      })
    })
  }

  for (const atMs of world.others) {
    events.at(atMs, () => {
      const { allowed } = count(throttle, 'key', limit, events.now())
      if (events.now() < startMs) return
      others.came++
      others.lastMs = events.now()
      if (!allowed) others.refused++
    })
  }
  for (const { atMs, requests } of world.changes) events.at(atMs, () => void (limit.requests = requests))
  for (const atMs of world.restartsMs) {
    events.at(atMs, () => {
      life++
      inFlight = 0
      toldMs = undefined
      budget = emptyBudget(settings)
      pump()
    })
  }
  events.at(startMs, pump)
  events.run(() => open > 0)
  if (open > 0) throw new Error(`stuck with ${open} to go: ${JSON.stringify(view(budget, events.now()))}`)
  return { tookMs: doneMs - startMs, refusedMs, arrivalsMs, others, belowReserve }
}

function headersOf(world: World, limit: Limit, ruling: Ruling, nowMs: number): Record<string, string> {
  const told = ruling.allowed ? rateHeaders({ ...world, limit }, ruling, nowMs) : refusalHeaders(world, ruling)
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name.toLowerCase(), value]))
}

const refusalHeaders = ({ retryAfter, published }: World, { retryAfterS }: Ruling): Record<string, string> =>
  retryAfter && published !== 'nothing' && retryAfterS !== undefined ? { 'Retry-After': String(retryAfterS) } : {}
