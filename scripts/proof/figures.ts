import type { Found } from '../../test/simulation/report.ts'
import { count } from './cells.ts'
import { type MutationReport, shareOf, totalOf } from './mutation/score.ts'
import type { Kills, Properties, Report } from './report.ts'
import { sumOfRuns, type WorldRuns } from './worlds.ts'

export type Reports = {
  readonly worlds: WorldRuns
  readonly plants: Report<{ readonly plants: readonly Found[] }>
  readonly properties: Report<Properties>
  readonly kills: Report<Kills>
  readonly mutation: MutationReport
}

/** The summary of docs/proof.md for docs/promises.md, one line for each part. */
export function figuresText({ worlds, plants, properties, kills, mutation }: Reports): string {
  const of = sumOfRuns(worlds)
  const found = plants.result.plants.filter(({ violation }) => violation !== undefined)
  const killed = kills.result.byWay.reduce((sum, way) => sum + way.kills, 0)
  const inFlight = kills.result.byWay.reduce((sum, way) => sum + way.inFlight, 0)
  const total = totalOf(Object.values(mutation.files))
  return [
    '| tried | result |',
    '|---|---|',
    `| ${count(of.worlds)} simulated worlds: ${count(of.requests)} requests, ${count(of.crashes)} crashes, ${count(of.throttled)} refusals of the limiter | ${count(of.broken)} with a broken promise${judgedText(worlds, of.broken)} |`,
    `| ${plants.result.plants.length} mistakes, planted into the program one at a time | ${found.length} found, the last after ${count(Math.max(...found.map((one) => one.worlds)))} worlds |`,
    `| ${count(killed)} times \`kill -9\` of the real process, ${count(inFlight)} while a write was under way | no mapping twice |`,
    `| ${properties.result.properties.length} properties, each ${count(properties.result.runs)} times | all hold |`,
    `| ${count(total.mutants)} small changes to the code that decides, one at a time | tests notice ${(Math.floor(shareOf(total) * 1000) / 10).toFixed(1)} % |`,
  ].join('\n')
}

/** Whose fault the broken worlds are. Those of the auditor are not counted. */
function judgedText(worlds: WorldRuns, broken: number): string {
  if (broken === 0) return ''
  const open = worlds.flatMap((run) => (run.open ?? []).flatMap(({ seeds }) => seeds)).length
  const link = '([proof](proof.md#simulated-worlds))'
  return open === 0
    ? `. In these the program was wrong, and each mistake is corrected ${link}`
    : `. ${count(open)} of these ${open === 1 ? 'is' : 'are'} not judged yet; in the others the program was wrong, and each mistake is corrected ${link}`
}
