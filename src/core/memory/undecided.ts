import type { Change, ChangeId } from '../change.ts'
import { type Revision, type Revisions, revisionOf, revisionsOf, withRevision } from './revisions.ts'

/**
 * A change of whose last try nobody knows what came of it. It counts once, however often it is tried: it is planned again only where a later
 * list shows that it was not executed, or was undone.
 */
export type Undecided = Revision & {
  /** In a row. */
  readonly times: number
  readonly why: string
  /** Not tried again by a list that was read before, unless the declaration changes. */
  readonly againFromMs: number
  readonly declaration: string
}
export type UndecidedChanges = Readonly<Record<ChangeId, Undecided>>

/** A change that fails again and again is tried no more rarely. */
const pauseMaxMs = 3_600_000
const untried = { times: 0, why: '', againFromMs: 0, declaration: '' }

type Tried = { readonly change: Change; readonly atMs: number; readonly declaration: string }

/**
 * The first time it waits for nothing but the quarantine of its keys; then twice as long each time.
 *
 * @param byteMs the last byte of it
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

/** A process was killed while they were on their way: that is no failure of theirs. */
export function cutShort(undecided: UndecidedChanges, changes: readonly Change[], atMs: number): UndecidedChanges {
  const cut = changes.map((change): [ChangeId, Undecided] => [
    change.id,
    { ...untried, ...undecided[change.id], ...revisionOf(change, atMs) },
  ])
  return { ...undecided, ...Object.fromEntries(cut) }
}

type Executed = { readonly revisions: Revisions; readonly undecided: UndecidedChanges }

/** Somebody may have undone what was undecided before, so both count. */
export function withDone({ revisions, undecided }: Executed, change: Change, atMs: number): Executed {
  const revision = revisionOf(change, atMs)
  // The usual case copies nothing.
  if (undecided[change.id] === undefined) return { undecided, revisions: withRevision(revisions, revision) }
  const { [change.id]: was = revision, ...others } = undecided
  return { undecided: others, revisions: withRevision(withRevision(revisions, revisionOf(change, was.atMs)), revision) }
}

/** What was, or may have been, executed. */
export const executedOf = ({ revisions, undecided }: Executed): readonly Revision[] => [
  ...revisionsOf(revisions),
  ...Object.values<Undecided>(undecided),
]
