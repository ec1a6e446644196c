import { jsonIn } from '../core/jsonText.ts'
import type { Service } from '../core/memory/entry.ts'
import { type LastDocument, lastSchema } from '../documents/last.ts'
import { lastDocumentFile, readLastDocument } from '../journal/lastDocument.ts'
import { elsewhere } from '../settings/service.ts'

/** `unusable`: `why` is a sentence with the path. `elsewhere`: it is about another service. */
type FoundLast =
  | { readonly kind: 'last'; readonly last: LastDocument }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' | 'elsewhere'; readonly why: string }

/** The document that a daemon has left beside the journal in this folder, with what is about the workspaces of this service. */
export async function lastOf(folder: string, service: Service): Promise<FoundLast> {
  const file = lastDocumentFile(folder)
  const read = await readLastDocument(folder)
  if ('why' in read) return { kind: 'unusable', why: `${file}: ${read.why}` }
  if (read.text === undefined) return { kind: 'none' }
  const document = jsonIn(read.text)
  const last = lastSchema.safeParse(document)
  const about = last.success ? elsewhere(last.data.service, service) : undefined
  if (about !== undefined) return { kind: 'elsewhere', why: `${file}: it is about ${about}` }
  if (last.success) return { kind: 'last', last: ofWorkspaces(last.data, new Set(Object.keys(service.slugs))) }
  const place = last.error.issues[0]?.path.map(String).join('.') ?? ''
  const what = document === undefined ? 'it is not JSON' : `${place === '' ? 'its content' : place} is not as this version writes it`
  return { kind: 'unusable', why: `${file}: ${what}, so it is damaged or of another version` }
}

export const ofWorkspaces = (last: LastDocument, names: ReadonlySet<string>): LastDocument => ({
  ...last,
  workspaces: last.workspaces.filter(({ plan }) => names.has(plan.workspace)),
  approvals: last.approvals.filter(({ workspace }) => names.has(workspace)),
})
