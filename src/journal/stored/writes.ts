import { defined, whole } from '../../core/fields.ts'
import type { Key, Role } from '../../core/mapping.ts'
import type { ChangeInDoubt } from '../../core/memory/inDoubt.ts'
import type { LastApplied } from '../../core/memory/lastApplied.ts'
import type { RecentWrite } from '../../core/memory/recentWrites.ts'
import { read, type Tell } from './unknown.ts'

/** A recent write. This and the types below are the parts of the stored memory that are about single writes. */
export type StoredRevision = { readonly atMs: number; readonly deletes: boolean; readonly creates?: true | undefined }

export const storedRevision = ({ atMs, deletes, creates, ...rest }: RecentWrite): StoredRevision => whole({ atMs, deletes, creates }, rest)

export const revisionFromStored = ({ atMs, deletes, creates, ...rest }: StoredRevision, tell: Tell): RecentWrite =>
  read(defined({ atMs, deletes, creates }), rest, tell)

export type StoredUndecided = {
  readonly atMs: number
  readonly deletes: boolean
  readonly creates?: true | undefined
  readonly times: number
  readonly why: string
  readonly againFromMs: number
  readonly declaration: string
}

export function storedUndecided(change: ChangeInDoubt): StoredUndecided {
  const { atMs, deletes, creates, times, why, againFromMs, declaration, ...rest } = change
  return whole({ atMs, deletes, creates, times, why, againFromMs, declaration }, rest)
}

export function undecidedFromStored(stored: StoredUndecided, tell: Tell): ChangeInDoubt {
  const { atMs, deletes, creates, times, why, againFromMs, declaration, ...rest } = stored
  return read(defined({ atMs, deletes, creates, times, why, againFromMs, declaration }), rest, tell)
}

export type StoredWritten = {
  readonly key: Key
  readonly role?: Role | undefined
  readonly echoed?: string | undefined
  readonly made?: readonly string[] | undefined
  readonly declaration: string
  readonly atMs: readonly number[]
  readonly shownFromMs: number
}

export function storedWritten({ key, role, echoed, made, declaration, atMs, shownFromMs, ...rest }: LastApplied): StoredWritten {
  return whole({ key, role, echoed, made, declaration, atMs, shownFromMs }, rest)
}

export function writtenFromStored(stored: StoredWritten, tell: Tell): LastApplied {
  const { key, role, echoed, made, declaration, atMs, shownFromMs, ...rest } = stored
  return read(defined({ key, role, echoed, made, declaration, atMs, shownFromMs }), rest, tell)
}
