import type { Change, MappingChange } from '../change.ts'
import { clocksAgreeMs } from '../dates.ts'
import {
  type Key,
  type List,
  listOf,
  listOfKey,
  type Mapping,
  type MappingId,
  type Role,
  type WorkspaceName,
  workspaceOfKey,
} from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { type Outcome, settledMs } from '../outcome.ts'
import { type Reading, valueIfRead } from '../reading.ts'
import { listName, type ToldById } from './knownMappings.ts'
import type { LastApplied } from './lastApplied.ts'
import { at, emptyTinyMap, put, putGrowing, recordOf, type ShardedMap, without } from './shardedMap.ts'

/**
 * Which roles the lists of Plane have shown, and since when, by the name of the list. It is evidence, for `report` and for the causes in a plan. Nothing is
 * decided by it.
 */
export type SeenLists = ShardedMap<SeenList>

/**
 * `fromMs`: when the list was first read whole; nothing before it is known. `readMs`: before the request of the last reading of all its keys that the journal has an entry of.
 * `doubts`: keys of own writes that may be executed later, with the time until which they may be (`openMs`: the result is not known).
 */
export type SeenList = {
  readonly fromMs: number
  readonly readMs: number
  readonly mappings: ShardedMap<SeenMapping>
  readonly doubts: Readonly<Record<Key, number>>
}

/** `hidden`: the list does not show the mapping any more, and Plane was not asked for it by its id. */
export type SeenMapping = {
  readonly key: Key
  readonly role: Role | null
  readonly since: Since
  readonly hidden?: Since
}

/**
 * Who made something so, and when. `program`: this program wrote it at `atMs`. `others`: it happened between the readings `afterMs` and `atMs`, and no write of
 * this program did it. `unknown`: it was so when it was first seen, or a write of unknown outcome may have done it.
 */
export type Since = { readonly by: 'program' | 'others' | 'unknown'; readonly atMs: number; readonly afterMs?: number }

/** What one reading of a list shows that was not known. `afterMs`: before the request of the last whole reading of the same process. */
export type SeenReading = {
  readonly workspace: WorkspaceName
  readonly list: List
  readonly readMs: number
  readonly afterMs?: number
  /** Not all keys were compared: the reading was not whole, or came too soon after own writes. */
  readonly partial?: true
  /** The first whole reading. */
  readonly first?: true
  readonly mappings: Readonly<Record<MappingId, SeenState>>
  /** The list lacks them. */
  readonly hidden?: readonly MappingId[]
  /** Plane says so by their ids. */
  readonly gone?: readonly MappingId[]
  /** The list has too many mappings: nothing is kept of it any more. */
  readonly dropped?: true
}
type SeenState = { readonly key: Key; readonly role: Role | null }

/** A change of one mapping, seen or written. `from`: the key that it had before. `before` is absent if there was no mapping, `after` if there is none. */
export type Edit = Since & {
  readonly mapping: MappingId
  readonly key: Key
  readonly from?: Key
  readonly before?: Role | null
  readonly after?: Role | null
}

/** The newest edits are kept: so many of this program, so many of others, and so long. */
export const editsMax = 500
export const editsKeptMs = 14 * 86_400_000
/** A mapping that no list has shown for this long is forgotten. */
const hiddenKeptMs = 30 * 86_400_000
const openMs = Number.MAX_SAFE_INTEGER

type Evidence = { readonly seen: SeenLists; readonly edits: readonly Edit[] }

/** A large apply must not push out what others did. */
function withEdits(edits: readonly Edit[], more: readonly Edit[]): readonly Edit[] {
  const all = more.length === 0 ? edits : [...edits, ...more]
  if (all.length <= editsMax) return all
  const surplus = { own: -editsMax, others: -editsMax }
  for (const edit of all) surplus[authorOf(edit)]++
  return all.filter((edit) => surplus[authorOf(edit)]-- <= 0)
}

type EditAuthor = 'own' | 'others'
const authorOf = ({ by }: Edit): EditAuthor => (by === 'program' ? 'own' : 'others')

