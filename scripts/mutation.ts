import { execFileSync } from 'node:child_process'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installNested, run } from './nested.ts'
import { disagreements } from './proof/mutation/explained.ts'
import type { StrykerReport } from './proof/mutation/mutants.ts'
import { measureInOneProcess } from './proof/mutation/oneProcess/measure.ts'
import { reasons } from './proof/mutation/reasons.ts'
import { scoreOf, shareOf, table } from './proof/mutation/score.ts'
import { shareMin, targets } from './proof/mutation/targets.ts'

/**
 * Changes the code that decides in thousands of small ways, one at a time, and counts the changes that no test notices. Fails if too few changes are noticed,
 * or if `reasons.ts` does not give a reason for each that is not.
 *
 * `npm run mutation` tries all files, in about an hour. `-- src/core/judge/gate.ts …` tries only these files. `-- --since main` tries the files that
 * changed since a commit. `-- --incremental` tries only mutants whose code or tests changed since the last run. `-- --concurrency 4` sets the number of
 * workers. `-- --one-process` tries the mutants of StrykerJS without its processes: far faster for a few files.
 */
process.chdir(join(import.meta.dirname, '..'))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string' },
    since: { type: 'string' },
    incremental: { type: 'boolean', default: false },
    'one-process': { type: 'boolean', default: false },
  },
})
const folder = 'scripts/proof'
/** Intermediate files of a run; not in git. */
const work = 'coverage/mutation'
const concurrency = Number(values.concurrency ?? Math.max(1, availableParallelism() >> 1))
const all = (await Array.fromAsync(glob(targets))).toSorted()
const changed = values.since === undefined ? [] : changedSince(values.since)
const chosen = [...new Set([...positionals, ...changed])]
if (values.since !== undefined && chosen.length === 0) {
  process.stdout.write(`no file of the code that decides changed since ${values.since}\n`)
  process.exit()
}

await installNested(folder)
await mkdir(work, { recursive: true })
const report = values['one-process'] ? await inOneProcess() : await withStryker()
const low = Object.entries(report.files).filter(([path, file]) => shareOf(scoreOf(path, file)) < shareMin)
const wrong = [
  ...low.map(([path]) => `${path}: less than ${shareMin * 100} % of its mutants are noticed`),
  ...disagreements(report, reasons),
]
process.stdout.write(`${[...table(report), ...wrong].join('\n')}\n`)
if (wrong.length > 0) process.exitCode = 1

/** The files of the code that decides that changed since a commit. */
function changedSince(commit: string): readonly string[] {
  const names = execFileSync('git', ['diff', '--name-only', commit, '--', 'src'], { encoding: 'utf8' }).split('\n')
  return all.filter((path) => names.includes(path))
}

async function withStryker(): Promise<StrykerReport> {
  const options = {
    mutate: chosen.length > 0 ? chosen : targets,
    testRunner: 'vitest',
    vitest: { configFile: `${folder}/vitest.config.ts`, related: true },
    plugins: ['@stryker-mutator/vitest-runner', `./${folder}/mutation/unreachable.ts`],
    ignorers: ['unreachable'],
    coverageAnalysis: 'perTest',
    concurrency,
    // Code that runs while a module is loaded (tables, patterns) is mutated, too. Each such mutant needs all tests of the module.
    ignoreStatic: false,
    // A busy machine is slow, so the timeout is long: only an endless loop should exceed it.
    timeoutMS: 30_000,
    timeoutFactor: 3,
    // In incremental mode Stryker also reports remembered results of files that were not chosen. So this mode is off if files are chosen.
    incremental: chosen.length === 0,
    incrementalFile: `${work}/incremental.json`,
    force: !values.incremental,
    tempDirName: `${work}/sandbox`,
    // By default Stryker rewrites the tsconfig with a function that TypeScript 7 does not have, and inserts `@ts-nocheck` into each file. This project
    // compiles nothing, so it needs neither.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    warnings: { slow: false },
    reporters: ['json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    jsonReporter: { fileName: `${work}/report.json` },
  }
  await writeFile(`${work}/stryker.json`, JSON.stringify(options, undefined, 2))
  await run(process.execPath, [`${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`, 'run', `${work}/stryker.json`], '.')
  return JSON.parse(await readFile(`${work}/report.json`, 'utf8')) as StrykerReport
}

async function inOneProcess(): Promise<StrykerReport> {
  const paths = chosen.length > 0 ? chosen : all
  const sources = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const))
  const report = await measureInOneProcess(new Map(sources), (line) => process.stdout.write(`${line}\n`))
  await writeFile(`${work}/report.json`, JSON.stringify(report))
  return report
}
