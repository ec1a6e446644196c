import { join } from 'node:path'
import { type Entry, isKnownKind } from '../core/memory/entry.ts'
import { type KeptMemory, keptFrom, memoryFrom } from '../core/memory/keptMemory.ts'
import { emptyMemory, type Memory, remember } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { Disk, DiskFile } from './disk.ts'

/**
 * The format of the files that this version writes. 2 has the entry `projects`, which a reader of format 1 would take for the whole memory; from 2 on a
 * reader passes over entries of a kind that it does not know, so a new kind needs no new format.
 */
const format = 2
const readable: readonly unknown[] = [1, format]

/** The first line of each file: all that the files before it said. */
type Head = { readonly format: typeof format; readonly memory: KeptMemory }

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

/** How many entries of each kind that this version does not know were passed over. */
export type PassedOver = ReadonlyMap<string, number>

/** What there is of the last file; number 1 without a byte where there is none. `bytes`: of lines that are whole. */
type NewestFile = {
  readonly number: number
  readonly memory: Memory
  readonly bytes: number
  readonly headBytes: number
  /** It is of an older format, and an older program may read it: nothing is added to it. */
  readonly isOlder: boolean
  readonly passedOver: PassedOver
}

export async function newest(folder: string, disk: Disk, unknownOutcomeWaitMs: number): Promise<NewestFile> {
  const number = (await numbers(folder, disk)).at(-1)
  if (number === undefined) return { number: 1, memory: emptyMemory, bytes: 0, headBytes: 0, isOlder: false, passedOver: new Map() }
  const name = fileName(folder, number)
  const content = await disk.readFile(name)
  const bytes = content.lastIndexOf(0x0a) + 1
  const [first, ...lines] = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
  const head = headOf(first ?? '', name)
  let memory = memoryFrom(head.memory)
  const passedOver = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const entry = entryOf(line, name, index + 2)
    if (isKnown(entry)) memory = remember(memory, entry, unknownOutcomeWaitMs)
    else passedOver.set(entry.entry, (passedOver.get(entry.entry) ?? 0) + 1)
  }
  return { number, bytes, memory, headBytes: content.indexOf(0x0a) + 1, isOlder: head.format !== format, passedOver }
}

function headOf(line: string, name: string): Pick<Head, 'memory'> & { readonly format: unknown } {
  const head = parse(line, name, 1) as Partial<Record<keyof Head, unknown>> | null
  if (typeof head?.memory !== 'object' || head.memory === null || !readable.includes(head.format)) {
    if (typeof head?.format !== 'number' || head.format <= format) throw damaged(name, 1, 'not the head of a journal')
    throw new OperationalError(
      'JournalNewer',
      `${name}:1: a newer version wrote this journal (format ${head.format}); this version reads formats ${readable.join(' and ')}: start the newer version again; or stop the program, move all journal-*.jsonl out of this folder, leave the folder, and start (its first creates then wait)`,
    )
  }
  return { format: head.format, memory: head.memory as KeptMemory }
}

function entryOf(line: string, name: string, number: number): { readonly entry: string } {
  const entry = parse(line, name, number) as { readonly entry?: unknown } | null
  if (typeof entry?.entry !== 'string') throw damaged(name, number, 'no entry of a journal')
  return entry as { readonly entry: string }
}

const isKnown = (entry: { readonly entry: string }): entry is Entry => isKnownKind(entry.entry)

function parse(line: string, name: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw damaged(name, number, 'not JSON', cause)
  }
}

const damaged = (name: string, number: number, what: string, cause?: unknown): OperationalError =>
  new OperationalError(
    'JournalDamaged',
    `${name}:${number}: this line is ${what}; stop the program, then move all files of the folder away to begin a new journal (its first creates then wait)`,
    { cause },
  )

/** A file that is written to, from `bytes` on. */
type OpenFile = { readonly file: DiskFile; readonly bytes: number; readonly headBytes: number }

/** A torn last line is cut off, so that the next one does not become part of it. */
export async function continued(folder: string, disk: Disk, { number, bytes, headBytes }: NewestFile): Promise<OpenFile> {
  const file = await disk.open(fileName(folder, number), 'r+')
  await file.truncate(bytes)
  return { file, bytes, headBytes }
}

/** A file appears under its name only with its first line in it, so a crash leaves the older one the newest. */
export async function begin(folder: string, disk: Disk, number: number, memory: Memory): Promise<OpenFile> {
  const name = fileName(folder, number)
  const head: Head = { format, memory: keptFrom(memory) }
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  await disk.rm(`${name}.new`, { force: true })
  const file = await disk.open(`${name}.new`, 'wx', 0o600)
  await writeWhole(file, line, 0)
  await file.datasync()
  await file.close()
  await disk.rename(`${name}.new`, name)
  // Else a power failure could make the older file the newest again, without what is written to this one.
  await disk.syncFolder(folder)
  return { file: await disk.open(name, 'r+'), bytes: line.length, headBytes: line.length }
}

export async function prune(folder: string, disk: Disk, filesMax: number): Promise<void> {
  for (const number of (await numbers(folder, disk)).slice(0, -filesMax)) await disk.rm(fileName(folder, number), { force: true })
}

/** A short write is a full disk: the next one says so. */
export async function writeWhole(file: DiskFile, line: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < line.length) written += (await file.write(line, written, line.length - written, position + written)).bytesWritten
}
