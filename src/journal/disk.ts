import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { type Lock, lock, type Processes } from './lock.ts'

/** What a journal needs of a disk: of `node:fs/promises` as much as it uses, and a lock. */
export type Disk = {
  /** The first folder that had to be made; undefined where it was there. */
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  readdir(path: string): Promise<readonly string[]>
  readFile(path: string): Promise<Buffer>
  open(path: string, flags: 'r+' | 'wx', mode?: number): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  /** Names that came into a folder outlast a power failure only from then on. */
  syncFolder(path: string): Promise<void>
  rm(path: string, options: { readonly force: true }): Promise<void>
  /** @throws {JournalInUse} while somebody holds it */
  lock(path: string, now: () => number): Promise<Lock>
}

export type DiskFile = {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>
  datasync(): Promise<void>
  truncate(length: number): Promise<void>
  stat(): Promise<{ readonly size: number }>
  close(): Promise<void>
}

export const realDisk = (processes: Processes): Disk => ({
  mkdir,
  open,
  readdir,
  readFile: (path) => readFile(path),
  rename,
  syncFolder,
  rm,
  lock: (path, now) => lock(path, processes, now),
})

/** Not every file system can, nor may everybody read the folder that ours is in. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'])

async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
