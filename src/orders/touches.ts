import { type FileId, isSameId } from '../journal/fileId.ts'

/**
 * What the daemon saw of the touches of one order. All times are its own steady clock, in ms. The time that a touch writes comes from another process
 * and maybe another machine, so it is only compared with the time that an earlier look found.
 */
export type Touches = {
  readonly id: FileId
  readonly mtimeNs: bigint
  readonly lookedMs: number
  /** The last look that found another time than the look before; the first look if there was no such. */
  readonly changedMs: number
  /** Two looks found different times, so the asker was alive between them. */
  readonly isTouched: boolean
}

/** The asker touches its order each second. After this time without a touch it is gone, or stands still. */
const silentMs = 10_000

/**
 * Adds a look. If the looks are too far apart (this process stood still), a new time does not show that the asker is still alive. Watching then starts
 * anew.
 */
export function addLook(before: Touches | undefined, { id, mtimeNs }: Pick<Touches, 'id' | 'mtimeNs'>, nowMs: number): Touches {
  const first = { id, mtimeNs, lookedMs: nowMs, changedMs: nowMs, isTouched: false }
  if (before === undefined || !isSameId(before.id, id)) return first
  if (before.mtimeNs === mtimeNs) return { ...before, lookedMs: nowMs }
  return { ...first, isTouched: nowMs - before.lookedMs <= silentMs }
}

/** Whether nobody has touched the order for so long that it must not be executed any more. */
export const isSilent = ({ changedMs }: Touches, nowMs: number): boolean => nowMs - changedMs > silentMs