/** Of whom there are as many edits as are kept, so that older ones may have been dropped. */
export const fullAuthors = (edits: readonly Edit[]): readonly EditAuthor[] =>
  (['own', 'others'] as const).filter((author) => edits.filter((edit) => authorOf(edit) === author).length >= editsMax)

export const editsSince = (edits: readonly Edit[], fromMs: number): readonly Edit[] => edits.filter(({ atMs }) => fromMs <= atMs)

/** The evidence after a reading. @param atMs after the answer */
export function withSeenReading({ seen, edits }: Evidence, reading: SeenReading, atMs: number): Evidence {
  const { workspace, list, readMs, partial, first, hidden = [], gone = [], dropped } = reading
  const name = listName(workspace, list)
  const known = at(seen, name)
  if (dropped === true) return { seen: without(seen, name), edits }
  const before = known ?? { fromMs: atMs, readMs, mappings: emptyTinyMap, doubts: {} }
  const afterMs = Math.max(before.readMs, reading.afterMs ?? 0)
  const ofFirst: Since = { by: 'unknown', atMs }
  const sinceOf = (formerKey: Key): Since =>
    first === true ? ofFirst : { by: Object.hasOwn(before.doubts, formerKey) ? 'unknown' : 'others', atMs, afterMs }
  const changed: Record<MappingId, SeenMapping> = {}
  const made: Edit[] = []
  for (const [id, { key, role }] of Object.entries<SeenState>(reading.mappings)) {
    const mapping = id as MappingId
    const was = at(before.mappings, mapping)
    if (was?.key === key && was.role === role) {
      changed[mapping] = { key, role, since: was.since }
      continue
    }
    const since = sinceOf(was?.key ?? key)
    changed[mapping] = { key, role, since }
    const former = was === undefined ? {} : { ...(was.key === key ? {} : { from: was.key }), before: was.role }
    if (first !== true) made.push({ ...since, mapping, key, ...former, after: role })
  }
  for (const mapping of hidden) {
    const was = at(before.mappings, mapping)
    if (was !== undefined && was.hidden === undefined) changed[mapping] = { ...was, hidden: sinceOf(was.key) }
  }
  for (const mapping of [...hidden, ...gone]) {
    const was = at(before.mappings, mapping)
    if (was !== undefined && was.hidden === undefined) made.push({ ...sinceOf(was.key), mapping, key: was.key, before: was.role })
  }
  const removed = [...gone, ...forgotten(before, atMs)]
  const mappings = removed.reduce<SeenList['mappings']>(without, putGrowing(before.mappings, changed))
  const compared =
    partial === true
      ? { readMs: afterMs, doubts: before.doubts }
      : { readMs: Math.max(before.readMs, readMs), doubts: openDoubts(before.doubts, readMs) }
  return {
    seen: put(seen, { [name]: { ...before, ...compared, mappings } }),
    edits: withEdits(edits, made),
  }
}

const openDoubts = (doubts: SeenList['doubts'], readMs: number): SeenList['doubts'] =>
  Object.fromEntries(Object.entries<number>(doubts).filter(([, untilMs]) => readMs < untilMs))

const forgotten = ({ mappings }: SeenList, nowMs: number): readonly string[] =>
  mappings.flatMap((shard) =>
    [...shard].flatMap(([id, { hidden }]) => (hidden !== undefined && hidden.atMs + hiddenKeptMs < nowMs ? [id] : [])),
  )

/** A write is about to be sent: until its result is known, it may have been executed. */
export function withSeenIntent(seen: SeenLists, workspace: WorkspaceName, change: Change): SeenLists {
  if (change.action === 'settings') return seen
  return withDoubts(seen, workspace, change, openMs)
}

