import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoText } from '../files/errno.ts'
import { readBounded } from '../files/read.ts'
import { type FoundFile, walkFolder } from '../files/walk.ts'
import { type Problem, problemOfFile, withOwner } from '../yaml/problem.ts'
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
 * The files of a declaration. `hash`: SHA-256 in hex over names and contents. Names are relative to the folder, with `/`. `obstacles`: why other files
 * or folders of it cannot be read. Absent: all were read.
 */
export type DeclarationFiles = {
  readonly files: readonly DeclarationFileBytes[]
  readonly hash: string
  readonly obstacles?: readonly Problem[]
}
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
): Promise<DeclarationFiles | readonly Problem[]> {
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
  read: () => Promise<DeclarationFiles | Failed>,
  pause: (attempt: number) => Promise<void>,
  signal: AbortSignal,
): Promise<DeclarationFiles | readonly Problem[]> {
  let before = await read()
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    signal.throwIfAborted()
    const now = await read()
    if (digest(before) === digest(now)) return 'hash' in now ? now : now.problems
    await pause(attempt)
    before = now
  }
  return [
    problemOfFile(
      path,
      'the files keep changing while they are read',
      `read ${attemptsMax} times; check whether another program writes to them`,
    ),
  ]
}

/** Why the files cannot be read. */
type Failed = { readonly problems: readonly Problem[] }
const digest = (read: DeclarationFiles | Failed): string =>
  'hash' in read ? read.hash + JSON.stringify(read.obstacles) : JSON.stringify(read.problems)

async function readOnce(path: string, ownerOf: OwnerOf | undefined, signal: AbortSignal): Promise<DeclarationFiles | Failed> {
  const listed = await listFiles(path, ownerOf, signal)
  const problems: Problem[] = [...listed.problems]
  const files: DeclarationFileBytes[] = []
  const bytesOf = new Map<string | undefined, number>()
  const isFull = (owner: string | undefined) => owner !== undefined && (bytesOf.get(owner) ?? 0) > ownerLimit(totalBytesMax)
  for (let at = 0; at < listed.found.length; at += readTogether) {
    const some = listed.found.slice(at, at + readTogether)
    const contents = await Promise.all(
      some.map(({ path: real }) => readBounded(real, { bytesMax: yamlBytesMax, isReal: listed.isFolder }, signal)),
    )
    for (const [index, content] of contents.entries()) {
      const { file } = some[index] as FoundFile
      const owner = ownerOf?.(file)
      if (isFull(owner)) continue
      if ('why' in content) {
        problems.push(problemOfFile(file, content.why, content.reason === 'tooLarge' ? 'split it into several files' : undefined))
        continue
      }
      bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + content.bytes.length)
      if (isFull(owner)) problems.push(tooManyBytes(file, owner))
      else files.push({ file, bytes: content.bytes })
    }
    if ((bytesOf.get(undefined) ?? 0) > totalBytesMax)
      return { problems: [problemOfFile(path, `the files together have more than ${totalBytesMax} bytes`)] }
  }
  if (files.length === 0) return { problems }
  return { files, hash: hashOf(files), ...(problems.length === 0 ? {} : { obstacles: problems }) }
}

const tooManyBytes = (file: string, owner: string | undefined): Problem =>
  withOwner(
    problemOfFile(file, `with this file, the files of ${owner} have more than ${ownerLimit(totalBytesMax)} bytes`, ownersCure),
    owner,
  )

const ownersCure = 'the files of one owner inside fences have a quarter of the limit of all files: remove some, or write shorter rules'

/**
 * A problem at the first file with which the files of all owners together exceed a limit. The files before it count first.
 *
 * @param files in the order in which they count
 */
export function overLimit(files: readonly DeclarationFileBytes[]): Problem | undefined {
  let totalBytes = 0
  for (const [before, { file, bytes }] of files.entries()) {
    totalBytes += bytes.length
    if (before === filesMax)
      return problemOfFile(file, `with this file, the declaration has more than ${filesMax} files`, 'remove some files')
    if (totalBytes > totalBytesMax)
      return problemOfFile(file, `with this file, the files together have more than ${totalBytesMax} bytes`, 'remove some files')
  }
  return undefined
}

/** SHA-256 in hex over the names and contents of files. */
export function hashOf(files: readonly DeclarationFileBytes[]): string {
  const hash = createHash('sha256')
  for (const { file, bytes } of files) hash.update(`${Buffer.byteLength(file)}:${file}${bytes.length}:`).update(bytes)
  return hash.digest('hex')
}

type Listed = {
  readonly found: readonly FoundFile[]
  readonly problems: readonly Problem[]
  /** False: `found` is the one file that the settings name, which may be a link to any place. */
  readonly isFolder: boolean
}

/** Finds the files of a declaration. Never throws, except the reason of `signal`. */
export async function listFiles(path: string, ownerOf: OwnerOf | undefined, signal: AbortSignal): Promise<Listed> {
  const wrong = (why: string, cure: string): Listed => ({ found: [], problems: [problemOfFile(path, why, cure)], isFolder: false })
  try {
    const is = await stat(path)
    if (is.isFile()) return { found: [{ file: basename(path), path }], problems: [], isFolder: false }
    if (!is.isDirectory()) return wrong('this is neither a file nor a folder', inSettings)
    const owners = ownerOf && { ownerOf, filesMax: ownerLimit(filesMax), entriesMax: ownerLimit(walkBounds.entriesMax) }
    const bounds = { ...walkBounds, ...(owners === undefined ? {} : { owners, refusesLinks: true }) }
    const { found, obstacles } = await walkFolder(path, bounds, signal)
    const problems = obstacles.map(({ file, why, cure, owner }) =>
      withOwner(problemOfFile(file === '' ? path : file, why, owner === undefined ? cure : ownersCure), owner),
    )
    if (found.length > 0 || problems.length > 0) return { found, problems, isFolder: true }
  } catch (error) {
    signal.throwIfAborted()
    return wrong(errnoText(error, 'file or folder'), inSettings)
  }
  return wrong('there is no .yaml or .yml file in this folder', 'for a workspace without mappings write projectRoles: []')
}

const inSettings = 'see "declaration" in the settings'
