import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { type GroupIndex, indexGroups } from '../core/group.ts'
import type { Reading } from '../core/reading.ts'
import type { Problem } from '../yaml/problem.ts'
import { parseGroupFile } from './groupFile.ts'

/** As much as the YAML parser reads in about a second. */
const bytesMax = 1024 * 1024

/**
 * The groups that a YAML or JSON file lists: `groups: [{name, id?, people? | members?}]`. For tests, the demo, and where an identity provider
 * has no interface but an export. A file that is missing, too large, not UTF-8, or wrong in any place is a failed reading: file:line:column.
 */
export function groupFile(path: string, now: () => number): { read(signal: AbortSignal): Promise<Reading<GroupIndex>> } {
  async function read(signal: AbortSignal): Promise<Reading<GroupIndex>> {
    const atMs = now()
    const failed = (why: string, cure: string): Reading<GroupIndex> => ({ status: 'failed', why, cure, atMs, tookMs: now() - atMs })
    const file = await readSettled(path, signal)
    if ('why' in file) return failed(file.why, file.cure)
    const parsed = parseGroupFile(file.bytes, path)
    if (!parsed.valid) return failed(inOneLine(parsed.problems), 'correct the file; nothing of it is used until then')
    return { status: 'complete', value: indexGroups(parsed.groups), atMs, tookMs: now() - atMs }
  }
  return { read }
}

/** A reason stands in the middle of other sentences, so there is no room for the frames that a person at the file would like to see. */
function inOneLine([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return 'it cannot be read'
  const { at, message, help } = first
  const place = at.line === 0 ? at.file : `${at.file}:${at.line}:${at.column}`
  return `${place}: ${message}${help === undefined ? '' : ` (${help})`}${more.length === 0 ? '' : `, and ${more.length} more`}`
}

type Content = { readonly bytes: Buffer } | { readonly why: string; readonly cure: string }

const readsMax = 5

/** Two reads in a row must agree: a file that is being written in place may be well-formed and half. */
async function readSettled(path: string, signal: AbortSignal): Promise<Content> {
  let before = await readBounded(path)
  for (let reads = 1; reads < readsMax && 'bytes' in before; reads++) {
    if (signal.aborted) return { why: `${path}: given up while it was read`, cure: 'read it again' }
    const again = await readBounded(path)
    if (!('bytes' in again) || again.bytes.equals(before.bytes)) return again
    before = again
  }
  return 'why' in before ? before : { why: `${path}: it changes while it is read`, cure: 'write it beside its place, then rename it' }
}

/** One byte more than allowed is enough to see that it is too much. */
async function readBounded(path: string): Promise<Content> {
  try {
    // Without O_NONBLOCK a named pipe would be waited for, in one of the few threads that read files.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return { why: `${path}: it is not a file`, cure: 'name a file of groups' }
    const buffer = Buffer.alloc(bytesMax + 1)
    let length = 0
    for (let bytes = -1; bytes !== 0 && length < buffer.length; length += bytes) {
      bytes = (await file.read(buffer, length, buffer.length - length)).bytesRead
    }
    return { bytes: buffer.subarray(0, length) }
  } catch (error) {
    return { why: `${path}: ${reason(error)}`, cure: 'check the path, and that this program may read it' }
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EACCES':
      return 'it may not be read'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
