import type { Change } from '../core/change.ts'
import { type Group, type GroupIndex, indexGroups, ownId } from '../core/group.ts'
import { type GroupName, groupOfKey, type Key, type WorkspaceName } from '../core/mapping.ts'
import { emptyMemory, type Memory } from '../core/memory/memory.ts'
import { recordOf, type ShardedMap, shardedMapOf } from '../core/memory/shardedMap.ts'
import { defined } from '../core/optionalFields.ts'
import { type Members, type Memberships, textIn } from '../core/people/members.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import type { RecordedGroups } from '../core/recordedGroups.ts'
import type { BudgetSnapshot } from '../core/report.ts'
import type { RecordedSettings } from '../settings/recordedSettings.ts'
import type { KeptReadings, WorkspaceReadings } from './readings.ts'

/**
 * All that a plan is made from but the declaration: what was read of Plane and of the directories, what the journal knows, and the settings that decide. `takenMs` by
 * the date, `steadyMs` by the clock of the journal.
 *
 * It has the names of groups and of projects, and how many people groups share. It has no name, id or hash of a person, no address but that of the service, and no DN, path
 * of a machine, account, filter, or reference to a secret. Of a rule it has the reason where Plane answers another role than was sent: an edit of the reason sends it again.
 */
export type Recording = {
  readonly takenMs: number
  /** The date of the oldest reading in it. */
  readonly readMs: number
  readonly steadyMs: number
  /** How far the clock of Plane is ahead of that of the machine; absent if no answer had its date. */
  readonly aheadMs?: number
  readonly settings: RecordedSettings
  readonly workspaces: ReadonlyMap<WorkspaceName, RecordedWorkspace>
  readonly directories: ReadonlyMap<string, RecordedDirectory>
  readonly memberships: RecordedMemberships
  /** Present if it has only the groups that the declaration could mean: `record --declared-groups`. */
  readonly recordedGroups?: RecordedGroups
  readonly memory: Memory
}

/**
 * Of which groups the members are in it. `all`: of each group that it has. `counted`: of those that the plans of a daemon have counted lately. `none`: they were
 * left out.
 */
export type RecordedMemberships = 'all' | 'counted' | 'none'

export type RecordedWorkspace = WorkspaceReadings & { readonly credential: string; readonly budget: BudgetSnapshot }

/**
 * `members`: id of a group → its members, as numbers in place of people. A person has one number in all directories, and another one in each recording. Absent if the
 * directory is not asked who the members of groups are.
 */
export type RecordedDirectory = {
  readonly reading: Reading<GroupIndex>
  readonly members?: Reading<Memberships>
  /** The ids of groups whose members were not asked for, so that nothing says whether the directory knows them. */
  readonly notAsked?: ReadonlySet<string>
}

type Taken = Omit<Recording, 'workspaces' | 'directories'> & {
  readonly readings: Pick<KeptReadings, 'directories' | 'workspaces'>
  readonly about: ReadonlyMap<WorkspaceName, Pick<RecordedWorkspace, 'credential' | 'budget'>>
  /** The readings of members of each directory that is asked for them. */
  readonly members: ReadonlyMap<string, Reading<Memberships>>
  /** Directory → the ids of the groups whose members were asked for. Absent: all. */
  readonly asked?: ReadonlyMap<string, ReadonlySet<string>> | undefined
  /** Which groups are in it, by `groupsKept`. */
  readonly isKept: (group: GroupName) => boolean
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
}

/**
 * Whether a recording keeps a group: a file may name it, or it has a mapping.
 *
 * @param isAdmitted whether the fences let a file name the group
 */
export function groupsKept(
  { workspaces }: Pick<KeptReadings, 'workspaces'>,
  isAdmitted: (group: GroupName) => boolean,
): (group: GroupName) => boolean {
  const mapped = new Set(
    [...workspaces.values()].flatMap(({ lists }) =>
      [...lists.values()].flatMap((reading) => (valueIfRead(reading) ?? []).map(({ group }) => group)),
    ),
  )
  return (group) => isAdmitted(group) || mapped.has(group)
}

