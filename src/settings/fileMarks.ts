import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { defined } from '../core/optionalFields.ts'
import { ownersOf } from '../declaration/fenceOwner.ts'
import { listFiles } from '../declaration/files.ts'
import { errnoOf } from '../files/errno.ts'
import { readBounded } from '../files/read.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import type { LoadedSettings } from './load.ts'
import { secretFilesOf } from './references.ts'

/** Texts that change with the files that the settings consist of, or name. Nothing throws, except the reason of `signal`. */
type Marks = {
  readonly settings: (loaded: LoadedSettings, signal: AbortSignal) => Promise<string>
  /** Of the names of the declaration's files, of their contents, and of the reasons why others cannot be read. */
  readonly declaration: (loaded: LoadedSettings, signal: AbortSignal) => Promise<string>
  /**
   * Of secrets and certificates, by what uses them: `credential NAME`, `directory NAME`, `http.page` or `notify`. Their content is not read: a stamp is enough.
   *
   * @param only of these; absent: of all
   */
  readonly secrets: (loaded: LoadedSettings, only?: ReadonlySet<string>) => Promise<ReadonlyMap<string, string>>
}

/** The name of a directory among the marks of secrets. */
export const directoryMark = (name: string): string => `directory ${name}`

/** Opens functions that read only files whose stamp changed since their last call. */
export function openMarks(): Marks {
  const settings = openContents(yamlBytesMax)
  const declaration = openContents(yamlBytesMax)
  return {
    settings: async ({ file, shared }, signal) => (await settings([file, ...(shared === undefined ? [] : [shared.path])], signal)).join(),
    async declaration({ settings: { declaration: place, fences, waivers }, path }, signal) {
      const owners = ownersOf(defined({ fences, waiverFiles: waivers.files }))
      const { files, obstacles } = await listFiles(path(place), owners, signal)
      const texts = await declaration(
        files.map((file) => file.path),
        signal,
      )
      return JSON.stringify([files.map(({ file }, index) => [file, texts[index]]), obstacles])
    },
    async secrets(loaded, only) {
      const marks = new Map<string, string>()
      for (const [of, files] of secretFilesOf(loaded)) {
        if (only?.has(of) === false) continue
        const stamps: string[] = []
        for (const file of files) stamps.push(await stampOf(file))
        marks.set(of, stamps.join('\n'))
      }
      return marks
    },
  }
}

/** So many files are looked at together, since most of the time for one is waiting. */
const together = 16

/** Returns a text for each file that changes with its content, in the order of the paths. */
type Contents = (paths: readonly string[], signal: AbortSignal) => Promise<readonly string[]>

/**
 * Opens a function that says whether files changed. It reads a file only if its stamp is another than at the last call, so that looking at 2,000 files
 * every few seconds costs little. The text of a file that cannot be read is the reason.
 */
function openContents(bytesMax: number): Contents {
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
const stampOf = async (path: string): Promise<string> => {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
  } catch (error) {
    return String(errnoOf(error))
  }
}
