import type { Change, ChangeId, Uncounted } from '../core/change.ts'
import {
  type Codec,
  converted,
  type Forms,
  flag,
  inField,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  orElse,
  record,
  string,
  union,
  unlessEmpty,
} from '../core/codec.ts'
import { storedGroupSync } from '../core/groupSync.ts'
import { type GroupName, type Key, type Role, storedTarget, type WorkspaceName } from '../core/mapping.ts'
import type { Approval } from '../core/memory/approvals.ts'
import type { Entry, KnownRevision, Service } from '../core/memory/entry.ts'
import type { KnownList, MappingIds } from '../core/memory/knownMappings.ts'
import type { LastApplied } from '../core/memory/lastApplied.ts'
import type { CycleRecord, LastCycle } from '../core/memory/lastCycle.ts'
import type { LearnedIds, MeantIds } from '../core/memory/meantIds.ts'
import { emptyMemory, type Memory } from '../core/memory/memory.ts'
import type { OwnedList, Ownership, OwnershipChange, RuleEnd } from '../core/memory/ownership.ts'
import { type RecentWrite, recentWritesFrom, recentWritesOf } from '../core/memory/recentWrites.ts'
import { emptySmallMap, put, recordOf, type ShardedMap, shardedMapOf } from '../core/memory/shardedMap.ts'
import { seenFields, storedEdit, storedSeen } from '../core/memory/storedSeen.ts'
import { storedTold } from '../core/memory/told.ts'
import { outcomeCodec } from '../core/outcome.ts'
import { storedRevision } from '../core/revision.ts'
import { type Provenance, provenanceFields } from '../core/rule.ts'
import type { DescribedChange, WaiverWords } from '../core/waiverWords.ts'

/* The files of a journal, field by field. The order of the rows is that of the file. Words of the file stay when the code gets better ones. */

const before = nullable(string<Role>())
const texts = record<string, string>(string())

/** The pattern is not stored: it is only for readers of a plan. */
const because = object<Provenance>({ ...provenanceFields, pattern: 'notStored' })

/** Labels, ids of groups, causes, sizes of groups, numbers of people who are concerned, and what the journal knows already, are not stored. */
const unstored = {
  label: 'notStored',
  groupId: 'notStored',
  size: 'notStored',
  effect: 'notStored',
  cause: 'notStored',
  givenBy: 'notStored',
} as const
const place = { ...unstored, key: string<Key>(), group: string<GroupName>(), target: storedTarget, because: optional(because) } as const
const permitted = { allowProtected: optional(flag()), uncounted: optional(string<Uncounted>()) } as const
const named = { id: string<ChangeId>(), requires: list(string<ChangeId>()) } as const

export const storedChange = union<Change, 'action'>(
  'the change',
  'action',
  {
    create: { ...place, role: string(), ...permitted, action: literal('create'), ...named },
    patch: { ...place, role: string(), ...permitted, action: literal('patch'), mapping: string(), before, ...named },
    rename: {
      ...place,
      role: string(),
      ...permitted,
      action: literal('rename'),
      mapping: string(),
      from: string(),
      fromGroup: string(),
      sameGroup: optional(flag<true>()),
      before,
      ...named,
    },
    delete: { ...place, ...permitted, action: literal('delete'), mapping: string(), before, why: string(), ...named },
    settings: {
      action: literal('settings'),
      key: string(),
      before: storedGroupSync,
      after: storedGroupSync,
      because: optional(because),
      uncounted: optional(string<Uncounted>()),
      ...named,
    },
  },
  // Older versions stored the number of members of the group.
  { people: number() },
)

export const storedOutcome = outcomeCodec('notStored')

