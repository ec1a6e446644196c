import type { Found, Report as Worlds } from '../../test/simulation/report.ts'
import type { Kills, Made, Properties, Report } from './report.ts'

/** What `npm run proof` prints of each part, as Markdown. */

export function worldsSection({ result, ...made }: Report<Worlds>): string {
  const { worlds, seeds, brokenWorlds, broken, cycles, requests, writes, crashes, throttled, faults, pairs } = result
  const per = (what: string, n: number) => row(what, count(n), count(Math.round((n * 1000) / worlds)))
  return [
    `${madeText(made)}: ${count(worlds)} worlds, seeds ${count(seeds.from)} to ${count(seeds.to)}. ${
      brokenWorlds === 0 ? '**In none was a promise broken.**' : `**In ${count(brokenWorlds)} a promise was broken.**`
    }`,
    '',
    ...broken.map(({ seed, violation }) => `- seed ${seed}: ${violation.promise}: ${violation.what}`),
    ...(broken.length === 0 ? [] : ['']),
    '| | in all | for each thousand worlds |',
    '|---|---|---|',
    per('cycles', cycles),
    per('requests', requests),
    per('of these, writes', writes),
    per('crashes of the program', crashes),
    per('refusals of the limiter', throttled),
    '',
    '| fault | in all | for each thousand worlds |',
    '|---|---|---|',
    ...Object.entries(faults).map(([name, times]) => per(name, times)),
    '',
    `${count(pairs.met)} of the ${count(pairs.possible)} pairs of faults occurred together in at least one world. The rarest: ${Object.entries(
      pairs.rarest,
    )
      .slice(0, 5)
      .map(([pair, times]) => `${pair} (${count(times)} worlds)`)
      .join(', ')}.`,
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
  `Measured on ${measured} on commit ${commit}: Node ${node}, ${processors} processors, ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}`
