import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installNested, run } from './nested.ts'
import { changedFunctions } from './proof/mutation/changes.ts'
import { disagreements, unexplainedChanges } from './proof/mutation/explained.ts'
import type { StrykerReport } from './proof/mutation/mutants.ts'
import { measureInOneProcess } from './proof/mutation/oneProcess/measure.ts'
import { table } from './proof/mutation/page.ts'
import { reasons } from './proof/mutation/reasons.ts'
import { type MutationReport, scoresOf, shareOf, totalOf } from './proof/mutation/score.ts'
import { shareMin, targets } from './proof/mutation/targets.ts'

/**
 * Changes the code that decides in thousands of small ways, one at a time, and counts the changes that the tests notice. Writes the report from which
 * docs/proof.md is generated. Fails if too few changes are noticed, or if a change that is not noticed has no reason.
 *
 * `npm run mutation` tries all files, in about an hour. `-- src/core/judge/gate.ts …` tries only these files, and replaces their results in the
 * report. `-- --changed` tries the files in which a function with survivors changed. `-- --incremental` tries only mutants whose code or tests
 * changed since the last run. `-- --concurrency 4` sets the number of workers. `-- --one-process` tries the mutants of StrykerJS without its
 * processes: far faster for a few files.
 */
process.chdir(join(import.meta.dirname, '..'))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string' },
    changed: { type: 'boolean', default: false },
    incremental: { type: 'boolean', default: false },
    'one-process': { type: 'boolean', default: false },
  },
})
const folder = 'scripts/proof'
const reportFile = `${folder}/reports/mutation.json`
/** Intermediate files of a run; not in git. */
const work = 'coverage/mutation'
const concurrency = Number(values.concurrency ?? Math.max(1, availableParallelism() >> 1))
const before = JSON.parse(await readFile(reportFile, 'utf8')) as MutationReport
const changed = values.changed ? await changedFunctions(before.files, (path) => readFile(path, 'utf8')) : []
const chosen = [...new Set([...positionals, ...changed.filter(({ newName }) => newName === undefined).map(({ path }) => path)])]
if (values.changed && chosen.length === 0) {
  process.stdout.write('no function with survivors changed\n')
  process.exit()
}

await installNested(folder)
await mkdir(work, { recursive: true })
const fresh = values['one-process'] ? await inOneProcess() : await withStryker()
const scores = scoresOf(fresh)
const versionOf = async (name: string) =>
  (JSON.parse(await readFile(`${name}/package.json`, 'utf8')) as { readonly version: string }).version
const now = {
  measured: new Date().toISOString().slice(0, 10),
  versions: {
    node: process.versions.node,
    stryker: await versionOf(`${folder}/node_modules/@stryker-mutator/core`),
    vitest: await versionOf('node_modules/vitest'),
  },
}
// If only some files were measured, the other files keep their scores. The report keeps the date of the last full run.
const report: MutationReport =
  chosen.length > 0 ? { ...before, files: sorted({ ...before.files, ...scores }) } : { ...now, files: sorted(scores) }
await writeFile(reportFile, `${JSON.stringify(report, undefined, 2)}\n`)

const low = Object.entries(report.files).filter(([, score]) => shareOf(totalOf([score])) < shareMin)
const wrong = [
  ...unexplainedChanges(fresh, reasons),
  ...low.map(([path]) => `${path}: less than ${shareMin * 100} % of its mutants are noticed`),
  ...disagreements(report, reasons),
]
process.stdout.write(
  `${[...table(report.files), ...wrong].join('\n')}\n${reportFile} is written; npm run generate puts it into docs/proof.md\n`,
)
if (wrong.length > 0) process.exitCode = 1

function sorted(files: MutationReport['files']): MutationReport['files'] {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)))
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
  const paths = chosen.length > 0 ? chosen : (await Array.fromAsync(glob(targets))).toSorted()
  const sources = await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const))
  const report = await measureInOneProcess(new Map(sources), (line) => process.stdout.write(`${line}\n`))
  await writeFile(`${work}/report.json`, JSON.stringify(report))
  return report
}
