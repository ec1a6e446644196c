import type { Chance } from './chance.ts'
import { lagMaxMs } from './given.ts'
import type { Fate, Spec, Trap } from './spec.ts'

/** Which rules are edited twice in quick succession, while the writes of the first edit may be under way. */
export type Haste = 'rename' | 'role' | undefined
/** With `haste` a change is executed after the next cycle has begun. Of a role change only the first sending is late; its repetition is answered. */
export function patchFateOf(luck: Chance, haste: Haste, deltaMs: number): Spec['patchFate'] {
  const late = (fromMs: number): Fate => ({ is: 'late', afterMs: luck.between(fromMs, latestMs(deltaMs)) })
  if (haste !== undefined) return { of: haste, once: haste === 'role', fate: late(Math.floor(latestMs(deltaMs) * 0.8)) }
  return luck.is(0.1) ? { of: 'rename', once: false, fate: late(1) } : undefined
}

export function trapsOf(luck: Chance, deltaMs: number): Trap[] {
  return Array.from({ length: luck.is(0.3) ? luck.between(1, 2) : 0 }, () => ({
    write: luck.between(1, 10),
    how: luck.one(['kill', 'kill', 'power', 'stop'] as const),
    afterMs: luck.between(0, 120),
    againAfterMs: luck.one([0, luck.between(0, 5_000), luck.between(0, 100_000)]),
    ...(luck.is(0.5) ? { againSkewMs: luck.between(-600_000, 600_000) } : {}),
    fate: luck.is(0.7) ? { is: 'late', afterMs: luck.between(1, latestMs(deltaMs)) } : undefined,
  }))
}

/**
 * The longest delay of an execution after the last byte of a request. It leaves room in Δ for the way to the service, and for the time until lists
 * show the result.
 */
export const latestMs = (deltaMs: number): number => Math.floor(deltaMs * 0.97) - lagMaxMs

export function fatesOf(luck: Chance, wild: number, deltaMs: number): Spec['fates'] {
  const fates: { request: number; fate: Fate }[] = []
  if (wild === 0) return fates
  for (let request = 1; request <= 250; request++) if (luck.is(wild)) fates.push({ request, fate: fateOf(luck, deltaMs) })
  return fates
}

/** The only faults are single refused calls, so the cost of such a refusal can be measured. */
export const refusals = (luck: Chance): Spec['fates'] =>
  Array.from({ length: luck.between(1, 4) }, () => ({
    request: luck.between(1, 80),
    fate: { is: 'throttled', retryAfterS: luck.one([1, 5]) },
  }))

function fateOf(luck: Chance, deltaMs: number): Fate {
  return luck.one<() => Fate>([
    () => ({ is: 'unreachable' }),
    () => ({ is: 'lostRequest' }),
    () => ({ is: 'lostAnswer' }),
    () => ({ is: 'lostAnswer' }),
    () => ({ is: 'hang' }),
    () => ({ is: 'late', afterMs: luck.between(1, latestMs(deltaMs)) }),
    () => ({ is: 'late', afterMs: luck.between(1, 5_000) }),
    () => ({ is: 'slow', beforeMs: luck.between(0, 50_000), afterMs: luck.between(0, 20_000) }),
    () => ({ is: 'throttled', retryAfterS: luck.one([undefined, 1, 5, 60, 90]) }),
    () => ({ is: 'status', status: luck.one([500, 502, 503, 504]), committed: luck.is(0.5) }),
    () => ({ is: 'status', status: 503, committed: false, retryAfterS: luck.one([5, 60]) }),
    () => ({ is: 'status', status: 504, committed: false, laterMs: luck.between(1, latestMs(deltaMs)) }),
    () => ({ is: 'status', status: luck.one([400, 401, 403, 404, 409]), committed: false }),
    () => ({ is: 'html' }),
    () => ({ is: 'truncated' }),
    () => ({ is: 'stale', lagMs: luck.between(1, lagMaxMs) }),
    () => ({ is: 'stale', lagMs: luck.between(1, lagMaxMs) }),
    () => ({ is: 'driftGrow' }),
    () => ({ is: 'driftShrink' }),
  ])()
}
