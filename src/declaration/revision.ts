import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Revision } from '../core/revision.ts'
import { committedRevision, gitStamps } from './committed.ts'
import type { DeclarationFiles } from './files.ts'
import { linkedCommit, writtenCommit } from './saidCommit.ts'

/**
 * What is known of the commit of one declaration. `env`: of git. `last`: the last answer, and the signs that change with it. git is asked again only if one
 * of them, or the text, has changed. That git was late is not remembered.
 */
export type RevisionKnown = {
  readonly env: Readonly<Record<string, string | undefined>>
  last?: { readonly hash: string; readonly signs: string; readonly revision: Revision | undefined }
}

type ReadAtRevision = { readonly files: DeclarationFiles; readonly revision?: Revision }

/**
 * Reads a declaration, and which commit it is: as git compares it, else as the link of git-sync says, else as the file `.revision` says. Both are of one moment: a
 * commit that changes while the files are read is not named.
 *
 * @param place the file or folder of the declaration
 * @throws the reason of `signal`, and what `read` throws
 */
export async function readAtRevision(
  place: string,
  read: () => Promise<DeclarationFiles>,
  known: RevisionKnown,
  signal: AbortSignal,
): Promise<ReadAtRevision> {
  const before = await signsOf(place, signal)
  const files = await read()
  if (files.obstacles !== undefined) return { files }
  const { last } = known
  if (last?.hash === files.hash && last.signs === before.text) return withRevision(files, last.revision)
  const committed = before.inGit ? await committedRevision(place, files.files, before.isFolder, known.env, signal) : undefined
  const revision = committed === 'late' ? before.said : (committed ?? before.said)
  const after = await signsOf(place, signal)
  if (after.text !== before.text) return { files }
  if (committed !== 'late') known.last = { hash: files.hash, signs: before.text, revision }
  return withRevision(files, revision)
}

const withRevision = (files: DeclarationFiles, revision: Revision | undefined): ReadAtRevision =>
  revision === undefined ? { files } : { files, revision }

/** `text` changes when the commit may have changed. `said`: what the link, or else the file, says. */
type Signs = { readonly isFolder: boolean; readonly inGit: boolean; readonly text: string; readonly said: Revision | undefined }

/** Looks at a few files, and runs nothing, since each cycle does it. */
async function signsOf(place: string, signal: AbortSignal): Promise<Signs> {
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  const folder = isFolder ? place : dirname(place)
  const [stamps, linked, written] = await Promise.all([gitStamps(folder, signal), linkedCommit(place), writtenCommit(folder, signal)])
  return { isFolder, inGit: stamps !== undefined, text: JSON.stringify([stamps, linked, written]), said: linked ?? written }
}
