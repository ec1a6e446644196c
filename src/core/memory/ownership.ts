import type { Change, MappingChange } from '../change.ts'
import { clocksAgreeMs, type Dates, earlierMs, latestMs } from '../dates.ts'
import type { Naming } from '../desired.ts'
import { groupOfKey, type Key, type List, listOf, type Mapping, type MappingId, type Role, type WorkspaceName } from '../mapping.ts'
import { once } from '../once.ts'
import { defined } from '../optionalFields.ts'
import type { Outcome } from '../outcome.ts'
import { listName } from './knownMappings.ts'
import { at, emptySmallMap, put, type ShardedMap, without } from './shardedMap.ts'

/**
 * What the journal knows of a mapping that is ours, or that may become ours. Policy `sync` deletes an undeclared mapping only if it is ours.
 *
 * | how      | from then on                                                                                         | ours |
 * |----------|------------------------------------------------------------------------------------------------------|------|
 * | intended | this program sends the create, or the answer was lost. The id is empty                               | no   |
 * | made     | this program created the mapping: an answer said so, or a list shows what it intended                | yes  |
 * | named    | an exact rule named a mapping that others had created. If the rule goes, the mapping is undeclared   | no   |
 * | adopted  | an exact rule still names it in a cycle that is seven days later                                     | yes  |
 */
export type Ownership = {
  /** The same key under another id is not ours. */
  readonly id: MappingId
  /** As this program wrote it last, or as a reading showed it first. Another role in Plane is an edit there, which ends the ownership. */
  readonly role: Role | null
  /** The path of the file whose rule gives it. */
  readonly file: string
  readonly end?: RuleEnd
} & How

/** `sinceMs`: when the seven days began. Absent: it cannot be adopted now, and is remembered only for the end of its rule. */
type How = { readonly how: 'intended' | 'made' | 'adopted' } | { readonly how: 'named'; readonly sinceMs?: number }

/** When the rules of a key end, and since when a believed declaration has said this end. Epoch ms, by the date. */
export type RuleEnd = { readonly atMs: number; readonly knownFromMs: number }

/** `begun`: what was undeclared in the first cycle under `sync` or `exclusive` is not among the keys. Nothing is ours before. */
export type OwnedList = { readonly begun: boolean; readonly keys: ShardedMap<Ownership> }

/** By `listName`. */
export type OwnedLists = ShardedMap<OwnedList>

/** What a reading of a list changes. `null`: nothing is known of the key any more. `begins`: what was undeclared in this reading is never ours. */
export type OwnershipChange = {
  readonly workspace: WorkspaceName
  readonly list: List
  readonly begins?: true
  readonly keys: Readonly<Record<Key, Ownership | null>>
}

const dayMs = 86_400_000
/** So long an exact rule names a mapping before it is ours. */
export const adoptedAfterMs = 7 * dayMs
/** So long believed declarations have said an end before what it takes away fills no limit. */
export const endKnownForMs = 3 * dayMs

export const ownedListOf = ({ ownership }: { readonly ownership: OwnedLists }, workspace: WorkspaceName, list: List): OwnedList =>
  at(ownership, listName(workspace, list)) ?? nothingOwned

const nothingOwned: OwnedList = { begun: false, keys: emptySmallMap }

/** How the roles of a list compare, and what is not settled yet. */
export type Readings = {
  /** Whether the service may show the one role for the other. */
  readonly isSameRole: (known: Role | null, shown: Role | null, mapping: Mapping) => boolean
  /**
   * Until this moment a write of this program may still be executed, or may be the reason for what the list shows, or does not show. Undefined: there is no
   * such write.
   */
  readonly unsettledUntil: (known: Pick<Mapping, 'key' | 'id'>, shown: Mapping | undefined) => number | undefined
}

/**
 * Returns what is known of a mapping that a list shows; undefined if it was made or edited in Plane, or if nothing is known of it. Its key is another one
 * if its project has another identifier now.
 */
