import type { Amounts } from '../amounts.ts'
import type { Change } from '../change.ts'
import type { Role } from '../mapping.ts'
import { direction, type RoleSettings } from '../roles.ts'

/**
 * One write that was executed, or may have been, and that fills limits. `role` and `before`: of a patch, or of a rename of one group. If there is
 * neither of them, and `deletes` and `creates` are not true, it is a rename to another group.
 */
export type RecentWrite = {
  readonly atMs: number
  readonly deletes: boolean
  readonly creates?: true
  readonly before?: Role | null
  readonly role?: Role
}

/**
 * A linked list with the newest first, so that adding copies nothing. Copying an array with each write was most of the work of 100,000
 * writes.
 */
export type RecentWrites = { readonly newest: RecentWrite; readonly before: RecentWrites } | undefined

export const recentWriteOf = (change: Change, atMs: number): RecentWrite => ({
  atMs,
  deletes: change.action === 'delete',
  ...(change.action === 'create' ? { creates: true as const } : {}),
  ...(change.action === 'patch' || (change.action === 'rename' && change.sameGroup === true)
    ? { before: change.before, role: change.role }
    : {}),
})

/**
 * The limits on amounts in which the write counts. A patch between roles that the order does not compare, and a rename to another group, count as a raise
 * and as a lowering; a rename of one group that keeps its role counts in none.
 */
export function amountsOfWrite({ deletes, creates, before, role }: RecentWrite, roles: RoleSettings): readonly (keyof Amounts)[] {
  if (creates === true) return ['creates']
  if (deletes) return ['deletes']
  if (role !== undefined && before === role) return []
  const way = role === undefined || typeof before !== 'string' ? undefined : direction(before, role, roles)
  return way === 'raise' ? ['raises'] : way === 'lower' ? ['lowers'] : ['raises', 'lowers']
}

export const withRecentWrite = (before: RecentWrites, newest: RecentWrite): RecentWrites => ({ newest, before })

/** Oldest first. */
export function recentWritesOf(writes: RecentWrites): readonly RecentWrite[] {
  const list: RecentWrite[] = []
  for (let rest = writes; rest !== undefined; rest = rest.before) list.push(rest.newest)
  return list.toReversed()
}

export const recentWritesFrom = (list: readonly RecentWrite[]): RecentWrites => list.reduce<RecentWrites>(withRecentWrite, undefined)
