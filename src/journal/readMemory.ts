import { dirname, resolve } from 'node:path'
import type { Memory } from '../core/memory/memory.ts'
import type { Disk } from './disk.ts'
import { newest } from './files.ts'
import { holderOf } from './lock.ts'
import type { Processes } from './ofProcess.ts'
import type { PassedOver } from './passedOver.ts'
import { journalUnread } from './unusable.ts'

/** Whether a process has the journal open for writing, as far as one look shows. */
export const isInUse = async (folder: string, processes: Processes): Promise<boolean> => (await holderOf(folder, processes)) !== undefined

/** Reads the memory of a journal without changing it; for commands that do not write. */
export async function readMemory(
  folder: string,
  disk: Disk,
  unknownOutcomeWaitMs: number,
): Promise<{ readonly memory: Memory; readonly passedOver: PassedOver }> {
  const isThere = async (path: string) => (await disk.readdir(path).catch(() => undefined)) !== undefined
  const newestFile = await newest(folder, disk, unknownOutcomeWaitMs).catch(async (error: unknown) => {
    throw await journalUnread(folder, error)
  })
  const memory = trustedMemory(newestFile, !(await isThere(folder)) && (await isThere(dirname(resolve(folder)))))
  return { memory, passedOver: newestFile.passedOver }
}

/** An empty folder that is not new may have lost its journal. Then it is unknown how the last process ended. */
export const trustedMemory = ({ bytes, memory }: { readonly bytes: number; readonly memory: Memory }, isNew: boolean): Memory =>
  bytes > 0 || isNew ? memory : { ...memory, endedClean: false }
