import { type Doubt, doubt } from './doubt.ts'
import type { Finding } from './finding.ts'
import { partOf } from './quantity.ts'

/**
 * One answer from outside: a directory's groups, the service's mappings or projects. Only `complete` proves that something is absent. An item that a
 * `partial` or `failed` reading lacks may exist.
 */
export type Reading<T> =
  | ({ readonly status: 'complete' } & Answered<T>)
  | ({ readonly status: 'partial'; readonly missing: string; readonly cure?: string } & Answered<T>)
  | { readonly status: 'failed'; readonly why: string; readonly cure?: string; readonly atMs: number; readonly tookMs: number }

type Answered<T> = { readonly value: T; readonly notes?: readonly ReadingNote[]; readonly atMs: number; readonly tookMs: number }

/** A finding about an answer. The answer is not incomplete because of it. The reader of findings adds the place: the name of what was read. */
export type ReadingNote = Omit<Finding, 'place'>

/**
 * How many items a reading may have lost since the last accepted one: `minExisting` or `share`, whichever is more. Beyond that it does not
 * prove absence.
 */
export type ShrinkLimit = { readonly share: number; readonly minExisting: number }

/** The figures that a complete reading is compared with. */
export type ShrinkCheck = {
  /** Size of the last accepted reading; undefined if there was none. */
  readonly baseline: number | undefined
  readonly limit: ShrinkLimit
  /** The setting of the limit: `directories.corp.shrink`. */
  readonly setting: string
}

/**
 * Demotes a complete reading to partial if it is empty or lost more than the limit allows. An account that lost its rights gets "success,
 * no entries" from 389-ds and `[]` from Keycloak (keycloak/keycloak#51268).
 */
export function checkShrink<T>(reading: Reading<T>, size: (value: T) => number, { baseline, limit, setting }: ShrinkCheck): Reading<T> {
  if (reading.status !== 'complete') return reading
  const count = size(reading.value)
  const demote = (missing: Doubt): Reading<T> => ({ ...reading, status: 'partial', missing })
  if (count === 0)
    return demote(
      doubt(
        'reading.empty',
        'the read succeeded but found no group, which proves nothing; check that the account may read groups, and that the place where they are looked for exists',
      ),
    )
  const lost = (baseline ?? 0) - count
  if (baseline === undefined || lost <= Math.max(limit.minExisting, partOf(limit.share, baseline))) return reading
  const fewer = `${Math.round((lost / baseline) * 100)} % fewer`
  return demote(
    doubt('reading.shrunken', `${count} now, ${baseline} before: ${fewer}; if that is right, set ${setting}.share to 100% for one cycle`),
  )
}

/** The value, perhaps not all of it; undefined if nothing was read. */
export const valueIfRead = <T>(reading: Reading<T> | undefined): T | undefined =>
  reading?.status === 'failed' ? undefined : reading?.value

/** Why a reading is incomplete; undefined if it is complete, and so proves absence. */
export function whyIncomplete(reading: Reading<unknown> | undefined): string | undefined {
  if (reading === undefined) return 'they were not read'
  if (reading.status === 'complete') return undefined
  return reading.status === 'failed' ? reading.why : reading.missing
}

export const isComplete = <T>(reading: Reading<T>): reading is Extract<Reading<T>, { status: 'complete' }> => reading.status === 'complete'

/** The notes of a reading that was answered, also in part. */
export const notesOf = (reading: Reading<unknown>): readonly ReadingNote[] => (reading.status === 'failed' ? [] : (reading.notes ?? []))
