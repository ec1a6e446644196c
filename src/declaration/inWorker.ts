import { on } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { durationText } from '../core/quantity.ts'
import { errnoOf } from '../files/errno.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, problemOfFile } from '../yaml/problem.ts'
import type { DeclarationFiles } from './files.ts'
import { ownBuffers, unpacking } from './transfer.ts'
import type { Context, Loaded } from './understand.ts'
import type { WorkerAnswer, WorkerTask } from './worker.ts'

/** The largest allowed declaration fits into this memory (measured). A declaration that does not fit is refused before the process uses 300 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 126, maxYoungGenerationSizeMb: 4 }

/**
 * The most expensive declaration within all limits takes 6 minutes (measured). A declaration that exceeds a limit could take
 * hours: a pattern that compiles to too many steps is refused only after it was compiled, and then the next patterns and files are read.
 */
const deadlineMs = 15 * 60_000

/**
 * All of the environment that the worker gets: the folder of compiled code, in which Node has a folder of its own for its version. Without it, each
 * worker would compile its modules anew (0.2 s, measured).
 */
function environment(): NodeJS.ProcessEnv {
  const ofVersion = getCompileCacheDir()
  return ofVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofVersion) }
}

/** `read`: the files of a valid declaration. */
export type Checked =
  | { readonly loaded: Loaded; readonly read: DeclarationFiles }
  | { readonly loaded: InvalidFiles; readonly read?: never }

/**
 * Reads a declaration from files in memory, in a worker with a limit of memory and of time. The bytes of `read` are gone then. If the declaration is valid, `read` of
 * the result has them again.
 *
 * @throws the reason of `signal`
 */
export async function readInWorker(
  read: DeclarationFiles,
  context: Context,
  signal: AbortSignal,
  withinMs: number = deadlineMs,
): Promise<Checked> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(withinMs)
  const until = AbortSignal.any([signal, deadline])
  const workerData: WorkerTask = { read, context }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    transferList: ownBuffers(read),
    resourceLimits,
    env: environment(),
  })
  const declaration = unpacking()
  let file = read.files[0]?.file ?? ''
  try {
    for await (const [said] of on(worker, 'message', { signal: until, close: ['exit'] })) {
      const answer = said as WorkerAnswer
      switch (answer.kind) {
        case 'begins':
          file = answer.file
          break
        case 'invalid':
          return { loaded: answer.invalid }
        case 'pieces':
          declaration.add(answer.pieces)
          worker.postMessage('taken', [])
          break
        case 'end': {
          const { hash, files, hints, kept } = answer
          return {
            loaded: { valid: true, declaration: declaration.whole(), hash, files, hints, kept },
            read: { ...read, files: answer.read },
          }
        }
        default:
          answer satisfies never
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.aborted) {
      const cure = 'use fewer or simpler patterns, or split the declaration'
      const message = `to read this file, with those before it, takes more than ${durationText(withinMs)}`
      return { loaded: invalidFiles([problemOfFile(file, message, cure)]) }
    }
    if (errnoOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const cure = 'split it into several files, or use rules with lists: group: […], project: […]'
    return { loaded: invalidFiles([problemOfFile(file, 'to read this file, with those before it, takes too much memory', cure)]) }
  } finally {
    await worker.terminate()
  }
  throw new Error('the worker that reads the declaration ended without an answer')
}
