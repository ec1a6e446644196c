import { open, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Two processes that write one journal would each trust what the other does not know. */
export class JournalInUse extends Error {
  override readonly name = 'JournalInUse'
}

type Holder = { readonly pid: number; readonly host: string; readonly sinceMs: number }

/**
 * Takes a lock file, and returns how to give it back. A lock whose process is gone, or that another host left on a volume that has since
 * come here, is taken over.
 *
 * @throws {JournalInUse} while a process of this host holds it
 */
export async function lock(path: string, now: () => number): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return undefined
      throw error
    })
    if (file !== undefined) {
      const holder: Holder = { pid: process.pid, host: hostname(), sinceMs: now() }
      await file.writeFile(JSON.stringify(holder))
      await file.close()
      return () => rm(path, { force: true })
    }
    const holder = await holderOf(path)
    if (holder !== undefined && isAlive(holder)) {
      const since = new Date(holder.sinceMs).toISOString()
      throw new JournalInUse(
        `${path}: process ${holder.pid} writes this journal since ${since}. Let it do the work (kill -HUP ${holder.pid} makes a daemon reconcile now), or stop it first`,
      )
    }
    await rm(path, { force: true })
  }
  throw new JournalInUse(`${path}: another process takes this lock again and again`)
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/** In a container every process is number 1: a lock of our own number is one that a killed predecessor left. */
function isAlive({ pid, host }: Holder): boolean {
  if (host !== hostname() || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
