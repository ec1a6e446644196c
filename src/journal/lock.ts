import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Two processes that write one journal would each trust what the other does not know. */
export class JournalInUse extends Error {
  override readonly name = 'JournalInUse'
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

type Holder = { readonly token: string; readonly pid: number; readonly host: string; readonly sinceMs: number }

/** The holder touches its lock this often; one that is not touched for `staleMs` has no living holder, on whatever host that was. */
const beatMs = 5_000
const staleMs = 20_000
/** After taking over, so that somebody who took over the same moment is seen. */
const settleMs = 50

/**
 * Takes a lock file. The lock of a process of this host that is gone is taken over at once; one of another
 * host, or of our own process number (in containers every process is number 1), only when nobody has touched it for 20 s.
 *
 * @throws {JournalInUse} while somebody holds it
 */
export async function lock(path: string, processes: Processes, now: () => number): Promise<Lock> {
  const mine: Holder = { token: randomUUID(), pid: processes.pid, host: hostname(), sinceMs: now() }
  const text = JSON.stringify(mine)
  const own = `${path}.${mine.token}`
  let freshMs = 0
  await writeFile(own, text, { mode: 0o600 })
  try {
    for (const patienceMs = now() + staleMs + beatMs; ; await pause(250)) {
      // It counts as touched when it is had, however long that took.
      freshMs = Date.now()
      await utimes(own, new Date(freshMs), new Date(freshMs))
      if ((await linked(own, path)) && (await holds(path, text))) break
      const held = await readFile(path, 'utf8').catch(() => undefined)
      if (held === undefined || held === text) continue
      const holder = parsed(held)
      if (await isLeft(path, holder, processes)) await takeAway(path, held)
      else if (!mayBeLeft(holder, processes) || now() > patienceMs) throw inUse(path, holder, processes)
    }
  } finally {
    await rm(own, { force: true })
  }
  const check = async () => {
    // Who takes a lock away looks what it was only then, and puts back one that lives.
    const held = (await contentOf(path)) ?? (await pause(settleMs).then(() => contentOf(path)))
    if (held !== text)
      throw inUse(path, held === undefined ? undefined : parsed(held), processes, 'taken over while this process stood still: ')
  }
  const touch = async () => {
    const [atMs, moment] = [Date.now(), new Date()]
    await check()
    await utimes(path, moment, moment)
    freshMs = atMs
  }
  const beat = setInterval(() => void touch().catch(() => undefined), beatMs)
  beat.unref()
  return {
    check,
    isFresh: () => Date.now() - freshMs < staleMs,
    async unlock() {
      clearInterval(beat)
      if ((await readFile(path, 'utf8').catch(() => undefined)) === text) await rm(path, { force: true })
    },
  }
}

const contentOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

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

async function holds(path: string, text: string): Promise<boolean> {
  await pause(settleMs)
  return (await readFile(path, 'utf8').catch(() => undefined)) === text
}

/** Renames first and looks then: whoever took over in between gets the lock back. */
async function takeAway(path: string, expected: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if ((await readFile(aside, 'utf8').catch(() => expected)) !== expected) await linked(aside, path)
  await rm(aside, { force: true })
}

/** Of whom nothing but the heartbeat says whether they live. */
const mayBeLeft = (holder: Holder | undefined, { pid }: Processes): boolean =>
  holder === undefined || holder.host !== hostname() || holder.pid === pid

async function isLeft(path: string, holder: Holder | undefined, processes: Processes): Promise<boolean> {
  if (holder !== undefined && !mayBeLeft(holder, processes)) return !processes.isAlive(holder.pid)
  const touched = await stat(path).catch(() => undefined)
  return touched !== undefined && Date.now() - touched.mtimeMs > staleMs
}

function parsed(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return undefined
  }
}

function inUse(path: string, holder: Holder | undefined, processes: Processes, how = ''): JournalInUse {
  const who =
    holder === undefined
      ? 'somebody writes this journal'
      : `process ${holder.pid} on ${holder.host} writes this journal since ${new Date(holder.sinceMs).toISOString()}`
  const daemon = holder === undefined || mayBeLeft(holder, processes) ? '' : ` (kill -HUP ${holder.pid} makes a daemon reconcile now)`
  return new JournalInUse(`${path}: ${how}${who}. Let it do the work${daemon}, or stop it first`)
}
