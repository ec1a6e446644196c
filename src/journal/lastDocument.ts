import { join } from 'node:path'
import { readBounded } from '../files/read.ts'
import type { Disk } from './disk.ts'
import { replaceFile } from './files.ts'

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
type ReadDocument = { readonly text?: string } | { readonly why: string }

export async function readLastDocument(folder: string, signal?: AbortSignal): Promise<ReadDocument> {
  const read = await readBounded(lastDocumentFile(folder), { bytesMax: lastDocumentBytesMax }, signal)
  if ('why' in read) return read.reason === 'missing' ? {} : { why: read.why }
  return { text: read.bytes.toString('utf8') }
}
