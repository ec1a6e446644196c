import { setTimeout as pause } from 'node:timers/promises'
import { type Call, choice, type Terminal } from './commands/command.ts'
import type { World } from './compose.ts'
import { type Logger, logLevels, openLogger } from './log/logger.ts'
import { openScrubber } from './log/scrub.ts'
import { readSecret } from './secrets.ts'
import type { LoadedSettings } from './settings/load.ts'

export type RealWorld = World & {
  readonly log: Logger
  /** Takes every secret that was read out of a text. */
  readonly scrub: (text: string) => string
}

/** The real time, chance and environment, and the one log, through which no secret passes. */
export function worldOf({ path, settings }: LoadedSettings, values: Call['values'], terminal: Terminal): RealWorld {
  const { env, version } = terminal
  const scrubber = openScrubber()
  const log = openLogger({
    level: choice('log-level', values['log-level'], logLevels, settings.log.level),
    format: choice('log-format', values['log-format'], ['auto', 'json', 'pretty'], settings.log.format),
    color: terminal.isTerminal.err && values['no-color'] !== true && (env.NO_COLOR ?? '') === '',
    stream: { isTTY: terminal.isTerminal.err, write: terminal.err },
    scrub: scrubber.scrub,
    now: Date.now,
  })
  const told = new Set<string>()
  const found = (finding: { readonly place: string; readonly sentence: string; readonly cure?: string; readonly code: string }): void => {
    if (told.has(finding.code + finding.place)) return
    told.add(finding.code + finding.place)
    log.warn({ code: finding.code, place: finding.place }, `${finding.sentence}${finding.cure === undefined ? '' : `: ${finding.cure}`}`)
  }
  return {
    env,
    version,
    log,
    scrub: scrubber.scrub,
    clock: { now: Date.now, sleep: (ms, signal) => pause(ms, undefined, { signal }) },
    random: Math.random,
    secret: (reference) => readSecret('file' in reference ? { file: path(reference.file) } : reference, { env, registry: scrubber, found }),
    debug: (line) => log.debug(line),
  }
}
