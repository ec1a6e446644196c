import { styleText } from 'node:util'
import { type Logger as PinoLogger, pino } from 'pino'
import { errorChain, errorParts } from '../core/errorText.ts'
import { visible } from '../core/safeName.ts'
import { withoutSecretForms } from '../core/secretText.ts'
import type { LogFormat, LogLevel } from './levels.ts'

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

const colours: Readonly<Record<Exclude<LogLevel, 'silent' | 'notice'>, Parameters<typeof styleText>[0]>> = {
  debug: 'gray',
  info: 'blue',
  change: 'green',
  warn: 'yellow',
  error: 'red',
}

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string
type Fields = Readonly<Record<string, unknown>>

/** Formats a JSON line of the log for a person at a terminal. A line of the level `notice` is a change, and is called so. Fields that its message already contains are left out. */
function prettyLine(color: boolean): (line: string) => string {
  const paint: Paint = (colour, text) => (color && text !== '' ? styleText(colour, text, { validateStream: false }) : text)
  return (line) => {
    try {
      return pretty(JSON.parse(line, forPeople) as Fields, paint)
    } catch {
      // The line is no JSON any more, because the removed secret looked like a part of its syntax.
      return `${visible(line.trimEnd())}\n`
    }
  }
}

/** `[14:03:22] INFO: message {"field":1}` in local time, and below it the fields of an error. */
function pretty(record: Fields, paint: Paint): string {
  const { level, time, msg, err, error, event, cycle: _, ...fields } = record
  const name = String(level)
  const colour = Object.entries(colours).find(([levelName]) => levelName === name)?.[1]
  // The message of a line with an `event` is complete without the fields. That of a `failure` contains the error, too.
  const rest = event !== undefined || Object.keys(fields).length === 0 ? '' : JSON.stringify(fields)
  const failed = event === 'failure' ? undefined : (err ?? (event === undefined ? error : undefined))
  const label = colour === undefined ? name.toUpperCase() : paint(colour, name.toUpperCase())
  const line = [paint('cyan', typeof msg === 'string' ? msg : ''), paint('gray', rest)].filter((part) => part !== '').join(' ')
  return `[${new Date(String(time)).toTimeString().slice(0, 8)}] ${label}: ${line}\n${errorLines(failed)}`
}

/** A stack stands on lines of its own. */
function errorLines(error: unknown): string {
  if (error === undefined) return ''
  const fields = typeof error === 'object' && error !== null ? Object.entries(error) : [['error', error] as const]
  return fields.map(([name, value]) => `    ${name}: ${valueText(value).replaceAll('\n', '\n      ')}\n`).join('')
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Names from outside must not move the cursor or look like a line of their own, so further lines of a message are indented. */
function forPeople(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (key === 'level' && value === 'notice') return 'change'
  if (key === 'stack') return value.split('\n').map(visible).join('\n')
  return key === 'msg' ? value.trimEnd().split('\n').map(visible).join('\n    ') : visible(value)
}

/** An error as a log may hold it. */
type ErrorFields = {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly cure?: string
  readonly causes?: readonly string[]
  readonly stack?: string
}

/**
 * The fields of an error for a log line: only those that are listed here. Errors carry requests, headers and secrets as properties, and pino's own
 * serializer copies all of them. An error with a `code` or a name of its own has a message for people and needs no stack. Any other error is a
 * defect; its stack shows where it is.
 */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' && error !== null ? '(not an error)' : error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const isWorded = code !== undefined || Object.hasOwn(error, 'name')
  const { message, cure } = errorParts(error)
  const causes = causesOf(error)
  return {
    type: error.name,
    message,
    // The code of some errors is only their name; it is not repeated.
    ...(code === undefined || code === error.name ? {} : { code }),
    ...(cure === undefined ? {} : { cure }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(isWorded || error.stack === undefined ? {} : { stack: withoutSecretForms(error.stack) }),
  } satisfies ErrorFields
}

const causesOf = (error: Error): readonly string[] =>
  errorChain(error.cause).flatMap((cause) =>
    cause instanceof Error && cause.message !== error.message ? [withoutSecretForms(cause.message)] : [],
  )
