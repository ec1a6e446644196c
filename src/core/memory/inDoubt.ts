import type { Change, ChangeId } from '../change.ts'
import { type RecentWrite, type RecentWrites, recentWriteOf, recentWritesOf, withRecentWrite } from './recentWrites.ts'

/**
 * A change whose last try has an unknown outcome. It counts as one write in `guards.day`, even if it is tried several times: the change is
 * tried again only after a later list showed that the last try was not executed, or was undone.
 */
export type ChangeInDoubt = RecentWrite & {
  /** Tries in a row whose outcome is unknown. */
  readonly times: number
  readonly why: string
  /** The change is not tried again until a list was requested after this time, unless the declaration changes. */
  readonly againFromMs: number
  readonly declaration: string
}
export type ChangesInDoubt = Readonly<Record<ChangeId, ChangeInDoubt>>

/** The longest pause between two tries. */
export const pauseMaxMs = 3_600_000
const untried = { times: 0, why: '', againFromMs: 0, declaration: '' }

type Tried = { readonly change: Change; readonly atMs: number; readonly declaration: string }

/**
 * Adds a try with an unknown outcome. The first pause is Δ, as long as the quarantine of its keys; each further one is twice as long.
 *
 * @param byteMs time of the last byte of the try
 * @param waitMs Δ
 */
export function withUnknownOutcome(
  inDoubt: ChangesInDoubt,
  { change, atMs, declaration }: Tried,
  { byteMs, why }: { readonly byteMs: number; readonly why: string },
  waitMs: number,
): ChangesInDoubt {
  const times = (inDoubt[change.id]?.times ?? 0) + 1
  const againFromMs = byteMs + Math.min(pauseMaxMs, waitMs * 2 ** (times - 1))
  return { ...inDoubt, [change.id]: { ...recentWriteOf(change, atMs), times, why, againFromMs, declaration } }
}

/** Adds changes whose process was killed while they were on their way. The interruption is not counted as a failed try. */
export function withInterrupted(inDoubt: ChangesInDoubt, changes: readonly Change[], atMs: number): ChangesInDoubt {
  const cut = changes.map((change): [ChangeId, ChangeInDoubt] => [
    change.id,
    { ...untried, ...inDoubt[change.id], ...recentWriteOf(change, atMs) },
  ])
  return { ...inDoubt, ...Object.fromEntries(cut) }
}

type Executed = { readonly recentWrites: RecentWrites; readonly inDoubt: ChangesInDoubt }

/** Adds a write that is done. If the change was in `inDoubt`, the earlier try may have been executed and undone, so both tries count. */
export function withDone({ recentWrites, inDoubt }: Executed, change: Change, atMs: number): Executed {
  const revision = recentWriteOf(change, atMs)
  // The usual case copies nothing.
  if (inDoubt[change.id] === undefined) return { inDoubt, recentWrites: withRecentWrite(recentWrites, revision) }
  const { [change.id]: was = revision, ...others } = inDoubt
  return { inDoubt: others, recentWrites: withRecentWrite(withRecentWrite(recentWrites, recentWriteOf(change, was.atMs)), revision) }
}

/** All writes that were executed, or may have been. */
export const executedOf = ({ recentWrites, inDoubt }: Executed): readonly RecentWrite[] => [
  ...recentWritesOf(recentWrites),
  ...Object.values<ChangeInDoubt>(inDoubt),
]