export function recordingOf({ readings, about, members, asked, memory, isKept, random, ...taken }: Taken): Recording {
  const numberOf = numbersOf(members, random)
  return {
    ...taken,
    workspaces: new Map(
      [...about].map(([workspace, { credential, budget }]) => [
        workspace,
        { ...withoutCauses(readings.workspaces.get(workspace) ?? nothingRead), credential, budget },
      ]),
    ),
    directories: new Map(
      [...readings.directories].map(([name, reading]) => [
        name,
        recordedDirectory(reading, isKept, { members: members.get(name), asked: asked?.get(name) }, (person) =>
          numberOf(textIn(name, person)),
        ),
      ]),
    ),
    memory: decidingMemory(memory, isKept, readings.directories),
  }
}

const nothingRead: WorkspaceReadings = { lists: new Map(), byId: new Map() }

/** The words that stand for the cause of an incomplete reading. The cause itself may have an address or a DN. */
const unsaid = 'it was not read whole when the recording was made; the log of the program that made it says why'

function withoutCauses({ lists, byId, projects, groupSync }: WorkspaceReadings): WorkspaceReadings {
  const same = <T>(reading: Reading<T>): Reading<T> =>
    reading.status === 'failed' ? redacted(reading, undefined as never) : redacted(reading, reading.value)
  return {
    lists: new Map([...lists].map(([list, reading]) => [list, same(reading)])),
    byId: new Map([...byId].map(([id, presence]) => [id, presence.is === 'unproved' ? { is: 'unproved', why: unsaid } : presence])),
    ...defined({ projects: projects && same(projects), groupSync }),
  }
}

/**
 * The groups that the recording keeps. The place of a group is a DN or a path, so it gets a number. A group without an id of its own has its place as its id.
 *
 * @param about `members`: absent if the directory is not asked for them. `asked`: for which groups it was; absent: for all
 */
function recordedDirectory(
  reading: Reading<GroupIndex>,
  isKept: (group: GroupName) => boolean,
  { members, asked }: { readonly members: Reading<Memberships> | undefined; readonly asked: ReadonlySet<string> | undefined },
  numberOf: (person: string) => string,
): RecordedDirectory {
  const groups = [...(valueIfRead(reading)?.values() ?? [])].flat().filter(({ name }) => isKept(name))
  const kept = groups.map((group, index) => ({ group, recorded: withoutPlace(group, `place ${index + 1}`) }))
  const known = members && valueIfRead(members)
  const recordedMembers = kept.flatMap(({ group, recorded }): readonly (readonly [string, Members])[] => {
    const own = known?.get(group.id)
    return own === undefined ? [] : [[recorded.id, numbered(own, numberOf)]]
  })
  return {
    reading: redacted(reading, indexGroups(kept.map(({ recorded }) => recorded))),
    ...(members === undefined ? {} : { members: redacted(members, new Map(recordedMembers)) }),
    ...(members === undefined || asked === undefined
      ? {}
      : { notAsked: new Set(kept.flatMap(({ group, recorded }) => (asked.has(group.id) ? [] : recorded.id))) }),
  }
}

const withoutPlace = (group: Group, place: string): Group => ({ ...group, place, id: ownId(group) ?? place })

function redacted<T>(reading: Reading<unknown>, value: T): Reading<T> {
  const { status, atMs, tookMs } = reading
  if (status === 'failed') return { status, why: unsaid, atMs, tookMs }
  const notes = reading.notes?.map(({ code, severity }) => ({ code, severity, sentence: unsaid }))
  const answered = { value, atMs, tookMs, ...defined({ notes }) }
  return status === 'complete' ? { status, ...answered } : { status, missing: unsaid, ...answered }
}