type DescribedSettings = Exclude<DescribedChange, { readonly key: unknown }>
const describedSettings = object<{ readonly settings: DescribedSettings }>({
  settings: object({ before: storedGroupSync, after: storedGroupSync }),
})
const describedMapping = object<Exclude<DescribedChange, DescribedSettings>>({
  key: string(),
  fromGroup: optional(string()),
  before: optional(before),
  after: optional(string()),
  groupId: optional(string()),
})
const described: Codec<DescribedChange> = {
  write: (change) => ('key' in change ? describedMapping.write(change) : describedSettings.write({ settings: change })),
  read: (stored, tell) =>
    Object.hasOwn(stored as object, 'settings') ? describedSettings.read(stored, tell).settings : describedMapping.read(stored, tell),
}

const anyOrNumber: Codec<number | 'any'> = {
  write: (value) => value,
  read: (stored, tell) => (stored === 'any' ? stored : number().read(stored, tell)),
}

const approval = object<Approval>({
  name: string(),
  workspace: string(),
  words: optional(
    object<WaiverWords>({
      changes: list(described),
      people: optional(anyOrNumber),
    }),
  ),
  passes: list(string()),
  by: string(),
  account: string(),
  reason: string(),
  fromMs: number(),
  untilMs: number(),
})

const service = object<Service>({ host: string(), slugs: texts })
const meantIds: Codec<MeantIds> = record(record(list(string())))
const mappingIds: Codec<MappingIds> = record(list(string()))

/**
 * The ids of the groups that texts mean, by texts: a pattern means thousands of groups, so its texts stand once. 10,000 groups that 20 rules match
 * need 0.6 MB like this, and 4.5 MB by name (measured). `groups`: `directory/name` → id. Without texts: names that lose all their ids.
 */
type GroupsOfTexts = { readonly texts: readonly string[]; readonly groups: Readonly<Record<string, string>> }
export const storedMeantGroups = converted<MeantIds, readonly GroupsOfTexts[]>(
  list(object<GroupsOfTexts>({ texts: list(string()), groups: texts })),
  (ids) => {
    const groups = new Map<string, { readonly texts: readonly string[]; readonly groups: Record<string, string> }>()
    const add = (name: string, id: string, names: readonly string[]) => {
      const sorted = names.toSorted()
      const known = groups.get(sorted.join()) ?? { texts: sorted, groups: {} }
      groups.set(sorted.join(), known)
      known.groups[name] = id
    }
    for (const [name, known] of Object.entries(ids)) {
      const entries = Object.entries(known)
      if (entries.length === 0) add(name, '', [])
      for (const [id, names] of entries) add(name, id, names)
    }
    return [...groups.values()]
  },
  (stored) => {
    const ids: Record<string, Record<string, readonly string[]>> = {}
    for (const { texts: names, groups } of stored) {
      for (const [name, id] of Object.entries(groups)) {
        const known = ids[name] ?? {}
        ids[name] = known
        if (names.length > 0) known[id] = names
      }
    }
    return ids
  },
)

/**
 * Mappings of which the same is known: they have the rest once. `how` is absent where nothing is known of a key any more. `mappings`: key → id and role.
 */
type OwnedAlike = {
  readonly how?: Ownership['how']
  readonly sinceMs?: number
  readonly file?: string
  readonly end?: RuleEnd
  readonly mappings: Readonly<Record<string, readonly (string | null)[]>>
}
const ownedKeys = converted<OwnershipChange['keys'], readonly OwnedAlike[]>(
  list(
    object<OwnedAlike>({
      how: optional(string()),
      sinceMs: optional(number()),
      file: optional(string()),
      end: optional(object<RuleEnd>({ atMs: number(), knownFromMs: number() })),
      mappings: record(list(nullable(string()))),
    }),
  ),
  (keys) => {
    type Alike = { readonly alike: Omit<OwnedAlike, 'mappings'>; readonly mappings: Record<string, (string | null)[]> }
    const groups = new Map<string, Alike>()
    for (const [key, known] of Object.entries<Ownership | null>(keys)) {
      const { id, role, ...alike } = known ?? { id: undefined, role: null }
      const name = JSON.stringify(alike, ['how', 'sinceMs', 'file', 'end', 'atMs', 'knownFromMs'])
      const group: Alike = groups.get(name) ?? { alike, mappings: {} }
      groups.set(name, group)
      group.mappings[key] = id === undefined ? [] : [id, role]
    }
    return [...groups.values()].map(({ alike, mappings }) => ({ ...alike, mappings }))
  },
  (stored) => {
    const keys: Record<string, Ownership | null> = {}
    for (const { mappings, how, sinceMs, file = '', end } of stored) {
      for (const [key, [id = null, role = null]] of Object.entries(mappings)) {
        if (how !== undefined && id === null) throw new TypeError('a mapping has no id')
        const known = { id, role, file, how, ...(sinceMs === undefined ? {} : { sinceMs }), ...(end === undefined ? {} : { end }) }
        keys[key] = how === undefined ? null : (known as Ownership)
      }
    }
    return keys
  },
)

