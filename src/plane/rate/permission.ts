import { explanation } from '../answerBody.ts'
import { NotSent, throttledCure } from '../errors.ts'
import type { SendResult } from '../transient.ts'
import { type Budget, type BudgetSettings, earliestMs } from './budget.ts'
import { admission, type Circuit, circuitOpen } from './circuit.ts'

/** The facts about the service that are known for one credential. */
export type CredentialState = {
  readonly budget: Budget
  readonly circuit: Circuit
  readonly stall: Stall | undefined
  /** Refusals of the credential since the last success. */
  readonly refusals: readonly NotSent[]
}

/** Whether the next request may be sent now; if not, why, and until when. */
type Permission =
  /** `isProbe`: the circuit is open, and this one request tests whether the service answers again. */
  | { readonly kind: 'send'; readonly isProbe: boolean }
  /** `untilMs`, epoch ms: infinite if only an answer to a request in flight can tell. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Waiting would take too long: each waiting request fails with `error`, unsent. */
  | { readonly kind: 'refuse'; readonly error: NotSent }

/**
 * Whether the next request of a credential may be sent now. The first row that applies decides.
 *
 * | state | answer |
 * |---|---|
 * | the service refused the credential twice, with no success between them | refuse |
 * | the circuit is open | refuse until its pause is over, then one probe; other requests wait for the answer to the probe |
 * | for too long every answer has asked to wait | refuse |
 * | the budget has no room | wait until it has |
 * | any other | send |
 */
export function permissionOf({ budget, circuit, stall, refusals }: CredentialState, now: number): Permission {
  const [, refusal] = refusals
  if (refusal !== undefined) return { kind: 'refuse', error: refusal }
  const admitted = admission(circuit, now)
  if (admitted === 'refuse' && circuit.kind === 'open') return { kind: 'refuse', error: circuitOpen(circuit.row, circuit.probeAtMs) }
  if (admitted === 'wait') return { kind: 'wait', untilMs: Number.POSITIVE_INFINITY }
  if (isTooLong(stall, budget.settings, now)) return { kind: 'refuse', error: stalled(stall) }
  const untilMs = earliestMs(budget, now)
  return untilMs > now ? { kind: 'wait', untilMs } : { kind: 'send', isProbe: admitted === 'probe' }
}

/**
 * The time for which every answer to a credential has asked to wait. Normally a call waits for at most a few windows before it is sent.
 * With a key that always gets a 429 each call would wait for the next 429, and a cycle would last for hours. So if the time is too long,
 * calls fail at once, unsent, until `untilMs`, the time that the service named.
 *
 * Pure functions over plain state; times are epoch ms.
 */
export type Stall = { readonly sinceMs: number; readonly untilMs: number; readonly asker: Asker | undefined }

/** The answer that asked for the longest wait. `text`: the service's words in it, without secrets; empty for a success. */
export type Asker = { readonly status: number; readonly text: string }

/** The answer to a request, which may have asked to wait; undefined without one. The body of a success has no words about the wait. */
export const askerOf = (tried: SendResult, secrets: () => readonly string[]): Asker | undefined => {
  if (!('answer' in tried)) return undefined
  const { status } = tried.answer
  return { status, text: status < 400 ? '' : explanation(tried.answer, secrets()) }
}

const lastingMs = 300_000

/**
 * The stall after an answer, or after a request without one.
 *
 * @param asker the answer; undefined without one. It is only called if the answer asked for the wait
 * @param blockedUntilMs the `blockedUntilMs` of the budget after this answer
 */
export function stallAfter(
  before: Stall | undefined,
  asker: () => Asker | undefined,
  blockedUntilMs: number,
  { windowMs }: BudgetSettings,
  now: number,
): Stall | undefined {
  if (blockedUntilMs <= now) return undefined
  // Of the answers to requests that were in flight at the same time, some do not change the wait.
  if (before?.untilMs === blockedUntilMs) return before
  // A wait that ended more than a window ago was another stall.
  const goesOn = before !== undefined && now < before.untilMs + windowMs
  return { sinceMs: goesOn ? before.sinceMs : now, untilMs: blockedUntilMs, asker: asker() }
}

/** Whether the stall is longer than a limit can explain: five minutes, or a window if that is longer. */
export const isTooLong = (stall: Stall | undefined, { windowMs }: BudgetSettings, now: number): stall is Stall =>
  stall !== undefined && now < stall.untilMs && stall.untilMs - stall.sinceMs >= Math.max(lastingMs, windowMs)

/** A wait that the service asked for. `text` is that of the `Asker`. */
type AskedWait = Pick<Stall, 'sinceMs' | 'untilMs'> & { readonly status: number | undefined; readonly text: string; readonly cure: string }

/** The wait that the service asked for; undefined if it is over. */
export const askedWait = (stall: Stall | undefined, now: number): AskedWait | undefined =>
  stall === undefined || now >= stall.untilMs
    ? undefined
    : { sinceMs: stall.sinceMs, untilMs: stall.untilMs, status: stall.asker?.status, text: stall.asker?.text ?? '', cure: cureOf(stall) }

const cureOf = ({ asker }: Stall): string => (asker?.status === 503 ? unavailableCure : throttledCure)

/** The error for a request that is not sent because of a stall. Its status is that of the answer that asked to wait. */
export function stalled(stall: Stall): NotSent {
  const { sinceMs, untilMs, asker } = stall
  const since = `since ${time(sinceMs)} every answer to this credential has asked to wait${askerText(asker)}`
  const again = `the service is asked again from ${time(untilMs)} on`
  return new NotSent('throttled', `not sent: ${since}; ${again}`, { untilMs, status: asker?.status, cure: cureOf(stall) })
}

function askerText(asker: Asker | undefined): string {
  if (asker === undefined) return ''
  const { status, text } = asker
  const quota = status === 429 || status === 503 ? '' : ', whose headers say that a quota is spent'
  return `, the last one with ${status}${text === '' ? '' : ` (${text})`}${quota}`
}

const unavailableCure =
  'the service says that it is not available now, for example because of maintenance: run this again after that time; the daemon does so by itself'

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