export function ownershipIn(
  { keys }: OwnedList,
  { isSameRole }: Pick<Readings, 'isSameRole'>,
): (mapping: Mapping) => Ownership | undefined {
  const byId = once(() => {
    const entries = keys.flatMap((shard) => [...shard])
    return new Map(entries.map(([key, known]) => [known.id, { key: key as Key, known }]))
  })
  const moved = (mapping: Mapping) => {
    const entry = byId().get(mapping.id)
    return entry !== undefined && isSamePlace(entry.key, mapping) ? entry.known : undefined
  }
  return (mapping) => {
    const atKey = at(keys, mapping.key)
    const known = atKey?.id === mapping.id ? atKey : moved(mapping)
    return known !== undefined && isSameRole(known.role, mapping.role, mapping) ? known : undefined
  }
}

/** Whether a mapping has got its key because its project was renamed. A mapping whose group is another one was edited. */
const isSamePlace = (key: Key, { target, group }: Mapping): boolean =>
  target.kind === 'project' && key.split('/')[1] === 'project' && groupOfKey(key) === group

export const isOurs = ({ begun }: OwnedList, known: Ownership | undefined): boolean =>
  begun && (known?.how === 'made' || known?.how === 'adopted')

/**
 * Whether a change happens because a rule has ended as believed declarations have long said. An end that was over when it was first believed is a mistake.
 *
 * @param ended the ends of the rules of the key that are over
 */
export const isRecordedEnd = (end: RuleEnd | undefined, ended: readonly number[], dates: Dates): boolean =>
  end !== undefined && ended.includes(end.atMs) && end.knownFromMs < end.atMs && earlierMs(dates) - end.knownFromMs >= endKnownForMs

/** Whether an end to come will be a recorded one at its date. What the journal does not have yet is recorded at `sinceMs`. */
export const willBeRecordedEnd = (end: RuleEnd | undefined, atMs: number, sinceMs: number): boolean =>
  isRecordedEnd(end?.atMs === atMs ? end : { atMs, knownFromMs: sinceMs }, [atMs], { hereMs: atMs, thereMs: undefined })

/** What the declaration says of a mapping that a list shows. */
export type DeclaredMapping =
  /**
   * `naming`: how they name it. `endMs`: when all rules that give its role end; absent: never.
   * `ended`: the ends of its rules that are over. `isWritten`: the mapping has the role that the rules give.
   */
  | {
      readonly kind: 'role'
      readonly file: string
      readonly naming: Naming
      readonly endMs?: number
      readonly ended: readonly number[]
      readonly isWritten: boolean
    }
  /** To be deleted by `removed`, or since its rules have ended. */
  | { readonly kind: 'absent'; readonly ended: readonly number[] }
  /** `named`: a rule names it, and it is only not known whether the rule counts now. */
  | { readonly kind: 'held'; readonly named: boolean }
  | { readonly kind: 'undeclared' | 'unmanaged' }

export type OwnershipInput = Readings & {
  /** All mappings of the list: it was read whole. */
  readonly rows: readonly Mapping[]
  readonly declaredOf: (mapping: Mapping) => DeclaredMapping
  /** Whether the service may still have the mapping, although the list does not show it. */
  readonly isKnown: (key: Key, id: MappingId) => boolean
  /** The policy is `sync` or `exclusive`. */
  readonly deletes: boolean
  /** Whether the cycle may write all that its policy lets through. A line that was never in force makes nothing ours; its end is known all the same. */
  readonly inForce: boolean
  readonly dates: Dates
}

/**
 * What a reading of a list changes; undefined if nothing.
 *
 * | the declaration  | known                           | becomes                                                                 |
 * |------------------|---------------------------------|-------------------------------------------------------------------------|
 * | a role           | nothing, or another id          | named, if the key has one mapping, and the rule adopts, or is exact and ends |
 * | a role           | named for seven days            | adopted                                                                 |
 * | a role           | named, but by no such rule now  | nothing, once the change of its recorded end is written                 |
 * | none: undeclared | named                           | nothing: the mapping stays                                              |
 * | unmanaged        | anything                        | nothing                                                                 |
 * | held             | anything                        | the same                                                                |
 * | any              | another role, another group     | nothing: a person edited the mapping in Plane                           |
 * | any              | gone from Plane                 | nothing                                                                 |
 *
 * In the first cycle of a policy that deletes, nothing stays known of an undeclared mapping, and what an exact rule names is named from now on. While
 * nothing of the declaration is in force, only the ends of rules become known, and what people edit in Plane.
 */
