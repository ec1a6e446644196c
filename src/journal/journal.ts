import { dirname, join, resolve } from 'node:path'
import { type Entry } from '../core/memory/entry.ts'
import { forget } from '../core/memory/forget.ts'
import { afterNextStart, emptyMemory, type Memory, remember } from '../core/memory/memory.ts'
import { type Disk, type DiskFile } from './disk.ts'
import { begin, continued, newest, prune, writeWhole } from './files.ts'
import { entryLine } from './lines.ts'
import { type Lock, type LockOptions } from './lock.ts'
import { fileRemoved, isLost, replaced } from './lost.ts'
import { nothingPassedOver, type PassedOver } from './passedOver.ts'
import { trustedMemory } from './readMemory.ts'
import { journalUnwritable } from './unusable.ts'

/** The record of intended changes and their results, and the memory for later cycles. */
export type Journal = {
  memory(): Memory
  /** Settles when the entry is on the disk. Throws if it cannot be written: a change that is not in the journal is not sent. */
  append(entry: Entry): Promise<void>
  /** Whether the memory has each write of an earlier process that can still take effect. */
  readonly trusted: boolean
  readonly passedOver: PassedOver
  /** The token of the lock. Absent without a folder. */
  readonly token?: string
  /** Whether the journal is certainly still ours. It does not read the disk. Called directly before a write is sent. */
  hasLock(): boolean
  /** @throws {JournalInUse} if another process has taken it; {JournalLost} if it was removed or replaced */
  check(): Promise<void>
  close(): Promise<void>
}

type JournalOptions = {
  readonly bytesMax: number
  readonly filesMax: number
  readonly unknownOutcomeWaitMs: number
  readonly disk: Disk
  readonly now: () => number
  readonly taking?: LockOptions
}

/** Entries that count only when they are on the disk. */
const mustBeDurable: Readonly<Partial<Record<Entry['kind'], true>>> = { intent: true, approval: true, withdrawal: true }

/** A journal without a folder: nothing is kept after the process ends. docs/journal.md says what that loses. */
export function memoryOnlyJournal({ unknownOutcomeWaitMs }: Pick<JournalOptions, 'unknownOutcomeWaitMs'>): Journal {
  let memory = emptyMemory
  const append = async (entry: Entry) => void (memory = remember(memory, entry, unknownOutcomeWaitMs))
  return {
    memory: () => memory,
    append,
    trusted: false,
    passedOver: nothingPassedOver,
    hasLock: () => true,
    check: async () => {},
    close: async () => {},
  }
}

/**
 * Opens the journal in a folder for writing: numbered files of JSON lines. Each file begins with the memory of all earlier files. A folder
 * without entries is trusted only if this call made the folder and its parent existed: then no earlier process has used the folder.
 *
 * @throws {JournalInUse} if another process has it open; the reason of the signal
 */
export async function openJournal(folder: string, options: JournalOptions): Promise<Journal> {
  const made = await makeFolder(resolve(folder), options.disk)
  const lock = await options.disk.lock(join(folder, 'lock'), options.now, options.taking)
  try {
    return await openLocked(folder, made, lock, options)
  } catch (error) {
    await lock.unlock()
    throw error
  }
}

/**
 * Makes the folder. Returns true if only the folder itself was missing. If its parent was missing, too, a volume was lost or is not mounted. The new
 * names are synced to the disk. Otherwise a power failure could remove the folder again, and the next start would trust it as new.
 */
async function makeFolder(folder: string, disk: Disk): Promise<boolean> {
  const first = await disk.mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  for (let path = folder; path.length >= first.length; path = dirname(path)) await disk.syncFolder(dirname(path))
  return first === folder
}

