import type { ChangeId } from '../../core/change.ts'
import { defined, whole } from '../../core/fields.ts'
import type { Key } from '../../core/mapping.ts'
import type { Echoes } from '../../core/memory/echoes.ts'
import type { GroupIds } from '../../core/memory/entry.ts'
import type { KnownList, MappingIds } from '../../core/memory/knownMappings.ts'
import type { MeantIds } from '../../core/memory/meantIds.ts'
import { emptyMemory, type Memory } from '../../core/memory/memory.ts'
import { recentWritesFrom, recentWritesOf } from '../../core/memory/recentWrites.ts'
import { emptySmallMap, put, recordOf, shardedMapOf } from '../../core/memory/shardedMap.ts'
import { approvalFromStored, type StoredApproval, storedApproval } from './approval.ts'
import { changeFromStored, type StoredChange, storedChange } from './change.ts'
import { lastCycleFromStored, type StoredLastCycle, storedLastCycle } from './lastCycle.ts'
import { meantGroupsFromStored, type StoredMeantGroups, storedMeantGroups } from './meantGroups.ts'
import { type StoredService, serviceFromStored, storedService } from './service.ts'
import { eachOf, inField, read, type Tell } from './unknown.ts'
import {
  revisionFromStored,
  type StoredRevision,
  type StoredUndecided,
  type StoredWritten,
  storedRevision,
  storedUndecided,
  storedWritten,
  undecidedFromStored,
  writtenFromStored,
} from './writes.ts'

/** The memory in the first line of a journal's file. */
export type StoredMemory = {
  readonly endedClean: boolean
  readonly endedMs: number
  readonly open: Readonly<Record<ChangeId, StoredChange>>
  readonly quarantine: Readonly<Record<Key, number>>
  /** Older versions held refused changes for an hour. It is read as nothing. */
  readonly rejections?: undefined
  readonly refusals?: Readonly<Record<ChangeId, number>> | undefined
  readonly undecided: Readonly<Record<ChangeId, StoredUndecided>>
  readonly echoes: Echoes
  readonly keptAs: Readonly<Record<Key, Key>>
  readonly baselines: Readonly<Record<string, number>>
  /** Absent if none is known. */
  readonly mappings?: Readonly<Record<string, StoredKnownList>> | undefined
  readonly revisions: readonly StoredRevision[]
  readonly written: readonly StoredWritten[]
  readonly createsFromMs: number
  readonly groupIds: GroupIds
  readonly projectIds: Readonly<Record<string, MeantIds>>
  /** Absent if no group is remembered for a text. */
  readonly meantGroups?: Readonly<Record<string, StoredMeantGroups | MeantIds>> | undefined
  readonly service?: StoredService | undefined
  /** Workspaces of `service`. Absent if an answer has confirmed each of them, and in the files of older versions, which bound a journal at its start. */
  readonly unconfirmed?: readonly string[] | undefined
  /** Absent if there is none. */
  readonly approvals?: readonly StoredApproval[] | undefined
  /** Absent before the first cycle of a daemon that records it. */
  readonly lastCycle?: StoredLastCycle | undefined
}

export function storedMemory(memory: Memory): StoredMemory {
  const { endedClean, endedMs, open, quarantine, refusals, inDoubt, echoes, storedNames, ...later } = memory
  const { baselines, mappings, recentWrites, lastApplied, createsFromMs, groupIds, projectIds, meantGroups, ...latest } = later
  const { service, unconfirmed, approvals, lastCycle, ...rest } = latest
  return whole(
    {
      endedClean,
      endedMs,
      open: eachOf(recordOf(open), storedChange),
      quarantine,
      rejections: undefined,
      refusals: Object.keys(refusals).length === 0 ? undefined : refusals,
      undecided: eachOf(inDoubt, storedUndecided),
      echoes,
      keptAs: recordOf(storedNames),
      baselines: recordOf(baselines),
      mappings: Object.keys(recordOf(mappings)).length === 0 ? undefined : eachOf(recordOf(mappings), storedKnownList),
      revisions: recentWritesOf(recentWrites).map(storedRevision),
      written: lastApplied.map(storedWritten),
      createsFromMs,
      groupIds: recordOf(groupIds),
      projectIds: recordOf(projectIds),
      meantGroups: Object.keys(recordOf(meantGroups)).length === 0 ? undefined : eachOf(recordOf(meantGroups), storedMeantGroups),
      service: service && storedService(service),
      unconfirmed: namesOf(unconfirmed),
      approvals: approvals.length === 0 ? undefined : approvals.map(storedApproval),
      lastCycle: lastCycle && storedLastCycle(lastCycle),
    },
    rest,
  )
}

/** A field that an older version did not store gets the value of an empty memory. */
export function memoryFromStored(stored: Partial<StoredMemory>, tell: Tell): Memory {
  const { endedClean, endedMs, open = {}, quarantine, rejections: _, refusals = {}, undecided = {}, echoes, keptAs = {}, ...later } = stored
  const { baselines = {}, mappings = {}, revisions = [], written = [], createsFromMs, groupIds = {}, projectIds = {}, ...latest } = later
  const { meantGroups = {}, service, unconfirmed = [], approvals = [], lastCycle, ...rest } = latest
  const known: Memory = {
    endedClean: endedClean ?? emptyMemory.endedClean,
    endedMs: endedMs ?? emptyMemory.endedMs,
    open: shardedMapOf(eachOf(open, (change: StoredChange) => changeFromStored(change, inField(tell, 'open')))),
    quarantine: quarantine ?? emptyMemory.quarantine,
    refusals,
    inDoubt: eachOf(undecided, (one) => undecidedFromStored(one, inField(tell, 'undecided'))),
    echoes: echoes ?? emptyMemory.echoes,
    storedNames: shardedMapOf(keptAs),
    baselines: shardedMapOf(baselines),
    mappings: shardedMapOf(eachOf(mappings, (list: StoredKnownList) => knownListFromStored(list, inField(tell, 'mappings')))),
    recentWrites: recentWritesFrom(revisions.map((one) => revisionFromStored(one, inField(tell, 'revisions')))),
    lastApplied: written.map((one) => writtenFromStored(one, inField(tell, 'written'))),
    createsFromMs: createsFromMs ?? emptyMemory.createsFromMs,
    groupIds: shardedMapOf(groupIds),
    projectIds: shardedMapOf(projectIds),
    meantGroups: shardedMapOf(eachOf(meantGroups, (one) => meantGroupsFromStored(one, inField(tell, 'meantGroups')))),
    unconfirmed: shardedMapOf(Object.fromEntries(unconfirmed.map((name) => [name, true]))),
    approvals: approvals.map((one) => approvalFromStored(one, inField(tell, 'approvals'))),
  }
  const optional = defined({
    service: service && serviceFromStored(service, inField(tell, 'service')),
    lastCycle: lastCycle && lastCycleFromStored(lastCycle, inField(tell, 'lastCycle')),
  })
  return read({ ...known, ...optional }, rest, tell)
}

function namesOf(set: Memory['unconfirmed']): readonly string[] | undefined {
  const names = Object.keys(recordOf(set))
  return names.length === 0 ? undefined : names
}

type StoredKnownList = { readonly ids: MappingIds; readonly left?: true | undefined }

const storedKnownList = ({ ids, left, ...rest }: KnownList): StoredKnownList => whole({ ids: recordOf(ids), left }, rest)

const knownListFromStored = ({ ids, left, ...rest }: StoredKnownList, tell: Tell): KnownList =>
  read(defined({ ids: put(emptySmallMap, ids), left }), rest, tell)
