import { counted } from '../../core/quantity.ts'
import { NotSent } from '../errors.ts'
import type { Failure } from '../transient.ts'

/**
 * A circuit breaker for each credential. After several transient failures in a row, over some time, the circuit opens: calls fail at once,
 * unsent. After a pause one request is sent as a probe. An answer closes the circuit, a failure opens it again for longer.
 *
 * ```text
 *          failures in a row                the pause is over
 *   closed ─────────────────────► open ─────────────────────► probing
 *     ▲                            ▲                            │  │
 *     │                            └────── it failed ───────────┘  │
 *     └──────────────────────────────── it was answered ───────────┘
 * ```
 * Pure functions over plain state; times are epoch ms.
 */
export type Circuit =
  | { readonly kind: 'closed'; readonly row?: Row }
  | { readonly kind: 'open'; readonly row: Row; readonly pauses: number; readonly probeAtMs: number }
  | { readonly kind: 'probing'; readonly row: Row; readonly pauses: number }

/** Transient failures with no answer between them. */
type Row = { readonly failures: number; readonly sinceMs: number; readonly last: Failure }

export type CircuitSettings = {
  readonly failuresMin: number
  /**
   * The circuit opens only if at least this time lies between the first and the last failure in the row. A worker that is recycled does not
   * answer for three seconds (measured).
   */
  readonly lastingMs: number
  /** Maximum of the first pause. The maximum doubles with each further pause, up to `pauseMaxMs`. */
  readonly pauseMs: number
  readonly pauseMaxMs: number
}

export const usualCircuit: CircuitSettings = { failuresMin: 5, lastingMs: 10_000, pauseMs: 10_000, pauseMaxMs: 300_000 }

/** Least pause, because full jitter can be almost 0. */
const pauseMinMs = 1_000

export const closed: Circuit = { kind: 'closed' }

/** `wait`: a probe is in flight, and its answer decides. */
type Admission = 'send' | 'probe' | 'wait' | 'refuse'

export function admission(circuit: Circuit, now: number): Admission {
  switch (circuit.kind) {
    case 'closed':
      return 'send'
    case 'open':
      return now >= circuit.probeAtMs ? 'probe' : 'refuse'
    case 'probing':
      return 'wait'
    default:
      return circuit satisfies never
  }
}

/** The circuit after a person asked for a try now: the next request is the probe. */
export const probedNow = (circuit: Circuit, now: number): Circuit => (circuit.kind === 'open' ? { ...circuit, probeAtMs: now } : circuit)

/** The circuit after the probe was sent. */
export const probing = (circuit: Circuit): Circuit =>
  circuit.kind === 'open' ? { kind: 'probing', row: circuit.row, pauses: circuit.pauses } : circuit

/** The circuit after a probe without a result, for example because it was not sent. The next request is the probe. */
export const unprobed = (circuit: Circuit, now: number): Circuit =>
  circuit.kind === 'probing' ? { kind: 'open', row: circuit.row, pauses: circuit.pauses, probeAtMs: now } : circuit

/**
 * The circuit after a transient failure.
 *
 * @param random 0 ≤ x < 1
 */
export function failed(circuit: Circuit, last: Failure, settings: CircuitSettings, random: number, now: number): Circuit {
  const row = { failures: (circuit.row?.failures ?? 0) + 1, sinceMs: circuit.row?.sinceMs ?? now, last }
  switch (circuit.kind) {
    case 'closed':
      return row.failures < settings.failuresMin || now - row.sinceMs < settings.lastingMs
        ? { kind: 'closed', row }
        : { kind: 'open', row, pauses: 1, probeAtMs: now + pause(1, settings, random) }
    // The request was in flight when the circuit opened.
    case 'open':
      return { ...circuit, row }
    case 'probing': {
      const pauses = circuit.pauses + 1
      return { kind: 'open', row, pauses, probeAtMs: now + pause(pauses, settings, random) }
    }
    default:
      return circuit satisfies never
  }
}

const pause = (pauses: number, { pauseMs, pauseMaxMs }: CircuitSettings, random: number): number =>
  Math.max(pauseMinMs, Math.floor(random * Math.min(pauseMaxMs, pauseMs * 2 ** (pauses - 1))))

/** The state of a circuit, for metrics and people. */
export type CircuitView = { readonly open: boolean; readonly failures: number; readonly sinceMs?: number; readonly probeAtMs?: number }

export const circuitView = (circuit: Circuit): CircuitView => ({
  open: circuit.kind !== 'closed',
  failures: circuit.row?.failures ?? 0,
  ...(circuit.row === undefined ? {} : { sinceMs: circuit.row.sinceMs }),
  ...(circuit.kind === 'open' ? { probeAtMs: circuit.probeAtMs } : {}),
})

/** The error for a request that is not sent because the circuit is open. */
export function circuitOpen({ failures, sinceMs, last }: Row, probeAtMs: number): NotSent {
  const row = `${counted(failures, 'request')} in a row failed since ${time(sinceMs)}, the last: ${last.sentence}`
  return new NotSent('circuit', `not sent: ${row}; the service is asked again from ${time(probeAtMs)} on`, {
    untilMs: probeAtMs,
    cure: last.cure === undefined ? closes : `${last.cure}; ${closes}`,
  })
}

const closes = 'the circuit closes with the first answer'

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