export function ownershipAfter(list: OwnedList, input: OwnershipInput): Omit<OwnershipChange, 'workspace' | 'list'> | undefined {
  const begins = input.deletes && input.inForce && !list.begun
  const rows = new Map(input.rows.map((row) => [row.id, row]))
  const keys: Record<Key, Ownership | null> = {}
  const byKey = once(() => Map.groupBy(input.rows, ({ key }) => key))
  for (const shard of list.keys) {
    for (const [name, known] of shard) {
      const key = name as Key
      if (known.how === 'intended') {
        const next = afterIntent(key, known, byKey().get(key) ?? [], input)
        if (next !== 'same') keys[key] = next
        continue
      }
      const row = rows.get(known.id)
      const place = placeOf(key, known, row, begins, input)
      if (place !== key) keys[key] ??= null
      if (place !== undefined && place !== key && !isTaken(list, place, rows)) keys[place] = known
    }
  }
  const several = once(() => keysOfSeveral(input.rows))
  for (const row of input.rows) {
    const known = row.key in keys ? (keys[row.key] ?? undefined) : at(list.keys, row.key)
    const own = known?.id === row.id ? known : undefined
    const next = declaredOwnership(own, row, begins, several, input)
    if (next === 'same' || (own === undefined && next === undefined)) continue
    keys[row.key] = next ?? null
  }
  return begins || Object.keys(keys).length > 0 ? { ...(begins && { begins }), keys } : undefined
}

/** Whether the mapping that is known at the key is still there. */
function isTaken({ keys }: OwnedList, key: Key, rows: ReadonlyMap<MappingId, Mapping>): boolean {
  const known = at(keys, key)
  return known !== undefined && rows.get(known.id)?.key === key
}

/** A create is only sent after a list without the key. So one mapping there with its role is the one that it made. */
function afterIntent(
  key: Key,
  known: Ownership,
  rows: readonly Mapping[],
  { isSameRole, unsettledUntil }: OwnershipInput,
): Ownership | null | 'same' {
  const [row, ...others] = rows
  if (row === undefined) return unsettledUntil({ key, id: known.id }, undefined) === undefined ? null : 'same'
  if (others.length > 0 || !isSameRole(known.role, row.role, row)) return null
  return { ...known, how: 'made', id: row.id }
}

/** The key at which a mapping is known after a reading; undefined if nothing stays known of it. */
function placeOf(
  key: Key,
  known: Ownership,
  row: Mapping | undefined,
  begins: boolean,
  { isSameRole, unsettledUntil, isKnown }: OwnershipInput,
): Key | undefined {
  const isUnsettled = () => unsettledUntil({ key, id: known.id }, row) !== undefined
  if (row === undefined) return isUnsettled() || (!begins && isKnown(key, known.id)) ? key : undefined
  if (row.key === key && isSameRole(known.role, row.role, row)) return key
  if (isUnsettled()) return key
  return isSamePlace(key, row) && isSameRole(known.role, row.role, row) ? row.key : undefined
}

