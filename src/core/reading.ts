/**
 * One answer from outside: a directory's groups, the service's mappings or projects.
 * Only `complete` proves that something is absent. `partial` and `failed` prove nothing by what they lack.
 */
export type Reading<T> =
  | { readonly status: 'complete'; readonly value: T; readonly atMs: number; readonly tookMs: number }
  | { readonly status: 'partial'; readonly value: T; readonly missing: string; readonly atMs: number; readonly tookMs: number }
  | { readonly status: 'failed'; readonly why: string; readonly cure?: string; readonly atMs: number; readonly tookMs: number }

/** How far a reading may shrink against the last believed one before it stops proving absence. */
export type ShrinkLimit = { readonly share: number; readonly minExisting: number }

/** What a complete reading is held against. */
export type ShrinkCheck = {
  /** Size of the last reading that was believed; undefined when there was none. */
  readonly baseline: number | undefined
  readonly limit: ShrinkLimit
  /** A directory always has groups; a workspace may have no mapping yet. */
  readonly emptyPossible: boolean
  /** Where the limit is said: `directories.corp.shrink`. */
  readonly setting: string
}

/**
 * A complete answer with nothing in it, or with far less than the last one, is demoted to partial: an account that lost its rights
 * gets "success, no entries" from 389-ds and `[]` from Keycloak (keycloak/keycloak#51268).
 */
export function checkShrink<T>(
  reading: Reading<T>,
  size: (value: T) => number,
  { baseline, limit, emptyPossible, setting }: ShrinkCheck,
): Reading<T> {
  if (reading.status !== 'complete') return reading
  const count = size(reading.value)
  const demote = (missing: string): Reading<T> => ({ ...reading, status: 'partial', missing })
  if (count === 0 && !emptyPossible) return demote('a success with nothing in it, which proves nothing; may the account read the groups?')
  if (count === 0 && (baseline ?? 0) > 0 && limit.share < 1)
    return demote(
      `a success with nothing in it, which proves nothing, ${baseline} before; if that is right, set ${setting}.share to 100% for one cycle`,
    )
  const lost = (baseline ?? 0) - count
  if (baseline === undefined || lost <= Math.max(limit.minExisting, limit.share * baseline)) return reading
  return demote(
    `${count} now, ${baseline} before: ${Math.round((lost / baseline) * 100)} % fewer; if that is right, set ${setting}.share to 100% for one cycle`,
  )
}

/** What was seen, though perhaps not all of it; undefined where nothing was. */
export const seen = <T>(reading: Reading<T> | undefined): T | undefined => (reading?.status === 'failed' ? undefined : reading?.value)

/** Why a reading does not prove what it lacks; undefined where it does. */
export function whyIncomplete(reading: Reading<unknown> | undefined): string | undefined {
  if (reading === undefined) return 'nobody read them'
  if (reading.status === 'complete') return undefined
  return reading.status === 'failed' ? reading.why : reading.missing
}

export const isComplete = <T>(reading: Reading<T>): reading is Extract<Reading<T>, { status: 'complete' }> => reading.status === 'complete'
