import { parseArgs } from 'node:util'
import { nearest } from '../core/nearest.ts'
import { type CommandEntry, commandOf, commands } from './all.ts'
import { type Call, UsageError } from './command.ts'
import { commonOptions, generalOptions, type Options, optionsOf } from './description.ts'
import { argumentHabitOf, habitOf, otherCommands } from './habits.ts'
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
  if (name === 'version') return versionRequest(rest)
  if (name === 'help') return helpRequest(rest)
  const entry = commandOf(name)
  if (entry === undefined) throw unknownCommand(name, argv[index - 1])
  const { description } = await entry.describe()
  const options = optionsOf(description)
  const { values, positionals } = parsed(rest, options, name)
  if (values['help'] === true) return { kind: 'helpOf', name }
  if (values['version'] === true) return { kind: 'version' }
  const { takes } = description
  const extra = takes?.many === true ? undefined : positionals[takes === undefined ? 0 : 1]
  if (extra !== undefined) {
    const habit = takes === undefined ? argumentHabitOf(options) : undefined
    throw new UsageError(`${name} does not take "${extra}"`, { cure: habit ?? helpPointer(name) })
  }
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

function versionRequest(args: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args, optionsBefore, 'version')
  const [extra] = positionals
  if (extra !== undefined) throw new UsageError(`version does not take "${extra}"`, { cure: generalHelp })
  return { kind: values['help'] === true ? 'help' : 'version' }
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
  const cure = name === undefined || name === 'help' || name === 'version' ? generalHelp : helpPointer(name)
  const end = endOfOptions(args)
  const words = [...withNumbers(args.slice(0, end), options).flatMap((word) => separated(word, options)), ...args.slice(end)]
  const command = name ?? 'plane-group-sync'
  const long = words.slice(0, endOfOptions(words)).map((word) => longWithOneDash(word, options))
  const wrong = long.find((one) => one !== undefined)
  if (wrong !== undefined) {
    const meant = wrong.habit === undefined ? `; did you mean "-${wrong.word}"?` : ''
    throw new UsageError(`${command} has no option "${wrong.word}"${meant}`, { cure: wrong.habit ?? cure })
  }
  let found: ReturnType<typeof parsed>
  try {
    found = parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    const { message, habit } = misused(command, options, error as Error)
    throw new UsageError(message, { cause: error, cure: habit ?? cure })
  }
  for (const [option, value] of Object.entries(found.values))
    if ([value].flat().includes('')) throw new UsageError(`--${option} is empty`, { cure })
  return found
}

/** `-o=json` as `-o` and `json`. For `parseArgs` the equals sign would belong to the value. */
function separated(word: string, options: Options): readonly string[] {
  const [, dashed = '', short = '', value = ''] = /^(-([a-zA-Z]))=(.*)$/s.exec(word) ?? []
  return Object.values(options).some((option) => option.short === short && option.type === 'string') ? [dashed, value] : [word]
}

/** `--seed -1` as `--seed=-1`: no option begins with a digit, so a word like `-1` is the value of the option before it. */
function withNumbers(words: readonly string[], options: Options): readonly string[] {
  const takesValue = (word = '') => word.startsWith('--') && options[word.slice(2)]?.type === 'string'
  return words.flatMap((word, index) => {
    const next = words[index + 1]
    if (takesValue(word) && next !== undefined && /^-\d/.test(next)) return [`${word}=${next}`]
    return takesValue(words[index - 1]) && /^-\d/.test(word) ? [] : [word]
  })
}

/** `-out=p.json`, `-auto-approve`: terraform's long options begin with one dash. For `parseArgs` these are short options, `-o` and `-a`. */
function longWithOneDash(word: string, options: Options): { readonly word: string; readonly habit?: string | undefined } | undefined {
  const [, long = ''] = /^-([a-z][a-z-]+)(?:=|$)/.exec(word) ?? []
  if (Object.hasOwn(options, long)) return { word }
  const habit = long === '' ? undefined : habitOf(long, options)
  return habit === undefined ? undefined : { word: `-${long}`, habit }
}

const endOfOptions = (words: readonly string[]): number => (words.includes('--') ? words.indexOf('--') : words.length)

export const helpPointer = (name: string): string => `plane-group-sync ${name} --help shows its options`

/**
 * The error of `parseArgs` in our words. Its own message gives advice about positional arguments after the error itself. `habit`: what this program has
 * instead of the option of another program.
 */
function misused(name: string, options: Options, { message }: Error): { readonly message: string; readonly habit?: string } {
  const [, dashes = '', unknown] = /^Unknown option '(-{1,2})([^']*)'/.exec(message) ?? []
  if (unknown !== undefined) {
    const near = dashes === '--' ? nearest(unknown, Object.keys(options)) : undefined
    const sentence = `${name} has no option "${dashes}${unknown}"${near === undefined ? '' : `; did you mean "--${near}"?`}`
    const habit = habitOf(unknown, options)
    return { message: sentence, ...(habit === undefined ? {} : { habit }) }
  }
  const [, valueless, short] = /^Option '(?:.*?--([^ ',]+)(?: <value>)?|-(\w))' argument (?:missing|is ambiguous)/.exec(message) ?? []
  if (valueless !== undefined) return { message: `--${valueless} needs a value` }
  if (short !== undefined) return { message: `-${short} needs a value` }
  const [, useless] = /^Option '.*?--([^ ']+)' does not take an argument/.exec(message) ?? []
  return { message: useless === undefined ? message : `--${useless} takes no value` }
}

/** @param before the word before it: an option that needs the command before it made a command of its value */
function unknownCommand(name: string, before = ''): UsageError {
  const near = nearest(name, [...Object.keys(commands), 'help', 'version'])
  const meant = near === undefined ? '' : `; did you mean "${near}"?`
  const sentence = `plane-group-sync has no command "${name}"${meant}`
  if (before.startsWith('-')) return new UsageError(sentence, { cure: `write ${before} after the command` })
  const [word = ''] = name.split(' ')
  if (word !== name && commandOf(word) !== undefined) return new UsageError(sentence, { cure: 'write each word as an argument of its own' })
  const habit = Object.hasOwn(otherCommands, name) ? otherCommands[name] : undefined
  return new UsageError(sentence, { cure: habit ?? generalHelp })
}
