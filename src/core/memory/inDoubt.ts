import type { Change, ChangeId } from '../change.ts'
import { type RecentWrite, type RecentWrites, recentWriteOf, withRecentWrite } from './recentWrites.ts'

/**
 * The changes whose last try has an unknown outcome. Each counts as one write in `guards.day`, even if it is tried several times: it is tried again only
 * after a later list showed that the last try was not executed, or was undone.
 */
export type ChangesInDoubt = Readonly<Record<ChangeId, RecentWrite>>

export const withInDoubt = (inDoubt: ChangesInDoubt, changes: readonly Change[], atMs: number): ChangesInDoubt => ({
  ...inDoubt,
  ...Object.fromEntries(changes.filter(isCounted).map((change) => [change.id, recentWriteOf(change, atMs)])),
})

const isCounted = ({ uncounted }: Change): boolean => uncounted === undefined

type Executed = { readonly recentWrites: RecentWrites; readonly inDoubt: ChangesInDoubt }

/** Adds a write that is done. It takes the place of an earlier try of the change in `inDoubt`. */
export function withDone({ recentWrites, inDoubt }: Executed, change: Change, atMs: number): Executed {
  if (!isCounted(change)) return { recentWrites, inDoubt }
  const writes = withRecentWrite(recentWrites, recentWriteOf(change, atMs))
  // The usual case copies nothing.
  if (inDoubt[change.id] === undefined) return { inDoubt, recentWrites: writes }
  const { [change.id]: _earlier, ...others } = inDoubt
  return { inDoubt: others, recentWrites: writes }
}
