import { randomUUID } from 'node:crypto'
import { link, open, readFile, readlink, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { OperationalError } from '../core/operationalError.ts'

/** Two processes that write one journal would each trust what the other does not know. */
export class JournalInUse extends OperationalError {
  constructor(message: string) {
    super('JournalInUse', message)
  }
}

/** A lock that is had. Who stands still for 20 s (SIGSTOP, a machine that sleeps) may lose it to another process, and has to ask. */
export type Lock = {
  /** @throws {JournalInUse} where it is another's by now */
  check(): Promise<void>
  /** Whether it was ours a moment ago, so that nobody can have taken it for left yet. Asks no disk. */
  isFresh(): boolean
  unlock(): Promise<void>
}

/** This process, and whether another one of this machine lives. */
export type Processes = { readonly pid: number; isAlive(pid: number): boolean }

type Holder = {
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly sinceMs: number
  /** Where this is the same, a number means the same process: containers and machines may share a name. */
  readonly numbers?: string
}

/**
 * The holder touches its lock this often. Whoever has watched it for `staleMs` without a touch may take it, on whatever host its holder was;
 * that one has trusted it for `freshMs` only. What two clocks show is never compared, but only how long something took by one of them.
 */
const beatMs = 5_000
const freshMs = 18_000
const staleMs = 20_000
/** After taking over, so that somebody who took over the same moment is seen. */
const settleMs = 50

/**
 * Takes a lock file. The lock of a process of this host that is gone is taken over at once; one of another
 * host or container, or of our own process number (in containers every process is number 1), only when nobody touches it while we watch it for 20 s.
 *
 * @param steady ms by a clock that nobody sets
 * @throws {JournalInUse} while somebody holds it
 */
export async function lock(path: string, processes: Processes, now: () => number, steady = () => performance.now()): Promise<Lock> {
  const mine: Holder = { token: randomUUID(), pid: processes.pid, host: hostname(), sinceMs: now(), ...(await numbers()) }
  const text = JSON.stringify(mine)
  const own = `${path}.${mine.token}`
  // The one stands still while a machine sleeps, the other can be set back.
  const moment = () => ({ steadyMs: steady(), clockMs: Date.now() })
  let touched = moment()
  let watched: (Seen & { readonly fromMs: number }) | undefined
  await writeFile(own, text, { mode: 0o600 })
  try {
    for (const patienceMs = steady() + staleMs + beatMs; ; await pause(250)) {
      // It counts as touched when it is had, however long that took.
      touched = moment()
      await utimes(own, new Date(touched.clockMs), new Date(touched.clockMs))
      // Somebody who took over the same moment is seen a little later.
      if (await linked(own, path)) await pause(settleMs)
      const seen = await look(path)
      if (seen?.text === text) break
      if (seen === undefined) continue
      const [holder, atMs] = [parsed(seen.text), steady()]
      if (watched === undefined || !isSame(watched, seen)) watched = { ...seen, fromMs: atMs }
      const isUncertain = holder === undefined || mayBeLeft(holder, mine)
      if (isUncertain ? atMs - watched.fromMs > staleMs : !processes.isAlive(holder.pid)) await takeAway(path, seen)
      else if (!isUncertain || atMs > patienceMs) throw inUse(path, holder, mine)
    }
  } finally {
    await rm(own, { force: true })
  }
  const check = async () => {
    // Who takes a lock away looks what it was only then, and puts back one that lives.
    const held = (await look(path)) ?? (await pause(settleMs).then(() => look(path)))
    if (held?.text !== text)
      throw inUse(path, held === undefined ? undefined : parsed(held.text), mine, 'taken over while this process stood still: ')
  }
  const touch = async () => {
    const at = moment()
    await check()
    await utimes(path, new Date(at.clockMs), new Date(at.clockMs))
    // Whoever was about to take it has seen the touch, or has it by now.
    await check()
    touched = at
  }
  const beat = setInterval(() => void touch().catch(() => undefined), beatMs)
  beat.unref()
  return {
    check,
    isFresh: () => steady() - touched.steadyMs < freshMs && Date.now() - touched.clockMs < freshMs,
    async unlock() {
      clearInterval(beat)
      if ((await look(path).catch(() => undefined))?.text === text) await rm(path, { force: true })
    },
  }
}

/** A lock, and when it was last touched, by whatever clock: only that this changes says anything. */
type Seen = { readonly text: string; readonly touchedMs: number }

const isSame = (one: Seen, other: Seen): boolean => one.text === other.text && one.touchedMs === other.touchedMs

/** Opened each time, so that a network file system asks what there is now. */
async function look(path: string): Promise<Seen | undefined> {
  try {
    await using file = await open(path, 'r')
    return { text: await file.readFile('utf8'), touchedMs: (await file.stat()).mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A link appears with its content in it, or not at all. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Renames first and looks then: who took over in between, or touched it after all, gets the lock back. */
async function takeAway(path: string, expected: Seen): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  const taken = await look(aside).catch(() => undefined)
  if (taken !== undefined && !isSame(taken, expected)) await linked(aside, path)
  await rm(aside, { force: true })
}

/** Of whom nothing but the heartbeat says whether they live. */
const mayBeLeft = (holder: Holder, mine: Holder): boolean =>
  holder.host !== mine.host || holder.pid === mine.pid || (holder.numbers !== undefined && holder.numbers !== mine.numbers)

/** This start of this machine, and among its containers this one. Other systems than Linux do not say. */
async function numbers(): Promise<Pick<Holder, 'numbers'>> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return { numbers: `${boot.trim()} ${await readlink('/proc/self/ns/pid')}` }
  } catch {
    return {}
  }
}

function parsed(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

function inUse(path: string, holder: Holder | undefined, mine: Holder, how = ''): JournalInUse {
  const who =
    holder === undefined
      ? 'somebody writes this journal'
      : `process ${holder.pid} on ${holder.host} writes this journal since ${new Date(holder.sinceMs).toISOString()}`
  const daemon = holder === undefined || mayBeLeft(holder, mine) ? '' : ` (kill -HUP ${holder.pid} makes a daemon reconcile now)`
  return new JournalInUse(`${path}: ${how}${who}. Let it do the work${daemon}, or stop it first`)
}
