import { dirname, join, resolve } from 'node:path'
import type { Entry } from '../core/entry.ts'
import { type KeptMemory, keptFrom, memoryFrom } from '../core/keptMemory.ts'
import { emptyMemory, forget, type Memory, remember } from '../core/memory.ts'
import type { Disk, DiskFile } from './disk.ts'
import { JournalInUse, type Lock } from './lock.ts'
import { together } from './together.ts'
import { JournalUnwritable } from './unusable.ts'

/** What was intended and what came of it, and all that later cycles need of it. */
export type Journal = {
  memory(): Memory
  /** Settles when the entry is on the disk. Throws where it cannot be: what is not in the journal is not sent. */
  append(entry: Entry): Promise<void>
  /** The process before this one is known to have left nothing on its way. */
  readonly trusted: boolean
  /** Whether nobody can have taken the journal over since it was last seen to be ours; asked directly before a write is sent. */
  isOurs(): boolean
  /** @throws {JournalInUse} where somebody has */
  check(): Promise<void>
  close(): Promise<void>
}

export type JournalOptions = {
  readonly bytesMax: number
  readonly filesMax: number
  readonly unknownOutcomeWaitMs: number
  readonly disk: Disk
  readonly now: () => number
}

/** Nothing is kept beyond the process: what that loses stands in docs/journal.md. */
export function journalOfNothing({ unknownOutcomeWaitMs }: Pick<JournalOptions, 'unknownOutcomeWaitMs'>): Journal {
  let memory = emptyMemory
  const append = async (entry: Entry) => void (memory = remember(memory, entry, unknownOutcomeWaitMs))
  return { memory: () => memory, append, trusted: false, isOurs: () => true, check: async () => {}, close: async () => {} }
}

/**
 * Opens the journal in a folder for writing: JSON lines in numbered files, the newest of which begins with the memory of all before it.
 * A folder that this call itself had to make is trusted: nobody has written with it before.
 *
 * @throws {JournalInUse} when a living process has it open
 */
export async function openJournal(folder: string, options: JournalOptions): Promise<Journal> {
  const made = await makeFolder(resolve(folder), options.disk)
  const lock = await options.disk.lock(join(folder, 'lock'), options.now)
  try {
    return await openLocked(folder, made, lock, options)
  } catch (error) {
    await lock.unlock()
    throw error
  }
}

/** Whether it was not there. One that a power failure took away again would be trusted as new. */
async function makeFolder(folder: string, disk: Disk): Promise<boolean> {
  const first = await disk.mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return false
  for (let path = folder; path.length >= first.length; path = dirname(path)) await disk.syncFolder(dirname(path))
  return true
}

async function openLocked(folder: string, made: boolean, lock: Lock, options: JournalOptions): Promise<Journal> {
  const { disk } = options
  const found = await newest(folder, disk, options.unknownOutcomeWaitMs)
  let memory = trustedMemory(found, made)
  let number = found.number
  let file = await (found.bytes === 0 ? begin(folder, disk, number, memory) : disk.open(fileName(folder, number), 'r+'))
  // A torn last line is cut off, so that the next one does not become part of it.
  if (found.bytes > 0) await file.truncate(found.bytes)
  let bytes = (await file.stat()).size
  let headBytes = found.bytes === 0 ? bytes : found.headBytes
  const trusted = memory.endedClean

  async function rotate(): Promise<void> {
    const next = await begin(folder, disk, number + 1, forget(memory, options.now()))
    await file.close()
    file = next
    number += 1
    bytes = (await file.stat()).size
    headBytes = bytes
    await prune(folder, disk, options.filesMax)
  }

  /** Written and made durable at once, however many there are. */
  async function append(entries: readonly Entry[]): Promise<void> {
    const lines = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    const known = (those: readonly Entry[]) => {
      memory = those.reduce((sofar, entry) => remember(sofar, entry, options.unknownOutcomeWaitMs), memory)
    }
    try {
      // Who lost the journal would write over the lines of who has it.
      await lock.check()
      // The next file begins with the memory before these entries, which may be larger than `bytesMax` by itself.
      if (bytes - headBytes + lines.length > options.bytesMax) await rotate()
      await writeWhole(file, lines, bytes)
      bytes += lines.length
      if (entries.some(({ entry }) => entry === 'intent')) await file.datasync()
    } catch (cause) {
      // What happened is known to this process even where the disk refuses it; what was only intended then does not happen.
      known(entries.filter(({ entry }) => entry !== 'intent'))
      throw cause instanceof JournalInUse ? cause : new JournalUnwritable(folder, cause)
    }
    known(entries)
  }

  return {
    memory: () => memory,
    trusted,
    append: together(append),
    isOurs: lock.isFresh,
    check: lock.check,
    close: async () => {
      await file.datasync().catch(() => undefined)
      await file.close()
      await lock.unlock()
    },
  }
}