/** @param waitMs Δ: how long a write without an answer may still be executed */
export function withSeenResult(
  { seen, edits }: Evidence,
  workspace: WorkspaceName,
  change: Change,
  outcome: Outcome,
  atMs: number,
  waitMs: number,
): Evidence {
  if (change.action === 'settings') return { seen, edits }
  const isUnnamed = change.action === 'create' && outcome.kind === 'done' && outcome.mapping === undefined
  const settled = withDoubts(seen, workspace, change, isUnnamed ? atMs + waitMs : settledMs(change, outcome, waitMs))
  const name = listName(workspace, listOf(change.target))
  const list = at(settled, name)
  if (outcome.kind !== 'done' || list === undefined) return { seen: settled, edits }
  const mapping = (change.action === 'create' ? outcome.mapping : change.mapping) as MappingId | undefined
  if (mapping === undefined) return { seen: settled, edits }
  const was = at(list.mappings, mapping)
  const since = { by: 'program', atMs } as const
  const before = 'before' in change ? { before: change.before } : {}
  const earlier = 'before' in change ? editBefore(list, change, atMs) : []
  if (change.action === 'delete') {
    const edit = { ...since, mapping, key: change.key, ...before }
    return {
      seen: put(settled, { [name]: { ...list, mappings: without(list.mappings, mapping) } }),
      edits: withEdits(edits, [...earlier, edit]),
    }
  }
  const key = change.action === 'patch' ? (was?.key ?? change.key) : (outcome.storedKey ?? change.key)
  const role = (outcome.echoed ?? change.role) as Role
  return {
    seen: put(settled, { [name]: { ...list, mappings: putGrowing(list.mappings, { [mapping]: { key, role, since } }) } }),
    edits: withEdits(edits, [...earlier, { ...since, mapping, key, ...before, after: role }]),
  }
}

type ChangeOfMapping = Extract<MappingChange, { mapping: MappingId }>

/** Whether a write found its mapping as it was last seen. If not, others changed it, and no reading before the write has compared the key. */
export function isAsSeen({ mappings }: SeenList, change: ChangeOfMapping): boolean {
  const was = at(mappings, change.mapping)
  return was?.role === change.before && was.key === (change.action === 'rename' ? change.from : change.key)
}

function editBefore(list: SeenList, change: ChangeOfMapping, atMs: number): readonly Edit[] {
  const was = at(list.mappings, change.mapping)
  if (was === undefined || isAsSeen(list, change)) return []
  const { mapping, key } = change
  return [{ by: 'unknown', atMs, afterMs: list.readMs, mapping, key, before: was.role, after: change.before }]
}

const keysOf = (change: MappingChange): readonly Key[] => (change.action === 'rename' ? [change.key, change.from] : [change.key])

/** @param untilMs until when the write may be executed later; undefined: it cannot be */
function withDoubts(seen: SeenLists, workspace: WorkspaceName, change: MappingChange, untilMs: number | undefined): SeenLists {
  const name = listName(workspace, listOf(change.target))
  const list = at(seen, name)
  if (list === undefined) return seen
  const keys = keysOf(change)
  const others = Object.entries<number>(list.doubts).filter(([key]) => !keys.includes(key as Key))
  const own = untilMs === undefined ? [] : keys.map((key) => [key, untilMs] as const)
  return put(seen, { [name]: { ...list, doubts: Object.fromEntries([...others, ...own]) } })
}

/** After the end of a process its writes are settled Δ after the start of the next one. */
export const withSeenStart = (seen: SeenLists, settledFromMs: number): SeenLists =>
  Object.entries<SeenList>(recordOf(seen)).reduce<SeenLists>((lists, [name, list]) => {
    const open = Object.entries<number>(list.doubts).filter(([, untilMs]) => untilMs === openMs)
    if (open.length === 0) return lists
    return put(lists, { [name]: { ...list, doubts: { ...list.doubts, ...Object.fromEntries(open.map(([key]) => [key, settledFromMs])) } } })
  }, seen)

type ReadList = {
  readonly workspace: WorkspaceName
  readonly list: List
  readonly reading: Reading<readonly Mapping[]>
  readonly told: ToldById | undefined
  /** Before the request. */
  readonly readMs: number
  /** Before the request of the last whole reading of this process that told about all keys; undefined: there was none. */
  readonly afterMs: number | undefined
  /** The most mappings that are kept of all lists together. */
  readonly max: number
  /** Δ */
  readonly waitMs: number
}

/** `kept`: absent if nothing is news. `afterMs`: for the next reading; absent: none of this process was whole and told about all keys. */
type Compared = { readonly kept?: SeenReading; readonly afterMs?: number }

