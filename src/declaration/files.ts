import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoText } from '../files/errno.ts'
import { readBounded } from '../files/read.ts'
import { type FoundFile, walkFolder } from '../files/walk.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import { type OwnerOf, ownerLimit } from './fenceOwner.ts'

const filesMax = 2_000
/** A checkout may have other files beside the declaration. The limits stop a walk over a whole disk. */
export const walkBounds = { accepts: (name: string) => /\.ya?ml$/i.test(name), filesMax, entriesMax: 20_000, depthMax: 16 }
const totalBytesMax = 16 * 1024 * 1024
const attemptsMax = 5
/** So many files are read at a time, since most of the time to read a small file is waiting. */
const readTogether = 16

/**
 * The files of a declaration. `hash`: SHA-256 in hex over names and contents. Names are relative to the folder, with `/`. `obstacles`: what else of it
 * cannot be read. Absent: all was read.
 */
export type DeclarationFiles = {
  readonly files: readonly DeclarationFileBytes[]
  readonly hash: string
  readonly obstacles?: readonly Obstacle[]
}
/** Why a file or a folder, `path`, cannot be read. The empty text is the whole declaration. `owner`: also other files of this owner were not looked for. */
export type Obstacle = { readonly path: string; readonly owner?: string; readonly problem: Problem }
/** What there is to read: the files as they are now, and the last valid ones, which a daemon uses in place of invalid ones. */
export type FilesToRead = DeclarationFiles & { readonly lastValid?: LastValidFiles }
/** Name → content of each file when it was last valid. */
export type LastValidFiles = ReadonlyMap<string, Uint8Array>
export type DeclarationFileBytes = { readonly file: string; readonly bytes: Uint8Array }

/**
 * Reads a file, or every `.yaml` and `.yml` file of a folder and its subfolders. Names that begin with a dot are left out: a mounted ConfigMap
 * has each file a second time under `..data`. Links are followed within the folder, with `ownerOf` only those that the kubelet makes. The files are read
 * until two reads in a row are equal, since a ConfigMap or a checkout may change meanwhile. At most 2,000 files, 1 MiB each, 16 MiB together, are read,
 * and of each owner a quarter of that beside them.
 *
 * @param ownerOf the owner of a file inside a fence; absent: no path of a file says what it may contain
 */
export function readFiles(
  path: string,
  { pauseMs, ownerOf, signal }: { readonly pauseMs: number; readonly ownerOf?: OwnerOf | undefined; readonly signal: AbortSignal },
): Promise<DeclarationFiles> {
  return untilStable(
    path,
    () => readOnce(path, ownerOf, signal),
    (attempt) => sleep(pauseMs * attempt, undefined, { signal }),
    signal,
  )
}

/** Reads until two reads in a row are equal. @param pause waits after two reads that differ, before the next one */
export async function untilStable(
  path: string,
  read: () => Promise<DeclarationFiles>,
  pause: (attempt: number) => Promise<void>,
  signal: AbortSignal,
): Promise<DeclarationFiles> {
  let before = await read()
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    signal.throwIfAborted()
    const now = await read()
    if (digest(before) === digest(now)) return now
    await pause(attempt)
    before = now
  }
  const cure = `read ${attemptsMax} times; check whether another program writes to them`
  return filesOf([], [{ path: '', problem: problemOfFile(path, 'the files keep changing while they are read', cure) }])
}

const digest = ({ hash, obstacles }: DeclarationFiles): string => hash + JSON.stringify(obstacles)

const filesOf = (files: readonly DeclarationFileBytes[], obstacles: readonly Obstacle[]): DeclarationFiles => ({
  files,
  hash: hashOf(files),
  ...(obstacles.length === 0 ? {} : { obstacles }),
})

