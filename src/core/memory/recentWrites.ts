import type { Change } from '../change.ts'

/** One write that was executed, or may have been. If neither `deletes` nor `creates` is true, it is any other change. */
export type RecentWrite = { readonly atMs: number; readonly deletes: boolean; readonly creates?: true }

/**
 * A linked list with the newest first, so that adding copies nothing. Copying an array with each write was most of the work of 100,000
 * writes.
 */
export type RecentWrites = { readonly newest: RecentWrite; readonly before: RecentWrites } | undefined

export const recentWriteOf = ({ action }: Change, atMs: number): RecentWrite => ({
  atMs,
  deletes: action === 'delete',
  ...(action === 'create' ? { creates: true as const } : {}),
})

export const withRecentWrite = (before: RecentWrites, newest: RecentWrite): RecentWrites => ({ newest, before })

/** Oldest first. */
export function recentWritesOf(all: RecentWrites): readonly RecentWrite[] {
  const list: RecentWrite[] = []
  for (let rest = all; rest !== undefined; rest = rest.before) list.push(rest.newest)
  return list.toReversed()
}

export const recentWritesFrom = (list: readonly RecentWrite[]): RecentWrites => list.reduce<RecentWrites>(withRecentWrite, undefined)
