import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Found, Report as Worlds } from '../test/simulation/report.ts'
import { run } from './nested.ts'
import { killsSection, plantsSection, propertiesSection, worldsSection } from './proof/page.ts'
import type { Kills, Made, Properties, Tests } from './proof/report.ts'

/**
 * The checks before a new version that take too long for every change. `npm run proof -- kills plants` runs these two parts. Each part prints what came out as
 * Markdown, and leaves it in `coverage/proof`, for the notes of a release.
 *
 * | part | content |
 * |------|------|
 * | worlds | 50,000 simulated worlds; `--worlds N`, `--from N`, `--minutes M` |
 * | plants | mistakes planted into the program, each of which the simulation has to find |
 * | properties | each property 20,000 times; `--runs N` |
 * | kills | kill -9 of the real process, 1,000 times; `--kills N` |
 * | mutation | `npm run mutation` |
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    worlds: { type: 'string', default: '50000' },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string' },
    workers: { type: 'string' },
    runs: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '1000' },
  },
})
process.chdir(join(import.meta.dirname, '..'))
/** The reports; not in git. */
const work = 'coverage/proof'
const fresh = (name: string) => `${work}/${name}.json`
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))

const parts: Readonly<Record<string, (made: () => Made) => Promise<string>>> = {
  async worlds(made) {
    const limits = ['--from', values.from, '--worlds', values.worlds, ...given('minutes'), ...given('workers')]
    // The exit code is 1 if a promise was broken. The report then says so.
    await rm(fresh('worlds'), { force: true })
    await node(['test/simulation/main.ts', ...limits, '--report', fresh('worlds')]).catch(noReport('worlds'))
    const result = (await json(fresh('worlds'))) as Worlds
    if (result.brokenWorlds > 0) process.exitCode = 1
    return worldsSection({ ...made(), result })
  },
  async plants(made) {
    await node(['test/simulation/main.ts', '--plant', 'all', '--report', fresh('plants')])
    return plantsSection({ ...made(), result: (await json(fresh('plants'))) as { readonly plants: readonly Found[] } })
  },
  async properties(made) {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${fresh('properties')}`]
    await node([...vitest, '--project', 'unit', ...reporters, 'test/unit/properties'], { PLANE_GROUP_SYNC_RUNS: values.runs })
    return propertiesSection({ ...made(), result: propertiesOf((await json(fresh('properties'))) as Tests) })
  },
  async kills(made) {
    const told = { PLANE_GROUP_SYNC_KILLS: values.kills, PLANE_GROUP_SYNC_KILLS_REPORT: fresh('kills') }
    await node([...vitest, '--project', 'processes', 'test/functional/process/kill.test.ts'], told)
    return killsSection({ ...made(), result: (await json(fresh('kills'))) as Kills })
  },
}

const chosen = positionals.length > 0 ? positionals : [...Object.keys(parts), 'mutation']
const unknown = chosen.filter((name) => name !== 'mutation' && parts[name] === undefined)
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: no such part; there are ${Object.keys(parts).join(', ')} and mutation`)
await mkdir(work, { recursive: true })
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim()

for (const [name, part] of Object.entries(parts)) {
  if (!chosen.includes(name)) continue
  process.stdout.write(`== ${name}\n`)
  const began = performance.now()
  const text = await part(() => ({
    measured: new Date().toISOString().slice(0, 10),
    commit,
    node: process.versions.node,
    processors: availableParallelism(),
    seconds: Math.round((performance.now() - began) / 1000),
  }))
  await writeFile(`${work}/${name}.md`, `${text}\n`)
  process.stdout.write(`${text}\n`)
}
if (chosen.includes('mutation')) {
  process.stdout.write('== mutation\n')
  await node(['scripts/mutation.ts'])
}

/** Throws the error of a part only if the part left no report. */
function noReport(name: string): (error: unknown) => void {
  return (error) => {
    if (!existsSync(fresh(name))) throw error
  }
}

function given(name: 'minutes' | 'workers'): readonly string[] {
  const value = values[name]
  return value === undefined ? [] : [`--${name}`, value]
}

async function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  await run(process.execPath, args, '.', { ...process.env, ...env })
}

function propertiesOf({ testResults }: Tests): Properties {
  return {
    runs: Number(values.runs),
    properties: testResults
      .flatMap(({ name, assertionResults }) => assertionResults.map(({ title }) => ({ file: basename(name), title })))
      .toSorted((a, b) => (a.file + a.title < b.file + b.title ? -1 : 1)),
  }
}
