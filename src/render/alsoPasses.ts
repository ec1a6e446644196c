import { amountNames } from '../core/amounts.ts'
import type { ChangeId } from '../core/change.ts'
import { type LimitName, type LimitOver, limitOf } from '../core/hold.ts'
import { accidents } from '../core/judge/limits.ts'
import { counted } from '../core/quantity.ts'

/** Changes that wait together, and how their limit is exceeded. */
export type CountedSet = {
  readonly over: Pick<LimitOver, 'name' | 'exceeds' | 'count' | 'limit' | 'setting'>
  readonly changes: readonly ChangeId[]
}

/**
 * What passes, too, if these changes are approved: what is approved does not count, so the rest may be within its limit. A sentence for each set of which
 * something passes so.
 */
export function alsoPasses(sets: readonly CountedSet[], approved: ReadonlySet<ChangeId>): readonly string[] {
  const restOf = ({ changes }: CountedSet) => changes.filter((id) => !approved.has(id)).length
  const waits = (set: CountedSet) => restOf(set) > 0 && !fits(set, sets, approved)
  return sets.flatMap((set) => {
    const rest = restOf(set)
    if (rest === 0) return []
    const { name, setting } = set.over
    const what = `the ${rest < set.changes.length ? 'other ' : ''}${counted(rest, 'change')} of the limit ${name}`
    const isOne = rest === 1
    if (name === 'beside') {
      const causes = sets.filter(isAccident)
      const isFree = fits(set, sets, approved) || (causes.length > 0 && !causes.some(waits))
      return isFree ? [`${what} then ${isOne ? 'does' : 'do'} not wait, and ${written(isOne)}`] : []
    }
    const isBesideApproved = sets.some(({ over, changes }) => over.name === 'beside' && changes.some((id) => approved.has(id)))
    if (name === 'emptiesList' && isBesideApproved)
      return [`once these grants exist, ${what} may be written, too: the list is then not emptied`]
    return fits(set, sets, approved) ? [`${what} then ${isOne ? 'fits' : 'fit'} into ${setting}, and ${written(isOne)}`] : []
  })
}

const written = (isOne: boolean): string => `${isOne ? 'is' : 'are'} written, too, unless another limit holds ${isOne ? 'it' : 'them'}`

/** Whether what is left of a set is within its limit. The deletes because files are gone and the other deletes of one limit count together. */
function fits(set: CountedSet, sets: readonly CountedSet[], approved: ReadonlySet<ChangeId>): boolean {
  const { name, count, limit, setting } = set.over
  if (!isAmount(set) && name !== 'beside') return false
  const ofSameCount = sets.filter(({ over }) => over.setting === setting && over.count === count)
  const together = ofSameCount.flatMap(({ changes }) => changes)
  // Each of two sets that exceed the limit alone has a count of its own.
  const passing = (together.length <= count ? together : set.changes).filter((id) => approved.has(id)).length
  return passing > 0 && count - passing <= limit
}

/** These limits count changes, so what is left of a set is known. */
const amountLimits: ReadonlySet<LimitName> = new Set([...amountNames, 'run', 'day'])
const isAmount = ({ over }: CountedSet): boolean => amountLimits.has(limitOf(over))

/** More than ten grants wait beside these. */
const isAccident = ({ over }: CountedSet): boolean => accidents.some((name) => name === limitOf(over))
