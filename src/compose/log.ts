import type { Scrubber } from '../core/scrub.ts'
import { type Logger, type LoggerOptions, openLogger } from '../log/logger.ts'

/** How the log looks, and from which level on a line is written. */
export type Logging = Pick<LoggerOptions, 'level' | 'format' | 'color'>

type LogOutput = {
  /** Where the log goes. */
  readonly err: (text: string) => void
  readonly isTerminal: { readonly err: boolean }
  readonly secrets: Scrubber
  /** Called for each line; the line gets these fields too. */
  readonly fields?: () => object
}

/** The one log of a process, through which no secret passes. */
export function openLog(logging: Logging, { err, isTerminal, secrets, ...more }: LogOutput): Logger {
  const { fields } = more
  const options = { ...logging, stream: { isTTY: isTerminal.err, write: err }, scrub: secrets.scrub, now: Date.now }
  return openLogger(fields === undefined ? options : { ...options, fields })
}
