import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { count, type Ruling, rateHeaders, type Throttle } from '../../../src/sandbox/throttle.ts'
import { epochMs } from './bound.ts'
import { unscaled } from './client.ts'
import { type Arrival, type Cell, clientWindowMs, kinds, limit, oneWayMs, speed, trafficOf } from './world.ts'

/** The answer of `/arrivals`. `lateMs`: the 99th percentile of the delay of the service's timers; it is high on a busy machine. */
export type Told = { readonly arrivals: readonly Arrival[]; readonly lateMs: number }
const resolutionMs = 10

/**
 * The limited service, a process of its own: a real HTTP server on loopback with the sandbox's limiters, seeded latencies and the other users
 * of the key. It counts requests by its own clock. Below `/warm` nothing is limited; clients warm up connections and code there. The service
 * prints its port, and ends when its standard input ends.
 */
const { kind: kindName, situation, seed } = JSON.parse(process.argv[2] as string) as Cell
const kind = kinds[kindName]
const { past, wishes, phaseMs } = trafficOf(situation, seed)
const { draw } = chanceFrom(seed)
const throttle: Throttle = { ...kind, fields: 'x-ratelimit', memories: new Map() }
const arrivals: Arrival[] = []
const delays = monitorEventLoopDelay({ resolution: resolutionMs })
delays.enable()
let firstMs: number | undefined

const seen = (): Told => ({ arrivals, lateMs: delays.percentile(99) / 1e6 - resolutionMs })

const oneWay = () => sleep(oneWayMs.least + draw() * (oneWayMs.most - oneWayMs.least))
const user = JSON.stringify({ id: '00000000-0000-4000-a000-000000000001', email: null, display_name: 'bench' })

/** @param serviceMs time since the first request, in the service's time */
const nowAt = (serviceMs: number) => epochMs + phaseMs + serviceMs

function begin(): void {
  for (const atMs of past) count(throttle, 'key', limit, nowAt(atMs))
  void others()
}

async function others(): Promise<void> {
  for (const wishMs of wishes) {
    await sleep(Math.max(0, (firstMs as number) + wishMs / speed - performance.now()))
    arrive('other')
  }
}

function arrive(who: Arrival['who']) {
  if (firstMs === undefined) {
    firstMs = performance.now()
    begin()
  }
  const atMs = performance.now() - firstMs
  const nowMs = nowAt(atMs * speed)
  const ruling = count(throttle, 'key', limit, nowMs)
  arrivals.push({ atMs, who, allowed: ruling.allowed })
  return { ruling, nowMs }
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  incoming.resume()
  if (incoming.url === '/arrivals') {
    outgoing.end(JSON.stringify(seen()))
    return
  }
  await oneWay()
  if (incoming.url?.startsWith('/warm/')) {
    await oneWay()
    outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(user)
    return
  }
  const { ruling, nowMs } = arrive('client')
  const headers = headersOf(ruling, nowMs, incoming.url?.startsWith(unscaled) ?? false)
  await oneWay()
  outgoing.writeHead(ruling.allowed ? 200 : 429, { 'Content-Type': 'application/json', ...headers })
  outgoing.end(ruling.allowed ? user : '{"detail":"Request was throttled."}')
}

/** As at Plane, a 429 has Retry-After but no X-RateLimit headers. If nothing is published, it has neither. */
function headersOf(ruling: Ruling, nowMs: number, inServiceTime: boolean): Readonly<Record<string, string>> {
  const date = inServiceTime ? { Date: new Date(nowMs).toUTCString() } : undefined
  if (!ruling.allowed) {
    if (kind.published === 'nothing' || ruling.retryAfterS === undefined) return { ...date }
    return { ...date, 'Retry-After': String(inServiceTime ? ruling.retryAfterS : ruling.retryAfterS / speed) }
  }
  if (inServiceTime) return { ...date, ...rateHeaders({ ...throttle, limit }, ruling, nowMs) }
  const now = Date.now()
  const resetAtMs = now + (ruling.resetAtMs - nowMs) / speed
  return rateHeaders({ ...throttle, limit: { ...limit, windowMs: clientWindowMs } }, { ...ruling, resetAtMs }, now)
}

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
server.listen(0, '127.0.0.1', () => process.stdout.write(String((server.address() as AddressInfo).port)))
process.stdin.resume().on('end', () => process.exit())
