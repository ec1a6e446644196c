import type { ParseArgsConfig } from 'node:util'
import { OperationalError } from '../core/operationalError.ts'
import type { LossyOutput } from '../log/lossyOutput.ts'
import type { Scrubber } from '../log/scrub.ts'
import type { Environment } from '../settings/load.ts'

/** 0 done or in sync · 1 failed, also in part · 2 pending, or a reason of `--fail-on` · 3 refused or needs approval · 64 usage · 78 configuration. */
export const exitCodes = { done: 0, failed: 1, pending: 2, refused: 3, usage: 64, configuration: 78 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** One command. It takes its own options and the common ones. */
export type Command = {
  readonly summary: string
  /** Positional arguments, as usage shows them. */
  readonly takes?: string
  readonly positionalsMax?: number
  readonly options: Readonly<Record<string, Option>>
  /** Command lines for the help, each with what it does. */
  readonly examples?: readonly { readonly does: string; readonly line: string }[]
  /** More text for the help, after the options. */
  readonly details?: () => string
  /** Whether SIGHUP has another meaning for this call. Usually it ends a command, like SIGTERM. */
  readonly takesHangUp?: (values: Call['values']) => boolean
  run(call: Call): Promise<ExitCode>
}

export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  readonly describe: string
  /** The placeholder of the value in the usage: `FILE`. */
  readonly value?: string
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
  readonly errLosses: Pick<LossyOutput, 'linesLost' | 'onRecovery'>
  readonly isTerminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean }
  readonly columns: number
  readonly errStream: NodeJS.WritableStream
  /** One line from the person at the terminal. Undefined if the input has ended, or if `signal` fired. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>
  /** For the journal's lock: the id of this process, and whether another process of this machine is alive. */
  readonly processes: { readonly pid: number; isAlive(pid: number): boolean }
  /** Process signals by name, for the daemon. */
  readonly signals: NodeJS.EventEmitter
}

export const commonOptions = {
  config: { type: 'string', value: 'FILE', describe: 'settings file (default: PLANE_GROUP_SYNC_CONFIG, or config/config.yaml)' },
  workspace: { type: 'string', multiple: true, value: 'NAME', describe: 'only this workspace; can be repeated' },
  'log-level': { type: 'string', value: 'LEVEL', describe: 'one of debug, info, notice, warn, error, silent' },
  'log-format': { type: 'string', value: 'FORMAT', describe: 'one of json, pretty, auto' },
  'no-color': { type: 'boolean', describe: 'no colours; the variable NO_COLOR does the same' },
  help: { type: 'boolean', short: 'h', describe: 'show this help' },
} as const satisfies Record<string, Option>

/** The command line is wrong; exit code 64. */
export class UsageError extends OperationalError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('UsageError', message, options)
  }
}

export const text = (value: Call['values'][string]): string | undefined => (typeof value === 'string' ? value : undefined)
export const texts = (value: Call['values'][string]): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** @throws {UsageError} */
export function choice<T extends string>(name: string, value: Call['values'][string], allowed: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new UsageError(`--${name} takes one of ${allowed.join(', ')}, not "${String(value)}"`)
  return found
}
