import { by } from '../core/compare.ts'
import { defined } from '../core/fields.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { hereBytesMax } from '../yaml/inWorker.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { ownersOf } from './fenceOwner.ts'
import { type FilesToRead, hashOf, type LastValidFiles, readFiles } from './files.ts'
import { type Checked, readInWorker } from './inWorker.ts'
import { textsAfter, understandDeclaration } from './keepGood.ts'
import type { Context, Loaded } from './understand.ts'
import { takesLong } from './work.ts'

type LoadOptions = Context & {
  /** An earlier result under the same settings, in which all was valid. If the files are as they were then, it is returned: 10,000 rules take a second. */
  readonly previous?: Loaded
  /** The last valid text of each file, which a daemon keeps in its memory while it runs. Absent: nothing stands in for an invalid file. */
  readonly texts?: { lastValid: LastValidFiles }
}

/**
 * Reads a declaration from a file or a folder. A large or costly declaration is read in a worker, so that other work goes on. If it is invalid as a
 * whole, the last valid texts of all files are used. They are checked as if they were read now.
 *
 * @param path of the file or folder; problems name a file relative to the folder, or a single file by its name
 * @returns the problems if there are some, and no such texts
 * @throws the reason of `signal`
 */
export async function loadDeclaration(
  path: string,
  { previous, texts, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  // Without fences no single file is replaced.
  const lastValid = context.fences === undefined && texts !== undefined ? new Map() : texts?.lastValid
  const check = async (files: FilesToRead): Promise<Checked> =>
    files.obstacles === undefined && previous?.hash === files.hash
      ? { loaded: previous, read: files }
      : readHere(defined({ ...files, lastValid }), context, signal)
  const read = await readFiles(path, { pauseMs: 50, ownerOf: ownersOf(context), signal })
  const present: Checked = 'hash' in read ? await check(read) : { loaded: invalidFiles(read) }
  if (texts !== undefined && present.read !== undefined) texts.lastValid = textsAfter(present.read, present.loaded)
  if (present.loaded.valid || texts === undefined || texts.lastValid.size === 0) return present.loaded
  const { loaded: before } = await check(filesOf(texts.lastValid))
  if (!before.valid) return present.loaded
  const { kept: _, ...whole } = before
  return { ...whole, invalid: present.loaded }
}

function filesOf(texts: LastValidFiles): FilesToRead {
  const files = [...texts].map(([file, bytes]) => ({ file, bytes })).toSorted(by(({ file }) => file))
  return { files, hash: hashOf(files) }
}

/** Reads a small declaration in this thread, and any other in a worker. */
async function readHere(read: FilesToRead, context: Context, signal: AbortSignal): Promise<Checked> {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  const loaded = bytes > hereBytesMax ? undefined : understandDeclaration(read, context, { isTooLarge: takesLong })
  if (loaded === undefined) return await readWithout(read, context, signal)
  return loaded.valid ? { loaded, read } : { loaded }
}

/** Reads the declaration in a worker. If the files of one owner need too much memory or time, it is read again without these files. */
async function readWithout(read: FilesToRead, context: Context, signal: AbortSignal): Promise<Checked> {
  const without = new Set<string>()
  let obstacles = read.obstacles
  for (;;) {
    const checked = await readInWorker(defined({ ...read, obstacles }), context, signal)
    const owner = checked.exhausted?.owner
    if (checked.exhausted === undefined || owner === undefined || without.has(owner)) return checked
    without.add(owner)
    obstacles = [...(obstacles ?? []), checked.exhausted]
  }
}
