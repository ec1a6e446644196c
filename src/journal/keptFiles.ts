import { dirname, join } from 'node:path'
import { jsonObjectIn } from '../core/jsonText.ts'
import { readBounded } from '../files/read.ts'
import type { Disk } from './disk.ts'
import { replaceFile } from './files.ts'

/** The files of the last valid declaration, or the file of the last valid settings, as they are kept beside the journal. */
export type KeptFiles = {
  /** The date at which they were last seen valid, epoch ms. A file with a `validMs` of its own was last valid at an earlier time. */
  readonly lastValidMs: number
  readonly hash: string
  readonly files: readonly { readonly file: string; readonly bytes: Uint8Array; readonly validMs?: number }[]
  /** Its other files, of which the content is not kept. Absent: none. */
  readonly withheld?: readonly string[]
}

/** The first line of the file, as JSON. The contents of the files follow, one after the other. */
type Head = {
  readonly format: 1
  readonly lastValidMs: number
  readonly hash: string
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly validMs?: number }[]
  readonly withheld?: readonly string[]
}

/** When all of the kept files were last valid together, epoch ms. A file may have been invalid long before the others. */
export const allValidMs = ({ files, lastValidMs }: Pick<KeptFiles, 'files' | 'lastValidMs'>): number =>
  files.reduce((sofar, { validMs = sofar }) => Math.min(sofar, validMs), lastValidMs)

export const lastDeclarationFile = (folder: string): string => join(folder, 'last-valid-declaration')
export const lastSettingsFile = (folder: string): string => join(folder, 'last-valid-settings')

/** A head above this is not written and not read, because many small values take much memory. */
const headBytesMax = 1024 * 1024
/** More than a head and the largest declaration. */
const bytesMax = 20 * 1024 * 1024

/** Replaces the kept files of a place. @returns why they cannot be kept; undefined: they are. @throws the error of the disk */
export async function keepFiles(place: string, { lastValidMs, hash, files, withheld }: KeptFiles, disk: Disk): Promise<string | undefined> {
  const sizes = files.map((one) => ({ ...one, bytes: one.bytes.length }))
  const head = Buffer.from(
    `${JSON.stringify({ format: 1, lastValidMs, hash, files: sizes, ...(withheld && { withheld }) } satisfies Head)}\n`,
  )
  if (head.length > headBytesMax) return 'the names of its files are too long'
  const content = Buffer.concat([head, ...files.map(({ bytes }) => bytes)])
  if (content.length > bytesMax) return `it has more than ${bytesMax} bytes`
  try {
    await replaceFile(place, content, disk)
    return undefined
  } catch (error) {
    // The part that a full disk accepted takes room that the journal needs, so the file is removed.
    await disk.rm(`${place}.new`, { force: true }).catch(() => undefined)
    throw error
  }
}

export async function dropKeptFiles(place: string, disk: Disk): Promise<void> {
  await disk.rm(place, { force: true })
  await disk.syncFolder(dirname(place))
}

/**
 * Reads the kept files of a place. Here the content is only split into files. The caller checks it before it is used.
 *
 * @returns undefined if there are none, a sentence if they cannot be read
 */
export async function readKeptFiles(place: string, signal?: AbortSignal): Promise<KeptFiles | string | undefined> {
  const read = await readBounded(place, { bytesMax }, signal)
  if ('why' in read) return read.reason === 'missing' ? undefined : read.why
  const { bytes } = read
  const end = bytes.subarray(0, headBytesMax).indexOf(0x0a)
  const head = end === -1 ? undefined : headFrom(bytes.toString('utf8', 0, end))
  if (head === undefined) return 'it does not begin as this version writes it, so it is damaged or of a newer version'
  let at = end + 1
  const files = head.files.map((one) => {
    const from = at
    at += one.bytes
    return { ...one, bytes: bytes.subarray(from, at) }
  })
  if (at !== bytes.length) return 'it is longer or shorter than it says, so it is damaged'
  return { lastValidMs: head.lastValidMs, hash: head.hash, files, ...(head.withheld && { withheld: head.withheld }) }
}

function headFrom(text: string): Head | undefined {
  const head = jsonObjectIn(text) as Partial<Record<keyof Head, unknown>> | undefined
  if (head?.format !== 1 || !Number.isFinite(head.lastValidMs) || typeof head.hash !== 'string') return undefined
  const { withheld = [] } = head
  if (!Array.isArray(withheld) || !withheld.every((name) => typeof name === 'string')) return undefined
  return Array.isArray(head.files) && head.files.every(isFile) ? (head as Head) : undefined
}

const isFile = (one: unknown): boolean =>
  typeof one === 'object' &&
  one !== null &&
  'file' in one &&
  typeof one.file === 'string' &&
  'bytes' in one &&
  Number.isSafeInteger(one.bytes) &&
  Number(one.bytes) >= 0 &&
  (!('validMs' in one) || Number.isFinite(one.validMs))
