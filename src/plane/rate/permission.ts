import type { NotSent } from '../notSent.ts'
import { earliestMs } from './budget.ts'
import type { Budget } from './budgetState.ts'
import { admission, type Circuit, circuitOpen } from './circuit.ts'
import { isTooLong, type Stall, stalled } from './stall.ts'

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
