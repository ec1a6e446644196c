import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { openBelieved } from '../files/believed.ts'
import { errnoOf } from '../files/errno.ts'
import { idOf, isSameId } from './fileId.ts'
import { type Lock, type LockOptions, lock } from './lock.ts'
import type { Processes } from './ofProcess.ts'

/** The functions of a disk that a journal needs: some functions of `node:fs/promises`, and a lock. */
export type Disk = {
  /** Returns the first folder that was made; undefined if the folder existed. */
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  readdir(path: string): Promise<readonly string[]>
  readFile(path: string): Promise<Buffer>
  open(path: string, flags: 'r+' | 'wx', mode?: number): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  /** Makes new names in a folder durable. Before that, a power failure may lose them. */
  syncFolder(path: string): Promise<void>
  rm(path: string, options: { readonly force: true }): Promise<void>
  /** False if the file system has no inode left, so that it takes no further file. */
  hasFreeFiles(path: string): Promise<boolean>
  /** @throws {JournalInUse} while another process holds it; the reason of the signal */
  lock(path: string, now: () => number, taking?: LockOptions): Promise<Lock>
}

export type DiskFile = {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>
  datasync(): Promise<void>
  truncate(length: number): Promise<void>
  /** Whether the file that is open still has this name. */
  placeAt(path: string): Promise<NameState>
  close(): Promise<void>
}

/** `other`: another file has the name. `missing`: no file has it. */
type NameState = 'same' | 'other' | 'missing'

export const realDisk = (processes: Processes): Disk => ({
  mkdir: (path, options) => makeFolder(path, options),
  open: async (path, flags, mode) => diskFile(await (flags === 'wx' ? open(path, flags, mode) : openBelieved(path, constants.O_RDWR))),
  readdir,
  readFile: readRegular,
  rename,
  syncFolder,
  rm,
  hasFreeFiles,
  lock: (path, now, taking) => lock(path, processes, now, undefined, taking),
})

async function readRegular(path: string): Promise<Buffer> {
  await using file = await openBelieved(path)
  return await file.readFile()
}

/**
 * Makes a folder and those above it, one by one. Node's own `recursive` answers ENOENT on a file system that is mounted read-only, and never ends
 * where a folder cannot be made below an existing one (`/proc/x/y`).
 *
 * @param make `mkdir` of Node
 */
export async function makeFolder(
  path: string,
  { mode }: Parameters<Disk['mkdir']>[1],
  make: typeof mkdir = mkdir,
): Promise<string | undefined> {
  const missing: string[] = []
  let first: string | undefined
  for (let at = resolve(path); first === undefined; at = dirname(at)) {
    try {
      await make(at, { mode })
      first = at
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') {
        if (missing.length > 0) break
        if ((await stat(at)).isDirectory()) return undefined
        throw error
      }
      if (errnoOf(error) !== 'ENOENT' || dirname(at) === at) throw error
      missing.push(at)
    }
  }
  for (const at of missing.toReversed()) {
    try {
      await make(at, { mode })
      first ??= at
    } catch (error) {
      // Another process has just made it.
      if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
  return first
}

/** Some file systems have no fixed number of inodes, and say 0. If the folder does not exist, its parent answers. */
async function hasFreeFiles(path: string): Promise<boolean> {
  const fileSystem = await statfs(path)
    .catch(() => statfs(dirname(path)))
    .catch(() => undefined)
  return fileSystem === undefined || fileSystem.files === 0 || fileSystem.ffree > 0
}

const diskFile = (handle: FileHandle): DiskFile => ({
  write: (bytes, offset, length, position) => handle.write(bytes, offset, length, position),
  datasync: () => handle.datasync(),
  truncate: (length) => handle.truncate(length),
  close: () => handle.close(),
  async placeAt(path) {
    const [openStats, pathStats] = await Promise.all([handle.stat({ bigint: true }), statIfThere(path)])
    if (pathStats === undefined) return 'missing'
    return isSameId(idOf(openStats), idOf(pathStats)) ? 'same' : 'other'
  },
})

const statIfThere = (path: string): Promise<BigIntStats | undefined> =>
  stat(path, { bigint: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
    throw error
  })

/** Errors that are ignored: some file systems cannot sync a folder, and this account may have no right to read the parent folder. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'])

async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!cannotSync.has(errnoOf(error) ?? '')) throw error
  }
}
