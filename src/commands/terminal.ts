import type { Logging } from '../compose/log.ts'
import { writeErrnoText } from '../files/errno.ts'
import { logFormats, logLevels } from '../log/levels.ts'
import { wrap } from '../render/width.ts'
import { type Call, choice, type Terminal } from './command.ts'

/**
 * Whether a stream gets colours. The first row that applies decides, as in Node (`tty.WriteStream.getColorDepth`); the two variables `CLICOLOR…` are
 * those of other programs (https://bixense.com/clicolors).
 *
 * | option or variable | value | colours |
 * |---|---|---|
 * | `--no-color` | | no |
 * | `FORCE_COLOR` | empty, `1`, `2`, `3`, `true` | yes |
 * | `FORCE_COLOR` | any other value | no |
 * | `NO_COLOR`, `NODE_DISABLE_COLORS` | not empty | no |
 * | `CLICOLOR_FORCE` | neither empty nor `0` | yes |
 * | the stream is no terminal | | no |
 * | `TERM` | `dumb` | no |
 * | `CLICOLOR` | `0` | no |
 * | the stream is a terminal | | yes |
 */
export function hasColours(env: Terminal['env'], isTerminal: boolean, values: Call['values'] = {}): boolean {
  if (values['no-color'] === true) return false
  if (env.FORCE_COLOR !== undefined) return /^(?:|1|2|3|true)$/.test(env.FORCE_COLOR)
  if (isSet(env.NO_COLOR) || isSet(env.NODE_DISABLE_COLORS)) return false
  if (isSet(env.CLICOLOR_FORCE) && env.CLICOLOR_FORCE !== '0') return true
  return isTerminal && env.TERM !== 'dumb' && env.CLICOLOR !== '0'
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

/** The width of the output that the variable `COLUMNS` asks for, where the output is no terminal; undefined if it is no such number. */
export function columnsOf({ COLUMNS = '' }: Terminal['env']): number | undefined {
  return /^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : undefined
}

/** The lines of a text that begins `indent` columns from the left, on a terminal of `columns`. */
export const wrapped = (text: string, indent: number, columns: number): readonly string[] =>
  wrap(text, columns - indent).map((line) => `${' '.repeat(indent)}${line.trim()}`)

/** The log as the options of the command line ask for it. `otherwise` counts without them. */
export function loggingOf(values: Call['values'], otherwise: Omit<Logging, 'color'>, { isTerminal, env }: Terminal): Logging {
  return {
    level: choice('log-level', values['log-level'], logLevels, values.quiet === true ? 'error' : otherwise.level),
    format: choice('log-format', values['log-format'], logFormats, otherwise.format),
    color: hasColours(env, isTerminal.err, values),
  }
}

/**
 * The text on standard error if standard output cannot be written, for example on a full disk. The command goes on, because its task (for example the
 * writes to Plane) does not depend on the output.
 */
export const outputLost = (error: unknown): string =>
  `standard output cannot be written: ${writeErrnoText(error)}\n  the output of this command is incomplete; its exit code is 1\n`
