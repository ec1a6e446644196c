import { invalidFiles } from '../yaml/frame.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { type DeclarationFiles, readFiles } from './files.ts'
import { type Checked, readInWorker } from './inWorker.ts'
import { type Context, type Loaded, understandFiles } from './understand.ts'
import { takesLong } from './work.ts'

/** A declaration up to this size is read in a few hundred milliseconds, also if it is full of mistakes. A worker needs as long to start, and 25 MB. */
const hereBytesMax = 64 * 1024

type LoadOptions = Context & {
  /** The last result under the same settings, returned if the files have not changed, since 10,000 rules take a second. */
  readonly previous?: Loaded
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
  { previous, onValid, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  const read = await readFiles(path, { pauseMs: 50, signal })
  if (!('hash' in read)) return invalidFiles(read)
  const checked: Checked = previous?.hash === read.hash ? { loaded: previous, read } : await check(read, context, signal)
  if (checked.read !== undefined) await onValid?.(checked.read)
  return checked.loaded
}

/** Checks files that are in memory. If there are problems, they are returned, and no declaration. A worker may keep the bytes of the files. */
export const checkFiles = async (read: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Loaded | InvalidFiles> =>
  (await check(read, context, signal)).loaded

async function check(read: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Checked> {
  const loaded = understandHere(read, context)
  if (loaded === undefined) return readInWorker(read, context, signal)
  return loaded.valid ? { loaded, read } : { loaded }
}

/** Undefined if the declaration is not small. */
function understandHere(read: DeclarationFiles, context: Context): Loaded | InvalidFiles | undefined {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > hereBytesMax) return undefined
  return understandFiles(read, context, { isTooLarge: takesLong })
}
