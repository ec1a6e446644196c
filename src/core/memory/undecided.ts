import type { Change, ChangeId } from '../change.ts'
import { type Revision, type Revisions, revisionOf, revisionsOf, withRevision } from './revisions.ts'

/**
 * A change whose last try has an unknown outcome. It counts as one write, however often it is tried: it is planned again only if a later
 * list shows that it was not executed, or was undone.
 */
export type Undecided = Revision & {
  /** Tries in a row whose outcome is unknown. */
  readonly times: number
  readonly why: string
  /** No try from a list that was requested before this time, unless the declaration changes. */
  readonly againFromMs: number
  readonly declaration: string
}
export type UndecidedChanges = Readonly<Record<ChangeId, Undecided>>

/** The longest pause between two tries. */
const pauseMaxMs = 3_600_000
const untried = { times: 0, why: '', againFromMs: 0, declaration: '' }

type Tried = { readonly change: Change; readonly atMs: number; readonly declaration: string }

/**
 * Adds a try with an unknown outcome. The first pause is Δ, as long as the quarantine of its keys; each further one is twice as long.
 *
 * @param byteMs time of the last byte of the try
 * @param waitMs Δ
 */
export function failedAgain(
  undecided: UndecidedChanges,
  { change, atMs, declaration }: Tried,
  { byteMs, why }: { readonly byteMs: number; readonly why: string },
  waitMs: number,
): UndecidedChanges {
  const times = (undecided[change.id]?.times ?? 0) + 1
  const againFromMs = byteMs + Math.min(pauseMaxMs, waitMs * 2 ** (times - 1))
  return { ...undecided, [change.id]: { ...revisionOf(change, atMs), times, why, againFromMs, declaration } }
}

/** Adds changes whose process was killed while they were on their way. This is not counted as a failed try. */
export function cutShort(undecided: UndecidedChanges, changes: readonly Change[], atMs: number): UndecidedChanges {
  const cut = changes.map((change): [ChangeId, Undecided] => [
    change.id,
    { ...untried, ...undecided[change.id], ...revisionOf(change, atMs) },
  ])
  return { ...undecided, ...Object.fromEntries(cut) }
}

type Executed = { readonly revisions: Revisions; readonly undecided: UndecidedChanges }

/** Adds a write that is done. If the change was undecided, the earlier try may have been executed and undone, so both count. */
export function withDone({ revisions, undecided }: Executed, change: Change, atMs: number): Executed {
  const revision = revisionOf(change, atMs)
  // The usual case copies nothing.
  if (undecided[change.id] === undefined) return { undecided, revisions: withRevision(revisions, revision) }
  const { [change.id]: was = revision, ...others } = undecided
  return { undecided: others, revisions: withRevision(withRevision(revisions, revisionOf(change, was.atMs)), revision) }
}

/** All writes that were executed, or may have been. */
export const executedOf = ({ revisions, undecided }: Executed): readonly Revision[] => [
  ...revisionsOf(revisions),
  ...Object.values<Undecided>(undecided),
]
