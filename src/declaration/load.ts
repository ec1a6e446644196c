import { by } from '../core/compare.ts'
import { defined } from '../core/fields.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { hereBytesMax } from '../yaml/inWorker.ts'
import type { InvalidFiles, Problem } from '../yaml/problem.ts'
import { openOwners, ownersOf } from './fenceOwner.ts'
import { type FilesToRead, hashOf, type LastValidFiles, readFiles } from './files.ts'
import { type Checked, readInWorker } from './inWorker.ts'
import { textsAfter, understandDeclaration } from './keepGood.ts'
import { takesLong } from './size.ts'
import type { Context, Loaded } from './understand.ts'

/**
 * Owner → the hash of its files with which a worker had no memory or no time left. They are not read again until they change. Without an owner it is the hash of
 * all files.
 */
export type Exhausted = Map<string | undefined, { readonly hash: string; readonly problem: Problem }>

type LoadOptions = Context & {
  /** An earlier result under the same settings, in which all was valid. If the files are as they were then, it is returned: 10,000 rules take a second. */
  readonly previous?: Loaded
  /** The last valid text of each file, which a daemon keeps in its memory while it runs. Absent: nothing stands in for an invalid file. */
  readonly texts?: { lastValid: LastValidFiles }
  readonly exhausted?: Exhausted
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
  { previous, texts, exhausted = new Map(), ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  // Without fences no single file is replaced.
  const lastValid = context.fences === undefined && texts !== undefined ? new Map() : texts?.lastValid
  const check = async (files: FilesToRead): Promise<Checked> =>
    files.obstacles === undefined && previous?.hash === files.hash
      ? { loaded: previous, read: files }
      : readHere(defined({ ...files, lastValid }), context, exhausted, signal)
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
async function readHere(read: FilesToRead, context: Context, exhausted: Exhausted, signal: AbortSignal): Promise<Checked> {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  const loaded = bytes > hereBytesMax ? undefined : understandDeclaration(read, context, { isTooLarge: takesLong })
  if (loaded === undefined) return await readWithout(read, context, exhausted, signal)
  return loaded.valid ? { loaded, read } : { loaded }
}

/** Reads the declaration in a worker. If the files of one owner need too much memory or time, it is read again without these files. */
async function readWithout(read: FilesToRead, context: Context, known: Exhausted, signal: AbortSignal): Promise<Checked> {
  const ownerOf = openOwners(context.fences ?? {})
  const hashOfOwner = (owner: string | undefined) =>
    owner === undefined ? read.hash : hashOf(read.files.filter(({ file }) => ownerOf(file) === owner))
  const same = new Map([...known].filter(([owner, { hash }]) => hash === hashOfOwner(owner)))
  for (;;) {
    const all = same.get(undefined)
    if (all !== undefined) return { loaded: invalidFiles([all.problem]), exhausted: all.problem }
    const obstacles = [...(read.obstacles ?? []), ...same.values().map(({ problem }) => problem)]
    const checked = await readInWorker(obstacles.length === 0 ? read : { ...read, obstacles }, context, signal)
    const problem = checked.exhausted
    if (problem === undefined || (problem.owner !== undefined && same.has(problem.owner))) return checked
    const exhausted = { hash: hashOfOwner(problem.owner), problem }
    known.set(problem.owner, exhausted)
    same.set(problem.owner, exhausted)
  }
}
