import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { errnoOf } from './errno.ts'
import { readBounded } from './read.ts'

/** So many files are looked at together, since most of the time for one is waiting. */
const together = 16

/** Returns a text for each file that changes with its content, in the order of the paths. */
type Contents = (paths: readonly string[], signal: AbortSignal) => Promise<readonly string[]>

/**
 * Opens a function that says whether files changed. It reads a file only if its stamp is another than at the last call, so that looking at 2,000 files
 * every few seconds costs little. The text of a file that cannot be read is the reason.
 */
export function openContents(bytesMax: number): Contents {
  let known: ReadonlyMap<string, { readonly stamp: string; readonly text: string }> = new Map()
  return async (paths, signal) => {
    const now = new Map<string, { readonly stamp: string; readonly text: string }>()
    for (let at = 0; at < paths.length; at += together) {
      signal.throwIfAborted()
      const reads = paths.slice(at, at + together).map(async (path) => {
        const stamp = await stampOf(path)
        const before = known.get(path)
        now.set(path, before?.stamp === stamp ? before : { stamp, text: await textOf(path, bytesMax, signal) })
      })
      await Promise.all(reads)
    }
    known = now
    return paths.map((path) => now.get(path)?.text ?? '')
  }
}

async function textOf(path: string, bytesMax: number, signal: AbortSignal): Promise<string> {
  const read = await readBounded(path, { bytesMax }, signal)
  return 'why' in read ? read.why : createHash('sha256').update(read.bytes).digest('hex')
}

/**
 * A text that changes when a file is written, replaced or removed. Links are followed. Never throws.
 *
 * The kubelet makes a new file for each edit of a ConfigMap. A file that is written in place keeps its number, so its size and its times count, too.
 */
export const stampOf = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return String(errnoOf(error))
  }
}
