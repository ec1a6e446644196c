import { type Change, type ChangeId } from '../change.ts'
import { type Key, listOf, type WorkspaceName } from '../mapping.ts'
import { defined } from '../optionalFields.ts'
import { type Outcome, settledMs, unsettledByteMs } from '../outcome.ts'
import { type Approvals, approvalsAfter, renamedApprovals, withoutShown, withoutWritten } from './approvals.ts'
import { type Baselines } from './baselines.ts'
import { confirmedService, knowsIds, serviceOfSettings, unconfirmedAfter } from './confirmed.ts'
import { type Echoes, learnedName, withEcho } from './echoes.ts'
import { type Entry, type KnownRevision, type Service } from './entry.ts'
import { forget, keepEntries } from './forget.ts'
import { type ChangesInDoubt, withDone, withInDoubt } from './inDoubt.ts'
import { type KnownMappings, listName, withIds, withWritten } from './knownMappings.ts'
import { afterWrite, type LastApplied, madeBy } from './lastApplied.ts'
import { type LastCycle, lastCycleAfter } from './lastCycle.ts'
import { type MeantIds, withLearned } from './meantIds.ts'
import { type OwnedLists, withIntended, withLeftList, withOwnership, withoutIntended, withWrittenOwnership } from './ownership.ts'
import { type Quarantine, quarantined } from './quarantine.ts'
import { type RecentWrites, recentWritesFrom, recentWritesOf } from './recentWrites.ts'
import { type Edit, type SeenLists, type SeenMapping, withSeenIntent, withSeenReading, withSeenResult, withSeenStart } from './seen.ts'
import { emptyShardedMap, put, recordOf, type ShardedMap, without } from './shardedMap.ts'
import { renamedTold, type ToldFact, toldAfter } from './told.ts'

/** Change → when its last try failed, epoch ms. It is tried again in each cycle, after the other changes of its rank. */
export type Failures = Readonly<Record<ChangeId, number>>

/** All that later cycles need from earlier ones, computed from the journal's entries. Each new file of the journal begins with it. */
export type Memory = {
  /** Whether the last process that wrote ended clean, with nothing on its way. */
  readonly endedClean: boolean
  /** The time of the last clean end, by the clock of the process that ended. */
  readonly endedMs: number
  /** Intents without a result, by change id. These writes may be on their way. */
  readonly open: ShardedMap<Change>
  readonly quarantine: Quarantine
  readonly failures: Failures
  /** Changes whose last try has an unknown outcome. */
  readonly inDoubt: ChangesInDoubt
  readonly echoes: Echoes
  /** Key → the other key under which the service stores what is written for it. */
  readonly storedNames: ShardedMap<Key>
  readonly baselines: Baselines
  readonly mappings: KnownMappings
  readonly ownership: OwnedLists
  /** Writes that were, or may have been, executed, without those in `inDoubt`. `guards.day` limits the sum of both, so both stay small. */
  readonly recentWrites: RecentWrites
  /** The last successful writes, one entry per key, the newest last. A change that has to be written again was undone in between. */
  readonly lastApplied: readonly LastApplied[]
  /** No create is planned from a list that was requested before this time: an earlier process may have a create on its way that no entry names. */
  readonly createsFromMs: number
  /** `directory/name` → id of the group. */
  readonly groupIds: ShardedMap<string>
  /** Workspace → ids of the projects and of the groups that its texts mean. */
  readonly projectIds: ShardedMap<MeantIds>
  readonly meantGroups: ShardedMap<MeantIds>
  /** The service that the settings name, by the last `start` or `service`. The journal belongs to it only as far as `confirmedService` says. */
  readonly service?: Service
  readonly unconfirmed: ShardedMap<true>
  readonly approvals: Approvals
  readonly seen: SeenLists
  /** The newest changes of mappings, by this program and by others, the newest last. */
  readonly edits: readonly Edit[]
  /** The facts of which `notify` has told. */
  readonly told: readonly ToldFact[]
  readonly lastCycle?: LastCycle
  /** Of the last declaration whose commit was known. */
  readonly declaration?: KnownRevision
}
/** `createsFromMs` of a memory that may lack writes of an earlier process: no create may be planned before a start gives it a time. */
export const afterNextStart = Number.MAX_SAFE_INTEGER

/** The memory after an entry that this version does not know: it may be about a write. */
export const afterUnknown = (memory: Memory): Memory => ({ ...memory, endedClean: false })

