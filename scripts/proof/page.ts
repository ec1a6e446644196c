import type { Found, Report as Worlds } from '../../test/simulation/report.ts'
import type { Judged, Kills, Made, Properties, Report } from './report.ts'

/** The generated parts of docs/proof.md, as Markdown, one for each report. */

export function worldsSection({ result, falseAlarms, ...made }: Report<Worlds> & Judged): string {
  const { worlds, seeds, cycles, requests, writes, crashes, throttled, faults, pairs } = result
  const broken = result.broken.filter(({ seed }) => falseAlarms?.seeds.includes(seed) !== true)
  const brokenWorlds = result.brokenWorlds - (result.broken.length - broken.length)
  const row = (what: string, n: number) => `| ${what} | ${count(n)} | ${count(Math.round((n * 1000) / worlds))} |`
  const rarest = Object.entries(pairs.rarest).slice(0, 5)
  return [
    `${madeText(made)}: ${count(worlds)} worlds, seeds ${count(seeds.from)} to ${count(seeds.to)}. ` +
      (brokenWorlds === 0 ? '**In none was a promise broken.**' : `**In ${count(brokenWorlds)} a promise was broken.**`),
    ...broken.map(({ seed, violation }) => `- seed ${seed}: ${violation.promise}: ${violation.what}`),
    ...(falseAlarms === undefined
      ? []
      : ['', `In ${count(falseAlarms.seeds.length)} more (seeds ${falseAlarms.seeds.join(', ')}) ${falseAlarms.why}`]),
    '',
    '| | in all | for each thousand worlds |',
    '|---|---|---|',
    row('cycles', cycles),
    row('requests', requests),
    row('of these, writes', writes),
    row('crashes of the program', crashes),
    row('refusals of the limiter', throttled),
    '',
    '| fault | in all | for each thousand worlds |',
    '|---|---|---|',
    ...Object.entries(faults).map(([name, times]) => row(name, times)),
    '',
    `${count(pairs.met)} of the ${count(pairs.possible)} pairs of faults occurred together in at least one world. The rarest: ` +
      `${rarest.map(([pair, times]) => `${pair} (${count(times)} worlds)`).join(', ')}.`,
  ].join('\n')
}

export function plantsSection({ result: { plants }, ...made }: Report<{ readonly plants: readonly Found[] }>): string {
  const found = plants.filter(({ violation }) => violation !== undefined)
  return [
    `${madeText(made)}: of ${plants.length} planted mistakes ${found.length} are found.`,
    '',
    '| mistake | in | found after … worlds | seed | the check that finds it |',
    '|---|---|---|---|---|',
    ...plants.map(({ name, file, worlds, seed, violation }) =>
      row(
        name,
        `\`${file}\``,
        violation === undefined ? `**not in ${count(worlds)}**` : count(worlds),
        seed ?? '',
        violation?.promise ?? '',
      ),
    ),
  ].join('\n')
}

export function propertiesSection({ result: { runs, properties }, ...made }: Report<Properties>): string {
  return [
    `${madeText(made)}: each property was tried at least ${count(runs)} times, with random worlds. All hold.`,
    '',
    '| property | in `test/unit/properties` |',
    '|---|---|',
    ...properties.map(({ file, title }) => row(title, `\`${file}\``)),
  ].join('\n')
}

export function killsSection({ result: { rounds, writes, withFault, left, byWay }, ...made }: Report<Kills>): string {
  const sum = (of: 'kills' | 'beforeTheEnd' | 'inFlight') => count(byWay.reduce((total, way) => total + way[of], 0))
  return [
    `${madeText(made)}: ${sum('kills')} kills in ${count(rounds)} rounds, **no mapping existed twice at any moment**, and each round ended with the declared mappings.`,
    '',
    '| killed process | kills | before it had ended by itself | while a write was under way |',
    '|---|---|---|---|',
    ...byWay.map(({ way, kills, beforeTheEnd, inFlight }) => row(`\`${way}\``, count(kills), count(beforeTheEnd), count(inFlight))),
    row('all', sum('kills'), sum('beforeTheEnd'), sum('inFlight')),
    '',
    `The service received ${count(writes)} writes, ${count(withFault)} of them with a fault (a lost answer, a late commit, a connection reset, a 503 after the ` +
      `commit). ${count(left)} changes were left for the last run of their round, which is not killed.`,
  ].join('\n')
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const count = (n: number): string => n.toLocaleString('en-US')

const madeText = ({ measured, commit, node, processors, seconds }: Made): string =>
  `Measured on ${measured} on commit ${commit}: Node ${node}, ${processors} processors, ${timeText(seconds)}`

function timeText(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
