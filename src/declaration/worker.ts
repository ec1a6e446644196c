import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import type { InvalidFiles } from '../yaml/problem.ts'
import type { DeclarationFiles, FilesToRead } from './files.ts'
import { understandDeclaration } from './keepGood.ts'
import { ownBuffers, type Piece, pack } from './transfer.ts'
import type { Context, Loaded } from './understand.ts'

export type WorkerTask = { readonly read: FilesToRead; readonly context: Context }
export type WorkerAnswer =
  | { readonly kind: 'begins'; readonly file: string }
  | { readonly kind: 'invalid'; readonly invalid: InvalidFiles }
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** `read` gives the bytes back. */
  | ({ readonly kind: 'end'; readonly read: DeclarationFiles['files'] } & Omit<Loaded, 'valid' | 'declaration'>)

const say = (answer: WorkerAnswer, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transferred)

/** Reads a large declaration in a worker. */
export async function answer({ read, context }: WorkerTask): Promise<void> {
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
