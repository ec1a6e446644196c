import type { GroupSize } from './bounds.ts'
import type { Change, ChangeId } from './change.ts'
import type { HoldReason } from './hold.ts'
import type { GroupName, Key, MappingId, Role, Target } from './mapping.ts'
import type { Provenance } from './rule.ts'

/**
 * What a date will change if everything else stays as it is today. `starts`: a rule starts then; otherwise one only ends. `because`: the rule that
 * decides then, or the one that ends. `uncounted`: it will fill no limit, since the journal will have known the end for long. `waits`: why the change will
 * wait at its date, as far as it is known today. `waivedBy`: the place of the waiver that will let it pass.
 */
export type Later = {
  readonly key: Key
  readonly group: GroupName
  readonly target: Target
  readonly because: Provenance
  readonly atMs: number
  readonly why: 'starts' | 'ends'
  readonly write: LaterWrite
  readonly allowProtected?: boolean
  readonly size?: GroupSize
  readonly label?: string
  readonly groupId?: string
  readonly uncounted?: 'ended'
  readonly waits?: HoldReason
  readonly waivedBy?: string
}

/** A file may name dates up to the end of the year 2999. */
export const endOfDatesMs = Date.UTC(3_000, 0, 1)

/** `unknown`: a hold begins, and it is not known what it keeps. `before`: null if the mapping has no role; absent: there will be no mapping. */
export type LaterWrite =
  | { readonly action: 'create'; readonly role: Role }
  | { readonly action: 'patch'; readonly before: Role | null; readonly role: Role }
  | { readonly action: 'rename'; readonly fromGroup: GroupName; readonly before: Role | null; readonly role: Role }
  | { readonly action: 'delete'; readonly before: Role | null }
  | { readonly action: 'unknown'; readonly before?: Role | null | undefined }

/** The change that a row is at its date, as guards and policies see it; undefined if it is not known. Its ids are empty: its mapping may not exist yet. */
export function changeLater({
  key,
  group,
  target,
  because,
  write,
  allowProtected = false,
  groupId,
  uncounted,
}: Omit<Later, 'waits'>): Change | undefined {
  const about = { key, group, target, because, id: '' as ChangeId, requires: [] }
  const ended = uncounted === undefined ? {} : { uncounted }
  const given = { ...about, allowProtected, ...(groupId === undefined ? {} : { groupId }) }
  const mapping = '' as MappingId
  switch (write.action) {
    case 'create':
      return { ...given, ...write }
    case 'patch':
      return { ...given, ...write, ...ended, mapping }
    case 'rename':
      return { ...given, ...write, mapping, from: key }
    case 'delete':
      return { ...about, ...write, ...ended, mapping, why: 'expired' }
    case 'unknown':
      return undefined
    default:
      return write satisfies never
  }
}

/** The part of a fingerprint for a row. */
export const canonicalLater = ({ key, write, atMs }: Later): string =>
  JSON.stringify([key, 'role' in write ? write.role : { [write.action]: true }, atMs])

export const soonDays = 14

/** The mappings that end within 14 days, the first by date first. */
export const endingSoon = (later: readonly Later[], dateMs: number): readonly Later[] =>
  later.filter(({ write, atMs }) => write.action === 'delete' && atMs <= dateMs + soonDays * 86_400_000)
