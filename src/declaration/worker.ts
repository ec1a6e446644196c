import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { InvalidFiles } from '../yaml/problem.ts'
import type { DeclarationFiles, FilesToRead } from './files.ts'
import { understandDeclaration } from './keepGood.ts'
import { ownBuffers, type Piece, pack } from './transfer.ts'
import type { Context, Loaded } from './understand.ts'

/*
 * The worker that reads a large declaration.
 */

export type WorkerTask = { readonly read: FilesToRead; readonly context: Context }
export type WorkerAnswer =
  | { readonly kind: 'begins'; readonly file: string }
  | { readonly kind: 'invalid'; readonly invalid: InvalidFiles }
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** `read` gives the bytes back. */
  | ({ readonly kind: 'end'; readonly read: DeclarationFiles['files'] } & Omit<Loaded, 'valid' | 'declaration'>)

// The library makes an error for each mistake of a file, and a stack takes more memory than the rest of an error.
Error.stackTraceLimit = 0
const { read, context } = workerData as WorkerTask
const say = (answer: WorkerAnswer, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transferred)

async function answer(): Promise<void> {
  const loaded = understandDeclaration(read, context, { begins: (file) => say({ kind: 'begins', file }) })
  if (loaded?.valid === false) say({ kind: 'invalid', invalid: loaded })
  if (loaded?.valid === true && parentPort !== null) {
    for (const pieces of pack(loaded.declaration)) {
      const taken = once(parentPort, 'message')
      say({ kind: 'pieces', pieces })
      // The next portion waits until this one was taken, so that other work has its turn in between.
      await taken
    }
    const { valid: _, declaration: _sent, ...about } = loaded
    say({ kind: 'end', read: read.files, ...about }, ownBuffers(read))
  }
}

// Not awaited: the bundler joins fewer files if a module waits at its top level.
void answer()
