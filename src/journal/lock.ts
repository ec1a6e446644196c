import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Service } from '../core/memory/entry.ts'
import { defined } from '../core/optionalFields.ts'
import { openBelieved } from '../files/believed.ts'
import { errnoOf } from '../files/errno.ts'
import { type FileId, idOf, isSameId } from './fileId.ts'
import { type Holder, holderFrom, holderText, type LockedAs, mayBeLeft } from './holder.ts'
import { folderRemoved, JournalInUse, lockRemoved, replaced } from './lost.ts'
import { isRunning, ofProcess, type Processes } from './ofProcess.ts'
import { journalUnread } from './unusable.ts'

/**
 * A lock that this process holds. If a process is suspended for 20 s (SIGSTOP, a sleeping machine), another process may take its lock, so the holder
 * has to check.
 */
export type Lock = {
  /**
   * Checks that the lock is still ours. If the last touch is older than `freshMs`, the check also touches the lock, so that a clock that was set
   * forward stops a write for a moment only.
   *
   * @throws {JournalInUse} if another process has it now; {JournalLost} if it was removed or replaced
   */
  check(): Promise<void>
  /** Whether the lock is certainly still ours: this process touched it within `freshMs`. Does not read the disk. */
  isFresh(): boolean
  /** Tells this process from others that had the lock before or have it later. */
  readonly token: string
  unlock(): Promise<void>
}

/** `as`: for the message that another process shows. `service`: what this process works with. `signal` ends the wait for a lock that another process may have left. */
export type LockOptions = { readonly as?: LockedAs; readonly service?: Service; readonly signal?: AbortSignal }

/**
 * The holder touches its lock every `beatMs`, and relies on a touch for `freshMs`. Another process, on any host, may take the lock if it
 * has seen no touch for `staleMs`. To take a lock, the clocks of two processes are never compared; each process measures durations with
 * its own.
 */
const beatMs = 5_000
const freshMs = 18_000
const staleMs = 20_000
/** The wait after this process has taken a lock. It then sees if another process took the lock at the same moment. */
const settleMs = 50

/**
 * Takes a lock file. If its process was on this host and is gone, the lock is taken over at once. If its process was on another host or in another
 * container, or has our own process number (in containers every process is number 1), the lock is taken over after 20 s without a touch.
 *
 * @param steady the time of a monotonic clock in ms
 * @throws {JournalInUse} while another process holds it; the reason of the signal
 */
export async function lock(
  path: string,
  processes: Processes,
  now: () => number,
  steady = () => performance.now(),
  { as, service, signal }: LockOptions = {},
): Promise<Lock> {
  const identity = { pid: processes.pid, host: hostname(), ...(await ofProcess(processes.pid)) }
  const thisProcess: Holder = { token: randomUUID(), sinceMs: now(), ...identity, ...defined({ as, service }) }
  const text = JSON.stringify(thisProcess)
  const own = `${path}.${thisProcess.token}`
  // The steady clock may stop while a machine sleeps; the wall clock can be set back. So both are compared.
  const moment = () => ({ steadyMs: steady(), clockMs: Date.now() })
  let touched = moment()
  let watched: (LockFile & { readonly fromMs: number }) | undefined
  let taken: FileId | undefined
  await writeFile(own, text, { mode: 0o600, flag: 'wx' })
  try {
    for (const patienceMs = steady() + staleMs + beatMs; ; await pause(250)) {
      signal?.throwIfAborted()
      // The touch counts from this moment, even if it takes long to get the lock.
      touched = moment()
      await utimes(own, new Date(touched.clockMs), new Date(touched.clockMs))
      // Another process that took the lock at the same moment is seen a little later.
      if (await linked(own, path)) await pause(settleMs)
      const seen = await readLock(path)
      if (seen?.text === text) {
        // Some network file systems give a file another number each time. Then only a missing lock is noticed.
        const again = await readLock(path)
        taken = again !== undefined && isSameId(again.id, seen.id) ? seen.id : undefined
        break
      }
      if (seen === undefined) continue
      const holder = holderFrom(seen.text)
      const atMs = steady()
      if (watched === undefined || !isSameLock(watched, seen)) watched = { ...seen, fromMs: atMs }
      const isUncertain = holder === undefined || mayBeLeft(holder, thisProcess)
      if (isUncertain ? atMs - watched.fromMs > staleMs : !(await isRunning(holder, processes))) await takeAway(path, seen)
      else if (!isUncertain || atMs > patienceMs) throw inUse(path, holder, thisProcess)
    }
  } finally {
    await rm(own, { force: true })
  }
  const verify = async () => {
    // `takeAway` moves a lock aside before it reads it, and puts a live one back. So a missing lock is read a second time.
    const held = (await readLock(path)) ?? (await pause(settleMs).then(() => readLock(path)))
    if (held === undefined) throw (await isFolder(dirname(path))) ? lockRemoved(path) : folderRemoved(dirname(path))
    if (held.text !== text) throw inUse(path, holderFrom(held.text), thisProcess, 'taken over while this process stood still: ')
    // A copy of the folder has a copy of the lock.
    if (taken !== undefined && !isSameId(held.id, taken)) throw replaced(path)
  }
  const touch = async () => {
    const at = moment()
    await verify()
    await utimes(path, new Date(at.clockMs), new Date(at.clockMs))
    // A process that was about to take the lock has seen the touch, or has the lock now.
    await verify()
    touched = at
  }
  const beat = setInterval(() => void touch().catch(() => undefined), beatMs)
  beat.unref()
  const isFresh = () => steady() - touched.steadyMs < freshMs && Date.now() - touched.clockMs < freshMs
  return {
    check: () => (isFresh() ? verify() : touch()),
    isFresh,
    token: thisProcess.token,
    async unlock() {
      clearInterval(beat)
      // A disk that became read-only keeps the lock. The next process takes it over, as after a kill.
      if ((await readLock(path).catch(() => undefined))?.text === text) await rm(path, { force: true }).catch(() => undefined)
    },
  }
}

