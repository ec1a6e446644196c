import { defined } from '../core/optionalFields.ts'
import type { Revision } from '../core/revision.ts'
import { invalidFiles } from '../yaml/frame.ts'
import type { Parse } from '../yaml/parse.ts'
import type { InvalidFiles } from '../yaml/problem.ts'
import { hereBytesMax } from '../yaml/readApart.ts'
import { openOwners, ownersOf } from './fenceOwner.ts'
import { type FilesToRead, hashOf, type LastValidFiles, type Obstacle, readFiles } from './files.ts'
import { type Checked, type Exhausted, readInWorker } from './inWorker.ts'
import { type RevisionKnown, readAtRevision } from './revision.ts'
import { takesLong } from './size.ts'
import { type Context, type Loaded, textsAfter, understandDeclaration } from './understand.ts'

/**
 * Owner → the files of the owner with which a worker had no memory or no time left, by hash. They are not read again until they change. Undefined: all
 * files. `alsoLast`: neither with their last valid texts.
 */
export type ExhaustedFiles = Map<string | undefined, Exhausted & { readonly hash: string; readonly alsoLast: boolean }>

type LoadOptions = Context & {
  /** An earlier result under the same settings, in which all was valid. If the files are as they were then, it is returned: 10,000 rules take a second. */
  readonly previous?: Loaded
  /** The last valid text of each file, which a daemon keeps in its memory while it runs. Absent: nothing stands in for an invalid file. */
  readonly texts?: { lastValid: LastValidFiles }
  readonly exhausted?: ExhaustedFiles
  /** What is known of the commit. Absent: it is not looked for. */
  readonly revision?: RevisionKnown
  /** Parses small declarations; absent: as YAML. */
  readonly parse?: Parse
}

/**
 * Reads a declaration from a file or a folder. A large or costly declaration is read in a worker, so that other work goes on.
 *
 * @param path of the file or folder; problems name a file relative to the folder, or a single file by its name
 * @returns the problems alone if no file can be used, neither as it is nor by its last valid text
 * @throws the reason of `signal`
 */
export async function loadDeclaration(
  path: string,
  { previous, texts, exhausted = new Map(), revision: known, parse, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  const readAll = () => readFiles(path, { pauseMs: 50, ownerOf: ownersOf(context), signal })
  const { files, revision } = known === undefined ? { files: await readAll() } : await readAtRevision(path, readAll, known, signal)
  if (files.obstacles === undefined && previous?.hash === files.hash) {
    if (texts !== undefined) texts.lastValid = textsAfter(files, previous)
    return withRevision(previous, revision)
  }
  const { loaded, read } = await readHere(defined({ ...files, lastValid: texts?.lastValid }), context, { exhausted, parse }, signal)
  if (texts !== undefined && read !== undefined) texts.lastValid = textsAfter(read, loaded)
  return loaded.valid && loaded.invalid === undefined ? withRevision(loaded, revision) : loaded
}

/** Where files are not used as they are now, no commit has the text that is used. */
const withRevision = (loaded: Loaded, revision: Revision | undefined): Loaded =>
  revision === loaded.revision ? loaded : defined({ ...loaded, revision })

/** Reads a small declaration in this thread, and any other in a worker. */
async function readHere(
  read: FilesToRead,
  context: Context,
  { exhausted, parse }: { readonly exhausted: ExhaustedFiles; readonly parse: Parse | undefined },
  signal: AbortSignal,
): Promise<Checked> {
  const bytes = read.files.reduce((sum, file) => sum + file.bytes.length, 0)
  const loaded = bytes > hereBytesMax ? undefined : understandDeclaration(read, context, defined({ isTooLarge: takesLong, parse }))
  if (loaded === undefined) return await readWithout(read, context, exhausted, signal)
  return loaded.valid ? { loaded, read } : { loaded }
}

/**
 * Reads the declaration in a worker. If the files of one owner need too much memory or time, it is read again without these files, and then without their
 * last valid texts.
 */
async function readWithout(read: FilesToRead, context: Context, known: ExhaustedFiles, signal: AbortSignal): Promise<Checked> {
  const ownerOf = openOwners(context.fences ?? {})
  const filesOf = (owner: string | undefined) =>
    owner === undefined ? read.files : read.files.filter(({ file }) => ownerOf(file) === owner)
  const unchanged = new Map([...known].filter(([owner, { hash }]) => hash === hashOf(filesOf(owner))))
  for (;;) {
    const isLeftOut = (file: string, of = [...unchanged.values()]) => of.some(({ owner }) => owner === undefined || ownerOf(file) === owner)
    const obstacles = [...unchanged.values()].map(
      ({ owner, problem }): Obstacle => (owner === undefined ? { path: '', problem } : { path: problem.at.file, owner, problem }),
    )
    const twice = [...unchanged.values()].filter(({ alsoLast }) => alsoLast)
    const rest =
      unchanged.size === 0
        ? read
        : {
            ...read,
            files: read.files.filter(({ file }) => !isLeftOut(file)),
            obstacles: [...(read.obstacles ?? []), ...obstacles],
            lastValid: new Map([...(read.lastValid ?? [])].filter(([file]) => !isLeftOut(file, twice))),
          }
    const checked = await readInWorker(rest, context, signal)
    const { exhausted } = checked
    if (exhausted === undefined) return checked
    const { owner, problem } = exhausted
    const before = unchanged.get(owner)
    if (before?.alsoLast === true) return { loaded: invalidFiles([problem]) }
    const now = { owner, problem, hash: hashOf(filesOf(owner)), alsoLast: before !== undefined }
    known.set(owner, now)
    unchanged.set(owner, now)
  }
}