/** The memory of a process that does not know all writes which may still be on their way. */
export const mayLackWrites = (memory: Memory): Memory => ({ ...memory, endedClean: false, createsFromMs: afterNextStart })

export const emptyMemory: Memory = {
  endedClean: true,
  endedMs: 0,
  open: emptyShardedMap,
  quarantine: {},
  failures: {},
  inDoubt: {},
  echoes: {},
  storedNames: emptyShardedMap,
  baselines: emptyShardedMap,
  mappings: emptyShardedMap,
  ownership: emptyShardedMap,
  recentWrites: undefined,
  lastApplied: [],
  createsFromMs: 0,
  groupIds: emptyShardedMap,
  projectIds: emptyShardedMap,
  meantGroups: emptyShardedMap,
  unconfirmed: emptyShardedMap,
  approvals: [],
  seen: emptyShardedMap,
  edits: [],
  told: [],
}

/**
 * The memory after one more entry.
 *
 * @param unknownOutcomeWaitMs Δ: a request whose answer is lost may still be executed for this long after its last byte
 */
export function remember(before: Memory, entry: Entry, unknownOutcomeWaitMs: number): Memory {
  const unconfirmed = unconfirmedAfter(before, entry)
  const memory = unconfirmed === before.unconfirmed ? before : { ...before, unconfirmed }
  switch (entry.kind) {
    case 'start':
      return afterSettings(afterStart(memory, entry, unknownOutcomeWaitMs), entry)
    case 'service':
      return afterSettings(memory, entry)
    case 'continued':
      return mayLackWrites(memory)
    case 'reading':
      return { ...memory, baselines: put(memory.baselines, { [entry.of]: entry.size }) }
    case 'mappings':
      return {
        ...memory,
        mappings: withIds(memory.mappings, listName(entry.workspace, entry.list), entry.ids, entry.unread),
        ownership: entry.unread === true ? withLeftList(memory.ownership, entry.workspace, entry.list) : memory.ownership,
      }
    case 'seen':
      return { ...memory, ...withSeenReading(memory, entry, entry.atMs) }
    case 'ownership':
      return { ...memory, ownership: withOwnership(memory.ownership, entry) }
    case 'intent':
      return {
        ...memory,
        endedClean: false,
        open: put(memory.open, { [entry.change.id]: entry.change }),
        ownership: withIntended(memory.ownership, entry.workspace, entry.change, entry.atMs),
        seen: withSeenIntent(memory.seen, entry.workspace, entry.change),
      }
    case 'result':
      return afterResult(memory, entry, unknownOutcomeWaitMs)
    case 'groups':
      return { ...memory, groupIds: put(memory.groupIds, entry.ids), meantGroups: withLearned(memory.meantGroups, entry.meant) }
    case 'projects':
      return { ...memory, projectIds: withLearned(memory.projectIds, entry) }
    case 'declaration':
      return { ...memory, declaration: { hash: entry.hash, revision: entry.revision } }
    case 'waiver':
      return memory
    case 'approval':
    case 'withdrawal':
      return { ...memory, approvals: approvalsAfter(memory.approvals, entry) }
    case 'shown':
      return { ...memory, approvals: withoutShown(memory.approvals, entry.workspace, entry.changes) }
    case 'told':
      return { ...memory, told: toldAfter(memory.told, entry) }
    case 'end':
      return { ...forget(memory, entry.atMs), endedClean: true, endedMs: entry.atMs, ...lastCycleAfter(memory, entry) }
    default:
      return entry satisfies never
  }
}

type Result = Extract<Entry, { kind: 'result' }>

function afterResult(memory: Memory, result: Result, waitMs: number): Memory {
  const { change, outcome } = result
  const byteMs = unsettledByteMs(change, outcome)
  const untilMs = settledMs(change, outcome, waitMs)
  const settled = {
    ...memory,
    ...withSeenResult(memory, result.workspace, change, outcome, result.atMs, waitMs),
    open: without(memory.open, change.id),
    quarantine: untilMs === undefined ? memory.quarantine : quarantined(memory.quarantine, [change], untilMs),
  }
  if (outcome.kind === 'done') return afterDone(settled, result, outcome, waitMs)
  const failures = isOfChange(outcome) ? { ...memory.failures, [change.id]: result.atMs } : memory.failures
  // `byteMs` is set even if the last attempt was refused or not sent, because an earlier attempt at the same write may have been executed.
  if (byteMs !== undefined) return { ...settled, failures, inDoubt: withInDoubt(memory.inDoubt, [change], result.atMs) }
  return { ...settled, failures, ownership: withoutIntended(settled.ownership, result.workspace, change) }
}