const knownRevision = { hash: string(), revision: storedRevision } as const

const stamp = { run: string(), atMs: number() } as const
const write = { workspace: string<WorkspaceName>(), change: storedChange, declaration: string() } as const
const kind = <Kind extends Entry['kind']>(name: Kind) => ({ kind: ['entry', literal(name)] }) as const

/** The kinds that this version knows. A later version may write more kinds in the same format. Such entries are ignored and reported. */
const entries: Forms<Entry, 'kind'> = {
  start: { atMs: number(), run: string(), ...kind('start'), version: string(), command: string(), waits: string(), service },
  service: { ...stamp, ...kind('service'), service },
  reading: { ...stamp, ...kind('reading'), of: string(), size: number() },
  mappings: { ...stamp, workspace: string(), list: string(), ids: mappingIds, unread: ['left', optional(flag())], ...kind('mappings') },
  intent: { ...stamp, ...kind('intent'), ...write },
  result: { ...stamp, ...kind('result'), ...write, outcome: storedOutcome },
  waiver: {
    ...stamp,
    ...kind('waiver'),
    workspace: string(),
    fingerprint: string(),
    passes: list(string()),
    by: string(),
    account: optional(string()),
    source: string(),
  },
  approval: { ...stamp, ...kind('approval'), approval },
  shown: { ...stamp, ...kind('shown'), workspace: string(), changes: list(described) },
  withdrawal: { ...stamp, ...kind('withdrawal'), approval: string(), by: string(), account: string() },
  groups: {
    ...stamp,
    ...kind('groups'),
    ids: texts,
    meant: optional(object<LearnedIds>({ workspace: string(), ids: storedMeantGroups })),
  },
  projects: { ...stamp, ...kind('projects'), workspace: string(), ids: meantIds },
  ownership: { ...stamp, workspace: string(), list: string(), begins: optional(flag<true>()), keys: ownedKeys, ...kind('ownership') },
  seen: { ...stamp, ...kind('seen'), ...seenFields },
  declaration: { ...stamp, ...kind('declaration'), ...knownRevision },
  told: { ...stamp, ...kind('told'), told: storedTold, gone: list(string()) },
  continued: { atMs: number(), run: string(), ...kind('continued') },
  end: {
    atMs: number(),
    run: string(),
    ...kind('end'),
    cycle: optional(object<CycleRecord>({ workspaces: optional(list(string())), unsuccessful: list(string()) })),
  },
}
export const entryKinds: readonly string[] = Object.keys(entries)
const entry = union<Entry, 'kind'>('the entry', ['kind', 'entry'], entries)

/** One line of a journal's file. Unknown fields are told with the entry's kind: `result.change.unheardOf`. */
export const storedEntry: Codec<Entry> = {
  ...entry,
  read: (stored, tell) => entry.read(stored, inField(tell, String((stored as { readonly entry?: unknown }).entry))),
}

