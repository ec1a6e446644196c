import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, rename, rm } from 'node:fs/promises'
import { openBelieved } from '../files/believed.ts'
import { errnoOf } from '../files/errno.ts'
import { type FileId, idOf } from './fileId.ts'

/**
 * The content of a lock file, and the time of its last touch. That time may come from the clock of another machine. So `lock` uses only
 * a difference to an earlier look. `holderOf` looks once and compares the time with this machine's clock, so it may be wrong.
 */
export type LockFile = { readonly text: string; readonly touchedMs: number; readonly id: FileId }

export const isSameLock = (one: LockFile, other: LockFile): boolean => one.text === other.text && one.touchedMs === other.touchedMs

/** Opens the file each time, so that a network file system gives its current state. */
export async function readLock(path: string): Promise<LockFile | undefined> {
  try {
    // A lock that is just taken has two names.
    await using file = await openBelieved(path, constants.O_RDONLY, 2)
    const stats = await file.stat({ bigint: true })
    return { text: await textOf(file), touchedMs: Number(stats.mtimeNs) / 1e6, id: idOf(stats) }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Several times the length of a lock. A longer file is none, whatever it contains. */
const bytesMax = 4_096

async function textOf(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

/** Makes a link, which appears with its content or not at all. Returns false if the name exists. */
export async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves a lock aside, then reads it. If another process took or touched the lock in between, it is put back. */
export async function takeAway(path: string, expected: LockFile): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const taken = await readLock(aside).catch(() => undefined)
  if (taken !== undefined && !isSameLock(taken, expected)) await linked(aside, path)
  await rm(aside, { force: true })
}
