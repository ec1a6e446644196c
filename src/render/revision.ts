import { counted } from '../core/quantity.ts'
import type { DeclarationReport } from '../core/report.ts'
import type { Revision } from '../core/revision.ts'

/** `commit 4f2c91e`: which commit the declaration is, and who says so. */
export function revisionText(revision: Revision): string {
  const id = revision.id.slice(0, 7)
  switch (revision.kind) {
    case 'commit':
      return `commit ${id}`
    case 'editedAfter':
      return `edited after ${id}`
    case 'said':
      return `${id}, said by ${revision.by === 'link' ? 'the link of git-sync' : revision.by}`
    default:
      return revision satisfies never
  }
}

/** `7c1e22b (14 files, commit 4f2c91e)`. @param code puts the hash into the form of code */
export const declarationText = (
  {
    hash,
    files,
    revision,
  }: Pick<DeclarationReport, 'hash'> & { readonly files?: number | undefined; readonly revision?: Revision | undefined },
  code: (hash: string) => string,
): string => {
  const facts = [...(files === undefined ? [] : [counted(files, 'file')]), ...(revision === undefined ? [] : [revisionText(revision)])]
  if (hash === '') return 'none'
  return `${code(hash.slice(0, 7))}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}
