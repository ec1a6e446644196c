import { type Logger as PinoLogger, pino } from 'pino'
import { errorFields } from './errorFields.ts'
import { prettyLine } from './pretty.ts'

export type Logger = PinoLogger<'change'>
export const logLevels = ['debug', 'info', 'change', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type LoggerOptions = {
  readonly level: LogLevel
  /** `auto`: pretty on a terminal, JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly color: boolean
  /** Standard error: standard output is for what a person asked for. */
  readonly stream: { readonly isTTY?: boolean; write(text: string): unknown }
  /** Takes every known secret out of a line: redaction by path misses arrays, deeper levels, messages and errors. */
  readonly scrub: (text: string) => string
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * One line an event, written at once and in this process: a worker thread would lose the last lines of a crash. `change` is a level of its
 * own between info and warn, so that what changed is one grep.
 */
export function openLogger({ level, format, color, stream, scrub, now }: LoggerOptions): Logger {
  const shown = isPretty(format, stream.isTTY === true) ? prettyLine(color) : unambiguous
  return pino<'change'>(
    {
      level,
      customLevels: { change: 35 },
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields, error: errorFields },
    },
    { write: (line: string) => void stream.write(shown(scrub(line))) },
  )
}

/** Whether a person reads the log as it comes. */
export const isPretty = (format: LoggerOptions['format'], isTerminal: boolean): boolean =>
  format === 'pretty' || (format === 'auto' && isTerminal)

/** The same JSON, with what a terminal would obey or an eye not see written as escapes: a log is read with `kubectl logs` too. */
function unambiguous(line: string): string {
  const body = line.endsWith('\n') ? line.slice(0, -1) : line
  const escape = (character: string) =>
    [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
  return `${body.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape)}\n`
}
