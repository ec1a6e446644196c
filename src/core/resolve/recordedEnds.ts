import { type Dates, isOver } from '../dates.ts'
import { type AskedRoles, type DesiredMapping, type Given, mayAskFor, rolesAsked } from '../desired.ts'
import type { Mapping } from '../mapping.ts'
import type { Claim } from './claims.ts'

type HeldKey = {
  readonly claims: readonly Claim[]
  readonly mapped: readonly Mapping[]
  /** Undefined for a mapping that the journal does not know, or knows otherwise. */
  readonly givenOf: (mapping: Mapping) => Given | undefined
}

/** Whether the end that the journal knows of a mapping has come. */
export const isEnded = (given: Given | undefined, dates: Dates): boolean =>
  given?.endMs !== undefined && isOver(given.endMs, dates) === 'yes'

/**
 * The delete of a held key whose recorded end has come; undefined if the key stays held. A hold keeps an access after its end only if a rule that counts now
 * asks, or may ask, for the same role. Else an edit that waits for a date, or contradicts itself, would renew what a fence lets end.
 */
export function endedWhileHeld(wanted: DesiredMapping, { claims, mapped, givenOf }: HeldKey, dates: Dates): DesiredMapping | undefined {
  if (wanted.kind !== 'unknown' || claims.length === 0 || mapped.length === 0) return undefined
  const given = mapped.map(givenOf)
  if (!given.every((one) => isEnded(one, dates))) return undefined
  const has = [...mapped, ...given].flatMap((one) => one?.role ?? [])
  if (has.some((role) => claims.some((claim) => mayAskFor(askedBy(claim), role)))) return undefined
  const { group, target, because } = wanted
  return { group, target, because, kind: 'absent', why: 'expired' }
}

const askedBy = ({ wanted, notStarted, unlessEnded }: Claim): AskedRoles =>
  notStarted === true ? [] : unlessEnded === undefined ? rolesAsked(wanted) : [unlessEnded.role]