/** What a journal remembers, without touching it; for commands that only look. */
export const readMemory = async (folder: string, disk: Disk, unknownOutcomeWaitMs: number): Promise<Memory> =>
  trustedMemory(await newest(folder, disk, unknownOutcomeWaitMs), (await disk.readdir(folder).catch(() => undefined)) === undefined)
/** An empty folder that was here before may have lost a journal: then nobody knows how the last process ended. */
const trustedMemory = ({ bytes, memory }: { readonly bytes: number; readonly memory: Memory }, isNew: boolean): Memory =>
  bytes > 0 || isNew ? memory : { ...memory, endedClean: false }

/** The first line of each file: all that the files before it said. */
type Head = { readonly format: 1; readonly memory: KeptMemory }

const fileName = (folder: string, number: number) => join(folder, `journal-${String(number).padStart(6, '0')}.jsonl`)

async function numbers(folder: string, disk: Disk): Promise<readonly number[]> {
  const names = await disk.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => /^journal-(\d{6,})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

async function newest(
  folder: string,
  disk: Disk,
  unknownOutcomeWaitMs: number,
): Promise<{ readonly number: number; readonly memory: Memory; readonly bytes: number; readonly headBytes: number }> {
  const number = (await numbers(folder, disk)).at(-1)
  if (number === undefined) return { number: 1, memory: emptyMemory, bytes: 0, headBytes: 0 }
  const name = fileName(folder, number)
  const content = await disk.readFile(name)
  const bytes = content.lastIndexOf(0x0a) + 1
  const [first, ...lines] = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
  const head = parse(first ?? '', name, 1) as Partial<Head>
  if (head.format !== 1 || head.memory === undefined)
    throw new Error(`${name}:1: this is not the head of a journal of this version (format 1)`)
  let memory = memoryFrom(head.memory)
  for (const [index, line] of lines.entries()) memory = remember(memory, parse(line, name, index + 2) as Entry, unknownOutcomeWaitMs)
  return { number, bytes, memory, headBytes: content.indexOf(0x0a) + 1 }
}

function parse(line: string, name: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new Error(
      `${name}:${number}: this line is not JSON; move all files of the folder away to begin a new journal (its first creates then wait)`,
      {
        cause,
      },
    )
  }
}

/** A file appears under its name only with its first line in it, so a crash leaves the older one the newest. */
async function begin(folder: string, disk: Disk, number: number, memory: Memory): Promise<DiskFile> {
  const name = fileName(folder, number)
  const head: Head = { format: 1, memory: keptFrom(memory) }
  await disk.rm(`${name}.new`, { force: true })
  const file = await disk.open(`${name}.new`, 'wx', 0o600)
  await writeWhole(file, Buffer.from(`${JSON.stringify(head)}\n`), 0)
  await file.datasync()
  await file.close()
  await disk.rename(`${name}.new`, name)
  // Else a power failure could make the older file the newest again, without what is written to this one.
  await disk.syncFolder(folder)
  return disk.open(name, 'r+')
}

async function prune(folder: string, disk: Disk, filesMax: number): Promise<void> {
  for (const number of (await numbers(folder, disk)).slice(0, -filesMax)) await disk.rm(fileName(folder, number), { force: true })
}

/** A short write is a full disk: the next one says so. */
async function writeWhole(file: DiskFile, line: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < line.length) written += (await file.write(line, written, line.length - written, position + written)).bytesWritten
}
