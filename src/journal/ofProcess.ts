import { readFile, readlink } from 'node:fs/promises'
import type { Holder } from './holder.ts'

/** The number of this process, and whether another process of this machine is alive. */
export type Processes = { readonly pid: number; isAlive(pid: number): boolean }

/** What tells a process of this machine from every other one. Only Linux has these files. */
export async function ofProcess(pid: number): Promise<Pick<Holder, 'numbers' | 'began'>> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await statOf(pid)
    return {
      numbers: `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`,
      ...(stat === undefined ? {} : { began: stat.began }),
    }
  } catch {
    return {}
  }
}

/**
 * Whether the holder of a lock still runs, if its number can be compared with ours. The system gives the number of a process that is gone to a later one.
 * A process that has ended keeps its number until its parent asks for its exit code (a zombie).
 */
export async function isRunning({ pid, began }: Holder, { isAlive }: Processes): Promise<boolean> {
  if (!isAlive(pid)) return false
  const stat = began === undefined ? undefined : await statOf(pid)
  return stat === undefined || (stat.began === began && !'ZX'.includes(stat.state))
}

/** `began`: in ticks since the boot. Undefined if the system does not say it. The name of a program may contain parentheses and blanks. */
async function statOf(pid: number): Promise<{ readonly state: string; readonly began: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(' ')
  const [state, began] = [fields[0], fields[19]]
  return state === undefined || began === undefined ? undefined : { state, began }
}
