import { OperationalError } from '../core/operationalError.ts'

/** Another process has the journal. Two writers would each rely on a memory that lacks the entries of the other. */
export class JournalInUse extends OperationalError {
  constructor(message: string) {
    super('JournalInUse', message)
  }
}

/** A person or program removed or replaced a file of the journal while this process used it. Its next entries would go into a file without a name. */
export class JournalLost extends OperationalError {
  constructor(message: string, cure: string) {
    super('JournalLost', `${message}; this process writes nothing more to Plane`, { cure })
  }
}

/** Whether the journal cannot be used again by this process, whatever happens. */
export const isLost = (error: unknown): boolean => error instanceof JournalInUse || error instanceof JournalLost

const startAgain = 'start the program again: it begins a new journal, and its first creates wait'

export const folderRemoved = (folder: string): JournalLost =>
  new JournalLost(
    `${folder}: the folder of the journal was removed while this process used it, and with it the record of all writes`,
    `look for a job that cleans up there, or for a volume that was unmounted; then ${startAgain}`,
  )

export const fileRemoved = (file: string): JournalLost =>
  new JournalLost(
    `${file}: this file of the journal was removed while this process used it, and with it the record of its writes`,
    'look for the person or job that removed it; then start the program again: its first creates wait',
  )

export const lockRemoved = (lock: string): JournalLost =>
  new JournalLost(
    `${lock}: the lock of the journal was removed while this process held it, so another process may write the same journal`,
    'start the program again; do not remove a lock while a process runs: a process releases its lock by itself',
  )

export const replaced = (path: string): JournalLost =>
  new JournalLost(
    `${path}: another file has this name now, so the folder or the file was replaced by a copy while this process used it`,
    `the copy may lack the newest entries: move all journal-*.jsonl out of the folder, keep the folder, and ${startAgain}`,
  )