/**
 * The process that holds the lock of a journal's folder, as far as one look shows; undefined: none. Nothing is taken or changed.
 *
 * @throws {OperationalError} if the lock cannot be read or believed, for instance by another account than that of its holder
 */
export async function holderOf(folder: string, processes: Processes): Promise<Holder | undefined> {
  const seen = await readLock(join(folder, 'lock')).catch(async (error: unknown) => {
    throw await journalUnread(folder, error)
  })
  const holder = seen && holderFrom(seen.text)
  if (!seen || !holder) return undefined
  const thisProcess: Holder = { token: '', pid: processes.pid, host: hostname(), sinceMs: 0, ...(await ofProcess(processes.pid)) }
  const isHeld = mayBeLeft(holder, thisProcess) ? Math.abs(Date.now() - seen.touchedMs) < staleMs : await isRunning(holder, processes)
  return isHeld ? holder : undefined
}

/** The process that left the lock of a journal's folder and does not run any more; undefined: there is no lock, or it is held. */
export async function leftHolder(folder: string, processes: Processes): Promise<Holder | undefined> {
  const seen = await readLock(join(folder, 'lock')).catch(() => undefined)
  const left = seen && holderFrom(seen.text)
  return left === undefined || (await holderOf(folder, processes)) !== undefined ? undefined : left
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

const inUse = (path: string, holder: Holder | undefined, thisProcess: Holder, how = ''): JournalInUse =>
  new JournalInUse(`${path}: ${how}${holderText(holder, thisProcess)}`)

/**
 * The content of a lock file, and the time of its last touch. That time may come from the clock of another machine. So `lock` uses only
 * a difference to an earlier look. `holderOf` looks once and compares the time with this machine's clock, so it may be wrong.
 */
type LockFile = { readonly text: string; readonly touchedMs: number; readonly id: FileId }

const isSameLock = (a: LockFile, b: LockFile): boolean => a.text === b.text && a.touchedMs === b.touchedMs

/** Opens the file each time, so that a network file system gives its current state. */
async function readLock(path: string): Promise<LockFile | undefined> {
  try {
    // A lock that is just taken has two names.
    await using file = await openBelieved(path, constants.O_RDONLY, 2)
    const stats = await file.stat({ bigint: true })
    return { text: await textOf(file), touchedMs: Number(stats.mtimeNs) / 1e6, id: idOf(stats) }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined
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
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Moves a lock aside, then reads it. If another process took or touched the lock in between, it is put back. */
async function takeAway(path: string, expected: LockFile): Promise<void> {
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
