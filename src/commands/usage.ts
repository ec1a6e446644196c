import { padEnd, widthOf, wrap } from '../render/width.ts'
import { commandOf, commands } from './all.ts'
import {
  type Argument,
  commonOptions,
  exitCodes,
  exitMeanings,
  generalOptions,
  type Option,
  type Options,
  variables,
} from './description.ts'
import { wrapped } from './terminal.ts'

/** The help of the program. @param columns the width of the terminal */
export function usage(columns: number): string {
  return [
    ...wrap('plane-group-sync keeps the group mappings of Plane workspaces equal to what a YAML file declares.', columns),
    '',
    'Usage: plane-group-sync COMMAND [OPTIONS]',
    '',
    ...section('Examples', [
      ...example('are the files valid?', 'plane-group-sync validate', columns),
      ...example('what would change, and why?', 'plane-group-sync plan', columns),
      ...example('plan, ask, write', 'plane-group-sync apply', columns),
    ]),
    ...section(
      'Commands',
      pairs(
        Object.entries(commands).map(([name, { summary }]) => [name, summary]),
        12,
        columns,
      ),
    ),
    ...section('General options', lines(generalOptions, columns)),
    ...wrap('"plane-group-sync help COMMAND" and "COMMAND --help" show the options of a command.', columns),
    '',
  ].join('\n')
}

/** The help of one command. @param columns the width of the terminal */
export async function usageOf(name: string, columns: number): Promise<string> {
  const entry = commandOf(name)
  if (entry === undefined) return usage(columns)
  const { summary } = entry
  const description = await entry.describe()
  const { about, takes, options, common, examples, exits, details } = description
  const sentence = `${summary[0]?.toUpperCase()}${summary.slice(1)}.${about === undefined ? '' : ` ${about.replaceAll('`', '')}`}`
  const argument = argumentsText(takes)
  const shared = { ...Object.fromEntries(common.map((option) => [option, commonOptions[option]])), ...generalOptions }
  const known = variables.filter((variable) => variable.with === undefined || common.includes(variable.with))
  return [
    ...wrap(sentence, columns),
    '',
    `Usage: plane-group-sync ${name}${argument} [OPTIONS]`,
    '',
    ...section(
      'Examples',
      examples.flatMap(({ does, line }) => example(does, line, columns)),
    ),
    ...section('Options', lines(options, columns)),
    ...section(Object.keys(options).length === 0 ? 'Options' : 'Common options', lines(shared, columns)),
    ...section(
      'Exit codes',
      pairs(
        exits.map((exit) => [String(exitCodes[exit]), exitMeanings[exit]]),
        4,
        columns,
      ),
    ),
    ...section(
      'Environment',
      known.flatMap((variable) => [`  ${variable.name}`, ...wrapped(variable.describe, 6, columns)]),
    ),
    ...(details === undefined ? [] : [await details(columns)]),
  ].join('\n')
}

/** The arguments after the command, each with a blank before it. */
export const argumentsText = (takes: readonly Argument[] = []): string => takes.map((argument) => ` ${argumentText(argument)}`).join('')

/** `ID`, `[FILE]`, `[ID…]` */
const argumentText = ({ name, optional, many }: Argument): string => {
  const each = many === true ? `${name}…` : name
  return optional === true ? `[${each}]` : each
}

const section = (title: string, rows: readonly string[]): readonly string[] => (rows.length === 0 ? [] : [title, ...rows, ''])

/** The line to copy is not wrapped. */
const example = (does: string, line: string, columns: number): readonly string[] => [
  ...wrap(does, columns - 4).map((row) => `  # ${row}`),
  `  ${line}`,
]

/** A word and its explanation beside it. A word that is too long has its explanation on the next line. */
function pairs(rows: readonly (readonly [string, string])[], least: number, columns: number): readonly string[] {
  return rows.flatMap(([word, explanation]) => {
    const beside = wrapped(explanation, least + 2, columns)
    if (widthOf(word) >= least) return [`  ${word}`, ...beside]
    return [`  ${padEnd(word, least)}${(beside[0] ?? '').trimStart()}`, ...beside.slice(1)]
  })
}

function lines(options: Options, columns: number): readonly string[] {
  const rows = Object.entries(options).map(([name, option]) => [flagOf(name, option), explained(option)] as const)
  const longest = rows.reduce((most, [flag]) => Math.max(most, widthOf(flag)), 0)
  return pairs(rows, Math.min(longest, 26) + 2, columns)
}

const flagOf = (name: string, { short, value }: Option): string =>
  `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`

function explained({ describe, choices, usually, isList }: Option): string {
  const list = choices === undefined ? '' : `: ${choices.join(', ')}${isList === true ? '; several with commas' : ''}`
  return `${describe}${list}${usually === undefined ? '' : ` (default: ${usually})`}`
}
