import { dirname, resolve } from 'node:path'
import { type Memory, mayLackWrites } from '../core/memory/memory.ts'
import type { Disk } from './disk.ts'
import { type NewestFile, newest } from './files.ts'
import { holderOf } from './lock.ts'
import type { Processes } from './ofProcess.ts'
import { hasPassedOver, type PassedOver } from './passedOver.ts'
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

/**
 * The memory, as far as it may be trusted. An intent is on the disk before its request is sent, so after a crash the memory knows each write that may be on
 * its way. It does not in an empty folder that is not new, which may have lost its journal; where the next file is lost (`continued`); or where this version ignored
 * entries of a newer one.
 */
export function trustedMemory({ bytes, memory, passedOver }: Pick<NewestFile, 'bytes' | 'memory' | 'passedOver'>, isNew: boolean): Memory {
  const isDoubtful = bytes === 0 ? !isNew : !memory.endedClean && hasPassedOver(passedOver)
  return isDoubtful ? mayLackWrites(memory) : memory
}
