import { defined } from '../core/fields.ts'
import { invalidFiles } from '../yaml/frame.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { ownersOf } from './fenceOwner.ts'
import { type DeclarationFiles, type FilesToRead, type LastValidFiles, readFiles } from './files.ts'
import { type Checked, readInWorker } from './inWorker.ts'
import { filesToKeep, lostFences, understandDeclaration } from './keepGood.ts'
import type { Context, Loaded } from './understand.ts'
import { takesLong } from './work.ts'

/** A declaration up to this size is read in a few hundred milliseconds, also if it is full of mistakes. A worker needs as long to start, and 25 MB. */
const hereBytesMax = 64 * 1024

type LoadOptions = Context & {
  /** The last result under the same settings, returned if the files have not changed, since 10,000 rules take a second. */
  readonly previous?: Loaded
  /** The last valid files. With fences, they are used in place of invalid files inside fences. */
  readonly lastValid?: LastValidFiles
  /** The names of the files of the last valid declaration. With fences, a fence that has lost all its files is a problem. */
  readonly lastNames?: readonly string[]
  /** Called with the files of a valid declaration, also if they have not changed. */
  readonly onValid?: (files: DeclarationFiles) => Promise<void>
}

/**
 * Reads a declaration from a file or a folder. If there are problems, they are returned, and no declaration. A large or costly declaration is
 * read in a worker, so that other work goes on.
 *
 * @param path of the file or folder; problems name a file relative to the folder, or a single file by its name
 * @throws the reason of `signal`
 */
export async function loadDeclaration(
  path: string,
  { previous, lastValid, lastNames = [], onValid, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  const read = await readFiles(path, { pauseMs: 50, ownerOf: ownersOf(context), signal })
  if (!('hash' in read)) return invalidFiles(read)
  if (read.obstacles !== undefined && lastValid === undefined) return invalidFiles(read.obstacles)
  const checked: Checked =
    previous?.hash === read.hash && lastValid === undefined
      ? { loaded: previous, read }
      : await check(defined({ ...read, lastValid }), context, signal)
  const lost = checked.loaded.valid && lastValid === undefined ? lostFences(read, lastNames, context) : []
  if (lost.length > 0) return invalidFiles(lost)
  if (checked.read !== undefined) await onValid?.(checked.read)
  return checked.loaded
}

/** Checks files that are in memory. If there are problems, they are returned, and no declaration. A worker may keep the bytes of the files. */
export const checkFiles = async (read: FilesToRead, context: Context, signal: AbortSignal): Promise<Loaded | InvalidFiles> =>
  (await check(read, context, signal)).loaded

async function check(read: FilesToRead, context: Context, signal: AbortSignal): Promise<Checked> {
  const { lastValid } = read
  const loaded = understandHere(read, context)
  const checked = loaded === undefined ? await readWithout(read, context, signal) : loaded.valid ? { loaded, read } : { loaded }
  if (checked.read === undefined || lastValid === undefined) return checked
  return { loaded: checked.loaded, read: filesToKeep(checked.read.files, checked.loaded.kept, lastValid) }
}

/** Undefined if the declaration is not small. */
function understandHere(read: FilesToRead, context: Context): Loaded | InvalidFiles | undefined {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > hereBytesMax) return undefined
  return understandDeclaration(read, context, { isTooLarge: takesLong })
}

/**
 * Reads the declaration in a worker. If the files of an owner need too much memory or time, and the last valid ones may be used in place of them, the
 * declaration is read again without these files.
 */
async function readWithout(read: FilesToRead, context: Context, signal: AbortSignal): Promise<Checked> {
  const without = new Set<string>()
  let obstacles = read.obstacles
  for (;;) {
    const checked = await readInWorker(defined({ ...read, obstacles }), context, signal)
    const owner = checked.exhausted?.owner
    if (checked.exhausted === undefined || owner === undefined || read.lastValid === undefined || without.has(owner)) return checked
    without.add(owner)
    obstacles = [...(obstacles ?? []), checked.exhausted]
  }
}
