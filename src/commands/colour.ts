import type { Call, Terminal } from './command.ts'

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
