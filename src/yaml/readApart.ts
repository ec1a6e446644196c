import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errnoOf } from '../files/errno.ts'
import { type Problem, problemOfFile } from './problem.ts'

/** What a worker reads: `src/worker.ts` has the code of each. */
export type ApartTask = 'declaration' | 'groups' | 'settings'

/** Up to this size a file is read in a few hundred milliseconds, also if it is full of mistakes. A worker needs as long to start, and 25 MB. */
export const hereBytesMax = 64 * 1024

/** The largest allowed declaration fits into this memory (measured). A file that does not fit is refused before the process uses 300 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 126, maxYoungGenerationSizeMb: 4 }

/**
 * All of the environment that the worker gets: the folder of compiled code, in which Node has a folder of its own for its version. Without it, each
 * worker would compile its modules anew (0.2 s, measured).
 */
function environment(): NodeJS.ProcessEnv {
  const ofVersion = getCompileCacheDir()
  return ofVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofVersion) }
}

/** Starts a worker with a limit of memory. @param input is copied, except `transferList` */
export const startWorker = (kind: ApartTask, input: unknown, transferList: ArrayBuffer[] = []): Worker =>
  new Worker(new URL('../worker.ts', import.meta.url), {
    workerData: { kind, input },
    transferList,
    resourceLimits,
    env: environment(),
  })

export const isOutOfMemory = (error: unknown): boolean => errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'

/** The input of a task that reads one file. */
export type FileInput = { readonly file: string; readonly bytes: Uint8Array }

type Unread = { readonly valid: false; readonly problems: readonly Problem[] }

/**
 * Reads a file: a small one in this thread, a large one in a worker.
 *
 * @param here reads it in this thread
 * @throws the reason of `signal`
 */
export async function readApart<Input extends FileInput, Answer>(
  kind: ApartTask,
  input: Input,
  readHere: (input: Input) => Answer | Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | Unread> {
  if (input.bytes.length <= hereBytesMax) return readHere(input)
  signal.throwIfAborted()
  const worker = startWorker(kind, input)
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [Answer]
    return answer
  } catch (error) {
    signal.throwIfAborted()
    if (!isOutOfMemory(error)) throw error
    return { valid: false, problems: [problemOfFile(input.file, 'to read this file takes too much memory', 'make it smaller')] }
  } finally {
    await worker.terminate()
  }
}
