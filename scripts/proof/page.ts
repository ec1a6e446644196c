import type { Found } from '../../test/simulation/report.ts'
import { count, madeText, row } from './cells.ts'
import type { Kills, Properties, Report } from './report.ts'

/** The generated parts of docs/proof.md, as Markdown, one for each report. */

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