function declaredOwnership(
  own: Ownership | undefined,
  row: Mapping,
  begins: boolean,
  several: () => ReadonlySet<Key>,
  { declaredOf, inForce, dates }: OwnershipInput,
): Ownership | undefined | 'same' {
  const nowMs = latestMs(dates)
  const declared = declaredOf(row)
  if (!inForce && !('ended' in declared)) return 'same'
  switch (declared.kind) {
    case 'unmanaged':
      return undefined
    case 'undeclared':
      return own === undefined || begins || own.how === 'named' ? undefined : 'same'
    case 'held':
      if (own === undefined || (begins && !declared.named)) return undefined
      return begins && own.how !== 'made' ? { ...own, how: 'named', sinceMs: nowMs } : 'same'
    case 'absent':
      return own === undefined ? undefined : changed(own, withEnd(own, endAfter(own.end, declared, nowMs)))
    case 'role': {
      const { file, naming } = declared
      // Nearly all mappings are ours, and nothing of them changes; this line keeps them cheap.
      if (own?.how === 'made' && own.file === file && own.end === undefined && declared.endMs === undefined) return 'same'
      // An end happens also while its file cannot be read, so it is known of each mapping that an exact rule names.
      const isNamed = (inForce && naming === 'adopting') || (naming !== 'pattern' && declared.endMs !== undefined)
      if (own === undefined && (!isNamed || several().has(row.key))) return undefined
      const how = inForce ? howAfter(own, naming === 'adopting', begins, dates) : (own ?? { how: 'named' as const })
      if (inForce && how.how === 'named' && !isNamed && !isWaitingEnd(own?.end, declared)) return undefined
      const next = withEnd({ ...how, id: row.id, role: own === undefined ? row.role : own.role, file }, endAfter(own?.end, declared, nowMs))
      return own === undefined ? next : changed(own, next)
    }
    default:
      return declared satisfies never
  }
}

/** A time that is still to come was written by a clock that was ahead. */
const isAhead = (atMs: number, nowMs: number): boolean => atMs > nowMs + clocksAgreeMs

function howAfter(own: Ownership | undefined, adopts: boolean, begins: boolean, dates: Dates): How {
  if (own?.how === 'made' || (own?.how === 'adopted' && !begins)) return { how: own.how }
  if (!adopts) return { how: 'named' }
  const nowMs = latestMs(dates)
  const sinceMs = own?.how === 'named' && !begins ? (own.sinceMs ?? nowMs) : nowMs
  if (earlierMs(dates) - sinceMs >= adoptedAfterMs) return { how: 'adopted' }
  return { how: 'named', sinceMs: isAhead(sinceMs, nowMs) ? nowMs : sinceMs }
}

type WithEnds = Extract<DeclaredMapping, { kind: 'role' | 'absent' }>

/** Whether an end is over, and what it takes away is not written yet. */
const isWaitingEnd = (end: RuleEnd | undefined, declared: WithEnds): boolean =>
  end !== undefined && declared.ended.includes(end.atMs) && !(declared.kind === 'role' && declared.isWritten)

/** The end of the rules. One that is over stays until its change is written. */
function endAfter(before: RuleEnd | undefined, declared: WithEnds, nowMs: number): RuleEnd | undefined {
  if (isWaitingEnd(before, declared)) return before
  const atMs = declared.kind === 'role' ? declared.endMs : undefined
  if (atMs === undefined) return undefined
  return before?.atMs === atMs && !isAhead(before.knownFromMs, nowMs) ? before : { atMs, knownFromMs: nowMs }
}

function withEnd(known: Ownership, end: RuleEnd | undefined): Ownership {
  const { end: _, ...rest } = known
  return { ...rest, ...defined({ end }) }
}

const changed = (before: Ownership, next: Ownership): Ownership | 'same' =>
  before.how === next.how &&
  before.file === next.file &&
  before.end?.atMs === next.end?.atMs &&
  before.end?.knownFromMs === next.end?.knownFromMs &&
  namedSince(before) === namedSince(next)
    ? 'same'
    : next

const namedSince = (known: Ownership): number | undefined => (known.how === 'named' ? known.sinceMs : undefined)

function keysOfSeveral(rows: readonly Mapping[]): ReadonlySet<Key> {
  const seen = new Set<Key>()
  const several = new Set<Key>()
  for (const { key } of rows) {
    if (seen.has(key)) several.add(key)
    seen.add(key)
  }
  return several
}

/** All lists after a reading. */
export function withOwnership(ownedLists: OwnedLists, { workspace, list, begins, keys }: OwnershipChange): OwnedLists {
  const before = ownedListOf({ ownership: ownedLists }, workspace, list)
  const entries = Object.entries<Ownership | null>(keys)
  const gone = entries.filter(([, ownership]) => ownership === null).map(([key]) => key)
  const known = Object.fromEntries(entries.flatMap(([key, ownership]) => (ownership === null ? [] : [[key, ownership]])))
  const rest = gone.reduce<OwnedList['keys']>((total, key) => without(total, key), before.keys)
  return put(ownedLists, { [listName(workspace, list)]: { begun: before.begun || begins === true, keys: put(rest, known) } })
}

