import type { WorkspaceName } from '../core/mapping.ts'
import { boundService, confirmedService, rebindings, type SlugChange } from '../core/memory/confirmed.ts'
import { cycleRecord } from '../core/memory/lastCycle.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { defined } from '../core/optionalFields.ts'
import type { Disk } from '../journal/disk.ts'
import type { LockedAs } from '../journal/holder.ts'
import { type Journal, memoryOnlyJournal, openJournal } from '../journal/journal.ts'
import type { LockOptions } from '../journal/lock.ts'
import { isLost } from '../journal/lost.ts'
import { unusable } from '../journal/unusable.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Settings } from '../settings/schema.ts'
import { otherHost, serviceOf } from '../settings/service.ts'

/** One process as the journal records it, from its start to its clean end. */
export type JournalledRun = {
  readonly memory: () => Memory
  readonly append: Journal['append']
  readonly hasLock: Journal['hasLock']
  readonly passedOver: Journal['passedOver']
  /** The id of this process in the journal's entries. */
  readonly run: string
  /** The token of the journal's lock, which orders name. Absent without a journal. */
  readonly token?: string
  /**
   * Adds the entry `end` to the journal, unless it is the last entry already. The entry says that no write is in flight.
   *
   * @param outcomes if a cycle of the daemon has ended: each of its workspaces, and whether it ended with success. The entry is then added in any case
   * @throws {JournalInUse} if another process has opened the journal since
   */
  readonly markIdle: (outcomes?: ReadonlyMap<WorkspaceName, boolean>) => Promise<void>
  /** Adds the entry `service`, if the workspaces of edited settings differ from those that the journal has. @throws {JournalInUse} {JournalLost} */
  readonly bind: (settings: Settings) => Promise<void>
  /** Gives a workspace its new slug in the journal. @throws {JournalInUse} {JournalLost}; if the disk refuses the entry */
  readonly rebind: (moved: SlugChange) => Promise<void>
  /** Calls `markIdle`, then closes the journal. */
  readonly end: () => Promise<void>
}

type RunOptions = {
  readonly run: string
  readonly version: string
  readonly command: string
  /** The kind of command, for another process that finds the journal locked. */
  readonly lockedAs?: LockedAs
  /** `--no-wait`: the operator confirms that no other process wrote recently, so creates do not wait. */
  readonly noWait: boolean
  readonly disk: Disk
  readonly now: () => number
}

/**
 * Opens the journal that the settings name, and appends the start of this process. The entry says whether creates have to wait for writes that
 * an earlier process may have sent.
 *
 * @param signal ends the wait for a lock that another process may have left
 * @throws {JournalInUse}, {OperationalError} where the folder cannot hold this journal; the reason of the signal
 */
export async function beginRun(
  loaded: LoadedSettings,
  { run, version, command, lockedAs, noWait, disk, now }: RunOptions,
  signal?: AbortSignal,
): Promise<JournalledRun> {
  const journal = await journalOf(loaded, { disk, now }, { service: serviceOf(loaded.settings), ...defined({ as: lockedAs, signal }) })
  const { memory, append, hasLock, passedOver, token } = journal
  const waits = noWait ? 'waived' : journal.trusted ? 'no' : 'yes'
  const markIdle: JournalledRun['markIdle'] = async (outcomes) => {
    const isIdle = memory().endedClean
    const cycle = outcomes === undefined ? {} : { cycle: cycleRecord(memory().lastCycle, outcomes) }
    // `append` checks the journal, too.
    const marked = isIdle && outcomes === undefined ? journal.check() : append({ atMs: now(), run, kind: 'end', ...cycle })
    await marked.catch((error: unknown) => {
      // The entry only adds the time of a cycle that wrote nothing. A disk that is full or read-only must not make that cycle, or the end, fail.
      if (!isIdle || isLost(error)) throw error
    })
  }
  try {
    await append({ atMs: now(), run, kind: 'start', version, command, waits, service: boundService(memory(), serviceOf(loaded.settings)) })
  } catch (error) {
    await journal.close()
    throw error
  }
  const bind: JournalledRun['bind'] = async (settings) => {
    const service = boundService(memory(), serviceOf(settings))
    const known = memory().service?.slugs ?? {}
    if (Object.entries(service.slugs).every(([name, slug]) => known[name] === slug)) return
    // If the disk refuses the entry, the memory has it, and the head of the journal's next file.
    await append({ atMs: now(), run, kind: 'service', service }).catch((error: unknown) => {
      if (isLost(error)) throw error
    })
  }
  // Each entry has the slugs of all workspaces, so it is made after the one before is in the memory.
  let turn = Promise.resolve()
  const rebindAfter = async (before: Promise<void>, moved: SlugChange): Promise<void> => {
    await before
    for (const service of rebindings(memory(), moved)) await append({ atMs: now(), run, kind: 'service', service })
  }
  const rebind: JournalledRun['rebind'] = (moved) => {
    const made = rebindAfter(turn, moved)
    turn = made.catch(() => undefined)
    return made
  }
  const end = async () => {
    try {
      await markIdle()
    } finally {
      await journal.close()
    }
  }
  return { memory, append, hasLock, passedOver, run, ...defined({ token }), markIdle, bind, rebind, end }
}

async function journalOf(
  { settings, path }: LoadedSettings,
  { disk, now }: Pick<RunOptions, 'disk' | 'now'>,
  taking: LockOptions,
): Promise<Journal> {
  const options = { unknownOutcomeWaitMs: settings.service.unknownOutcomeWait, now, taking }
  if (settings.journal === 'none') return memoryOnlyJournal(options)
  const { folder, bytesMax, filesMax } = settings.journal
  const journal = await openJournal(path(folder), { ...options, bytesMax, filesMax, disk }).catch(async (error: unknown) => {
    throw await unusable(path(folder), error, disk)
  })
  try {
    requireOwnJournal(journal.memory(), { settings, path })
    return journal
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** @throws {OperationalError} if the journal of these settings is about another host. Whether a slug is that of another workspace, a cycle finds out */
export function requireOwnJournal(memory: Memory, { settings, path }: Pick<LoadedSettings, 'settings' | 'path'>): void {
  const about = otherHost(confirmedService(memory), serviceOf(settings))
  if (about === undefined || settings.journal === 'none') return
  throw new OperationalError(
    'JournalElsewhere',
    `${path(settings.journal.folder)}: this journal is about ${about}; give these settings a journal.folder of their own`,
  )
}
