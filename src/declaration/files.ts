import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { by } from '../core/compare.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'

const filesMax = 2_000
const fileBytesMax = 1024 * 1024
const totalBytesMax = 16 * 1024 * 1024
const depthMax = 16
const attemptsMax = 5

/** A declaration as it lies on disk. `hash`: SHA-256 in hex over names and contents. Names are relative to the folder, with `/`. */
export type DeclarationFiles = { readonly files: readonly DeclarationFileBytes[]; readonly hash: string }
export type DeclarationFileBytes = { readonly file: string; readonly bytes: Uint8Array }

/**
 * Reads a file, or every `.yaml` and `.yml` file of a folder and its folders but those whose names begin with a dot (a mounted ConfigMap holds
 * everything a second time under `..data`). Reads again until two readings in a row are equal, since a ConfigMap or a checkout may change
 * underneath. At most 2,000 files, 1 MiB each, 16 MiB together.
 */
export function readFiles(
  path: string,
  { pauseMs, signal }: { readonly pauseMs: number; readonly signal: AbortSignal },
): Promise<DeclarationFiles | readonly Problem[]> {
  return untilStable(
    path,
    () => readOnce(path),
    (attempt) => sleep(pauseMs * attempt, undefined, { signal }),
    signal,
  )
}

/** What two readings in a row agree on. @param pause before the reading after the next one */
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
  return [problemOfFile(path, 'the files keep changing while they are read', `read ${attemptsMax} times; is something writing to them?`)]
}

/** Why the files cannot be read. */
export type Failed = { readonly problems: readonly Problem[] }
const digest = (read: DeclarationFiles | Failed): string => ('hash' in read ? read.hash : JSON.stringify(read.problems))

async function readOnce(path: string): Promise<DeclarationFiles | Failed> {
  const problems: Problem[] = []
  const files: DeclarationFileBytes[] = []
  const hash = createHash('sha256')
  let totalBytes = 0
  for (const found of await list(path, problems)) {
    const bytes = await readBytes(found.path).catch((error: unknown) => unreadable(found.file, error))
    if (!(bytes instanceof Uint8Array)) {
      problems.push(bytes)
      continue
    }
    totalBytes += bytes.length
    if (totalBytes > totalBytesMax) return { problems: [problemOfFile(path, `the files together have more than ${totalBytesMax} bytes`)] }
    hash.update(`${Buffer.byteLength(found.file)}:${found.file}${bytes.length}:`).update(bytes)
    files.push({ file: found.file, bytes })
  }
  return problems.length > 0 ? { problems } : { files, hash: hash.digest('hex') }
}

type Found = { readonly file: string; readonly path: string }

async function list(path: string, problems: Problem[]): Promise<Found[]> {
  const kind = await kindOf(path, path)
  if (kind === 'file') return [{ file: basename(path), path }]
  const found: Found[] = []
  if (typeof kind === 'object') problems.push({ ...kind, help: 'see "declaration" in the settings' })
  else if (kind === 'other') problems.push(problemOfFile(path, 'this is neither a file nor a folder', 'see "declaration" in the settings'))
  else await walk({ path, prefix: '', above: [await realpath(path)] }, found, problems)
  if (found.length === 0 && problems.length === 0) {
    problems.push(
      problemOfFile(path, 'there is no .yaml or .yml file in this folder', 'a workspace without mappings says so itself: projectRoles: []'),
    )
  }
  return found.toSorted(by(({ file }) => file))
}

/** `above`: the real paths of the folder and of those that it lies in. */
type Folder = { readonly path: string; readonly prefix: string; readonly above: readonly string[] }

async function walk({ path, prefix, above }: Folder, found: Found[], problems: Problem[]): Promise<void> {
  const names = await readdir(path).catch((error: unknown) => unreadable(prefix === '' ? path : prefix, error))
  if (!Array.isArray(names)) {
    problems.push(names)
    return
  }
  for (const name of names.toSorted()) {
    if (name.startsWith('.')) continue
    const inner = { file: prefix + name, path: join(path, name) }
    const kind = await kindOf(inner.path, inner.file)
    if (kind === 'folder') await enter(inner, above, found, problems)
    else if (!/\.ya?ml$/i.test(name)) continue
    else if (kind === 'file') found.push(inner)
    else problems.push(kind === 'other' ? problemOfFile(inner.file, 'this is not a file') : kind)
    if (found.length > filesMax) {
      problems.push(problemOfFile(inner.file, `the declaration has more than ${filesMax} files`))
      return
    }
  }
}

async function enter(folder: Found, above: readonly string[], found: Found[], problems: Problem[]): Promise<void> {
  const real = await realpath(folder.path)
  // A link may lead back to where it lies.
  if (above.includes(real)) problems.push(problemOfFile(folder.file, 'this folder contains itself through a link'))
  else if (above.length >= depthMax) problems.push(problemOfFile(folder.file, `folders more than ${depthMax} deep are not read`))
  else await walk({ path: folder.path, prefix: `${folder.file}/`, above: [...above, real] }, found, problems)
}

/** What a path leads to, links followed, or why it leads nowhere. */
async function kindOf(path: string, file: string): Promise<'file' | 'folder' | 'other' | Problem> {
  try {
    const found = await stat(path)
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    return unreadable(file, error)
  }
}

/** One byte more than is allowed, so that the reader sees that it is too much. */
async function readBytes(path: string): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const buffer = Buffer.alloc(Math.min((await handle.stat()).size + 1, fileBytesMax + 1))
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } finally {
    await handle.close()
  }
}

function unreadable(file: string, error: unknown): Problem {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return problemOfFile(file, 'there is no such file or folder')
  if (code === 'EACCES') return problemOfFile(file, 'this account may not read it')
  if (code === 'ELOOP') return problemOfFile(file, 'this link leads to itself')
  return problemOfFile(file, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}
