import { parseArgs } from 'node:util'
import { bareId } from '../core/idWithPeople.ts'
import { commandOf, commands } from './all.ts'
import { commandIndex, optionsBefore } from './argv.ts'
import type { Terminal } from './command.ts'
import { type Argument, commonOptions, type Option, type Options, optionsOf } from './description.ts'

/** The possible next words of a command line, each with its explanation, or files. */
export type Candidates =
  | { readonly kind: 'files' }
  | { readonly kind: 'words'; readonly words: readonly (readonly [word: string, explains: string])[] }

/**
 * The candidates as the scripts of `completion` read them: the kind on the first line, then a word on each line, with a tab before its
 * explanation.
 */
export async function candidatesText(words: readonly string[], env: Terminal['env'] = {}): Promise<string> {
  const candidates = await candidatesOf(words, env)
  const lines = candidates.kind === 'words' ? candidates.words.map(([word, explains]) => `${word}\t${explains}`) : []
  return [candidates.kind, ...lines, ''].join('\n')
}

/**
 * @param words the words after the name of the program; the last one is at the cursor, and may be empty
 * @param env the variables that may name the settings file, which has the workspaces
 */
export async function candidatesOf(words: readonly string[], env: Terminal['env'] = {}): Promise<Candidates> {
  const { before, current, prefix } = atCursor(words)
  const index = commandIndex(before)
  const name = before[index]
  const entry = name === undefined ? undefined : commandOf(name)
  const description = await entry?.describe()
  const options = description === undefined ? optionsBefore : optionsOf(description)
  const valued = optionOfValue(before, options)
  if (valued === commonOptions.workspace) return valuesOf({ ...valued, choices: await unnamed(before, options, env) }, current, prefix)
  const waiting = async () => {
    const { waitingIds } = await import('./knownWords.ts')
    return waitingIds(valuesIn(before, options).config, env)
  }
  if (valued?.waits === true)
    return matching(
      (await waiting()).map(([id, why]) => [prefix + id, why]),
      prefix + current,
    )
  if (valued !== undefined) return valuesOf(valued, current, prefix)
  if (current.startsWith('-')) return matching(flagsOf(options), current)
  if (name === undefined) return matching([...commandWords(), ['help', 'show the help of a command']], current)
  if (name === 'help') return matching(commandWords(), current)
  // The first of these words is the command.
  const place = argumentsIn(before, options) - 1
  const last = description?.takes?.at(-1)
  const takes = description?.takes?.[place] ?? (last?.many === true ? last : undefined)
  // The plan knows the number of people behind an ID.
  if (takes?.waits === true)
    return matching(
      (await waiting()).map(([id, why]) => [bareId(id), why]),
      current,
    )
  if (takes?.isWorkspace === true) return argumentsOf({ choices: await unnamed(before, options, env) }, current)
  return takes === undefined || takes.many === true ? nothing : argumentsOf(takes, current)
}

const nothing: Candidates = { kind: 'words', words: [] }

/**
 * The words before the cursor, and the one at it. `--name=val` becomes `--name` and `val`; `prefix` is what then stands before each candidate.
 * bash breaks a line at `=`, so there `=` may be a word of its own.
 */
function atCursor(words: readonly string[]): { readonly before: readonly string[]; readonly current: string; readonly prefix: string } {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  if (last === '=') return { before, current: '', prefix: '' }
  if (before.at(-1) === '=') return { before: before.slice(0, -1), current: last, prefix: '' }
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(last) ?? []
  if (flag === undefined || value === undefined) return { before, current: last, prefix: '' }
  return { before: [...before, flag], current: value, prefix: `${flag}=` }
}

/** The option whose value is at the cursor. */
function optionOfValue(before: readonly string[], options: Options): Option | undefined {
  const last = before.at(-1) ?? ''
  if (before.slice(0, -1).includes('--')) return undefined
  const [, long] = /^--([^=]+)$/.exec(last) ?? []
  const [, short] = /^-([^-])$/.exec(last) ?? []
  const wantedOption = Object.entries(options).find(
    ([name, option]) => name === long || (short !== undefined && option.short === short),
  )?.[1]
  return wantedOption?.type === 'string' ? wantedOption : undefined
}

/** How many words are no options and no values of options. The command is one of them. */
const argumentsIn = (words: readonly string[], options: Options): number =>
  parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).positionals.length

function valuesOf({ choices = [], value, isList }: Option, current: string, prefix: string): Candidates {
  if (value === 'FILE') return { kind: 'files' }
  const listed = isList === true ? current.slice(0, current.lastIndexOf(',') + 1) : ''
  const candidates = matching(
    choices.filter((choice) => !listed.split(',').includes(choice)).map((choice) => [`${listed}${choice}`, '']),
    current,
  )
  return candidates.kind === 'words'
    ? { ...candidates, words: candidates.words.map(([word, explains]) => [prefix + word, explains]) }
    : candidates
}

/** The workspaces of the settings that the words do not name yet. */
async function unnamed(before: readonly string[], options: Options, env: Terminal['env']): Promise<readonly string[]> {
  const { config, workspace } = valuesIn(before, options)
  const { workspaceNames } = await import('./knownWords.ts')
  const named = new Set([workspace].flat())
  return (await workspaceNames(config, env)).filter((name) => !named.has(name))
}

const valuesIn = (words: readonly string[], options: Options) =>
  parseArgs({ args: [...words], options, strict: false, allowPositionals: true }).values

const argumentsOf = ({ choices }: Pick<Argument, 'choices'>, current: string): Candidates =>
  choices === undefined
    ? { kind: 'files' }
    : matching(
        choices.map((choice) => [choice, '']),
        current,
      )

const commandWords = (): readonly (readonly [string, string])[] => Object.entries(commands).map(([name, { summary }]) => [name, summary])

/** All options by their long names: a short form is as quick to type as to complete. */
const flagsOf = (options: Options): readonly (readonly [string, string])[] =>
  Object.entries(options).map(([name, { describe }]) => [`--${name}`, describe])

const matching = (words: readonly (readonly [string, string])[], current: string): Candidates => ({
  kind: 'words',
  words: words.filter(([word]) => word.startsWith(current)),
})
