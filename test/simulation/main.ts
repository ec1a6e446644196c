import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { plants } from './plants.ts'
import { foundText, reportOf, search } from './report.ts'
import { additionNames, specOf } from './seed.ts'
import { shrunken } from './shrink.ts'
import { simulate } from './simulate.ts'
import { specText } from './spec.ts'
import { brokenText, type Summary, summaryText } from './summary.ts'
import { runWorld } from './world.ts'

const usage = `npm run simulate -- [options]

Runs worlds in virtual time, and audits each. Exit 1 where a promise is broken.

  --worlds N     so many (1000)
  --minutes M    as many as fit into that time
  --from N       the first seed (0)
  --seed N       one world, event by event; where it breaks a promise, the smallest part of it that still does
  --without KIND  no world has this kind of fault: projects, notFound, firstList, clocks, groupIds, twoStarts, words, fences, approvals, orders, lacking, refusing, limits, ours, ends, people; more than once for several
  --workers N    processes (one a processor)
  --plant NAME   with a planted mistake: see test/simulation/plants.ts
  --plant all    in how many worlds each of them is found (50000 at most); exit 1 where one is not
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
    without: { type: 'string', multiple: true, default: [] },
    report: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const from = whole('from') ?? 0
const workers = whole('workers') ?? availableParallelism()
const print = (text: string) => void process.stdout.write(`${text}\n`)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const without = additionNames.filter((name) => values.without.includes(name))
const unknown = values.without.find((name) => !additionNames.some((one) => one === name))
if (unknown !== undefined) wrong(`--without takes one of ${additionNames.join(', ')}, not "${unknown}"`)

const seed = whole('seed')
if (values.plant !== undefined && values.plant !== 'all' && !plants.some(({ name }) => name === values.plant))
  wrong(`no planted mistake is called "${values.plant}"; their names are in test/simulation/plants.ts`)
if (values.help === true) print(usage)
else if (seed !== undefined) process.exitCode = await one(seed)
else process.exitCode = values.plant === 'all' ? await allPlants() : await many()

/** A number from the command line; undefined if it is not given. */
function whole(name: 'seed' | 'from' | 'worlds' | 'minutes' | 'workers'): number | undefined {
  const said = values[name]
  if (said === undefined) return undefined
  return /^\d{1,15}$/.test(said) ? Number(said) : wrong(`--${name} takes a whole number, not "${said}"`)
}

function wrong(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  return process.exit(64)
}

async function one(seed: number): Promise<number> {
  if (values.plant !== undefined) process.stderr.write('--plant is for many worlds: --seed shows the program as it is\n')
  const spec = specOf(seed, without)
  print(specText(spec))
  const outcome = await runWorld(spec, turn, true)
  print(outcome.trace.join('\n'))
  const told = (violations: typeof outcome.violations) => {
    for (const { promise, atMs, what } of violations) print(`VIOLATION at ${(atMs - spec.beginMs) / 1000} s of ${promise}: ${what}`)
  }
  told(outcome.violations)
  const [first] = outcome.violations
  if (first === undefined) {
    const { requests, writes, cycles, crashes } = outcome
    print(`No promise was broken: ${cycles} cycles, ${requests} requests, ${writes} of them writes, ${crashes} crashes`)
    return 0
  }
  const smaller = await shrunken(spec, first.promise, turn)
  print(`\nThe same with ${smaller.removed.length} things less: ${smaller.removed.join(', ')}\n`)
  print(smaller.outcome.trace.join('\n'))
  told(smaller.outcome.violations)
  return 1
}

async function many(): Promise<number> {
  const began = performance.now()
  let told = began
  const seeds = new Set<number>()
  const onProgress = ({ worlds, brokenWorlds, broken }: Summary) => {
    for (const one of broken.filter(({ seed: of }) => !seeds.has(of))) {
      seeds.add(one.seed)
      process.stderr.write(`${brokenText(one)}\n`)
    }
    if (performance.now() - told < 30_000) return
    told = performance.now()
    process.stderr.write(`${worlds} worlds in ${Math.round((told - began) / 1000)} s, ${brokenWorlds} broken\n`)
  }
  const minutes = whole('minutes')
  const summary = await simulate({
    from,
    worldsMax: whole('worlds') ?? (minutes === undefined ? 1_000 : Number.MAX_SAFE_INTEGER),
    ...(minutes === undefined ? {} : { minutesMax: minutes }),
    ...(values.plant === undefined ? {} : { plant: values.plant }),
    workers,
    without,
    onProgress,
  })
  print(summaryText(summary))
  await report(reportOf(summary, from))
  return summary.brokenWorlds > 0 ? 1 : 0
}

async function allPlants(): Promise<number> {
  const found: Awaited<ReturnType<typeof search>>[] = []
  for (const plant of plants) {
    const one = await search(plant, { from, worldsMax: whole('worlds') ?? 50_000, workers })
    print(foundText(one))
    found.push(one)
  }
  await report({ plants: found })
  return found.every(({ seed }) => seed !== undefined) ? 0 : 1
}

async function report(what: object): Promise<void> {
  if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(what, undefined, 2)}\n`)
}
