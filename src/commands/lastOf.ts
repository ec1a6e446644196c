import { jsonIn } from '../core/jsonText.ts'
import { type LastDocument, lastSchema } from '../documents/last.ts'
import { lastDocumentFile, readLastDocument } from '../journal/lastDocument.ts'

/** `unusable`: `why` is a sentence with the path. */
type FoundLast =
  | { readonly kind: 'last'; readonly last: LastDocument }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly why: string }

/** The document that a daemon has left beside the journal in this folder. */
export async function lastOf(folder: string): Promise<FoundLast> {
  const file = lastDocumentFile(folder)
  const read = await readLastDocument(folder)
  if ('why' in read) return { kind: 'unusable', why: `${file}: ${read.why}` }
  if (read.text === undefined) return { kind: 'none' }
  const document = jsonIn(read.text)
  const last = lastSchema.safeParse(document)
  if (last.success) return { kind: 'last', last: last.data }
  const place = last.error.issues[0]?.path.map(String).join('.') ?? ''
  const what = document === undefined ? 'it is not JSON' : `${place === '' ? 'its content' : place} is not as this version writes it`
  return { kind: 'unusable', why: `${file}: ${what}, so it is damaged or of another version` }
}
