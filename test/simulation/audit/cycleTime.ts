import { windowMs } from '../given.ts'
import type { Spec } from '../spec.ts'

const hoursMax = 2

/**
 * A sentence if a cycle took too long. The rate limit decides how long its requests take at least: with a limit of 2 a minute and a reserve, one request
 * a minute. A cycle may take this time, and two hours more for all other waits.
 */
export function tooLong(
  { tookMs, requests }: { readonly tookMs: number; readonly requests: number },
  { settingsLimit, serviceLimit, reserve }: Pick<Spec, 'settingsLimit' | 'serviceLimit' | 'reserve'>,
): string | undefined {
  const limit = Math.min(settingsLimit, serviceLimit)
  const allowed = Math.max(1, limit - Math.ceil((limit * Number.parseInt(reserve, 10)) / 100))
  const mostMs = hoursMax * 3_600_000 + (requests / allowed) * windowMs
  return tookMs > mostMs ? `a cycle of ${minutes(tookMs)} minutes with ${requests} requests, of at most ${minutes(mostMs)}` : undefined
}

const minutes = (ms: number): number => Math.round(ms / 60_000)
