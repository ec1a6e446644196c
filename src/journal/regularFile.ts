import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { OperationalError } from '../core/operationalError.ts'
import { kindOf } from '../files/read.ts'

/** Without O_NONBLOCK, opening a pipe without a writer would block one of the few threads that read files, and no signal would end it. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a file of the journal for reading. A folder, a pipe or a device is refused. The file is opened before its kind is known: on a network file
 * system only the file that is open is certainly the current one.
 *
 * @throws {OperationalError} if it is no regular file; the error of the system if it cannot be opened
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, flags)
  try {
    refuseOther(path, kindOf(await handle.stat()))
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

function refuseOther(path: string, kind: ReturnType<typeof kindOf>): void {
  if (kind === 'file') return
  const cure = `move the ${kind} with this name away`
  throw new OperationalError('JournalUnusable', `${path}: this is a ${kind}, and a file of the journal must have this name`, { cure })
}
