import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { boundMs } from './bound.ts'
import { load } from './client.ts'
import type { Told } from './service.ts'
import { type Cell, callsAtOnce, clientWindowMs, kinds, limit, type Measured, speed, trafficOf } from './world.ts'

/**
 * Measures one cell in a process of its own: `node scripts/bench/sideBySide/measure.ts '{"client":"ours",…}'` prints the result as JSON. The
 * service is another process, so that neither waits for the other's work.
 */
const warmCalls = 5

const cell = JSON.parse(process.argv[2] as string) as Cell
process.stdout.write(`${JSON.stringify(await measure(cell))}\n`, () => process.exit())

async function measure(cell: Cell): Promise<Measured> {
  const client = await load(cell.client)
  const bound = boundMs(kinds[cell.kind], trafficOf(cell.situation, cell.seed), cell.calls)
  const service = spawn(process.execPath, [join(import.meta.dirname, 'service.ts'), JSON.stringify(cell)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = (await once(service.stdout, 'data')) as [Buffer]
  const endpoint = (below: string) => ({
    url: `http://127.0.0.1:${port.toString()}${below}`,
    requests: limit.requests,
    windowMs: clientWindowMs,
    speed,
  })

  const warm = client.open(endpoint('/warm'))
  await Promise.all(Array.from({ length: warmCalls }, () => warm.call()))
  await warm.close()

  const opened = client.open(endpoint(''))
  const begunMs = performance.now()
  let [done, failed] = [0, 0]
  const call = () =>
    opened.call().then(
      () => done++,
      () => failed++,
    )
  const all = inTurn(call, cell.calls)
  const ended = await Promise.race([all.then(() => true), sleep(3 * bound + 2 * clientWindowMs, false)])
  const tookMs = performance.now() - begunMs
  const left = cell.calls - done - failed

  const told = await fetch(endpoint('/arrivals').url)
  const { arrivals, lateMs } = (await told.json()) as Told
  const others = arrivals.filter(({ who }) => who === 'other')
  return {
    ...cell,
    ...(ended ? { tookMs } : {}),
    boundMs: bound,
    refused: arrivals.filter(({ who, allowed }) => who === 'client' && !allowed).length,
    failed: failed + left,
    wishes: { made: others.length, granted: others.filter(({ allowed }) => allowed).length },
    arrivals,
    lateMs,
  }
}

async function inTurn(call: () => Promise<unknown>, calls: number): Promise<void> {
  let begun = 0
  const work = async () => {
    while (begun++ < calls) await call()
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
}
