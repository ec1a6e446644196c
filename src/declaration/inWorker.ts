import { on, once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { durationText } from '../core/quantity.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { type InvalidFiles, problemOfFile } from '../yaml/problem.ts'
import { isOutOfMemory, startWorker } from '../yaml/readApart.ts'
import { type OwnerOf, openOwners, ownerLimit } from './fenceOwner.ts'
import type { DeclarationFiles, FilesToRead, Obstacle } from './files.ts'
import { ownBuffers, type Piece, pack, unpacking } from './transfer.ts'
import { type Context, type Loaded, understandDeclaration } from './understand.ts'

/**
 * The most expensive declaration within all limits takes 6 minutes (measured). A declaration that exceeds a limit could take
 * hours: a pattern that compiles to too many steps is refused only after it was compiled, and then the next patterns and files are read.
 */
const deadlineMs = 15 * 60_000

/** `read`: the files of the declaration. `exhausted`: why it is not read, if the worker had no memory or no time left. */
export type Checked =
  | { readonly loaded: Loaded; readonly read: FilesToRead; readonly exhausted?: never }
  | { readonly loaded: InvalidFiles; readonly read?: never; readonly exhausted?: Exhausted }
/** The work was too much at the files of this owner; undefined: of files without limits. */
export type Exhausted = Pick<Obstacle, 'problem'> & { readonly owner: string | undefined }

/**
 * Reads a declaration from files in memory, in a worker with a limit of memory and of time. Without fences and `lastValid` the bytes of `read` are gone then. If the
 * declaration is valid, `read` of the result has them again. The files of one owner inside fences have a quarter of the time.
 *
 * @throws the reason of `signal`
 */
export async function readInWorker(
  read: FilesToRead,
  context: Context,
  signal: AbortSignal,
  withinMs: number = deadlineMs,
): Promise<Checked> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(withinMs)
  const times = openTimes(context.fences === undefined ? () => undefined : openOwners(context.fences), ownerLimit(withinMs))
  const until = AbortSignal.any([signal, deadline, times.signal])
  const task: WorkerTask = { read, context }
  const worker = startWorker('declaration', task, context.fences === undefined && read.lastValid === undefined ? ownBuffers(read) : [])
  const declaration = unpacking()
  let file = read.files[0]?.file ?? ''
  try {
    for await (const [message] of on(worker, 'message', { signal: until, close: ['exit'] })) {
      const answer = message as WorkerAnswer
      switch (answer.kind) {
        case 'begins':
          file = answer.file
          times.begins(file)
          break
        case 'invalid':
          return { loaded: answer.invalid }
        case 'pieces':
          declaration.add(answer.pieces)
          worker.postMessage('taken', [])
          break
        case 'end': {
          const { kind: _, read: files, ...about } = answer
          return { loaded: { valid: true, declaration: declaration.whole(), ...about }, read: { ...read, files } }
        }
        default:
          answer satisfies never
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (until.aborted) {
      const spentMs = deadline.aborted ? withinMs : ownerLimit(withinMs)
      const cure = 'use fewer or simpler patterns, or split the declaration'
      return exhaustedBy(file, `takes more than ${durationText(spentMs)}`, cure, times.owner())
    }
    if (!isOutOfMemory(error)) throw error
    const cure = 'split it into several files, or use rules with lists: group: […], project: […]'
    return exhaustedBy(file, 'takes too much memory', cure, times.owner())
  } finally {
    times.end()
    await worker.terminate()
  }
  throw new Error('the worker that reads the declaration ended without an answer')
}

function exhaustedBy(file: string, why: string, cure: string, owner: string | undefined): Checked {
  const problem = problemOfFile(file, `to read this file, with those before it, ${why}`, cure)
  return { loaded: invalidFiles([problem]), exhausted: { problem, owner } }
}

/** Measures the time for the files of each owner. `signal` fires when the files of one owner have taken too long. */
function openTimes(ownerOf: OwnerOf, ownerMs: number) {
  const late = new AbortController()
  const spentMs = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let now: { readonly owner: string | undefined; readonly sinceMs: number } = { owner: undefined, sinceMs: 0 }
  return {
    signal: late.signal,
    /** The owner of the file that is read now. */
    owner: () => now.owner,
    begins(file: string): void {
      clearTimeout(timer)
      const atMs = performance.now()
      if (now.owner !== undefined) spentMs.set(now.owner, (spentMs.get(now.owner) ?? 0) + atMs - now.sinceMs)
      now = { owner: ownerOf(file), sinceMs: atMs }
      if (now.owner !== undefined) timer = setTimeout(() => late.abort(), Math.max(0, ownerMs - (spentMs.get(now.owner) ?? 0)))
    },
    end: () => clearTimeout(timer),
  }
}

type WorkerTask = { readonly read: FilesToRead; readonly context: Context }
type WorkerAnswer =
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
