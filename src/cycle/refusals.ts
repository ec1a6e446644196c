import type { Change } from '../core/change.ts'
import { rank } from '../core/diff/order.ts'
import type { Refusals } from '../core/memory/memory.ts'
import type { Outcome } from '../core/outcome.ts'
import type { RoleSettings } from '../core/roles.ts'

/**
 * The changes of a plan as they are tried: within a rank, those that the service refused come after the others, and the one whose refusal is oldest comes
 * first among them. So a few refused changes never keep the others from being tried, although equal refusals in a row end the writing.
 */
export const refusedLast = (changes: readonly Change[], refusals: Refusals, roles: RoleSettings): readonly Change[] =>
  changes.toSorted((a, b) => rank(a, roles) - rank(b, roles) || (refusals[a.id] ?? 0) - (refusals[b.id] ?? 0))

/** After so many equal refusals in a row, the rest is not tried. */
const refusalsMax = 3

/** Statuses with which Plane refuses one change. Any other refusal is about the credential, or comes from a proxy, and the next change would get it, too. */
const ofOneChange: ReadonlySet<number> = new Set([400, 404, 409, 410, 422])

/**
 * Counts equal refusals in a row. After `refusalsMax` of them no further change of their ranks is tried, so a key that may not write costs a few requests.
 * A refusal of one change stops only those that were refused before. The other ranks are tried once, since a proxy may refuse one method only.
 */
export function openRefusedInARow(roles: RoleSettings, refusals: Refusals) {
  let status: number | undefined
  let times = 0
  const ranks = new Set<number>()
  return {
    stops: (change: Change): boolean =>
      times >= refusalsMax && ranks.has(rank(change, roles)) && (!ofOneChange.has(status as number) || change.id in refusals),
    tried(change: Change, outcome: Outcome): void {
      if (outcome.kind === 'notSent') return
      const now = outcome.kind === 'refused' ? outcome.status : undefined
      if (now !== status) {
        times = 0
        ranks.clear()
      }
      status = now
      times += now === undefined ? 0 : 1
      ranks.add(rank(change, roles))
    },
  }
}
