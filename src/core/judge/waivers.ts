import { type Change, type ChangeId, waiverDigits } from '../change.ts'
import type { ApprovalWhy } from '../hold.ts'
import type { Plan } from '../plan.ts'
import type { GuardName } from './limits.ts'

/** The approval of a person: named changes may pass the guards until a time. */
export type Waiver = {
  /**
   * Ids of changes, or the first digits (`waiverDigits`) of a plan's fingerprint. These changes pass every guard but the limits on people: these need
   * the id of the change with a number of people, `ID:160`.
   */
  readonly ids: readonly string[]
  /**
   * Guard → the changes that passed this guard by the waiver, in the plan that the waiver names. These changes may pass the guard again
   * when the plan has a new fingerprint.
   */
  readonly rememberedScope?: WaiverScope
  readonly by: string
  readonly untilMs: number
  readonly source: string
}
type WaiverScope = ReadonlyMap<Guard, ReadonlySet<ChangeId>>

/**
 * A guard that lets changes pass if a waiver allows it: a plan guard, the flood of creates, the limits on people, or a change guard. A change guard is named by its reason
 * (`ApprovalWhy`).
 */
export type Guard = GuardName | 'creates' | 'people' | ApprovalWhy

/** The waivers that name at least one of `ids`. Names that are not in `ids` are left out of these waivers. */
export const waiversNaming = (ids: readonly string[], waivers: readonly Waiver[]): readonly Waiver[] =>
  waivers.flatMap((waiver) => {
    const named = waiver.ids.filter((id) => ids.includes(id))
    return named.length === 0 ? [] : [{ ...waiver, ids: named }]
  })

/**
 * The waiver with only those of its ids that were used. After the first write the plan has a new fingerprint; the waiver keeps covering what is left of
 * the old plan.
 */
export function withScope(waiver: Waiver, uses: WaiverScope, plan: Plan): Waiver {
  if (waiver.rememberedScope !== undefined) return waiver
  const used = new Set<string>([...uses.values()].flatMap((changes) => [...changes]))
  const ids = waiver.ids.filter((name) => used.has(changeNamed(name)) || namesPlan(name, plan))
  return ids.some((name) => namesPlan(name, plan)) ? { ...waiver, ids, rememberedScope: uses } : { ...waiver, ids }
}

/** A shorter prefix does not count: a person could make another plan or change whose name begins with the same digits. */
export const namesPlan = (waiver: string, { fingerprint }: Plan): boolean => waiver.length >= waiverDigits && fingerprint.startsWith(waiver)
export const namesChange = (waiver: string, change: Change, plan: Plan): boolean =>
  namesPlan(waiver, plan) || changeNamed(waiver) === change.id

/** The change that a waiver names. Behind it may stand up to how many people it is approved: `ID:160`. */
export const changeNamed = (waiver: string): string => waiver.split(':', 1)[0] ?? waiver
