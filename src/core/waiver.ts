import type { ChangeId } from './change.ts'
import type { ApprovalWhy } from './hold.ts'
import type { Position } from './rule.ts'
import type { GuardName, WaiverWords } from './waiverWords.ts'

/**
 * A guard that lets changes pass if a waiver allows it: a plan guard, the flood of creates, the limits on people, or a change guard. A change guard is
 * named by its reason (`ApprovalWhy`).
 */
export type Guard = GuardName | 'creates' | 'people' | ApprovalWhy

/** The approval of a person: changes may pass the guards until a time. It names them by ids, or it describes them in words. */
export type Waiver = {
  /**
   * Ids of changes, or the first digits (`waiverDigits`) of a plan's fingerprint. These changes pass every guard but the limits on people: these need
   * the id of the change with a number of people, `ID:160`. A waiver in words has none; when it is reported, it has the ids of the changes that it
   * let pass.
   */
  readonly ids: readonly string[]
  /**
   * Guard → the changes that passed this guard by the waiver, when the plan that the waiver names was judged the first time. When it is judged again, these
   * changes may pass this guard again, and no other one, whatever fingerprint is left of the plan.
   */
  readonly rememberedScope?: WaiverScope
  readonly words?: WaiverWords
  /** The place in a file; absent: no file declares it. */
  readonly at?: Position
  readonly by: string
  /** Epoch ms, by the date. */
  readonly untilMs: number
  /** The place in a file, `--allow`, or the name of an approval in the journal. */
  readonly source: string
}
export type WaiverScope = ReadonlyMap<Guard, ReadonlySet<ChangeId>>
