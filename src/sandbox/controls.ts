import { type Chance, chanceFrom } from './chance.ts'
import { type ArmedRule, arm, type FaultCount, whyNever } from './fault.ts'
import { readFault } from './fault-forms.ts'
import { SandboxError } from './problem.ts'
import { clear, type LoggedRequest, openRequestLog, type RequestLog } from './request-log.ts'
import { operations } from './routes.ts'
import type { State } from './state.ts'
import type { StateInput } from './state-input.ts'
import { newState } from './state-new.ts'
import type { Limit } from './throttle.ts'

/** Everything that a test may look at and change while the sandbox runs: in its own process, or through `/_sandbox/`. */
export type Controls = {
  /** The live state: the next request sees a change of it. */
  readonly state: State
  /** The last requests, oldest first; the oldest are forgotten when they are too many or too long. */
  readonly requests: readonly LoggedRequest[]
  /** How many requests are forgotten. */
  readonly forgotten: () => number
  /** The faults, and how often each of them struck. */
  readonly faults: readonly FaultCount[]
  /** Replaces all faults. Counts begin at zero. @throws {SandboxError} if one cannot be read, or can never strike; no fault is replaced then */
  readonly setFaults: (texts: readonly string[]) => void
  /** Adds faults after those that are there. @throws {SandboxError} like `setFaults` */
  readonly addFaults: (texts: readonly string[]) => void
  /** Replaces the state. @throws {SandboxError} with every problem; nothing is replaced then */
  readonly setState: (input: StateInput) => void
  readonly forgetRequests: () => void
  /** State, faults, requests, limiter and random numbers as after the start. */
  readonly reset: () => void
}

/** How the sandbox begins. */
type Beginning = {
  readonly state?: StateInput | undefined
  readonly limit?: Limit | undefined
  readonly faults?: readonly string[] | undefined
  readonly seed: number
}

type Opened = {
  readonly controls: Controls
  readonly chance: Chance
  readonly luck: Chance
  readonly log: RequestLog
  readonly faults: readonly ArmedRule[]
}

/**
 * @param onReset is called when the other parts are to begin anew, too
 * @throws {SandboxError} if the state or a fault cannot be read
 */
export function openControls(beginning: Beginning, now: () => number, onReset: () => void): Opened {
  const { limit, faults: texts = [], seed } = beginning
  const chance = chanceFrom(seed)
  const luck = chanceFrom(seed + 1)
  const log = openRequestLog()
  const first = () => withLimit(newState(beginning.state ?? {}, chance, now()), limit)
  const state = first()
  const faults = [...armFaults(texts, [], state)]
  const addFaults = (more: readonly string[]) => {
    for (const fault of armFaults(more, faults, state)) faults.push(fault)
  }
  const setFaults = (next: readonly string[]) => {
    const armed = armFaults(next, [], state)
    faults.length = 0
    for (const fault of armed) faults.push(fault)
  }
  return {
    ...{ chance, luck, log, faults },
    controls: {
      ...{ state, faults, setFaults, addFaults },
      requests: log.entries,
      forgotten: () => log.forgotten,
      setState: (input) =>
        void Object.assign(state, withLimit(newState(input, chance, now()), input.limit === undefined ? limit : undefined)),
      forgetRequests: () => clear(log),
      reset() {
        chance.rewind()
        luck.rewind()
        Object.assign(state, first())
        setFaults(texts)
        clear(log)
        onReset()
      },
    },
  }
}

const withLimit = (state: State, limit: Limit | undefined): State => (limit === undefined ? state : { ...state, limit: { ...limit } })

const faultsMax = 1_000

/**
 * Faults from their texts, with counts of zero.
 *
 * @param before the faults that stay before them
 * @throws {SandboxError} if one cannot be read, or can never strike
 */
export function armFaults(texts: readonly string[], before: readonly ArmedRule[], state: State): readonly ArmedRule[] {
  if (before.length + texts.length > faultsMax) throw new SandboxError(`there can be at most ${faultsMax} faults`)
  const slugs = Object.keys(state.workspaces)
  const armed = [...before]
  for (const text of texts) {
    const rule = readFault(text)
    const earlier = armed.map((one) => one.rule)
    const why = whyNever(rule, earlier, operations, slugs)
    if (why !== undefined) throw new SandboxError(`fault "${text}" can never strike: ${why}`)
    armed.push(arm(rule, text.trim()))
  }
  return armed.slice(before.length)
}
