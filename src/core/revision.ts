import { type Codec, literal, string, union } from './codec.ts'

/**
 * The commit of a declaration. `commit`: the text equals that of the commit. `editedAfter`: the text differs from it. `said`: no text was compared, and the
 * file `.revision` beside the declaration, or the link that git-sync makes, has this id.
 */
export type Revision =
  | { readonly kind: 'commit'; readonly id: string }
  | { readonly kind: 'editedAfter'; readonly id: string }
  | { readonly kind: 'said'; readonly id: string; readonly by: '.revision' | 'link' }

export const storedRevision: Codec<Revision> = union<Revision, 'kind'>('the revision', 'kind', {
  commit: { kind: literal('commit'), id: string() },
  editedAfter: { kind: literal('editedAfter'), id: string() },
  said: { kind: literal('said'), id: string(), by: string() },
})

export const isSameRevision = (a: Revision, b: Revision): boolean =>
  a.kind === b.kind && a.id === b.id && (a.kind === 'said' ? a.by : '') === (b.kind === 'said' ? b.by : '')
