import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Holder, mayBeLeft } from './holder.ts'
import { bootNumbers, holderIn, type Processes, readLock, staleMs } from './lock.ts'

/** The lock file of a journal. */
export const lockFile = (folder: string): string => join(folder, 'lock')

/** The process that holds the lock of a journal, as far as one look shows; undefined if none does. For commands that only ask. */
export async function holderOf(folder: string, processes: Processes): Promise<Holder | undefined> {
  const seen = await readLock(lockFile(folder)).catch(() => undefined)
  const holder = seen && holderIn(seen.text)
  if (!seen || !holder) return undefined
  const mine: Holder = { token: '', pid: processes.pid, host: hostname(), sinceMs: 0, ...(await bootNumbers()) }
  const isAlive = mayBeLeft(holder, mine) ? Math.abs(Date.now() - seen.touchedMs) < staleMs : processes.isAlive(holder.pid)
  return isAlive ? holder : undefined
}

/** Whether a process has the journal open for writing, as far as one look shows. */
export const isInUse = async (folder: string, processes: Processes): Promise<boolean> => (await holderOf(folder, processes)) !== undefined
