import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { errnoOf } from '../files/errno.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, problemOfFile } from '../yaml/problem.ts'
import type { DeclarationFiles } from './files.ts'
import { unpacking } from './transfer.ts'
import type { Context, Loaded } from './understand.ts'
import type { Order, WorkerAnswer } from './worker.ts'

/** Enough for the largest declaration that is allowed (measured), and little enough for a refusal below 300 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 126, maxYoungGenerationSizeMb: 8 }

/**
 * Reads a declaration from files in memory, in a worker with a limit of memory. The worker gets a copy of the bytes.
 *
 * @throws the reason of `signal`
 */
export async function readInWorker(read: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Loaded | InvalidFiles> {
  signal.throwIfAborted()
  const workerData: Order = { read, context }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits, env: {} })
  const declaration = unpacking()
  let file = ''
  try {
    for await (const [said] of on(worker, 'message', { signal, close: ['exit'] })) {
      const answer = said as WorkerAnswer
      switch (answer.kind) {
        case 'begins':
          file = answer.file
          break
        case 'invalid':
          return answer.invalid
        case 'pieces':
          declaration.add(answer.pieces)
          worker.postMessage('taken', [])
          break
        case 'end':
          return { valid: true, declaration: declaration.whole(), hash: read.hash, files: read.files.length }
        default:
          answer satisfies never
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (errnoOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const cure = 'split it into several files, or use rules with lists: groups, projects'
    return invalidFiles([problemOfFile(file, 'to read this file, with those before it, takes too much memory', cure)])
  } finally {
    await worker.terminate()
  }
  throw new Error('the worker that reads the declaration ended without an answer')
}