/** All lists after it was told that no file declares a list any more. Its mappings are unmanaged, and ownership begins anew when it is declared again. */
export function withLeftList(ownedLists: OwnedLists, workspace: WorkspaceName, list: List): OwnedLists {
  const before = ownedListOf({ ownership: ownedLists }, workspace, list)
  return before.begun ? put(ownedLists, { [listName(workspace, list)]: { ...before, begun: false } }) : ownedLists
}

/** All lists after the intent of a write. */
export function withIntended(ownedLists: OwnedLists, workspace: WorkspaceName, change: Change, atMs: number): OwnedLists {
  if (change.action !== 'create') return ownedLists
  const name = listName(workspace, listOf(change.target))
  const before = at(ownedLists, name) ?? nothingOwned
  const { key, role, because } = change
  const intended: Ownership = { id: '' as MappingId, role, file: because?.at.file ?? '', how: 'intended' }
  return put(ownedLists, { [name]: { ...before, keys: put(before.keys, { [key]: withEnd(intended, endOfRule(change, atMs)) }) } })
}

const endOfRule = ({ because }: MappingChange, atMs: number): RuleEnd | undefined =>
  because?.expiresMs === undefined ? undefined : { atMs: because.expiresMs, knownFromMs: atMs }

/** All lists after it is known that a write was not executed. */
export function withoutIntended(ownedLists: OwnedLists, workspace: WorkspaceName, change: Change): OwnedLists {
  if (change.action !== 'create') return ownedLists
  const name = listName(workspace, listOf(change.target))
  const before = at(ownedLists, name)
  if (before === undefined || at(before.keys, change.key)?.how !== 'intended') return ownedLists
  return put(ownedLists, { [name]: { ...before, keys: without(before.keys, change.key) } })
}

/** All lists after a write that is done. */
export function withWrittenOwnership(
  ownedLists: OwnedLists,
  workspace: WorkspaceName,
  change: MappingChange,
  { mapping, echoed, storedKey }: Extract<Outcome, { kind: 'done' }>,
  atMs: number,
): OwnedLists {
  const name = listName(workspace, listOf(change.target))
  const before = at(ownedLists, name) ?? nothingOwned
  const withKeys = (keys: OwnedList['keys']) => put(ownedLists, { [name]: { ...before, keys } })
  const file = change.because?.at.file ?? ''
  switch (change.action) {
    case 'create': {
      const known = at(before.keys, change.key)
      const intended = known?.how === 'intended' ? known : undefined
      const others = intended === undefined ? before.keys : without(before.keys, change.key)
      if (mapping === undefined) return withKeys(others)
      const made: Ownership = { id: mapping as MappingId, role: (echoed ?? change.role) as Role, file, how: 'made' }
      return withKeys(put(others, { [storedKey ?? change.key]: withEnd(made, intended?.end) }))
    }
    case 'patch': {
      const known = at(before.keys, change.key)
      if (known?.id !== change.mapping) return ownedLists
      return withKeys(put(before.keys, { [change.key]: { ...known, role: (echoed ?? change.role) as Role, file } }))
    }
    case 'rename': {
      const known = at(before.keys, change.from)
      const own = known?.id === change.mapping ? known : undefined
      const ofRule = endOfRule(change, atMs)
      const end = change.sameGroup === true && own?.end?.atMs === ofRule?.atMs ? own?.end : ofRule
      if (own === undefined && end === undefined) return ownedLists
      const { id, ...how } = own ?? { id: change.mapping, how: 'named' as const }
      const written: Ownership = { ...how, id, role: (echoed ?? change.role) as Role, file }
      return withKeys(put(without(before.keys, change.from), { [storedKey ?? change.key]: withEnd(written, end) }))
    }
    case 'delete':
      return at(before.keys, change.key)?.id === change.mapping ? withKeys(without(before.keys, change.key)) : ownedLists
    default:
      return change satisfies never
  }
}
