import { parseArgs } from 'node:util'
import { nearest } from '../core/nearest.ts'
import { type CommandEntry, commandOf, commands } from './all.ts'
import { type Call, UsageError } from './command.ts'
import { commonOptions, generalOptions, type Options, optionsOf } from './description.ts'
import { completeWord } from './options.ts'

/** The request of a command line. */
type CommandLine =
  | { readonly kind: 'version' | 'help' }
  | { readonly kind: 'helpOf'; readonly name: string }
  | { readonly kind: 'complete'; readonly words: readonly string[] }
  | ({ readonly kind: 'command'; readonly name: string; readonly entry: CommandEntry } & Pick<Call, 'values' | 'positionals'>)

/** What a command line asks for. Common options may also stand before the command. @throws {UsageError} */
export async function understand(argv: readonly string[]): Promise<CommandLine> {
  const [first, ...others] = argv
  if (first === undefined) return { kind: 'help' }
  if (first === completeWord) return { kind: 'complete', words: others }
  const index = commandIndex(argv)
  const name = argv[index]
  if (index < 0 || name === undefined) return withoutCommand(argv)
  const rest = argv.toSpliced(index, 1)
  if (name === 'version') return { kind: 'version' }
  if (name === 'help') return helpRequest(rest)
  const entry = commandOf(name)
  if (entry === undefined) throw unknownCommand(name)
  const { description } = await entry.describe()
  const { values, positionals } = parsed(rest, optionsOf(description), name)
  if (values['help'] === true) return { kind: 'helpOf', name }
  if (values['version'] === true) return { kind: 'version' }
  if (positionals.length > (description.takes === undefined ? 0 : 1))
    throw new UsageError(`${name} does not take "${positionals.at(-1)}"`, { cure: helpPointer(name) })
  return { kind: 'command', name, entry, values, positionals }
}

/** Options of every command and the common ones: they may stand before a command. */
export const optionsBefore: Options = { ...commonOptions, ...generalOptions }

/** The place of the command among the words of a command line, or -1. */
export function commandIndex(words: readonly string[]): number {
  const { tokens } = parseArgs({ args: [...words], options: optionsBefore, strict: false, allowPositionals: true, tokens: true })
  return tokens.find(({ kind }) => kind === 'positional')?.index ?? -1
}

function withoutCommand(args: readonly string[]): CommandLine {
  const { values } = parsed(args, optionsBefore, undefined)
  if (values['help'] === true) return { kind: 'help' }
  if (values['version'] === true) return { kind: 'version' }
  throw new UsageError('the command is missing', { cure: generalHelp })
}

function helpRequest(args: readonly string[]): CommandLine {
  const [name, second] = parsed(args, optionsBefore, 'help').positionals
  if (second !== undefined) throw new UsageError(`help takes one command, not also "${second}"`, { cure: generalHelp })
  if (name === undefined || name === 'help' || name === 'version') return { kind: 'help' }
  if (commandOf(name) === undefined) throw unknownCommand(name)
  return { kind: 'helpOf', name }
}

const generalHelp = 'plane-group-sync --help shows all commands'

/** @param name the command; undefined before one is known */
function parsed(args: readonly string[], options: Options, name: string | undefined): Pick<Call, 'values' | 'positionals'> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const cure = name === undefined || name === 'help' ? generalHelp : helpPointer(name)
    throw new UsageError(misused(name ?? 'plane-group-sync', options, error as Error), { cause: error, cure })
  }
}

export const helpPointer = (name: string): string => `plane-group-sync ${name} --help shows its options`

/** The error of `parseArgs` in our words. Its own message gives advice about positional arguments after the error itself. */
function misused(name: string, options: Options, { message }: Error): string {
  const [, dashes = '', unknown] = /^Unknown option '(-{1,2})([^']*)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const near = dashes === '--' ? nearest(unknown, Object.keys(options)) : undefined
    return `${name} has no option "${dashes}${unknown}"${near === undefined ? '' : `; did you mean "--${near}"?`}`
  }
  const [, valueless] = /^Option '.*?--([^ ',]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (valueless !== undefined) return `--${valueless} needs a value`
  const [, useless] = /^Option '.*?--([^ ']+)' does not take an argument/.exec(message) ?? []
  return useless === undefined ? message : `--${useless} takes no value`
}

function unknownCommand(name: string): UsageError {
  const near = nearest(name, [...Object.keys(commands), 'help', 'version'])
  const meant = near === undefined ? '' : `; did you mean "${near}"?`
  return new UsageError(`plane-group-sync has no command "${name}"${meant}`, { cure: generalHelp })
}
