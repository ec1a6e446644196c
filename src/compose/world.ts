import { setTimeout as pause } from 'node:timers/promises'
import type { Finding } from '../core/finding.ts'
import { connectOrigin } from '../http/origin.ts'
import { findingLine } from '../log/findingLine.ts'
import { writeLines } from '../log/line.ts'
import { isPretty, type Logger, type LoggerOptions, openLogger } from '../log/logger.ts'
import type { Scrubber } from '../log/scrub.ts'
import { readSecret } from '../secrets/read.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { World } from './compose.ts'

export type RealWorld = World & {
  readonly log: Logger
  /** Whether a person reads the log as it comes. */
  readonly logIsPretty: boolean
  /** Takes every secret that was read out of a text. */
  readonly scrub: (text: string) => string
}

/** What the program was started in. */
type Surroundings = Pick<World, 'env' | 'version'> & {
  /** Where the log goes. */
  readonly err: (text: string) => void
  readonly isTerminal: { readonly err: boolean }
  readonly secrets: Scrubber
}

/** The real time, chance, network and environment, and the one log, through which no secret passes. */
export function worldOf(
  { path }: LoadedSettings,
  logging: Pick<LoggerOptions, 'level' | 'format' | 'color'>,
  { env, version, err, isTerminal, secrets }: Surroundings,
): RealWorld {
  const log = openLogger({
    ...logging,
    stream: { isTTY: isTerminal.err, write: err },
    scrub: secrets.scrub,
    now: Date.now,
  })
  const told = new Set<string>()
  const found = (finding: Finding): void => {
    if (told.has(finding.code + finding.place)) return
    told.add(finding.code + finding.place)
    writeLines(log, [findingLine(undefined, finding)])
  }
  return {
    env,
    version,
    log,
    logIsPretty: isPretty(logging.format, isTerminal.err),
    scrub: secrets.scrub,
    clock: { now: Date.now, sleep: (ms, signal) => pause(ms, undefined, { signal }) },
    random: Math.random,
    connect: connectOrigin,
    secret: (reference) => readSecret(reference, { env, registry: secrets, found, path }),
    secretSeen: secrets.add,
    debug: (line) => log.debug({ event: 'search' }, line),
  }
}
