/**
 * One answer from outside: a directory's groups, the service's mappings or projects.
 * Only `complete` proves that something is absent. `partial` and `failed` prove nothing by what they lack.
 */
export type Reading<T> =
  | { readonly status: 'complete'; readonly value: T; readonly atMs: number; readonly tookMs: number }
  | { readonly status: 'partial'; readonly value: T; readonly missing: string; readonly atMs: number; readonly tookMs: number }
  | { readonly status: 'failed'; readonly why: string; readonly cure?: string; readonly atMs: number; readonly tookMs: number }

/** How far a reading may shrink against the last complete one before it stops proving absence. */
export type ShrinkLimit = { readonly share: number; readonly minExisting: number }

/**
 * A complete answer with nothing in it, or with far less than the last one, is demoted to partial: an account that lost its rights
 * gets "success, no entries" from 389-ds and `[]` from Keycloak (keycloak/keycloak#51268).
 *
 * @param baseline size of the last complete reading that was believed; undefined when there was none
 */
export function believe<T>(reading: Reading<T>, size: (value: T) => number, baseline: number | undefined, limit: ShrinkLimit): Reading<T> {
  if (reading.status !== 'complete') return reading
  const count = size(reading.value)
  const { value, atMs, tookMs } = reading
  if (count === 0) {
    return { status: 'partial', value, missing: 'the answer was a success with nothing in it, which proves nothing', atMs, tookMs }
  }
  if (baseline === undefined) return reading
  const lost = baseline - count
  if (lost <= Math.max(limit.minExisting, limit.share * baseline)) return reading
  const percent = Math.round((lost / baseline) * 100)
  return { status: 'partial', value, missing: `${count} now, ${baseline} in the last complete reading (${percent} % fewer)`, atMs, tookMs }
}

export const isComplete = <T>(reading: Reading<T>): reading is Extract<Reading<T>, { status: 'complete' }> => reading.status === 'complete'
