import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import type { LockedAs } from './holder.ts'
import { type Lock, lock, type Processes } from './lock.ts'

/** What a journal needs from a disk: some functions of `node:fs/promises`, and a lock. */
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
  /** @throws {JournalInUse} while another process holds it */
  lock(path: string, now: () => number, as?: LockedAs): Promise<Lock>
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
  lock: (path, now, as) => lock(path, processes, now, undefined, as),
})

/** Errors that are ignored: some file systems cannot sync a folder, and this account may have no right to read the parent folder. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'])

async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
