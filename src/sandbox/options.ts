import { type DialectName, dialectNames } from './dialect.ts'
import { loadState, type NamedText } from './load.ts'
import { SandboxError } from './sandboxError.ts'
import type { SandboxOptions } from './server.ts'
import {
  type Limiter,
  limiters,
  type Published,
  publications,
  type RateFields,
  rateFieldNames,
  readDuration,
  readLimit,
} from './throttle.ts'

/** The options of the command line, as texts. */
type SandboxTexts = {
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly dialect?: string | undefined
  /** `60/minute` */
  readonly limit?: string | undefined
  readonly limiter?: string | undefined
  readonly published?: string | undefined
  readonly rateHeaders?: string | undefined
  /** `2s` */
  readonly idle?: string | undefined
  readonly seed?: string | undefined
  readonly state?: NamedText | undefined
  readonly faults?: readonly string[] | undefined
}

/** The options of `startSandbox` from their text forms. @throws {SandboxError} with the option and its possible values */
export function sandboxOptions(texts: SandboxTexts): SandboxOptions {
  const { host, port, dialect, limit, limiter, published, rateHeaders, idle, seed, state, faults } = texts
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port: readNumber('port', port, 65_535) }),
    ...(dialect !== undefined && { dialect: oneOf<DialectName>('dialect', dialect, dialectNames) }),
    ...(limit !== undefined && { limit: readLimit(limit) }),
    ...(limiter !== undefined && { limiter: oneOf<Limiter>('limiter', limiter, limiters) }),
    ...(published !== undefined && { published: oneOf<Published>('published', published, publications) }),
    ...(rateHeaders !== undefined && { rateFields: oneOf<RateFields>('rate-headers', rateHeaders, rateFieldNames) }),
    ...(idle !== undefined && { idleConnectionMs: readIdle(idle) }),
    ...(seed !== undefined && { seed: readNumber('seed', seed, 2 ** 32 - 1) }),
    ...(state !== undefined && { state: loadState(state) }),
    ...(faults !== undefined && { faults }),
  }
}

function readNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new SandboxError(`--${option} "${text}" is not a whole number from 0 to ${max}`)
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((candidate) => candidate === text)
  if (name !== undefined) return name
  throw new SandboxError(`--${option} "${text}" is none of ${names.join(', ')}`)
}

function readIdle(text: string): number {
  const ms = readDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw new SandboxError(`--idle "${text}" cannot be read: write a duration, as 2s or 500ms`)
}
