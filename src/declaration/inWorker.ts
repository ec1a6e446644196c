import { on } from 'node:events'
import { durationText } from '../core/quantity.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { isOutOfMemory, startWorker } from '../yaml/inWorker.ts'
import { type InvalidFiles, type Problem, problemOfFile, withOwner } from '../yaml/problem.ts'
import { type OwnerOf, openOwners, ownerLimit } from './fenceOwner.ts'
import type { FilesToRead } from './files.ts'
import { ownBuffers, unpacking } from './transfer.ts'
import type { Context, Loaded } from './understand.ts'
import type { WorkerAnswer, WorkerTask } from './worker.ts'

/**
 * The most expensive declaration within all limits takes 6 minutes (measured). A declaration that exceeds a limit could take
 * hours: a pattern that compiles to too many steps is refused only after it was compiled, and then the next patterns and files are read.
 */
const deadlineMs = 15 * 60_000

/** `read`: the files of a valid declaration. `exhausted`: the problem, if the worker had no memory or no time left. */
export type Checked =
  | { readonly loaded: Loaded; readonly read: FilesToRead; readonly exhausted?: never }
  | { readonly loaded: InvalidFiles; readonly read?: never; readonly exhausted?: Problem }

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
    for await (const [said] of on(worker, 'message', { signal: until, close: ['exit'] })) {
      const answer = said as WorkerAnswer
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
  const exhausted = withOwner(problemOfFile(file, `to read this file, with those before it, ${why}`, cure), owner)
  return { loaded: invalidFiles([exhausted]), exhausted }
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
