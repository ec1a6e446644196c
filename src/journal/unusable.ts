/** The folder of the settings cannot hold a journal, and nothing is sent that is not in the journal. */
export class JournalUnusable extends Error {
  override readonly name = 'JournalUnusable'
  readonly cure =
    'let journal.folder name a folder that this program may write to, on a volume that stays; or journal: none, which loses much'
}

/** Nothing is written to the service that the journal could not take. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable'
  readonly cure = 'make room, or check the rights of journal.folder'
  constructor(folder: string, cause: unknown) {
    super(`${folder}: the journal cannot be written (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`, { cause })
  }
}

/** What a person can use of an error of the file system; any other as it is. */
export function unusable(folder: string, error: unknown): unknown {
  const why = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return why === undefined ? error : new JournalUnusable(`${folder}: no journal can be kept here: ${why}`, { cause: error })
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'this is not a folder',
  ENOTDIR: 'a part of this path is not a folder',
  EACCES: 'this account may not write here',
  EPERM: 'this account may not write here',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
}