function numbered(members: Members, numberOf: (person: string) => string): Members {
  const { people, doubtful, notCounted, more } = members
  return {
    people: people.map(numberOf),
    ...defined({
      doubtful: doubtful && { members: doubtful.members.map(numberOf), why: unsaidMembers },
      notCounted,
      more: more === undefined ? undefined : unsaidMembers,
    }),
  }
}

const unsaidMembers = 'some of its members were not read, or may be no people'

/** A number for each person, drawn anew: the same people have other numbers in the next recording. */
function numbersOf(members: ReadonlyMap<string, Reading<Memberships>>, random: () => number): (person: string) => string {
  const people = new Set(
    [...members].flatMap(([directory, reading]) =>
      [...(valueIfRead(reading)?.values() ?? [])].flatMap(({ people, doubtful }) =>
        [...people, ...(doubtful?.members ?? [])].map((person) => textIn(directory, person)),
      ),
    ),
  )
  const drawn = [...people].map((person) => ({ person, order: random() })).toSorted((one, other) => one.order - other.order)
  const numbers = new Map(drawn.map(({ person }, index) => [person, `${index + 1}`]))
  return (person) => numbers.get(person) as string
}

/**
 * What of the memory decides about a plan of the groups that are kept. Approvals are without their account, their reason and who gave them, and changes without
 * their rules.
 */
function decidingMemory(known: Memory, isKept: (group: GroupName) => boolean, directories: KeptReadings['directories']): Memory {
  const { lastCycle: _, ...memory } = known
  const isInDirectory = (full: string) => isKept(full.slice(full.indexOf('/') + 1) as GroupName)
  // The id of a mapping and the key of settings name no group.
  const isKeyKept = (key: string) => groupOfKey(key as Key) === '' || isKept(groupOfKey(key as Key))
  const keptKeys = <T>(map: ShardedMap<T>): ShardedMap<T> => map.map((shard) => new Map([...shard].filter(([key]) => isKeyKept(key))))
  return {
    ...memory,
    seen: emptyMemory.seen,
    edits: [],
    open: mapValues(memory.open, withoutRule),
    quarantine: onlyKept(memory.quarantine, isKeyKept),
    storedNames: keptKeys(memory.storedNames),
    mappings: mapValues(memory.mappings, (list) => ({ ...list, ids: keptKeys(list.ids) })),
    ownership: mapValues(memory.ownership, (list) => ({ ...list, keys: keptKeys(list.keys) })),
    lastApplied: memory.lastApplied.filter(({ key }) => isKeyKept(key)),
    groupIds: shardedMapOf(withoutPlaces(onlyKept(recordOf(memory.groupIds), isInDirectory), directories)),
    meantGroups: mapValues(memory.meantGroups, (ids) => onlyKept(ids, isInDirectory)),
    approvals: memory.approvals.map((approval) => ({
      ...approval,
      ...(approval.words && {
        words: { ...approval.words, changes: approval.words.changes.filter((one) => !('key' in one) || isKeyKept(one.key)) },
      }),
      ...{ by: 'a recorded approval', account: '', reason: '' },
    })),
  }
}

/** The id of a group without an id of its own is its DN or path. Such an id tells nothing of a group that is not in the recording. */
function withoutPlaces(ids: Readonly<Record<string, string>>, directories: KeptReadings['directories']): Readonly<Record<string, string>> {
  const own = new Set(
    [...directories.values()].flatMap((reading) =>
      [...(valueIfRead(reading)?.values() ?? [])].flat().flatMap((group) => ownId(group) ?? []),
    ),
  )
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => own.has(id) || !/[=/]/.test(id)))
}

const mapValues = <T>(map: ShardedMap<T>, change: (value: T) => T): ShardedMap<T> =>
  map.map((shard) => new Map([...shard].map(([name, value]) => [name, change(value)])))

const onlyKept = <T>(names: Readonly<Record<string, T>>, isKept: (full: string) => boolean): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(names).filter(([full]) => isKept(full)))

function withoutRule(change: Change): Change {
  const { because: _, ...rest } = change
  return rest
}
