import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Disk } from '../journal/disk.ts'
import { type Journal, journalOfNothing, openJournal } from '../journal/folder.ts'
import { unusable } from '../journal/unusable.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { elsewhere, serviceOf } from '../settings/service.ts'

/** One process in the journal, from its start to its clean end. */
export type Run = {
  readonly memory: () => Memory
  readonly append: Journal['append']
  readonly isOurs: Journal['isOurs']
  readonly passedOver: Journal['passedOver']
  /** Tells this process from others. */
  readonly run: string
  /** Says in the journal that nothing is on its way. @throws {JournalInUse} where another process has it by now */
  readonly settled: () => Promise<void>
  /** The clean end: says so, and gives the journal back. */
  readonly end: () => Promise<void>
}

export type Beginning = {
  readonly run: string
  readonly version: string
  readonly command: string
  /** The operator's word that nobody else has written: no wait before the first create. */
  readonly noWait: boolean
  readonly disk: Disk
  readonly now: () => number
}

/**
 * Opens the journal of the settings, and begins a run in it: whether its first creates have to wait for what an earlier process may have sent
 * is decided here.
 *
 * @throws {JournalInUse}, {OperationalError} where the folder cannot hold this journal
 */
export async function beginRun(loaded: LoadedSettings, { run, version, command, noWait, disk, now }: Beginning): Promise<Run> {
  const journal = await journalOf(loaded, disk, now)
  const { memory, append, isOurs, passedOver } = journal
  const waits = noWait ? 'waived' : journal.trusted ? 'no' : 'yes'
  const settled = async () => {
    await journal.check()
    if (!memory().endedClean) await append({ atMs: now(), run, entry: 'end' })
  }
  try {
    await append({ atMs: now(), run, entry: 'start', version, command, waits, service: serviceOf(loaded.settings) })
  } catch (error) {
    await journal.close()
    throw error
  }
  const end = async () => {
    try {
      await settled()
    } finally {
      await journal.close()
    }
  }
  return { memory, append, isOurs, passedOver, run, settled, end }
}

async function journalOf({ settings, path }: LoadedSettings, disk: Disk, now: () => number): Promise<Journal> {
  const options = { unknownOutcomeWaitMs: settings.service.unknownOutcomeWait, now }
  if (settings.journal === 'none') return journalOfNothing(options)
  const { folder, bytesMax, filesMax } = settings.journal
  const journal = await openJournal(path(folder), { ...options, bytesMax, filesMax, disk }).catch((error: unknown) => {
    throw unusable(path(folder), error)
  })
  const about = elsewhere(journal.memory().service, serviceOf(settings))
  if (about === undefined) return journal
  await journal.close()
  // What a journal remembers of one service means nothing for another.
  throw new OperationalError(
    'JournalElsewhere',
    `${path(folder)}: this journal is about ${about}; give these settings a journal.folder of their own`,
  )
}
