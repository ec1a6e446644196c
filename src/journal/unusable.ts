import { stat } from 'node:fs/promises'
import { OperationalError } from '../core/operationalError.ts'
import { asAccount, ownUid } from '../files/believed.ts'
import { errnoOf } from '../files/errno.ts'

type FreeFiles = { hasFreeFiles(folder: string): Promise<boolean> }
type Trouble = { readonly why: string; readonly cure: string }

/** `journal.folder` cannot hold a journal, so the program does not start. @returns the same error if it has no code of the file system */
export async function unusable(folder: string, error: unknown, disk: FreeFiles): Promise<unknown> {
  if (errnoOf(error) === undefined) return error
  const { why, cure } = await troubleOf(folder, error, disk)
  return new OperationalError('JournalUnusable', `${placeOf(folder, error)}: no journal can be kept here: ${why}`, { cure, cause: error })
}

/** An entry cannot be written to the journal. A change that is not in the journal is not sent. */
export async function journalUnwritable(folder: string, cause: unknown, disk: FreeFiles): Promise<OperationalError> {
  const code = errnoOf(cause)
  const { why, cure } = code === undefined ? { why: String(cause), cure: otherTrouble.cure } : await troubleOf(folder, cause, disk)
  const what = code === undefined || why.includes(code) ? why : `${code}: ${why}`
  return new OperationalError('JournalUnwritable', `${folder}: the journal cannot be written (${what})`, { cure, cause })
}

/** The error if a command that does not write fails to read the journal. @returns the same error if it has no code of the file system */
export async function journalUnread(folder: string, error: unknown): Promise<unknown> {
  const code = errnoOf(error)
  if (code === undefined) return error
  const { why, cure } = (await forbidden(folder, error)) ?? troubles[code] ?? { why: unknown(code), cure: otherTrouble.cure }
  return new OperationalError('JournalUnread', `${placeOf(folder, error)}: the journal cannot be read: ${why}`, { cure, cause: error })
}

/** The account that may read what this account may not; undefined for an error of another kind. */
export async function forbidden(folder: string, error: unknown): Promise<Trouble | undefined> {
  if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') return undefined
  // A file may be looked at only if its folder may.
  const owner = await stat(pathOf(error))
    .catch(() => stat(folder))
    .catch(() => undefined)
  return {
    why: `this account (${ownUid() ?? 'unknown'}) may not read it`,
    cure: `use the account that the daemon runs as${owner === undefined ? '' : `: ${asAccount(owner.uid)}`}`,
  }
}

/** A full file system has no bytes left, or no inodes: then it takes no further file, however small, and `df` shows room. */
async function troubleOf(folder: string, error: unknown, disk: FreeFiles): Promise<Trouble> {
  const code = errnoOf(error) ?? ''
  if (code === 'ENOSPC' && !(await disk.hasFreeFiles(folder))) return noInodes
  if (noLink.has(code) && error instanceof Error && 'syscall' in error && error.syscall === 'link') return noLinks
  return troubles[code] ?? { why: unknown(code), cure: otherTrouble.cure }
}

/**
 * The path for the message. If the error is about a `.jsonl` file, the path is that file. For other files, such as the lock, it is the folder,
 * because people do not know these files.
 */
function placeOf(folder: string, error: unknown): string {
  const path = pathOf(error)
  return path.endsWith('.jsonl') ? path : folder
}

const pathOf = (error: unknown): string => (error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : '')

const unknown = (code: string): string => `the system refuses it (${code})`
const elsewhere = 'set journal.folder to a folder that this program may write to, on a persistent volume'
const noFolder = `${elsewhere}; or set journal: none, which loses much (docs/journal.md)`
const otherTrouble: Pick<Trouble, 'cure'> = { cure: `check the disk and the rights of journal.folder; or ${elsewhere}` }
const noRight: Trouble = {
  why: 'this account may not write here',
  cure: 'give the folder and the files in it to the account that this program runs as; in Kubernetes: podSecurityContext.fsGroup',
}
const noInodes: Trouble = {
  why: 'the file system takes no further file, because all its inodes are used',
  cure: 'remove files that are not needed from the volume of journal.folder (df -i shows its inodes), or use a volume with more of them',
}
/** The answers to `link` of file systems that have no hard links: FAT, and shares over SMB. */
const noLink = new Set(['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EMLINK'])
const noLinks: Trouble = {
  why: 'this file system has no hard links, which the lock of the journal needs',
  cure: 'set journal.folder to a folder on another file system, such as a block volume (ReadWriteOnce in Kubernetes) or NFS',
}
const tooManyOpen: Trouble = {
  why: 'too many files are open',
  cure: 'raise the limit of open files of this process (ulimit -n), or of the machine',
}

/** The program begins the next file long before. */
const tooLong: Trouble = {
  why: 'a file of the journal is larger than this program can read, so it is damaged',
  cure: 'stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)',
}

const troubles: Readonly<Record<string, Trouble>> = {
  EEXIST: { why: 'this is not a folder', cure: noFolder },
  ENOTDIR: { why: 'a part of this path is not a folder', cure: noFolder },
  ENOENT: {
    why: 'the folder or a file in it does not exist: it cannot be made, or it disappeared meanwhile',
    cure: 'make the folder, or name another one; if it disappears again, look for a job that cleans up there',
  },
  ELOOP: { why: 'this link leads to itself', cure: noFolder },
  ENAMETOOLONG: { why: 'the path is too long', cure: noFolder },
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  EACCES: noRight,
  EPERM: noRight,
  ERR_FS_FILE_TOO_LARGE: tooLong,
  ERR_STRING_TOO_LONG: tooLong,
  EFBIG: {
    why: 'its file may not become larger (EFBIG)',
    cure: 'raise the limit of this account (ulimit -f) or of the file system, or lower journal.bytesMax',
  },
  EROFS: {
    why: 'the file system is read-only',
    cure: `mount it for writing, or ${elsewhere}; the system may also have made a failing disk read-only`,
  },
  ENOSPC: {
    why: 'the disk is full',
    cure: 'make room on the volume of journal.folder, or enlarge it; it needs journal.bytesMax × journal.filesMax, and room for last.json',
  },
  EDQUOT: {
    why: 'the quota is used up',
    cure: 'raise the quota of the account that this program runs as, or delete files of that account',
  },
  EIO: { why: 'the disk reports an error', cure: 'use another volume, and move all files of the folder to it' },
}