const tried = {
  atMs: number(),
  deletes: flag(),
  creates: optional(flag<true>()),
  before: optional(before),
  role: optional(string<Role>()),
} as const
const shardedMap = <T>(codec: Codec<T>): Codec<ShardedMap<T>> => converted(record<string, T>(codec), recordOf, shardedMapOf)

/** The memory in the first line of a journal's file. A field that an older version did not store gets the value of an empty memory. */
export const storedMemory: Codec<Memory> = object<Memory>(
  {
    endedClean: orElse(flag(), emptyMemory.endedClean),
    endedMs: orElse(number(), emptyMemory.endedMs),
    open: orElse(shardedMap(storedChange), emptyMemory.open),
    quarantine: orElse(record(number()), emptyMemory.quarantine),
    failures: ['refusals', unlessEmpty(record(number()), emptyMemory.failures)],
    inDoubt: [
      'undecided',
      orElse(
        // Older versions held a change for up to an hour after unknown outcomes.
        record(object<RecentWrite>(tried, { times: number(), why: string(), againFromMs: number(), declaration: string() })),
        emptyMemory.inDoubt,
      ),
    ],
    echoes: orElse(record(texts), emptyMemory.echoes),
    storedNames: ['keptAs', orElse(shardedMap(string()), emptyMemory.storedNames)],
    baselines: orElse(shardedMap(number()), emptyMemory.baselines),
    mappings: unlessEmpty(
      shardedMap(
        object<KnownList>({
          ids: converted<KnownList['ids'], MappingIds>(mappingIds, recordOf, (ids) => put(emptySmallMap, ids)),
          unread: ['left', optional(flag())],
        }),
      ),
      emptyMemory.mappings,
    ),
    ownership: unlessEmpty(
      shardedMap(
        object<OwnedList>({
          begun: flag(),
          keys: converted<OwnedList['keys'], OwnershipChange['keys']>(ownedKeys, recordOf, (keys) =>
            put(emptySmallMap, Object.fromEntries(Object.entries(keys).filter((pair): pair is [string, Ownership] => pair[1] !== null))),
          ),
        }),
      ),
      emptyMemory.ownership,
    ),
    recentWrites: [
      'revisions',
      orElse(converted(list(object<RecentWrite>(tried)), recentWritesOf, recentWritesFrom), emptyMemory.recentWrites),
    ],
    lastApplied: [
      'written',
      orElse(
        list(
          object<LastApplied>({
            key: string(),
            role: optional(string()),
            before: optional(before),
            echoed: optional(string()),
            reason: optional(string()),
            made: optional(list(string())),
            declaration: string(),
            atMs: list(number()),
            shownFromMs: number(),
          }),
        ),
        emptyMemory.lastApplied,
      ),
    ],
    createsFromMs: orElse(number(), emptyMemory.createsFromMs),
    groupIds: orElse(shardedMap(string()), emptyMemory.groupIds),
    projectIds: orElse(shardedMap(meantIds), emptyMemory.projectIds),
    meantGroups: unlessEmpty(shardedMap(storedMeantGroups), emptyMemory.meantGroups),
    service: optional(service),
    unconfirmed: unlessEmpty(
      converted(
        list(string()),
        (names) => Object.keys(recordOf(names)),
        (names) => shardedMapOf(Object.fromEntries(names.map((name) => [name, true as const]))),
      ),
      emptyMemory.unconfirmed,
    ),
    approvals: unlessEmpty(list(approval), emptyMemory.approvals),
    seen: unlessEmpty(shardedMap(storedSeen), emptyMemory.seen),
    edits: unlessEmpty(list(storedEdit), emptyMemory.edits),
    told: unlessEmpty(storedTold, emptyMemory.told),
    lastCycle: optional(object<LastCycle>({ atMs: number(), workspaces: list(string()), succeededMs: record(number()) })),
    declaration: optional(object<KnownRevision>(knownRevision)),
  },
  // Older versions held refused changes for an hour.
  { rejections: record(object({ status: number(), sentence: string(), untilMs: number(), declaration: string() })) },
)
