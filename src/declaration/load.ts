import { invalidFiles } from '../yaml/frame.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { type DeclarationFiles, hashOf, readFiles } from './files.ts'
import { type Checked, readInWorker } from './inWorker.ts'
import { lostFences, understandDeclaration, usedFiles } from './keepGood.ts'
import type { Context, Loaded } from './understand.ts'
import { takesLong } from './work.ts'

/** A declaration up to this size is read in a few hundred milliseconds, also if it is full of mistakes. A worker needs as long to start, and 25 MB. */
const hereBytesMax = 64 * 1024

type LoadOptions = Context & {
  /** The last result under the same settings, returned if the files have not changed, since 10,000 rules take a second. */
  readonly previous?: Loaded
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
  { previous, lastNames = [], onValid, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  const read = await readFiles(path, { pauseMs: 50, refusesLinks: pathsDecide(context), signal })
  if (!('hash' in read)) return invalidFiles(read)
  if (read.obstacles !== undefined && context.lastGood === undefined) return invalidFiles(read.obstacles)
  const checked: Checked =
    previous?.hash === read.hash && context.lastGood === undefined ? { loaded: previous, read } : await check(read, context, signal)
  const lost = checked.loaded.valid ? lostFences(read, lastNames, context) : []
  if (lost.length > 0) return invalidFiles(lost)
  if (checked.read !== undefined) await onValid?.(checked.read)
  return checked.loaded
}

/** Whether the path of a file says what it may contain. */
const pathsDecide = ({ fences, waiverFiles = [] }: Context): boolean => fences !== undefined || waiverFiles.length > 0

/** Checks files that are in memory. If there are problems, they are returned, and no declaration. A worker may keep the bytes of the files. */
export const checkFiles = async (read: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Loaded | InvalidFiles> =>
  (await check(read, context, signal)).loaded

async function check(read: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Checked> {
  const loaded = understandHere(read, context)
  const checked: Checked = loaded === undefined ? await readInWorker(read, context, signal) : loaded.valid ? { loaded, read } : { loaded }
  const { lastGood } = context
  if (checked.read === undefined || lastGood === undefined) return checked
  // A last valid text that is not used now may be used again, so it is kept, too.
  const kept = checked.loaded.kept.map((one) => ({ ...one, isUsed: true }))
  const files = usedFiles(checked.read.files, kept, lastGood)
  return { loaded: checked.loaded, read: { files, hash: hashOf(files) } }
}

/** Undefined if the declaration is not small. */
function understandHere(read: DeclarationFiles, context: Context): Loaded | InvalidFiles | undefined {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (bytes > hereBytesMax) return undefined
  return understandDeclaration(read, context, { isTooLarge: takesLong })
}
