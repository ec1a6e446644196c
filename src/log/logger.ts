import { type Logger as PinoLogger, pino } from 'pino'
import { errorFields } from './errorFields.ts'
import type { LogFormat, LogLevel } from './levels.ts'
import { prettyLine } from './pretty.ts'

export type Logger = PinoLogger<'notice'>

export type LoggerOptions = {
  readonly level: LogLevel
  readonly format: LogFormat
  readonly color: boolean
  /** Standard error. Standard output is for the result of a command. */
  readonly stream: { readonly isTTY?: boolean; write(text: string): unknown }
  /** Removes every known secret from a line. pino's redaction by path misses arrays, deeper levels, messages and errors. */
  readonly scrub: (text: string) => string
  /** Epoch ms. */
  readonly now: () => number
  /** Called for each line; the line gets these fields too. */
  readonly fields?: () => object
}

/**
 * One line for an event, written at once and in this process; a worker thread would lose the last lines before a crash. `notice` is a
 * level between info and warn, as syslog has it: every write has it.
 */
export function openLogger({ level, format, color, stream, scrub, now, fields }: LoggerOptions): Logger {
  const shown = isPretty(format, stream.isTTY === true) ? prettyLine(color) : unambiguous
  return pino<'notice'>(
    {
      level: level === 'change' ? 'notice' : level,
      customLevels: { notice: 35 },
      base: null,
      ...(fields === undefined ? {} : { mixin: () => ({ ...fields() }) }),
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields, error: errorFields },
    },
    { write: (line: string) => void stream.write(shown(scrub(line))) },
  )
}

/** Whether the log is formatted for a person at a terminal. */
export const isPretty = (format: LoggerOptions['format'], isTerminal: boolean): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal)

/** The same JSON, with control and invisible characters as escapes, because `kubectl logs` shows the log on a terminal. */
function unambiguous(line: string): string {
  const body = line.endsWith('\n') ? line.slice(0, -1) : line
  const escape = (character: string) =>
    [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
  return `${body.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape)}\n`
}
