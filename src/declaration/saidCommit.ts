import { readlink, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Revision } from '../core/revision.ts'
import { readBounded } from '../files/read.ts'

type Said = Extract<Revision, { kind: 'said' }>

/** git-sync 4 makes the link `NAME -> …/.worktrees/COMMIT`, and git-sync 3 `NAME -> COMMIT`. */
const linkTarget = /^(?:(?:.*\/)?\.worktrees\/)?([0-9a-f]{64}|[0-9a-f]{40})\/?$/

/** The commit to which the link of git-sync leads, if the path of the declaration goes through one. */
export async function linkedCommit(place: string): Promise<Said | undefined> {
  for (let path = resolve(place); ; path = dirname(path)) {
    const target = await readlink(path).catch(() => '')
    const id = linkTarget.exec(target)?.[1]
    if (id !== undefined) return { kind: 'said', id, by: 'link' }
    if (path === dirname(path)) return undefined
  }
}

const bytesMax = 1024

/**
 * The commit that the first line of the file `.revision` names. A text that is no commit counts as no file. A link is followed within the folder only, as the
 * kubelet makes them: a link to another place could make the program show a line of another file.
 */
export async function writtenCommit(folder: string, signal: AbortSignal): Promise<Said | undefined> {
  const [root, path] = await Promise.all([folder, join(folder, '.revision')].map((path) => realpath(path).catch(() => undefined)))
  if (root === undefined || path?.startsWith(root === sep ? sep : `${root}${sep}`) !== true) return undefined
  const read = await readBounded(path, { bytesMax, isReal: true }, signal)
  if ('why' in read) return undefined
  const [id] = /^[0-9a-f]{7,64}(?=\s*(?:\n|$))/.exec(read.bytes.toString('latin1')) ?? []
  return id === undefined ? undefined : { kind: 'said', id, by: '.revision' }
}
