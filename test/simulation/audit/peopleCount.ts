import type { Place } from '../declared.ts'
import { protectedRoles } from './violation.ts'
import { isLower, rankOf, type Write } from './write.ts'

/** Who the members of groups are. */
export type Members = ReadonlyMap<string, readonly string[]>
/** A mapping: a group has a role on a target. */
export type Level = Place & { readonly role: string }
/** A change of a plan. `isUndeclared`: the delete of a mapping that no line names. */
export type Counted = Pick<Write, 'does' | 'before' | 'after'> & { readonly isUndeclared: boolean }
export const limitNames = ['raise', 'gainProtected', 'lose'] as const
export type Limit = (typeof limitNames)[number]

const none = -1
const protectedFrom = Math.min(...[...protectedRoles].map(rankOf))

/** What a person may do on a target by all groups of the person: the rank of the highest role. A mapping for all projects counts on each project. */
export function rankOn(rows: readonly Level[], at: string, person: string, members: Members): number {
  const counts = (row: Level) => row.at === at || (row.at === '*' && at !== 'workspace')
  return Math.max(
    none,
    ...rows.flatMap((row) => (counts(row) && members.get(row.group)?.includes(person) === true ? rankOf(row.role) : [])),
  )
}

/** The targets on which a mapping counts. `*` stands for the projects without mappings of their own, too. */
export const targetsAt = (at: string, projects: readonly string[]): readonly string[] => (at === '*' ? ['*', ...projects] : [at])

export const placeOf = ({ before, after }: Pick<Counted, 'before' | 'after'>): Place => after ?? before ?? { group: '', at: '' }

/** The limits of whose people the change may have some. */
export function limitsOf({ does, before, after, isUndeclared }: Counted): readonly Limit[] {
  if (does === 'delete') return isUndeclared ? ['lose'] : []
  if (does === 'patch' && isLower(before?.role ?? '', after?.role ?? '')) return []
  return protectedRoles.has(after?.role ?? '') ? ['raise', 'gainProtected'] : ['raise']
}

/** Whether a person whose highest role on a target was `had`, and is `has`, is one of those that the limit counts. */
export function isCounted(limit: Limit, had: number, has: number): boolean {
  if (limit === 'lose') return has < had
  return has > had && (limit === 'raise' || (has >= protectedFrom && had < protectedFrom))
}

/** The mappings after some changes. */
export function rowsAfter(rows: readonly (Level & { readonly id: string })[], changes: readonly Counted[]): readonly Level[] {
  const gone = new Set(changes.flatMap(({ before }) => before?.id ?? []))
  return [...rows.filter(({ id }) => !gone.has(id)), ...changes.flatMap(({ after }) => after ?? [])]
}

const isTake = ({ does, before, after }: Counted): boolean =>
  does === 'delete' || (does === 'patch' && isLower(before?.role ?? '', after?.role ?? ''))

/**
 * Whom each change of a plan concerns, as docs/guards.md says it. A person counts by the highest role of all their groups after the whole plan, also with
 * roles that other changes give; for `lose` after those changes alone that take access away, and the grants that the delete requires.
 */
export function peopleOfPlan(
  plan: readonly Counted[],
  rows: readonly (Level & { readonly id: string })[],
  members: Members,
  projects: readonly string[],
): (limit: Limit, change: Counted) => ReadonlySet<string> {
  const after = rowsAfter(rows, plan)
  const takes = plan.filter(isTake)
  return (limit, change) => {
    if (!limitsOf(change).includes(limit)) return new Set()
    const { group, at } = placeOf(change)
    const then = limit === 'lose' ? rowsAfter(rows, [...takes, ...requiredBy(change, plan)]) : after
    const isOne = (person: string) =>
      targetsAt(at, projects).some((target) =>
        isCounted(limit, rankOn(rows, target, person, members), rankOn(then, target, person, members)),
      )
    return new Set((members.get(group) ?? []).filter(isOne))
  }
}

/** The grants that must be written before a delete, since they replace its mapping. */
export function requiredBy(change: Counted, plan: readonly Counted[]): readonly Counted[] {
  const { does, before } = change
  if (does !== 'delete' || before === undefined) return []
  const isBeside = (place: Place) =>
    place.group === before.group && place.at !== 'workspace' && before.at !== 'workspace' && (place.at === '*') !== (before.at === '*')
  const wide = plan.filter((one) => {
    if (one.after === undefined || isTake(one) || !isBeside(one.after)) return false
    return one.does !== 'patch' || rankOf(before.role) > rankOf(one.before?.role ?? '')
  })
  const isSame = (row: Level | undefined) => row?.at === before.at && row.role === before.role
  const creates = plan.filter((one) => one.does === 'create' && isSame(one.after))
  const deletes = plan.filter((one) => one.does === 'delete' && isSame(one.before))
  return [...new Set([...wide, ...(creates.length === 1 && deletes.length === 1 ? creates : [])])]
}
