import { type GroupIndex, indexGroups } from '../core/group.ts'
import type { Memberships } from '../core/people/members.ts'
import { counted } from '../core/quantity.ts'
import type { Reading } from '../core/reading.ts'
import { readBounded, type Unread } from '../files/read.ts'
import { yamlBytesMax } from '../yaml/decode.ts'
import { readApart } from '../yaml/inWorker.ts'
import type { Problem } from '../yaml/problem.ts'
import { type ParsedGroups, parseGroups } from './groupFile.ts'

/**
 * The groups that a YAML or JSON file lists: `groups: [{name, id?, people? | members?}]`. For tests, the demo, and an identity provider that
 * only has an export. A file that is missing, too large, not UTF-8, or wrong in one place gives a failed reading, with file:line:column.
 */
export function groupFile(path: string, now: () => number): GroupFile {
  let last: Memberships = new Map()
  /** A file that has not changed is not parsed again: a mebibyte takes two seconds. */
  let before: { readonly bytes: Buffer; readonly parsed: ParsedGroups } | undefined
  async function read(signal: AbortSignal): Promise<Reading<GroupIndex>> {
    const atMs = now()
    const failed = (why: string, cure: string): Reading<GroupIndex> => ({ status: 'failed', why, cure, atMs, tookMs: now() - atMs })
    const file = await readSettled(path, signal)
    if ('why' in file) return failed(file.why, file.cure)
    const { bytes } = file
    const parsed = before?.bytes.equals(bytes) ? before.parsed : await readApart('groups', { file: path, bytes }, parseGroups, signal)
    before = { bytes, parsed }
    if (!parsed.valid) return failed(inOneLine(parsed.problems), 'correct the file; nothing of it is used until then')
    last = parsed.memberships
    return { status: 'complete', value: indexGroups(parsed.groups), atMs, tookMs: now() - atMs }
  }
  return { read, members: async () => ({ status: 'complete', value: last, atMs: now(), tookMs: 0 }) }
}

type GroupFile = {
  read(signal: AbortSignal): Promise<Reading<GroupIndex>>
  /** The members that the last reading saw. */
  members(): Promise<Reading<Memberships>>
}

/** The first problem, with its place, as a part of a sentence. A frame of the file would not fit there. */
function inOneLine([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return 'it cannot be read'
  const { at, message, cure } = first
  const place = at.line === 0 ? at.file : `${at.file}:${at.line}:${at.column}`
  return `${place}: ${message}${cure === undefined ? '' : ` (${cure})`}${more.length === 0 ? '' : `, and ${counted(more.length, 'more mistake')}`}`
}

type Content = { readonly bytes: Buffer } | { readonly why: string; readonly cure: string }

const readsMax = 5

/** Reads until two reads in a row are equal: a file that is being written may be well-formed with half of its groups. */
async function readSettled(path: string, signal: AbortSignal): Promise<Content> {
  try {
    let before = await readOnce(path, signal)
    for (let reads = 1; reads < readsMax && 'bytes' in before; reads++) {
      const again = await readOnce(path, signal)
      if (!('bytes' in again) || again.bytes.equals(before.bytes)) return again
      before = again
    }
    return 'why' in before ? before : { why: `${path}: it changes while it is read`, cure: 'write it under another name, then rename it' }
  } catch (error) {
    if (!signal.aborted) throw error
    return { why: `${path}: given up while it was read`, cure: 'read it again' }
  }
}

async function readOnce(path: string, signal: AbortSignal): Promise<Content> {
  const read = await readBounded(path, { bytesMax: yamlBytesMax }, signal)
  if (!('why' in read)) return read
  return { why: `${path}: ${read.why}`, cure: cures[read.reason] ?? 'check the path, and that this program may read it' }
}

const cures: Partial<Readonly<Record<Unread['reason'], string>>> = {
  notAFile: 'name a file of groups',
  tooLarge: 'split it into several directories of this kind',
}
