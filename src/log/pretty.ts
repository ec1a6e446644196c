import { prettyFactory } from 'pino-pretty'
import { visible } from '../core/safeName.ts'

/** Lines of JSON as a person at a terminal reads them. What their message says already is left out. */
export function prettyLine(color: boolean): (line: string) => string {
  const print = prettyFactory({
    colorize: color,
    customLevels: 'debug:20,info:30,change:35,warn:40,error:50,fatal:60',
    customColors: 'debug:gray,info:blue,change:green,warn:yellow,error:red,fatal:bgRed',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    errorLikeObjectKeys: ['err', 'error'],
  })
  return (line) => {
    try {
      return print(said(JSON.parse(line, safe)))
    } catch {
      // A secret that looked like JSON was taken out of it.
      return `${visible(line.trimEnd())}\n`
    }
  }
}

/** Names from outside must not move the cursor, nor forge a line: what a message or a stack goes on with is indented. */
function safe(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (key === 'stack') return value.split('\n').map(visible).join('\n')
  return key === 'msg' ? value.trimEnd().split('\n').map(visible).join('\n    ') : visible(value)
}

/** A line with an `event` was worded whole; its fields are for machines. An error is not in the words, except of a failure. */
function said(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('event' in record)) return record
  const { level, time, msg, err } = record as Readonly<Record<string, unknown>>
  return err === undefined || record.event === 'failure' ? { level, time, msg } : { level, time, msg, err }
}
