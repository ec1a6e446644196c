import type { Entry } from '../core/memory/entry.ts'
import { errnoOf } from '../files/errno.ts'
import type { Disk } from './disk.ts'
import { entryFromLine } from './lines.ts'

/** A line of a file of the journal, counted from 1. */
type EntryLine = { readonly line: number; readonly text: string }

/**
 * The complete lines of a file, made one by one: all at once would take several times the memory of the file. A file that the writer of the journal has deleted
 * meanwhile has none. The first line has the memory.
 */
export async function fileLines(file: string, disk: Disk): Promise<Iterable<EntryLine>> {
  return linesOf(await disk.readFile(file).catch(unlessGone))
}

function unlessGone(error: unknown): Buffer {
  if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
  throw error
}

function* linesOf(content: Buffer): Generator<EntryLine> {
  let from = 0
  for (let line = 1; ; line++) {
    const end = content.indexOf(0x0a, from)
    if (end < 0) return
    yield { line, text: content.toString('utf8', from, end) }
    from = end + 1
  }
}

/** The entry of a line; undefined if it cannot be read, or if its kind is not known. */
export function entryOf({ line, text }: EntryLine, file: string): Entry | undefined {
  try {
    const entry = entryFromLine(text, { file, line }, () => undefined)
    return 'unknownKind' in entry ? undefined : entry
  } catch {
    return undefined
  }
}

/** A quick look at a line before it is parsed. */
export const isOfKind = (text: string, kinds: readonly Entry['kind'][]): boolean => kinds.some((kind) => text.includes(`"entry":"${kind}"`))
