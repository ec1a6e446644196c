import type { Readable } from 'node:stream'
import { OperationalError } from '../core/operationalError.ts'
import type { Scrubber } from '../core/scrub.ts'
import type { LiveLine } from '../log/liveLine.ts'
import type { LossyOutput } from '../log/lossyOutput.ts'
import type { Environment } from '../settings/load.ts'
import { exitCodes } from './description.ts'

export { exitCodes }
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The work of one command. Its description is in `descriptions/`. */
export type Command = {
  /** Whether SIGHUP has another meaning for this call. Usually it ends a command, like SIGTERM. */
  readonly takesHangUp?: (values: Call['values']) => boolean
  run(call: Call): Promise<ExitCode>
}

/** The parts of the process that a command gets. No file in `commands` uses `process` itself. */
export type Call = {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  readonly positionals: readonly string[]
  readonly terminal: Terminal
  /** Fires at SIGINT, SIGTERM or (see `takesHangUp`) SIGHUP. The write in flight is finished, and no other begins. */
  readonly signal: AbortSignal
}

export type Terminal = {
  /** Has every secret that was read. All text for the streams or a file passes through it. */
  readonly secrets: Scrubber
  readonly env: Environment
  readonly version: string
  /** Version of Node. */
  readonly node: string
  /** Writes the result of a command. */
  out(text: string): void
  /** Writes logs, progress and errors. Lines that cannot be written are dropped. */
  err(text: string): void
  /** The line that standard error draws again and again; undefined if it cannot. Text of `out` and `err` is written above it. */
  readonly liveLine: LiveLine | undefined
  readonly errLosses: Pick<LossyOutput, 'linesLost' | 'onRecovery'>
  readonly isTerminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean }
  readonly columns: number
  readonly errStream: NodeJS.WritableStream
  inStream(): Readable
  /** One line from the person at the terminal. Undefined if the input has ended, or if `signal` fired. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** For the journal's lock: the id of this process, and whether another process of this machine is alive. */
  readonly processes: { readonly pid: number; isAlive(pid: number): boolean }
  /** Process signals by name, for the daemon. */
  readonly signals: NodeJS.EventEmitter
}

/** The command line is wrong; exit code 64. Without a cure of its own, the report points to the help of the command. */
export class UsageError extends OperationalError {
  constructor(message: string, options: { readonly cure?: string; readonly cause?: unknown } = {}) {
    super('UsageError', message, options)
  }
}

export const text = (value: Call['values'][string]): string | undefined => (typeof value === 'string' ? value : undefined)
export const texts = (value: Call['values'][string]): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** @throws {UsageError} */
export function choice<T extends string>(name: string, value: Call['values'][string], allowed: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise
  const allowedValue = allowed.find((candidate) => candidate === value)
  if (allowedValue === undefined) throw new UsageError(`--${name} takes one of ${allowed.join(', ')}, not "${String(value)}"`)
  return allowedValue
}
