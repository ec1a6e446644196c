import { join } from 'node:path'
import { NotBelieved, openBelieved } from '../files/believed.ts'
import { errnoOf, errnoText } from '../files/errno.ts'
import { tooLargeText } from '../files/read.ts'
import type { Disk } from './disk.ts'
import { replaceFile } from './files.ts'
import { forbidden } from './unusable.ts'

/** The document of the last cycle, beside the journal's files. */
export const lastDocumentFile = (folder: string): string => join(folder, 'last.json')

export const lastDocumentBytesMax = 16 * 1024 * 1024

/** Replaces the document. @param text at most `lastDocumentBytesMax` bytes @throws the error of the disk */
export async function keepLastDocument(folder: string, text: string, disk: Disk): Promise<void> {
  const name = lastDocumentFile(folder)
  try {
    await replaceFile(name, Buffer.from(text), disk)
  } catch (error) {
    // The part that a full disk accepted takes room that the journal needs, so the file is removed.
    await disk.rm(`${name}.new`, { force: true }).catch(() => undefined)
    throw error
  }
}

/** `text`: absent if there is no document. `why`: why it cannot be read, to follow its path in a sentence. */
type ReadDocument = { readonly text?: string } | { readonly why: string; readonly cure?: string | undefined }

export async function readLastDocument(folder: string): Promise<ReadDocument> {
  try {
    await using file = await openBelieved(lastDocumentFile(folder))
    if ((await file.stat()).size > lastDocumentBytesMax) return { why: tooLargeText(lastDocumentBytesMax) }
    return { text: await file.readFile('utf8') }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return {}
    if (error instanceof NotBelieved) return { why: error.why, cure: error.cure }
    return (await forbidden(folder, error)) ?? { why: errnoText(error) }
  }
}