async function readOnce(path: string, ownerOf: OwnerOf | undefined, signal: AbortSignal): Promise<DeclarationFiles> {
  const listed = await listFiles(path, ownerOf, signal)
  const obstacles: Obstacle[] = [...listed.obstacles]
  const files: DeclarationFileBytes[] = []
  const bytesOf = new Map<string | undefined, number>()
  for (let at = 0; at < listed.files.length; at += readTogether) {
    const portion = listed.files.slice(at, at + readTogether)
    const contents = await Promise.all(
      portion.map(async ({ file, path: real }) =>
        isFull(file) ? undefined : await readBounded(real, { bytesMax: yamlBytesMax, isReal: listed.isFolder }, signal),
      ),
    )
    for (const [index, content] of contents.entries()) {
      const { file } = portion[index] as FoundFile
      const owner = ownerOf?.(file)
      const bytes = content === undefined || 'why' in content ? 0 : content.bytes.length
      bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes)
      if (isFull(file)) obstacles.push({ path: file, problem: tooManyBytes(file, owner) })
      else if (content === undefined) continue
      else if ('why' in content) {
        const cure = content.reason === 'tooLarge' ? 'split it into several files' : undefined
        obstacles.push({ path: file, problem: problemOfFile(file, content.why, cure) })
      } else files.push({ file, bytes: content.bytes })
    }
  }
  return filesOf(files, obstacles)

  /** Whether the files of its owner have more bytes than may be read; without an owner, those of all files without one. */
  function isFull(file: string): boolean {
    const owner = ownerOf?.(file)
    return (bytesOf.get(owner) ?? 0) > bytesMaxOf(owner)
  }
}

const bytesMaxOf = (owner: string | undefined): number => (owner === undefined ? totalBytesMax : ownerLimit(totalBytesMax))

const tooManyBytes = (file: string, owner: string | undefined): Problem =>
  problemOfFile(
    file,
    `the files${owner === undefined ? '' : ` of ${owner}`} have more than ${bytesMaxOf(owner)} bytes together, and this one is not read`,
    owner === undefined ? 'remove some files' : ownersCure,
  )

const ownersCure = 'the files of one owner inside fences have a quarter of the limit of all files: remove some, or write shorter rules'

/** Counts files in the order in which they count. A file with which all files together exceed a limit has a problem, and does not count. */
export function openFileCount(): (file: DeclarationFileBytes) => Problem | undefined {
  let count = 0
  let total = 0
  return ({ file, bytes }) => {
    if (count >= filesMax)
      return problemOfFile(file, `with this file, the declaration has more than ${filesMax} files`, 'remove some files')
    if (total + bytes.length > totalBytesMax)
      return problemOfFile(file, `with this file, the files together have more than ${totalBytesMax} bytes`, 'remove some files')
    count++
    total += bytes.length
    return undefined
  }
}

/** SHA-256 in hex over the names and contents of files. */
export function hashOf(files: readonly DeclarationFileBytes[]): string {
  const hash = createHash('sha256')
  for (const { file, bytes } of files) hash.update(`${Buffer.byteLength(file)}:${file}${bytes.length}:`).update(bytes)
  return hash.digest('hex')
}

type Listed = {
  readonly files: readonly FoundFile[]
  readonly obstacles: readonly Obstacle[]
  /** False: `files` has the one file that the settings name, which may be a link to any place. */
  readonly isFolder: boolean
}

/** Finds the files of a declaration. Never throws, except the reason of `signal`. */
export async function listFiles(path: string, ownerOf: OwnerOf | undefined, signal: AbortSignal): Promise<Listed> {
  const none = (why: string, cure: string): Listed => ({
    files: [],
    obstacles: [{ path: '', problem: problemOfFile(path, why, cure) }],
    isFolder: false,
  })
  try {
    const is = await stat(path)
    if (is.isFile()) return { files: [{ file: basename(path), path }], obstacles: [], isFolder: false }
    if (!is.isDirectory()) return none('this is neither a file nor a folder', inSettings)
    const owners = ownerOf && { ownerOf, filesMax: ownerLimit(filesMax), entriesMax: ownerLimit(walkBounds.entriesMax) }
    const bounds = { ...walkBounds, ...(owners === undefined ? {} : { owners, refusesLinks: true }) }
    const { files, obstacles: walked } = await walkFolder(path, bounds, signal)
    const obstacles = walked.map(({ file, why, cure, owner, isEnd }): Obstacle => {
      const problem = problemOfFile(file === '' ? path : file, why, owner === undefined ? cure : ownersCure)
      return { path: isEnd === true ? '' : file, problem, ...(owner === undefined ? {} : { owner }) }
    })
    if (files.length > 0 || obstacles.length > 0) return { files, obstacles, isFolder: true }
  } catch (error) {
    signal.throwIfAborted()
    return none(errnoText(error, 'file or folder'), `mount it or check it out again, or ${inSettings}`)
  }
  return none(
    'there is no .yaml or .yml file in this folder',
    'mount it or check it out again; for a workspace without mappings write projectRoles: []',
  )
}

const inSettings = 'see "declaration" in the settings'
