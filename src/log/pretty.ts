import { styleText } from 'node:util'
import { visible } from '../core/safeName.ts'
import type { LogLevel } from './levels.ts'

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
export function prettyLine(color: boolean): (line: string) => string {
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
  const colour = Object.entries(colours).find(([one]) => one === name)?.[1]
  // The message of a line with an `event` is complete without the fields. That of a `failure` contains the error, too.
  const rest = event !== undefined || Object.keys(fields).length === 0 ? '' : JSON.stringify(fields)
  const failed = event === 'failure' ? undefined : (err ?? (event === undefined ? error : undefined))
  const label = colour === undefined ? name.toUpperCase() : paint(colour, name.toUpperCase())
  const said = [paint('cyan', typeof msg === 'string' ? msg : ''), paint('gray', rest)].filter((part) => part !== '').join(' ')
  return `[${new Date(String(time)).toTimeString().slice(0, 8)}] ${label}: ${said}\n${errorLines(failed)}`
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
