import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { WorkspaceName } from '../../core/mapping.ts'
import type { Plan } from '../../core/plan.ts'
import type { SentReview } from '../../documents/order.ts'
import { type ReviewedPlan, reviewOf, type Shown } from '../reviewed.ts'

const letters = { written: 'w', approval: 'a', people: 'p', requires: 'r', held: 'h' } as const satisfies Record<Shown, string>
const shownBy = new Map(Object.entries(letters).map(([shown, letter]) => [letter as string, shown as Shown]))

/**
 * A reviewed plan as an order carries it: one letter for each change, in the order of their ids. The ids are not part of it, because the daemon has the
 * same plan. So an order stays small however many changes wait.
 */
export function sentReview(workspace: WorkspaceName, { fingerprint, laterUntilMs, shown }: ReviewedPlan): SentReview {
  const sorted = [...shown.keys()].toSorted()
  const text = sorted.map((id) => letters[shown.get(id) as Shown]).join('')
  return { workspace, fingerprint, laterUntilMs, changes: digestOf(sorted), shown: deflateRawSync(text).toString('base64') }
}

/** The reviewed plan again. @param plan with the same fingerprint @returns undefined if this plan does not have the same changes */
export function reviewSent({ fingerprint, laterUntilMs, changes, shown }: SentReview, plan: Plan): ReviewedPlan | undefined {
  const sorted = [...reviewOf(plan).shown.keys()].toSorted()
  if (digestOf(sorted) !== changes) return undefined
  const text = inflated(shown, sorted.length)
  return { fingerprint, laterUntilMs, shown: new Map(sorted.map((id, index) => [id, shownBy.get(text[index] ?? '') ?? 'held'])) }
}

function inflated(base64: string, lengthMax: number): string {
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: Math.max(1, lengthMax) }).toString('latin1')
  } catch {
    return ''
  }
}

const digestOf = (ids: readonly string[]): string => createHash('sha256').update(ids.join(' ')).digest('hex')