async function openLocked(folder: string, made: boolean, lock: Lock, options: JournalOptions): Promise<Journal> {
  const { disk } = options
  const newestFile = await newest(folder, disk, options.unknownOutcomeWaitMs)
  let memory = trustedMemory(newestFile, made)
  let { number } = newestFile
  let { file, path, bytes, headBytes } = await (newestFile.bytes > 0
    ? continued(folder, disk, newestFile)
    : begin(folder, disk, number, memory))
  const trusted = memory.createsFromMs !== afterNextStart
  /** Some network file systems give a file another number each time. Then only a missing file is noticed. */
  const hasSteadyIds = (await file.placeAt(path)) === 'same'
  /** Whether the file may have an incomplete entry after `bytes`. This entry does not count. */
  let isTorn = false
  /** This file may have lost entries, or the next file may already exist. The next entry begins a new file with the whole memory. */
  let isOver = false

  /** @throws {JournalLost} if the file was removed or replaced, because its next entries would be lost */
  async function checkFile(): Promise<void> {
    const place = await file.placeAt(path)
    if (place === 'missing') throw fileRemoved(path)
    if (place === 'other' && hasSteadyIds) throw replaced(path)
  }

  async function check(): Promise<void> {
    await lock.check()
    await checkFile()
  }

  async function rotate(): Promise<void> {
    isOver = true
    const next = await begin(folder, disk, number + 1, forget(memory, options.now()))
    const [before, end] = [file, bytes]
    ;({ file, path, bytes, headBytes } = next)
    number += 1
    isTorn = isOver = false
    // The new file has all that counts, so a disk that takes this line no more is no reason to stop.
    await endOf(before, end).catch(() => undefined)
    await before.close()
    await prune(folder, disk, options.filesMax)
  }

  /** If the next file is lost, this line shows it. */
  async function endOf(before: DiskFile, end: number): Promise<void> {
    await before.truncate(end)
    await writeWhole(before, Buffer.from(entryLine({ kind: 'continued', atMs: options.now(), run: '' })), end)
    await before.datasync()
  }

  /** After a failed sync, a later sync may succeed although the disk has lost the data. */
  async function makeDurable(): Promise<void> {
    isOver = true
    await file.datasync()
    isOver = false
  }

  /** Removes lines that do not count, as far as the disk allows it. */
  async function cutOff(from: number): Promise<void> {
    try {
      await check()
      await file.truncate(from)
      bytes = from
      isTorn = false
    } catch {
      // The next entry begins a new file.
      isOver = true
    }
  }

  /** Writes entries, all at once, and makes them durable if one of them counts only when it is on the disk. */
  async function append(entries: readonly Entry[]): Promise<void> {
    const lines = Buffer.from(entries.map(entryLine).join(''))
    const known = (those: readonly Entry[]) => {
      memory = those.reduce((known, entry) => remember(known, entry, options.unknownOutcomeWaitMs), memory)
    }
    let from: number | undefined
    try {
      // Without this check, a process that lost the journal would overwrite the lines of the new holder.
      await check()
      // Otherwise a part of the incomplete entry could remain after shorter lines.
      if (isTorn) await file.truncate(bytes)
      // The memory at the head of a file is not counted, because it may be larger than `bytesMax` by itself.
      if (isOver || bytes - headBytes + lines.length > options.bytesMax) await rotate()
      isTorn = true
      from = bytes
      await writeWhole(file, lines, from)
      isTorn = false
      bytes += lines.length
      if (entries.some(({ kind }) => kind in mustBeDurable)) {
        await makeDurable()
        // After this check the entry is certainly in the file that the next process reads.
        await checkFile()
      }
    } catch (cause) {
      // The person sees that the approval was not taken, so it must not count for a later process either.
      if (from !== undefined && entries.some(({ kind }) => kind === 'approval')) await cutOff(from)
      // The memory gets the entries about past events even if the disk refuses them. An intent and an approval that could not be written do not count.
      const happened = entries.filter(({ kind }) => kind !== 'intent' && kind !== 'approval' && kind !== 'end')
      known(happened)
      // The file lacks these entries, so the next entry begins a file with the whole memory.
      if (happened.length > 0) isOver = true
      throw isLost(cause) ? cause : await journalUnwritable(folder, cause, disk)
    }
    known(entries)
  }

  return {
    memory: () => memory,
    trusted,
    passedOver: newestFile.passedOver,
    token: lock.token,
    append: groupCommit(append),
    hasLock: lock.isFresh,
    check,
    close: async () => {
      await file.datasync().catch(() => undefined)
      await file.close()
      await lock.unlock()
      // If a person removed the folder, an empty folder is made here. The next start finds it and waits. Without it the next start would make the
      // folder itself, take it for new, and not wait.
      await disk.mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined)
    },
  }
}

/**
 * Collects the items that arrive while a call of `work` runs. The next call gets all of them, in the order of arrival, and the promise of each item
 * settles with that call. A failed call does not stop later ones.
 */
function groupCommit<T>(work: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: { readonly items: T[]; readonly done: Promise<void> } | undefined
  return (item) => {
    if (next !== undefined) {
      next.items.push(item)
      return next.done
    }
    const items = [item]
    const done = last.then(() => {
      next = undefined
      return work(items)
    })
    next = { items, done }
    last = done.catch(() => {})
    return done
  }
}
