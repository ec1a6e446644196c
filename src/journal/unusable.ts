import { OperationalError } from '../core/operationalError.ts'

/** `journal.folder` cannot hold a journal, so the program does not start. */
const journalUnusable = (folder: string, { why, cure }: Trouble, cause: unknown): OperationalError =>
  new OperationalError('JournalUnusable', `${folder}: no journal can be kept here: ${why}`, { cure, cause })

/** An entry cannot be written to the journal. A change that is not in the journal is not sent. */
export function journalUnwritable(folder: string, cause: unknown): OperationalError {
  const code = codeOf(cause)
  const trouble = troubles[code]
  const what = trouble === undefined ? code || String(cause) : `${code}: ${trouble.why}`
  const cure = trouble?.cure ?? 'make room, or check the rights of journal.folder'
  return new OperationalError('JournalUnwritable', `${folder}: the journal cannot be written (${what})`, { cure, cause })
}

/** Turns an error of the file system into one with a cure. Returns any other error unchanged. */
export function unusable(folder: string, error: unknown): unknown {
  const trouble = troubles[codeOf(error)]
  return trouble === undefined ? error : journalUnusable(folder, trouble, error)
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? ''

type Trouble = { readonly why: string; readonly cure: string }

const elsewhere = 'set journal.folder to a folder that this program may write to, on a persistent volume'
const noFolder = `${elsewhere}; or set journal: none, which loses much (docs/journal.md)`
const noRight: Trouble = {
  why: 'this account may not write here',
  cure: 'give the folder and the files in it to the account that this program runs as; in Kubernetes: podSecurityContext.fsGroup',
}

const troubles: Readonly<Record<string, Trouble>> = {
  EEXIST: { why: 'this is not a folder', cure: noFolder },
  ENOTDIR: { why: 'a part of this path is not a folder', cure: noFolder },
  ENOENT: { why: 'a folder of this path does not exist and cannot be made', cure: noFolder },
  EACCES: noRight,
  EPERM: noRight,
  EROFS: {
    why: 'the file system is read-only',
    cure: `mount it for writing, or ${elsewhere}; the system may also have made a failing disk read-only`,
  },
  ENOSPC: {
    why: 'the disk is full',
    cure: 'make room on the volume of journal.folder, or enlarge it; it needs journal.bytesMax × journal.filesMax',
  },
  EDQUOT: {
    why: 'the quota is used up',
    cure: 'raise the quota of the account that this program runs as, or delete files of that account',
  },
}
