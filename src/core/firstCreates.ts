import type { Change } from './change.ts'

/**
 * After this many creates of a run the lists are read again, before the next create. If another program makes the same mappings at the same
 * time, the new reading of the lists shows it. So at most this many mappings exist twice before the program stops. The read costs two or three
 * calls, only in a run with more creates.
 */
export const firstCreatesMax = 10

/**
 * The number of changes of a plan before that read. Undefined if the plan has at most `firstCreatesMax` creates. Undefined also if a slice ends
 * within these first creates: the lists are read then anyway.
 *
 * @param changes in the order of writing: all creates come directly one after another
 */
export function changesBeforeCheck(changes: readonly Pick<Change, 'action'>[], sliceChanges: number): number | undefined {
  const creates = changes.reduce((sum, { action }) => sum + (action === 'create' ? 1 : 0), 0)
  if (creates <= firstCreatesMax) return undefined
  const before = changes.findIndex(({ action }) => action === 'create')
  return (before % sliceChanges) + firstCreatesMax < sliceChanges ? before + firstCreatesMax : undefined
}
