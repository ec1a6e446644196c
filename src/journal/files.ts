import { dirname, join } from 'node:path'
import { afterUnknown, emptyMemory, type Memory, remember } from '../core/memory/memory.ts'
import { errnoOf } from '../files/errno.ts'
import type { Disk, DiskFile } from './disk.ts'
import { entryFromLine, headFromLine, headLine } from './lines.ts'
import { nothingPassedOver, type PassedOver, passedOverIn, telling } from './passedOver.ts'

const fileName = (folder: string, number: number) => join(folder, `journal-${String(number).padStart(6, '0')}.jsonl`)

async function numbers(folder: string, disk: Disk): Promise<readonly number[]> {
  const names = await disk.readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((name) => /^journal-(\d{6,15})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** The files of a journal, the oldest first. A journal that is not there has none. */
export const journalFiles = async (folder: string, disk: Disk): Promise<readonly string[]> =>
  (await numbers(folder, disk)).map((number) => fileName(folder, number))

/** The newest file, or number 1 with 0 bytes if there is none. `bytes`: the length of its complete lines. */
export type NewestFile = {
  readonly number: number
  readonly memory: Memory
  readonly bytes: number
  readonly headBytes: number
  readonly passedOver: PassedOver
}

export async function newest(folder: string, disk: Disk, unknownOutcomeWaitMs: number): Promise<NewestFile> {
  const number = (await numbers(folder, disk)).at(-1)
  if (number === undefined) return { number: 1, memory: emptyMemory, bytes: 0, headBytes: 0, passedOver: nothingPassedOver }
  const name = fileName(folder, number)
  const content = await disk.readFile(name)
  const bytes = content.lastIndexOf(0x0a) + 1
  const [first, ...lines] = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
  const passedOver = passedOverIn(name)
  let memory = headFromLine(first ?? '', { file: name, line: 1 }, telling(passedOver.headFields, 1))
  for (const [index, text] of lines.entries()) {
    const line = index + 2
    const entry = entryFromLine(text, { file: name, line }, telling(passedOver.entryFields, line))
    if ('unknownKind' in entry) {
      passedOver.kinds.set(entry.unknownKind, (passedOver.kinds.get(entry.unknownKind) ?? 0) + 1)
      memory = afterUnknown(memory)
    } else memory = remember(memory, entry, unknownOutcomeWaitMs)
  }
  return { number, bytes, memory, headBytes: content.indexOf(0x0a) + 1, passedOver }
}

/** The file to which entries are appended. `bytes`: its length so far. */
type OpenFile = { readonly file: DiskFile; readonly path: string; readonly bytes: number; readonly headBytes: number }

/** Opens a file to append to it. An incomplete last line is cut off first. */
export async function continued(folder: string, disk: Disk, { number, bytes, headBytes }: NewestFile): Promise<OpenFile> {
  const path = fileName(folder, number)
  const file = await disk.open(path, 'r+')
  await file.truncate(bytes)
  return { file, path, bytes, headBytes }
}

/**
 * Begins a file. A new file gets its name only after its first line is on the disk. If a crash comes before that, the older file is still the newest
 * one.
 */
export async function begin(folder: string, disk: Disk, number: number, memory: Memory): Promise<OpenFile> {
  const name = fileName(folder, number)
  const line = Buffer.from(headLine(memory))
  await replaceFile(name, line, disk)
  return { file: await disk.open(name, 'r+'), path: name, bytes: line.length, headBytes: line.length }
}

/** Writes a file that has either its old content or the whole new content, also after a crash. Only the owner may read it. */
export async function replaceFile(name: string, bytes: Buffer, disk: Disk): Promise<void> {
  await disk.rm(`${name}.new`, { force: true })
  const file = await disk.open(`${name}.new`, 'wx', 0o600)
  try {
    await writeWhole(file, bytes, 0)
    await file.datasync()
  } finally {
    await file.close()
  }
  await disk.rename(`${name}.new`, name)
  // Without this sync a power failure could undo the rename. An older file of the journal would then be the newest, and the entries of this file
  // would be missing.
  await disk.syncFolder(dirname(name))
}

export async function prune(folder: string, disk: Disk, filesMax: number): Promise<void> {
  for (const number of (await numbers(folder, disk)).slice(0, -filesMax)) await disk.rm(fileName(folder, number), { force: true })
}

/**
 * Writes the whole line. If a call writes only a part, the disk is full. The loop then calls again for the rest, and that call throws the
 * error.
 */
export async function writeWhole(file: DiskFile, line: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < line.length) written += (await file.write(line, written, line.length - written, position + written)).bytesWritten
}
