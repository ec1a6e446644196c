import { prettyFactory } from 'pino-pretty'
import { visible } from '../core/safeName.ts'

/** Formats a JSON line of the log for a person at a terminal. A line of the level `notice` is a change, and is called so. Fields that its message already contains are left out. */
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
      return print(withoutMachineFields(JSON.parse(line, forPeople)))
    } catch {
      // The line is no JSON any more, because the removed secret looked like a part of its syntax.
      return `${visible(line.trimEnd())}\n`
    }
  }
}

/** Names from outside must not move the cursor or look like a line of their own, so further lines of a message are indented. */
function forPeople(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (key === 'level' && value === 'notice') return 'change'
  if (key === 'stack') return value.split('\n').map(visible).join('\n')
  return key === 'msg' ? value.trimEnd().split('\n').map(visible).join('\n    ') : visible(value)
}

/**
 * Without the fields if the line has an `event`, because its message is complete. The field `err` is kept, because the message does not contain the
 * error. A line with the event `failure` loses `err`, too, because its message contains the error.
 */
function withoutMachineFields(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('event' in record)) return record
  const { level, time, msg, err } = record as Readonly<Record<string, unknown>>
  return err === undefined || record.event === 'failure' ? { level, time, msg } : { level, time, msg, err }
}
