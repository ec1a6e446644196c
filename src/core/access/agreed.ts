import { bareId } from '../idWithPeople.ts'
import type { Key } from '../mapping.ts'
import type { Entry } from '../memory/entry.ts'
import { defined } from '../optionalFields.ts'
import type { Revision } from '../revision.ts'
import type { Provenance } from '../rule.ts'

/**
 * Who let the last write of a key pass. `by`: the name that the person gave, which nothing proves. `account`: that of the process which gave the approval.
 * `source`: the place in a file, `--allow`, or the name of an approval.
 */
export type Agreement = {
  readonly by: string
  readonly account?: string
  readonly source: string
  readonly reason?: string
  readonly atMs: number
}

/** The last write of a key. `declaration`: the hash of the declaration that asked for it. */
export type WrittenFor = {
  readonly atMs: number
  readonly declaration: string
  /** The commit of that declaration, as it was known at the time of the write. */
  readonly revision?: Revision
  readonly because?: Provenance
  readonly agreements: readonly Agreement[]
}

/** Gets the entries of a journal, the older ones first. */
type Agreements = {
  add(entry: Entry): void
  readonly written: ReadonlyMap<Key, WrittenFor>
}

/** What the entries of a journal say about who agreed to the mappings that they made. */
export function openAgreements(): Agreements {
  const approvals = new Map<string, Pick<Agreement, 'account' | 'reason' | 'by'>>()
  const passing = new Map<string, Agreement[]>()
  const written = new Map<Key, WrittenFor>()
  const revisions = new Map<string, Revision>()
  return {
    written,
    add(entry) {
      if (entry.kind === 'declaration') revisions.set(entry.hash, entry.revision)
      if (entry.kind === 'approval') approvals.set(entry.approval.name, entry.approval)
      if (entry.kind === 'waiver') {
        const { by, source, atMs } = entry
        const { account = entry.account, reason } = approvals.get(source) ?? {}
        const agreement = { by, source, atMs, ...defined({ account, reason }) }
        for (const pass of entry.passes) {
          const others = (passing.get(bareId(pass)) ?? []).filter((known) => known.source !== source)
          passing.set(bareId(pass), [...others, agreement])
        }
      }
      if (entry.kind !== 'result' || entry.change.action === 'settings' || entry.outcome.kind !== 'done') return
      const { change, declaration, atMs } = entry
      if (change.action === 'rename') written.delete(change.from)
      if (change.action === 'delete') written.delete(change.key)
      else
        written.set(entry.outcome.storedKey ?? change.key, {
          atMs,
          declaration,
          ...defined({ because: change.because, revision: revisions.get(declaration) }),
          agreements: passing.get(change.id) ?? [],
        })
      passing.delete(change.id)
    },
  }
}
