import { parseArgs } from 'node:util'
import { nearest } from '../core/nearest.ts'
import { type CommandEntry, commandOf, commands } from './all.ts'
import { type Call, UsageError } from './command.ts'
import { commonOptions, completeWord, generalOptions, type Options, optionsOf } from './description.ts'

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
  const description = await entry.describe()
  const options = optionsOf(description)
  const { values, positionals } = parsed(rest, options, name)
  if (values['help'] === true) return { kind: 'helpOf', name }
  if (values['version'] === true) return { kind: 'version' }
  const { takes = [] } = description
  const extra = takes.at(-1)?.many === true ? undefined : positionals[takes.length]
  if (extra !== undefined) {
    const habit = takes.length === 0 ? argumentHabitOf(options) : undefined
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
  const wrong = long.find((longOption) => longOption !== undefined)
  if (wrong !== undefined) {
    const meant = wrong.habit === undefined ? `; did you mean "-${wrong.word}"?` : ''
    throw new UsageError(`${command} has no option "${wrong.word}"${meant}`, { cure: wrong.habit ?? cure })
  }
  let commandLine: ReturnType<typeof parsed>
  try {
    commandLine = parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    const { message, habit } = misused(command, options, error as Error)
    throw new UsageError(message, { cause: error, cure: habit ?? cure })
  }
  for (const [option, value] of Object.entries(commandLine.values))
    if ([value].flat().includes('')) throw new UsageError(`--${option} is empty`, { cure })
  return commandLine
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

/** Words of other programs (kubectl, helm, terraform, gh), and the words of this program for the same. Messages about wrong command lines use them. */

const asPlan = 'plan shows what exists and what would change'
const asList = 'export shows the mappings of Plane, and groups those of the directories'
const asDaemon = 'run is the daemon; run --once ends after one cycle'
const asRemoval = 'list the mappings under "removed" in the declaration'
const asProbe = 'doctor looks at settings, files, Plane, directories and journal'
const asKey = 'the settings name the API key: service.credential'

const otherCommands: Readonly<Record<string, string>> = {
  auth: asKey,
  check: 'validate checks the files',
  config: 'validate checks the settings',
  daemon: asDaemon,
  delete: asRemoval,
  describe: 'plan --all shows each change',
  destroy: asRemoval,
  diff: 'plan shows the differences',
  'dry-run': asPlan,
  get: asList,
  history: 'the journal has each write: the folder that journal.folder names',
  import: 'export prints the mappings of Plane as a declaration',
  init: 'export prints the mappings of Plane as a first declaration',
  lint: 'validate checks the files',
  list: asList,
  login: asKey,
  logs: 'run logs to standard error',
  preview: asPlan,
  refresh: 'plan and apply read everything afresh',
  rollback: 'apply an older version of the declaration',
  serve: asDaemon,
  show: asPlan,
  start: asDaemon,
  sync: 'apply writes the changes',
  test: asProbe,
  undo: 'apply an older version of the declaration',
  watch: asDaemon,
  whoami: asKey,
}

/** `needs`: the option of this program that the command must have. */
type Habit = { readonly needs?: string; readonly cure: string }

const byWorkspace: readonly Habit[] = [{ needs: 'workspace', cure: 'a workspace is named with --workspace, or -w' }]
const byFile: readonly Habit[] = [
  { needs: 'yes', cure: 'the settings are named with --config, and a saved plan without an option: apply plan.json' },
  { needs: 'config', cure: 'the settings are named with --config; they name the declaration' },
]
const asYaml = 'export prints YAML to standard output: export > FILE'
const byFormat: readonly Habit[] = [
  { needs: 'format', cure: 'write --format, or -o' },
  { needs: 'undeclared', cure: asYaml },
]
const toFile: readonly Habit[] = [
  { needs: 'undeclared', cure: asYaml },
  { needs: 'format', cure: 'write > FILE after the command' },
]
const allOfThem: readonly Habit[] = [{ needs: 'workspace', cure: 'without --workspace the command is about all workspaces' }]
const asColour: readonly Habit[] = [{ needs: 'no-color', cure: 'FORCE_COLOR=1 or --no-color decides about colours' }]
const asDryRun: readonly Habit[] = [
  { needs: 'yes', cure: 'plan shows what apply would write' },
  { needs: 'out', cure: 'plan never writes' },
]
const asForce: readonly Habit[] = [{ needs: 'allow', cure: 'a guard lets a change pass with --allow ID; the plan shows the ID' }]
const asLog: readonly Habit[] = [{ needs: 'log-level', cure: 'write --log-level debug' }]
const asYes: readonly Habit[] = [
  { needs: 'yes', cure: 'write --yes' },
  { needs: 'out', cure: 'only apply writes: apply --yes' },
]

const otherOptions: Readonly<Record<string, readonly Habit[]>> = {
  A: allOfThem,
  'all-namespaces': allOfThem,
  'all-workspaces': allOfThem,
  'auto-approve': asYes,
  color: asColour,
  colour: asColour,
  d: [{ needs: 'directory', cure: 'a directory is named with --directory' }],
  debug: asLog,
  diff: [{ cure: 'plan shows the differences' }],
  'dry-run': asDryRun,
  f: byFile,
  file: byFile,
  filename: byFile,
  force: asForce,
  format: [{ needs: 'undeclared', cure: asYaml }],
  json: [
    { needs: 'format', cure: 'write --format json' },
    { needs: 'undeclared', cure: asYaml },
  ],
  n: byWorkspace,
  namespace: byWorkspace,
  o: [{ needs: 'undeclared', cure: asYaml }],
  out: toFile,
  output: byFormat,
  target: byWorkspace,
  v: [{ needs: 'log-level', cure: 'write --log-level debug, or -V for the version' }, { cure: '-V shows the version' }],
  verbose: asLog,
  y: asYes,
  yes: asYes,
}

/** @param options those of the command */
function habitOf(option: string, options: Readonly<Record<string, unknown>>): string | undefined {
  const habits = Object.hasOwn(otherOptions, option) ? otherOptions[option] : undefined
  return habits?.find(({ needs }) => needs === undefined || Object.hasOwn(options, needs))?.cure
}

/** What to write instead of an argument that the command does not take. */
function argumentHabitOf(options: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.hasOwn(options, 'directory')) return 'a directory is named with --directory, and the settings with --config'
  if (Object.hasOwn(options, 'workspace')) return 'a workspace is named with --workspace, and the settings with --config'
  if (Object.hasOwn(options, 'config')) return 'the settings are named with --config (- reads standard input); they name the declaration'
  return undefined
}
