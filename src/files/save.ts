import { constants } from 'node:fs'
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf, writeErrnoText } from './errno.ts'
import { pipeMs } from './read.ts'

/** `why`: to follow the path in a sentence. */
type NotSaved = { readonly why: string; readonly cause?: unknown }

/**
 * Saves a text that only its owner may read. The file has either its old content or the whole new one. It is a new file in the place of the old one,
 * because the mode of the old one could show the text to others. A link is refused: it may lead to a file of another person, or to one of the system. A
 * device or a pipe is written to, since nothing can stand in its place.
 *
 * @param waitMs how long a pipe may have no reader, and how long its reader may take nothing
 * @returns undefined if the file was saved
 * @throws the reason of `signal`, and nothing else
 */
export async function saveFile(file: string, text: string, signal?: AbortSignal, waitMs: number = pipeMs): Promise<NotSaved | undefined> {
  try {
    const stats = await lstat(file).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error
    })
    if (stats?.isSymbolicLink() === true) return { why: 'this is a link, and the file must have this name itself' }
    if (stats !== undefined && !stats.isFile())
      return await writeThrough(file, Buffer.from(text), { isPipe: stats.isFIFO(), waitMs, signal })
    await replace(file, text)
    return undefined
  } catch (cause) {
    signal?.throwIfAborted()
    return { why: writeErrnoText(cause), cause }
  }
}

/** Without O_NONBLOCK, opening a pipe without a reader would block one of the few threads that write files. */
const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW
const pollMs = 20

type Through = { readonly isPipe: boolean; readonly waitMs: number; readonly signal: AbortSignal | undefined }

/** Writes to a device or a pipe. The reader of a pipe may open it later. */
async function writeThrough(file: string, bytes: Buffer, { isPipe, waitMs, signal }: Through): Promise<NotSaved | undefined> {
  const tryFor = async <T>(step: () => Promise<T>, code: string): Promise<T | undefined> => {
    for (let waitedMs = 0; ; waitedMs += pollMs) {
      signal?.throwIfAborted()
      try {
        return await step()
      } catch (error) {
        if (errnoOf(error) !== code) throw error
      }
      if (waitedMs >= waitMs) return undefined
      await sleep(pollMs, undefined, signal === undefined ? {} : { signal })
    }
  }
  const opened = isPipe ? await tryFor(() => open(file, flags), 'ENXIO') : await open(file, flags)
  if (opened === undefined) return { why: `no program has opened this pipe to read it within ${waitMs / 1000} s` }
  await using handle = opened
  for (let written = 0; written < bytes.length; ) {
    const step = await tryFor(() => handle.write(bytes, written), 'EAGAIN')
    if (step === undefined) return { why: `the reader of this ${isPipe ? 'pipe' : 'device'} has taken nothing within ${waitMs / 1000} s` }
    written += step.bytesWritten
  }
  return undefined
}

async function replace(file: string, text: string): Promise<void> {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  try {
    // `wx` follows no link that another process makes meanwhile.
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
