import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises'
import { doubtOf } from '../files/believed.ts'
import { errnoOf } from '../files/errno.ts'
import { type FileId, idOf } from '../journal/fileId.ts'
import { waitingMode } from './orderFiles.ts'

type Bounds = {
  /** The account that the file must belong to. */
  readonly uid: bigint
  readonly bytesMax: number
}

/** An open file that passed the rules of `openOwn`. */
export type OwnFile = AsyncDisposable & {
  readonly id: FileId
  readonly size: number
  readonly mtimeNs: bigint
  readonly handle: FileHandle
  /** The first bytes, at most as many as the file had when it was opened. */
  read(bytes: number): Promise<Buffer>
}

/** A file that breaks a rule. `broken` is a sentence without its subject. */
type BrokenRule = AsyncDisposable & { readonly broken: string }

/**
 * Opens a file that this account made for itself: a regular file, no link, one name, mode 0600, at most `bytesMax`. The open file is checked, so
 * another file that gets the name meanwhile changes nothing. Nothing is read.
 *
 * @returns undefined if there is no such file
 * @throws the error of the disk
 */
export async function openOwn(path: string, bounds: Bounds): Promise<OwnFile | BrokenRule | undefined> {
  let handle: FileHandle | undefined
  try {
    // The kind is checked before the file is opened: opening a device can have an effect.
    const before = brokenRule(await lstat(path, { bigint: true }), bounds)
    if (before !== undefined) return before
    handle = await open(path, flags)
    const stats = await handle.stat({ bigint: true })
    const broken = brokenRule(stats, bounds)
    if (broken !== undefined) {
      await handle.close()
      return broken
    }
    return ownFile(handle, stats)
  } catch (error) {
    await handle?.close()
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Without O_NONBLOCK, opening a pipe would wait for its writer. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

function brokenRule(stats: BigIntStats, bounds: Bounds): BrokenRule | undefined {
  const broken = brokenText(stats, bounds)
  return broken === undefined ? undefined : { broken, [Symbol.asyncDispose]: () => Promise.resolve() }
}

/** The mode is exact, because it says whether an order was taken. */
function brokenText(stats: BigIntStats, { uid, bytesMax }: Bounds): string | undefined {
  const facts = {
    isFile: () => stats.isFile(),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    mode: Number(stats.mode),
    nlink: Number(stats.nlink),
  }
  const doubt = doubtOf('', facts, { uid: Number(uid), groups: [], folderUid: Number(uid) })
  if (doubt !== undefined) return doubt.why
  const mode = facts.mode & 0o7777
  if (mode !== waitingMode) return `has the mode ${octal(mode)} instead of ${octal(waitingMode)}`
  return stats.size > bytesMax ? `is larger than ${bytesMax / 1024} KiB` : undefined
}

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

const ownFile = (handle: FileHandle, stats: BigIntStats): OwnFile => ({
  id: idOf(stats),
  size: Number(stats.size),
  mtimeNs: stats.mtimeNs,
  handle,
  async read(bytes) {
    const buffer = Buffer.alloc(Math.min(bytes, Number(stats.size)))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  },
  [Symbol.asyncDispose]: () => handle.close(),
})

/**
 * Makes a file that `openOwn` accepts, whatever the umask. The caller gives it its final name by a rename, and closes it.
 *
 * @throws the error of the disk; then there is no such file
 */
export async function createOwn(path: string, content: Buffer): Promise<FileHandle> {
  const handle = await open(path, 'wx+', waitingMode)
  try {
    await handle.chmod(waitingMode)
    await handle.writeFile(content)
    return handle
  } catch (error) {
    await handle.close()
    await removeName(path).catch(() => undefined)
    throw error
  }
}

/** Removes a name. @returns false if there was none. @throws any other error of the disk */
export async function removeName(path: string): Promise<boolean> {
  try {
    await unlink(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Whether something has this name; a link counts. @throws any other error of the disk */
export async function hasName(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}
