import type { Report as Worlds } from '../../test/simulation/report.ts'
import { count, row, timeText } from './cells.ts'
import type { Explained, Judged, Report } from './report.ts'

/** Runs of the simulation, each over the seeds that follow those of the run before. The runs may be of different days and commits. */
export type WorldRuns = readonly (Report<Worlds> & Judged)[]

/** The worlds, requests, … of all runs. `broken`: the worlds in which the program broke a promise. */
export function sumOfRuns(runs: WorldRuns): Pick<Worlds, (typeof summed)[number]> & { readonly broken: number } {
  const added = (name: (typeof summed)[number]) => runs.reduce((sum, { result }) => sum + result[name], 0)
  const sums = Object.fromEntries(summed.map((name) => [name, added(name)])) as Record<(typeof summed)[number], number>
  return { ...sums, broken: runs.reduce((sum, run) => sum + brokenIn(run), 0) }
}
const summed = ['worlds', 'cycles', 'requests', 'writes', 'crashes', 'throttled'] as const

/**
 * The runs with one more. A run from seed 0 begins anew.
 *
 * @throws if the seeds of the new run do not follow those of the last one
 */
export function withRun(runs: WorldRuns, run: WorldRuns[number]): WorldRuns {
  const { from } = run.result.seeds
  if (from === 0) return [run]
  const next = (runs.at(-1)?.result.seeds.to ?? -1) + 1
  if (from !== next)
    throw new Error(`the stored runs end before seed ${next}: begin the next one there, with --from ${next}, or anew with --from 0`)
  return [...runs, run]
}

/** The generated part of docs/proof.md about worlds, as Markdown. */
export function worldsSection(runs: WorldRuns): string {
  const sum = sumOfRuns(runs)
  const per = (what: string, n: number) => row(what, count(n), count(Math.round((n * 1000) / sum.worlds)))
  return [
    `${count(sum.worlds)} worlds. ${sum.broken === 0 ? '**In none was a promise broken.**' : `**In ${count(sum.broken)} a promise was broken.**`}`,
    '',
    '| seeds | commit | measured | with | worlds | with a broken promise |',
    '|---|---|---|---|---|---|',
    ...runs.map((run) => {
      const { seeds, worlds } = run.result
      const by = `Node ${run.node}, ${run.processors} processors, ${timeText(run.seconds)}`
      return row(`${count(seeds.from)} to ${count(seeds.to)}`, run.commit, run.measured, by, count(worlds), count(brokenIn(run)))
    }),
    '',
    ...runs.flatMap(judgedLines),
    '| | in all | for each thousand worlds |',
    '|---|---|---|',
    per('cycles', sum.cycles),
    per('requests', sum.requests),
    per('of these, writes', sum.writes),
    per('crashes of the program', sum.crashes),
    per('refusals of the limiter', sum.throttled),
    '',
    '| fault | in all | for each thousand worlds |',
    '|---|---|---|',
    ...faultsOf(runs).map(([name, times]) => per(name, times)),
    '',
    ...pairLines(runs),
  ].join('\n')
}

const isAlarm = ({ falseAlarms = [] }: Judged, seed: number): boolean => falseAlarms.some(({ seeds }) => seeds.includes(seed))
const brokenIn = (run: WorldRuns[number]): number =>
  run.result.brokenWorlds - run.result.broken.filter(({ seed }) => isAlarm(run, seed)).length

function judgedLines(run: WorldRuns[number]): readonly string[] {
  const { falseAlarms = [], mended = [], open = [], result } = run
  const lines = result.broken
    .filter(({ seed }) => !isAlarm(run, seed))
    .map(({ seed, violation }) => `- seed ${seed}: ${violation.promise}: ${violation.what}`)
  const explained = [
    ...mended.map((one) => `The program was wrong, and is mended (${seedsText(one)}): ${one.why}`),
    ...open.map((one) => `Not judged yet (${seedsText(one)}): ${one.why}`),
    ...falseAlarms.map((one) => `The auditor was wrong, and the worlds are not counted (${seedsText(one)}): ${one.why}`),
  ]
  const parts = [lines, explained.map((text) => `- ${text}`)].filter(({ length }) => length > 0)
  return parts.flatMap((part) => [...part, ''])
}

const seedsText = ({ seeds }: Explained): string => `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`

function faultsOf(runs: WorldRuns): readonly (readonly [string, number])[] {
  const all = new Map<string, number>()
  for (const { result } of runs) for (const [name, times] of Object.entries(result.faults)) all.set(name, (all.get(name) ?? 0) + times)
  return [...all].toSorted(([, one], [, other]) => other - one)
}

/** A report names only its rarest pairs, so that those of several runs cannot be added. */
function pairLines(runs: WorldRuns): readonly string[] {
  const [largest] = runs.toSorted((one, other) => other.result.worlds - one.result.worlds)
  if (largest === undefined) return []
  const { worlds, pairs } = largest.result
  const rarest = Object.entries(pairs.rarest).slice(0, 5)
  return [
    `In the largest run, of ${count(worlds)} worlds, ${count(pairs.met)} of the ${count(pairs.possible)} pairs of faults occurred together in at least one ` +
      `world. The rarest: ${rarest.map(([pair, times]) => `${pair} (${count(times)} worlds)`).join(', ')}.`,
  ]
}