/**
 * What of a reading the journal has to keep. A list that was requested less than Δ after a write of this program may not show it yet, so it
 * tells nothing about the keys of this write.
 */
export function seenReadingOf(
  { seen, lastApplied }: { readonly seen: SeenLists; readonly lastApplied: readonly LastApplied[] },
  { workspace, list, reading, told, readMs, afterMs, max, waitMs }: ReadList,
): Compared {
  const name = listName(workspace, list)
  const known = at(seen, name)
  const rows = valueIfRead(reading) ?? []
  const isWhole = reading.status === 'complete'
  const about = { workspace, list, readMs }
  if (known === undefined) {
    if (!isWhole || max < sizeOf(seen) + rows.length) return {}
    return { kept: { ...about, first: true, mappings: seenStates(rows) }, afterMs: readMs }
  }
  const isOfList = (key: Key) => workspaceOfKey(key) === workspace && listOfKey(key) === list
  const unsettled = new Set(lastApplied.flatMap((one) => (readMs < toldFromMs(one, waitMs) && isOfList(one.key) ? [one.key] : [])))
  const changed: Mapping[] = []
  let shown = 0
  for (const row of rows) {
    const was = at(known.mappings, row.id)
    if (was !== undefined) shown++
    const isSame = was?.key === row.key && was.role === row.role && was.hidden === undefined
    if (!isSame && !unsettled.has(row.key) && (was === undefined || !unsettled.has(was.key))) changed.push(row)
  }
  const gone = [...(told?.gone ?? [])].filter((id) => at(known.mappings, id) !== undefined)
  const size = listSize(known)
  const hidden = isWhole && shown < size ? hiddenIn(known, rows, gone, unsettled) : []
  const isPartial = !isWhole || unsettled.size > 0
  const isSettled = !isPartial && Object.values<number>(known.doubts).some((untilMs) => untilMs <= readMs)
  const isNews = changed.length + gone.length + hidden.length > 0 || isSettled || (isWhole && afterMs === undefined)
  const fresh = changed.filter(({ id }) => at(known.mappings, id) === undefined).length
  if (max < sizeOf(seen) + fresh) return { kept: { ...about, mappings: {}, dropped: true } }
  const next = defined({ afterMs: isPartial ? afterMs : readMs })
  if (!isNews) return next
  const lacking = defined({ hidden: hidden.length === 0 ? undefined : hidden, gone: gone.length === 0 ? undefined : gone })
  const partial = isPartial ? { partial: true as const } : {}
  return { kept: { ...about, ...partial, mappings: seenStates(changed), ...lacking, ...defined({ afterMs }) }, ...next }
}

/**
 * From when a list tells about the key of a write. For the gate the wait begins anew at each start, since the clocks of two hosts may differ. It would never
 * end for commands that run for a moment. Nothing is decided here, so the time of the write ends the wait too, once it is longer ago than clocks differ.
 */
function toldFromMs({ atMs, shownFromMs }: LastApplied, waitMs: number): number {
  const lastMs = atMs.at(-1)
  // Writes less than Δ apart count as one.
  return lastMs === undefined ? shownFromMs : Math.min(shownFromMs, lastMs + 2 * waitMs + clocksAgreeMs)
}

function hiddenIn(
  known: SeenList,
  rows: readonly Mapping[],
  gone: readonly MappingId[],
  unsettled: ReadonlySet<Key>,
): readonly MappingId[] {
  const present = new Set<string>([...rows.map(({ id }) => id), ...gone])
  return known.mappings.flatMap((shard) =>
    [...shard].flatMap(([id, { key, hidden }]) => (present.has(id) || hidden !== undefined || unsettled.has(key) ? [] : [id as MappingId])),
  )
}

const seenStates = (rows: readonly Mapping[]): SeenReading['mappings'] =>
  Object.fromEntries(rows.map(({ id, key, role }) => [id, { key, role }]))

const listSize = ({ mappings }: SeenList): number => mappings.reduce((sum, shard) => sum + shard.size, 0)

const sizeOf = (seen: SeenLists): number =>
  seen.reduce((sum, shard) => sum + [...shard.values()].reduce((total, list) => total + listSize(list), 0), 0)
