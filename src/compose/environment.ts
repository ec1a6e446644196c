import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock, SteadyClock } from '../core/clock.ts'
import type { Finding } from '../core/finding.ts'
import type { LoggedCall } from '../core/loggedCall.ts'
import type { Scrubber } from '../core/scrub.ts'
import type { MemberPauses } from '../cycle/memberPauses.ts'
import { connectOrigin, type Origin, type OriginOptions } from '../http/origin.ts'
import { callLine, findingLine, writeLines } from '../log/line.ts'
import { isPretty, type Logger } from '../log/logger.ts'
import type { Observation } from '../plane/call.ts'
import type { ReadingsKeeper } from '../recording/readings.ts'
import { readSecret } from '../secrets/read.ts'
import type { LastValidTexts } from '../settings/declared.ts'
import type { Environment, LoadedSettings } from '../settings/load.ts'
import type { SecretReference } from '../settings/scalars.ts'
import { type Logging, openLog } from './log.ts'
import { realClock } from './realClock.ts'

/** Time, chance, network and environment: real here, and replaced in a simulation. */
export type ProgramEnvironment = {
  readonly env: Environment
  readonly clock: Clock
  readonly random: () => number
  /** The one way to the network for all that speaks HTTP; LDAP has sockets of its own. */
  readonly connect: (url: URL, options: OriginOptions) => Origin
  /** The value behind a reference, read anew each time. */
  readonly secret: (reference: SecretReference) => Promise<string>
  /** Adds a secret that came from elsewhere, such as a token, so that the log hides it. */
  readonly secretSeen: (secret: string) => void
  readonly debug: (line: string) => void
  readonly observe?: (observed: Observation) => void
  /** Logs one request to Plane, to a directory or to a token endpoint; absent if the log does not show them. */
  readonly logCall?: (call: LoggedCall) => void
  /** Keeps what the program reads, for a recording. Absent: nothing is kept. */
  readonly keeper?: ReadingsKeeper
  /** The last valid texts of the declaration. Absent if the process is no daemon: then none stands in for an invalid one. */
  readonly texts?: LastValidTexts
  /** Groups whose members were not read lately. Absent if the process is no daemon: then a person asks, and all are asked for. */
  readonly memberPauses?: MemberPauses
  readonly version: string
}

export type RealEnvironment = ProgramEnvironment & {
  readonly log: Logger
  readonly cycle: CycleId
  /** Whether the log is formatted for a person at a terminal. */
  readonly logIsPretty: boolean
  /** The same clock. Its sleeps do not keep the process running. */
  readonly ticker: SteadyClock
  /** Hides every secret that was read so far in a text. */
  readonly scrub: (text: string) => string
}

/** How the program was started. */
type ProcessContext = Pick<ProgramEnvironment, 'env' | 'version'> & {
  /** Where the log goes. */
  readonly err: (text: string) => void
  readonly isTerminal: { readonly err: boolean }
  readonly secrets: Scrubber
}

/** The real time, chance, network and environment, and the one log, through which no secret passes. */
export function openEnvironment(
  { path }: LoadedSettings,
  logging: Logging,
  { env, version, err, isTerminal, secrets }: ProcessContext,
): RealEnvironment {
  const cycle = openCycleId()
  const log = openLog(logging, { err, isTerminal, secrets, fields: cycle.fields })
  const told = new Set<string>()
  const noteFinding = (finding: Finding): void => {
    if (told.has(finding.code + finding.place)) return
    told.add(finding.code + finding.place)
    writeLines(log, [findingLine(undefined, finding)])
  }
  return {
    env,
    version,
    log,
    cycle,
    logIsPretty: isPretty(logging.format, isTerminal.err),
    scrub: secrets.scrub,
    clock: realClock,
    ticker: { now: realClock.now, sleep: (ms, signal) => pause(ms, undefined, { signal, ref: false }) },
    random: Math.random,
    connect: connectOrigin,
    secret: (reference) => readSecret(reference, { env, registry: secrets, noteFinding, path }),
    secretSeen: secrets.add,
    debug: (line) => log.debug({ event: 'search' }, line),
    ...(log.isLevelEnabled('debug') ? { logCall: (call: LoggedCall) => writeLines(log, [callLine(call)]) } : {}),
  }
}

/** The id of the cycle that runs now. Every line of the log that is written meanwhile has it, so that one search shows a whole cycle. */
export type CycleId = {
  begin(): void
  end(): void
  /** For a line of the log; empty between two cycles. */
  fields(): { readonly cycle?: string }
}

function openCycleId(): CycleId {
  let fields: { readonly cycle?: string } = {}
  return {
    begin: () => {
      fields = { cycle: randomUUID().slice(0, 8) }
    },
    end: () => {
      fields = {}
    },
    fields: () => fields,
  }
}
