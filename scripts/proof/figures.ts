import type { Found, Report as Worlds } from '../../test/simulation/report.ts'
import { type MutationReport, shareOf, totalOf } from './mutation/score.ts'
import type { Judged, Kills, Properties, Report } from './report.ts'

export type Reports = {
  readonly worlds: Report<Worlds> & Judged
  readonly plants: Report<{ readonly plants: readonly Found[] }>
  readonly properties: Report<Properties>
  readonly kills: Report<Kills>
  readonly mutation: MutationReport
}

/** The summary of docs/proof.md for docs/promises.md, one line for each part. */
export function figuresText({ worlds, plants, properties, kills, mutation }: Reports): string {
  const { result: of, falseAlarms } = worlds
  const broken = of.brokenWorlds - (falseAlarms?.seeds.length ?? 0)
  const found = plants.result.plants.filter(({ violation }) => violation !== undefined)
  const killed = kills.result.byWay.reduce((sum, way) => sum + way.kills, 0)
  const inFlight = kills.result.byWay.reduce((sum, way) => sum + way.inFlight, 0)
  const total = totalOf(Object.values(mutation.files))
  return [
    '| tried | result |',
    '|---|---|',
    `| ${count(of.worlds)} simulated worlds: ${count(of.requests)} requests, ${count(of.crashes)} crashes, ${count(of.throttled)} refusals of the limiter | ${count(broken)} with a broken promise |`,
    `| ${plants.result.plants.length} mistakes, planted into the program one at a time | ${found.length} found, the last after ${count(Math.max(...found.map((one) => one.worlds)))} worlds |`,
    `| ${count(killed)} times \`kill -9\` of the real process, ${count(inFlight)} while a write was under way | no mapping twice |`,
    `| ${properties.result.properties.length} properties, each ${count(properties.result.runs)} times | all hold |`,
    `| ${count(total.mutants)} small changes to the code that decides, one at a time | tests notice ${(Math.floor(shareOf(total) * 1000) / 10).toFixed(1)} % |`,
  ].join('\n')
}

const count = (n: number): string => n.toLocaleString('en-US')