/** Whether this change has failed. A refusal of the credential is about all changes. */
const isOfChange = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.code !== 'credential')

function afterDone(
  memory: Memory,
  { atMs, workspace, change, declaration }: Result,
  done: Extract<Outcome, { kind: 'done' }>,
  waitMs: number,
): Memory {
  const { storedKey, echoed } = done
  // A patch sends no name, so it is a write to its own key, whatever name the answer has.
  const kept = storedKey === undefined || change.action === 'patch' ? change : { ...change, key: storedKey }
  const known = {
    ...memory,
    ...withDone(memory, change, atMs),
    approvals: withoutWritten(memory.approvals, workspace, change),
    failures: change.id in memory.failures ? keepEntries(memory.failures, (_, id) => id !== change.id) : memory.failures,
    lastApplied: afterWrite(memory.lastApplied, kept, { atMs, declaration, echoed, made: madeBy(change, done) }, waitMs),
  }
  if (change.action === 'settings') return known
  const list = listName(workspace, listOf(change.target))
  return {
    ...known,
    mappings: withWritten(memory.mappings, workspace, change, done),
    ownership: withWrittenOwnership(memory.ownership, workspace, change, done, atMs),
    echoes: withEcho(memory.echoes, list, change, done),
    storedNames: learnedName(memory.storedNames, change, storedKey),
  }
}

function afterSettings(memory: Memory, { service }: { readonly service: Service }): Memory {
  const named = withNewNames(memory, service)
  const bound = serviceOfSettings(named, service)
  const known = confirmedService(named)?.slugs ?? {}
  // A known workspace gets another slug only after an answer has shown its ids there, if it has any.
  const isMoved = (name: WorkspaceName) => Object.hasOwn(known, name) && knowsIds(named, name)
  const isSame = (name: WorkspaceName) =>
    named.service?.host === bound.service.host && (named.service.slugs[name] === bound.service.slugs[name] || isMoved(name))
  // An approval binds no journal, so it may be of another service.
  return { ...named, ...bound, approvals: named.approvals.filter(({ workspace }) => isSame(workspace)) }
}

/**
 * The earlier process sent nothing after this start, so its writes are settled Δ later. If that process ended clean, a wait that was over
 * when it ended (on its own clock) does not begin again. Every other wait begins again now, since the clocks of two hosts may differ. After a crash only the
 * keys of unfinished writes wait, unless the wait before the first create was not over when a cycle last ended clean.
 */
function afterStart(memory: Memory, { atMs, waits }: Extract<Entry, { kind: 'start' }>, waitMs: number): Memory {
  const knownMs = memory.endedClean ? memory.endedMs : Number.NEGATIVE_INFINITY
  const restMs = atMs + waitMs
  const isOpen = (untilMs: number) => untilMs > knownMs
  const waiting = waits === 'yes' || (waits === 'no' && memory.createsFromMs > memory.endedMs)
  const open = Object.values<Change>(recordOf(memory.open))
  const past = clipped(memory, atMs, waitMs)
  const stillOpen = Object.keys(keepEntries(memory.quarantine, isOpen))
  return forget(
    {
      ...memory,
      ...past,
      endedClean: false,
      inDoubt: withInDoubt(past.inDoubt, open, atMs),
      open: emptyShardedMap,
      quarantine: quarantined(Object.fromEntries(stillOpen.map((key) => [key, restMs])), open, restMs),
      lastApplied: past.lastApplied.map((applied) => (isOpen(applied.shownFromMs) ? { ...applied, shownFromMs: restMs } : applied)),
      createsFromMs: waiting ? restMs : 0,
      seen: withSeenStart(memory.seen, restMs),
    },
    atMs,
  )
}

type Timed = Pick<Memory, 'recentWrites' | 'inDoubt' | 'failures' | 'lastApplied'>

/**
 * The memory without impossible times. A write cannot be later than `nowMs`. Such times come from a clock that was ahead. If they stayed, a write with a
 * future time would count in `guards.day` until a day after that time, and until about that time every list would count as too old to show the write.
 *
 * @param waitMs Δ
 */
export function clipped({ recentWrites, inDoubt, failures, lastApplied }: Timed, nowMs: number, waitMs: number): Timed {
  const past = (atMs: number) => Math.min(atMs, nowMs)
  return {
    recentWrites: recentWritesFrom(recentWritesOf(recentWrites).map((write) => ({ ...write, atMs: past(write.atMs) }))),
    inDoubt: mapped(inDoubt, (doubt) => ({ ...doubt, atMs: past(doubt.atMs) })),
    failures: mapped(failures, past),
    lastApplied: lastApplied.map((applied) => ({
      ...applied,
      atMs: applied.atMs.map(past),
      shownFromMs: Math.min(applied.shownFromMs, nowMs + waitMs),
    })),
  }
}

