import type { Change } from '../change.ts'

/** One write that was executed, or may have been. Without `deletes` and `creates`: any other change. */
export type Revision = { readonly atMs: number; readonly deletes: boolean; readonly creates?: true }

/**
 * A linked list with the newest first, so that adding copies nothing. Copying an array with each write was most of the work of 100,000
 * writes.
 */
export type Revisions = { readonly newest: Revision; readonly before: Revisions } | undefined

export const revisionOf = ({ action }: Change, atMs: number): Revision => ({
  atMs,
  deletes: action === 'delete',
  ...(action === 'create' ? { creates: true as const } : {}),
})

export const withRevision = (before: Revisions, newest: Revision): Revisions => ({ newest, before })

/** Oldest first. */
export function revisionsOf(all: Revisions): readonly Revision[] {
  const list: Revision[] = []
  for (let rest = all; rest !== undefined; rest = rest.before) list.push(rest.newest)
  return list.toReversed()
}

export const revisionsFrom = (list: readonly Revision[]): Revisions => list.reduce<Revisions>(withRevision, undefined)
