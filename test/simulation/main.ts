import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { specOf } from './generate.ts'
import { shrunken } from './shrink.ts'
import { simulate } from './simulate.ts'
import { type Summary, summaryText } from './summary.ts'
import { runWorld } from './world.ts'

const usage = `npm run simulate -- [options]

Runs worlds in virtual time, and audits each. Exit 1 where a promise is broken.

  --worlds N     so many (1000)
  --minutes M    as many as fit into that time
  --from N       the first seed (0)
  --seed N       one world, event by event; where it breaks a promise, the smallest part of it that still does
  --workers N    processes (one a processor)
  --plant NAME   with a planted fault: see test/simulation/plants.ts
  --report FILE  what came out, as JSON
`
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    worlds: { type: 'string' },
    minutes: { type: 'string' },
    plant: { type: 'string' },
    workers: { type: 'string' },
    report: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

if (values.help === true) print(usage)
else process.exitCode = values.seed === undefined ? await many() : await one(Number(values.seed))

async function one(seed: number): Promise<number> {
  const spec = specOf(seed)
  const outcome = await runWorld(spec, turn, true)
  print(outcome.trace.join('\n'))
  const told = (violations: typeof outcome.violations) => {
    for (const { promise, atMs, what } of violations) print(`VIOLATION at ${(atMs - spec.beginMs) / 1000} s of ${promise}: ${what}`)
  }
  told(outcome.violations)
  const [first] = outcome.violations
  if (first === undefined) return 0
  const smaller = await shrunken(spec, first.promise, turn)
  print(`\nThe same with ${smaller.removed.length} things less: ${smaller.removed.join(', ')}\n`)
  print(smaller.outcome.trace.join('\n'))
  told(smaller.outcome.violations)
  return 1
}

async function many(): Promise<number> {
  const began = performance.now()
  let told = began
  const onProgress = ({ worlds, brokenWorlds }: Summary) => {
    if (performance.now() - told < 30_000) return
    told = performance.now()
    process.stderr.write(`${worlds} worlds in ${Math.round((told - began) / 1000)} s, ${brokenWorlds} broken\n`)
  }
  const summary = await simulate({
    from: Number(values.from),
    worldsMax: Number(values.worlds ?? (values.minutes === undefined ? 1_000 : Number.MAX_SAFE_INTEGER)),
    ...(values.minutes === undefined ? {} : { minutesMax: Number(values.minutes) }),
    ...(values.plant === undefined ? {} : { plant: values.plant }),
    ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
    onProgress,
  })
  print(summaryText(summary))
  if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(summary, undefined, 2)}\n`)
  return summary.brokenWorlds > 0 ? 1 : 0
}