const mapped = <T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/**
 * The memory after an edit of the settings that gave workspaces other names. A workspace of Plane is known by its slug. So all that is remembered of
 * it moves to its new name: else its mappings would be unknown, and a key would lose its quarantine.
 *
 * `failures` and `inDoubt` are named by the hash of a change, which contains the old name. They are no longer tried last; the writes in doubt
 * still count for `guards.day`.
 */
function withNewNames(memory: Memory, { slugs }: Service): Memory {
  const known = confirmedService(memory) ?? { host: '', slugs: {} }
  const names = newNames(known.slugs, slugs)
  if (names.size === 0) return memory
  const name = (old: string): string => names.get(old) ?? old
  // A key and the name of a list begin with the workspace and a slash. The id of a mapping and the name of a directory have no slash.
  const key = <T extends string>(old: T): T => old.replace(/^[^/]*(?=\/)/u, name) as T
  return {
    ...memory,
    open: mapKeys(
      memory.open,
      (id) => id,
      (change) => withKeys(change, key),
    ),
    quarantine: renamed(memory.quarantine, key),
    echoes: renamed(memory.echoes, key),
    storedNames: mapKeys(memory.storedNames, key, key),
    mappings: mapKeys(memory.mappings, key, (list) => ({ ...list, ids: mapKeys(list.ids, key) })),
    ownership: mapKeys(memory.ownership, key, (list) => ({ ...list, keys: mapKeys(list.keys, key) })),
    lastApplied: memory.lastApplied.map((applied) => ({ ...applied, key: key(applied.key) })),
    projectIds: mapKeys(memory.projectIds, name),
    meantGroups: mapKeys(memory.meantGroups, name),
    approvals: renamedApprovals(memory.approvals, name, key),
    seen: mapKeys(memory.seen, key, (list) => ({
      ...list,
      doubts: renamed(list.doubts, key),
      mappings: mapKeys(
        list.mappings,
        (id) => id,
        (mapping): SeenMapping => ({ ...mapping, key: key(mapping.key) }),
      ),
    })),
    edits: memory.edits.map((edit) => ({ ...edit, key: key(edit.key), ...defined({ from: edit.from && key(edit.from) }) })),
    told: renamedTold(memory.told, name),
    service: { ...known, slugs: renamed(known.slugs, name) },
    unconfirmed: [...names.values()].reduce<ShardedMap<true>>(without, memory.unconfirmed),
    ...(memory.lastCycle === undefined ? {} : { lastCycle: cycleOf(memory.lastCycle, name) }),
  }
}

/**
 * Old name → new name, of each workspace whose slug has another name now. After a change of slugs in Plane two old names may have the same slug. The slug
 * then does not say which is meant, and none of the two is renamed.
 */
function newNames(before: Service['slugs'], now: Service['slugs']): ReadonlyMap<string, string> {
  const named = new Map(Object.entries(now).map(([name, slug]) => [slug, name]))
  const slugs = Object.values(before)
  const moved = Object.entries(before).flatMap(([old, slug]): [string, string][] => {
    const name = named.get(slug) ?? old
    if (Object.hasOwn(before, name) || Object.hasOwn(now, old)) return []
    return slugs.indexOf(slug) === slugs.lastIndexOf(slug) ? [[old, name]] : []
  })
  return new Map(moved)
}

const renamed = <T>(record: Readonly<Record<string, T>>, to: (name: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [to(name), value]))

const mapKeys = <T>(map: ShardedMap<T>, to: (name: string) => string, change = (value: T): T => value): ShardedMap<T> =>
  put<T>(
    map.map(() => new Map()),
    Object.fromEntries(Object.entries(recordOf(map)).map(([name, value]) => [to(name), change(value)])),
  )

const withKeys = (change: Change, key: (old: Change['key']) => Change['key']): Change =>
  change.action === 'rename' ? { ...change, key: key(change.key), from: key(change.from) } : { ...change, key: key(change.key) }

const cycleOf = (cycle: LastCycle, name: (old: string) => string): LastCycle => ({
  ...cycle,
  workspaces: cycle.workspaces.map((workspace) => name(workspace) as WorkspaceName),
  succeededMs: renamed(cycle.succeededMs, name),
})
