import { RE2JS } from 're2js'
import { type Addition, specOf } from './seed.ts'
import { emptySummary, type Summary, sumOf } from './summary.ts'
import { runWorld } from './world.ts'

/** One process of a simulation: runs the worlds that it is given, one after another, and sends back their results. */
export type Order = { readonly from: number; readonly worlds: number; readonly without: readonly Addition[] }
export type Answer = { readonly order: Order; readonly summary: Summary }

const { setImmediate } = globalThis
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Refuses access to the real machine's time and chance, which would make a world different in the next run. */
function forbidTheRealWorld(): void {
  const forbidden = (what: string) => () => {
    throw new Error(`${what} in a simulated world`)
  }
  const RealDate = Date
  Object.assign(globalThis, {
    setTimeout: forbidden('setTimeout'),
    setInterval: forbidden('setInterval'),
    setImmediate: forbidden('setImmediate'),
    Date: new Proxy(RealDate, {
      construct: (target, values: readonly number[]) =>
        values.length === 0 ? forbidden('new Date()')() : Reflect.construct(target, values),
    }),
  })
  Object.assign(RealDate, { now: forbidden('Date.now') })
  Object.assign(Math, { random: forbidden('Math.random') })
  Object.assign(globalThis.performance, { now: forbidden('performance.now') })
}

async function run({ from, worlds, without }: Order): Promise<Summary> {
  const before = process.cpuUsage()
  let summary = emptySummary
  for (let seed = from; seed < from + worlds; seed++) summary = sumOf(summary, seed, await runWorld(specOf(seed, without), turn))
  const { user, system } = process.cpuUsage(before)
  return { ...summary, cpuMs: (user + system) / 1000 }
}

/** Each pattern is compiled once: the same few patterns are in nearly all worlds, and the result depends on nothing else. */
function keepCompiledPatterns(): void {
  const known = new Map<string, RE2JS>()
  const { compile } = RE2JS
  RE2JS.compile = (source, flags = 0) => {
    const name = `${flags} ${source}`
    const made = known.get(name) ?? compile.call(RE2JS, source, flags)
    known.set(name, made)
    return made
  }
}

keepCompiledPatterns()
forbidTheRealWorld()
const orders: Order[] = []
let busy = false
process.on('message', (order: Order) => {
  orders.push(order)
  if (!busy) void work()
})
async function work(): Promise<void> {
  busy = true
  for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
    const summary = await run(order)
    process.send?.({ order, summary } satisfies Answer)
  }
  busy = false
}
