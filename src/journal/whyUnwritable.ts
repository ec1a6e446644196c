import { randomBytes, randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errnoOf } from '../files/errno.ts'
import type { Disk } from './disk.ts'
import { journalFiles, writeWhole } from './files.ts'
import { journalUnwritable, unusable } from './unusable.ts'

/** About what a start and a small cycle write. Random bytes, because some file systems compress others to nothing. */
const probe = randomBytes(16_384)

/**
 * Why no journal can be written in a folder now, in the words of a run. A file is written, synced and removed again; no process takes it for a part of
 * the journal. The lock is not touched, so a process that holds the journal goes on. If the folder does not exist, its nearest parent is tried,
 * where the first start makes it.
 *
 * @returns an `OperationalError`; undefined if the journal can be written
 */
export async function whyUnwritable(folder: string, disk: Disk): Promise<unknown> {
  let place = resolve(folder)
  try {
    place = await existing(place)
    await tryToWrite(place, disk)
    // The files may belong to another account than the folder. A file that is not believed cannot be read either, and the reader says so.
    const newest = (await journalFiles(folder, disk)).at(-1)
    if (newest !== undefined) await (await disk.open(newest, 'r+')).close()
    return undefined
  } catch (error) {
    if (errnoOf(error) === undefined) return undefined
    return place === resolve(folder) ? journalUnwritable(folder, error, disk) : unusable(folder, error, disk)
  }
}

/** The folder itself, or the nearest one above it that exists. */
async function existing(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    return existing(dirname(path))
  }
}

async function tryToWrite(folder: string, disk: Disk): Promise<void> {
  const name = join(folder, `doctor-${randomUUID()}.new`)
  const file = await disk.open(name, 'wx', 0o600)
  try {
    try {
      await writeWhole(file, probe, 0)
      await file.datasync()
    } finally {
      await file.close()
    }
  } finally {
    await disk.rm(name, { force: true })
  }
}
