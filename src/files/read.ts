import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf, errnoText } from './errno.ts'

type Content = { readonly bytes: Buffer; readonly mode: number }

/** Why a file was not read: `why` follows its path in a sentence. */
export type Unread = { readonly reason: 'missing' | 'forbidden' | 'notAFile' | 'tooLarge' | 'failed'; readonly why: string }

type ReadBounds = {
  readonly bytesMax: number
  /** The expected kind of object at the path, as a sentence names it; default: `file`. */
  readonly what?: string
  /** Allows a pipe, as shells make them for `<(…)`, and waits for it at most this long. Absent: a pipe is refused. */
  readonly pipeMs?: number
  /** The path had no link in it when it was found, and must have none now. */
  readonly isReal?: boolean
}

/** The wait for the content of a pipe that the command line names. */
export const pipeMs = 30_000

/**
 * Reads a regular file of at most `bytesMax` and follows links. Devices, sockets and folders are refused before they are opened, and so is a
 * pipe unless `pipeMs` allows it. All input files are read here (test/unit/house/reads.test.ts).
 *
 * @throws the reason of `signal`, and nothing else
 */
export async function readBounded(path: string, bounds: ReadBounds, signal?: AbortSignal): Promise<Content | Unread> {
  signal?.throwIfAborted()
  try {
    // The kind is checked first: opening a device can have an effect, and opening a pipe lets its writer go on.
    const before = refusalOf(await stat(path), bounds)
    if (before !== undefined) return before
    await using handle = await open(path, bounds.isReal === true ? flags | constants.O_NOFOLLOW : flags)
    const stats = await handle.stat()
    // Another file may have got the name in between.
    const refusal = refusalOf(stats, bounds)
    if (refusal !== undefined) return refusal
    if (bounds.isReal === true && !(await isStill(path, stats))) return { reason: 'failed', why: 'it was replaced while it was opened' }
    return await contentOf(handle, stats, bounds, signal)
  } catch (error) {
    signal?.throwIfAborted()
    return { reason: reasonOf(error), why: errnoText(error, bounds.what) }
  }
}

/** Without O_NONBLOCK, opening a pipe without a writer would block one of the few threads that read files. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Whether the file that was opened is the one to which the path leads without a link. A link may have replaced a folder of the path after the path
 * was found. This check sees the link, unless it has been removed again. That race needs a process that writes into the folder while it is read.
 */
async function isStill(path: string, { dev, ino }: Stats): Promise<boolean> {
  const [now, real] = await Promise.all([stat(path), realpath(path)])
  return real === path && now.dev === dev && now.ino === ino
}

function refusalOf(stats: Stats, { bytesMax, pipeMs }: ReadBounds): Unread | undefined {
  const kind = kindOf(stats)
  if (kind === 'file') return stats.size > bytesMax ? tooLarge(bytesMax) : undefined
  if (kind === 'pipe' && pipeMs !== undefined) return undefined
  return { reason: 'notAFile', why: `this is a ${kind}, not a file` }
}

function kindOf(stats: Stats): 'file' | 'folder' | 'pipe' | 'socket' | 'device' {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}

const usualBytes = 4_096
const pollMs = 20
/**
 * The wait for the first byte if the pipe has no writer: its writer may open it after the reader. A writer that ended without a byte looks
 * the same.
 */
const silenceMs = 2_000

async function contentOf(handle: FileHandle, stats: Stats, bounds: ReadBounds, signal?: AbortSignal): Promise<Content | Unread> {
  const { bytesMax } = bounds
  const isPipe = stats.isFIFO()
  // One byte more than allowed shows that the file is too large.
  let buffer = Buffer.alloc(Math.min(Math.max(stats.size, usualBytes), bytesMax + 1))
  let length = 0
  for (let waitedMs = 0; ; ) {
    signal?.throwIfAborted()
    if (length > bytesMax) return tooLarge(bytesMax)
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, bytesMax + 1))
    const bytesRead = await readSome(handle, buffer, length)
    length += bytesRead ?? 0
    if (isPipe && (bytesRead === undefined || length === 0)) {
      if (waitedMs >= (bytesRead === undefined ? (bounds.pipeMs ?? 0) : silenceMs)) return silent(waitedMs)
      await sleep(pollMs, undefined, signal === undefined ? {} : { signal })
      waitedMs += pollMs
      continue
    }
    // A regular file ends at its size. A file whose size is not known (`/proc`), or that grows, is read to its end.
    if (!bytesRead || (length === stats.size && length <= bytesMax)) return { bytes: buffer.subarray(0, length), mode: stats.mode }
  }
}

/** Undefined: the pipe has a writer that has not written yet. */
async function readSome(handle: FileHandle, buffer: Buffer, from: number): Promise<number | undefined> {
  try {
    return (await handle.read(buffer, from, buffer.length - from, null)).bytesRead
  } catch (error) {
    if (errnoOf(error) === 'EAGAIN') return undefined
    throw error
  }
}

export const tooLargeText = (bytesMax: number): string => `the file is larger than ${bytesMax / 1024} KiB`
const tooLarge = (bytesMax: number): Unread => ({ reason: 'tooLarge', why: tooLargeText(bytesMax) })
const silent = (waitedMs: number): Unread => ({ reason: 'failed', why: `nothing more came through this pipe within ${waitedMs / 1000} s` })

function reasonOf(error: unknown): Unread['reason'] {
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'missing'
    case 'EACCES':
    case 'EPERM':
      return 'forbidden'
    default:
      return 'failed'
  }
}

/**
 * Reads a stream to its end, at most `bytesMax`.
 *
 * @throws the reason of `signal`, and nothing else
 */
export async function readStream(stream: Readable, bytesMax: number, signal?: AbortSignal): Promise<{ readonly bytes: Buffer } | Unread> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    if (signal !== undefined) addAbortSignal(signal, stream)
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length > bytesMax) return tooLarge(bytesMax)
    }
    return { bytes: Buffer.concat(chunks) }
  } catch (error) {
    signal?.throwIfAborted()
    return { reason: 'failed', why: errnoText(error, 'input') }
  }
}

/** The certificates of every public authority together are 220 KB. */
const bytesMax = 1024 * 1024

/** The text of a file of certificates (PEM), or why there is none. */
export async function readCertificates(path: string, signal?: AbortSignal): Promise<string | Unread> {
  const read = await readBounded(path, { bytesMax }, signal)
  if ('why' in read) return read
  const text = read.bytes.toString('utf8')
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  return { reason: 'failed', why: 'there is no certificate in it; PEM begins with -----BEGIN CERTIFICATE-----' }
}
