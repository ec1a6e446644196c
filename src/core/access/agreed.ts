import type { MappingChange } from '../change.ts'
import { bareId } from '../idWithPeople.ts'
import type { Key, Role } from '../mapping.ts'
import { nameOfApproval } from '../memory/approvals.ts'
import type { Entry, KnownRevision } from '../memory/entry.ts'
import { defined } from '../optionalFields.ts'
import type { Revision } from '../revision.ts'
import { lineText, type Provenance } from '../rule.ts'

/**
 * Who let the last write of a key pass. `by`: the name that the person gave, which nothing proves; of a file: its owner. `account`: that of the process which gave
 * the approval; absent for a file. `source`: the place in a file, `--allow`, or `approval` and its name.
 */
export type Agreement = {
  readonly by: string
  readonly account?: string
  readonly source: string
  readonly reason?: string
  readonly atMs: number
}

/** The last write of a key: the mapping and the role that it left. `declaration`: the hash of the declaration that asked for it. */
export type WrittenFor = {
  readonly mapping: string | undefined
  readonly role: Role
  readonly atMs: number
  readonly declaration: string
  /** The commit of that declaration, as it was known at the time of the write. */
  readonly revision?: Revision
  readonly because?: Provenance
  readonly agreements: readonly Agreement[]
}

/** The rule itself allows a protected role. */
function allowedBy({ allowProtected, because }: MappingChange, atMs: number): readonly Agreement[] {
  if (allowProtected !== true || because === undefined) return []
  return [{ by: because.owner ?? '', source: `${lineText(because.at)} (allowProtected)`, atMs, ...defined({ reason: because.reason }) }]
}

/** The kinds of entries that say who agreed. */
export const agreementKinds = ['start', 'declaration', 'waiver', 'approval', 'result', 'end'] as const satisfies readonly Entry['kind'][]

/** Gets the entries of a journal of these kinds, the older ones first. Others mean nothing. */
type Agreements = {
  add(entry: Entry): void
  /** The commit that the head of a file knows. */
  addRevision(known: KnownRevision | undefined): void
  readonly written: ReadonlyMap<Key, WrittenFor>
  /** The declaration that was in use last, as far as entries name it. */
  declaration(): DeclarationInUse | undefined
}

type DeclarationInUse = { readonly hash: string; readonly revision?: Revision }

/** What the entries of a journal say about who agreed to the mappings that they made. */
export function openAgreements(): Agreements {
  const approvals = new Map<string, Pick<Agreement, 'account' | 'reason' | 'by'>>()
  const passing = new Map<string, Agreement[]>()
  const written = new Map<Key, WrittenFor>()
  const revisions = new Map<string, Revision>()
  let inUse: string | undefined
  return {
    written,
    declaration: () => (inUse === undefined ? undefined : { hash: inUse, ...defined({ revision: revisions.get(inUse) }) }),
    addRevision(known) {
      if (known === undefined) return
      revisions.set(known.hash, known.revision)
      inUse ??= known.hash
    },
    add(entry) {
      // An approval is told of again in each cycle in which something is written by it.
      if (entry.kind === 'end' || entry.kind === 'start') passing.clear()
      if (entry.kind === 'declaration') revisions.set(entry.hash, entry.revision)
      if (entry.kind === 'declaration') inUse = entry.hash
      if (entry.kind === 'result') inUse = entry.declaration
      if (entry.kind === 'approval') approvals.set(entry.approval.name, entry.approval)
      if (entry.kind === 'waiver') {
        const { by, source, atMs } = entry
        const { account = entry.account, reason } = approvals.get(nameOfApproval(source) ?? '') ?? {}
        const agreement = { by, source, atMs, ...defined({ account, reason }) }
        for (const pass of entry.passes) {
          const others = (passing.get(bareId(pass)) ?? []).filter((known) => known.source !== source)
          passing.set(bareId(pass), [...others, agreement])
        }
      }
      if (entry.kind !== 'result' || entry.change.action === 'settings' || entry.outcome.kind !== 'done') return
      const { change, outcome, declaration, atMs } = entry
      if (change.action === 'rename') written.delete(change.from)
      if (change.action === 'delete') written.delete(change.key)
      else
        written.set(outcome.storedKey ?? change.key, {
          mapping: change.action === 'create' ? outcome.mapping : change.mapping,
          role: (outcome.echoed ?? change.role) as Role,
          atMs,
          declaration,
          ...defined({ because: change.because, revision: revisions.get(declaration) }),
          agreements: [...(passing.get(change.id) ?? []), ...allowedBy(change, atMs)],
        })
      passing.delete(change.id)
    },
  }
}
