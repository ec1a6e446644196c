import type { ChangeId } from '../change.ts'
import type { Outcome, RefusalCode } from '../outcome.ts'

export type Rejection = { readonly status: number; readonly sentence: string; readonly untilMs: number; readonly declaration: string }
export type Rejections = Readonly<Record<ChangeId, Rejection>>

/** A rejected change is tried again when the declaration changes, or after this. */
export const rejectionMs = 3_600_000
/** Refusals that the service would repeat for the same change. */
const lasting: ReadonlySet<RefusalCode> = new Set(['rejected', 'conflict', 'forbidden'])

/** Whether a change is held after this outcome, so that the next apply does not send it. */
export const isRejected = (outcome: Outcome): boolean => outcome.kind === 'refused' && lasting.has(outcome.code)

type At = { readonly atMs: number; readonly declaration: string }

/** The rejections after one more outcome. */
export function withRejection(rejections: Rejections, id: ChangeId, outcome: Outcome, { atMs, declaration }: At): Rejections {
  if (outcome.kind !== 'refused' || !lasting.has(outcome.code)) return rejections
  const { status, sentence } = outcome
  return { ...rejections, [id]: { status, sentence, untilMs: atMs + rejectionMs, declaration } }
}
