import type { Change } from '../core/change.ts'
import type { GroupIndex } from '../core/group.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { List, Mapping, MappingId, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Members, Memberships } from '../core/people/members.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Presence, Reader } from '../cycle/readExisting.ts'
import type { ReadMembers } from '../cycle/readPeople.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import { listsAfter } from './listsAfter.ts'

/** The last answer of each source that cycles ask. What was not asked is absent. */
export type KeptReadings = {
  readonly declared?: Declared
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** Directory → the members of each group that was asked for, with the time of the answer, epoch ms. A group whose members were not read is absent. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, KeptMembers>>
  readonly workspaces: ReadonlyMap<WorkspaceName, WorkspaceReadings>
}
type KeptMembers = { readonly members: Members; readonly atMs: number }

export type WorkspaceReadings = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  /** What the service answered about single mappings. */
  readonly byId: ReadonlyMap<MappingId, Presence>
  readonly projects?: Reading<ProjectIndex>
  readonly groupSync?: GroupSync
}

/** Keeps the last answer that each source gives. What this program writes is in the answers that it keeps. */
export type ReadingsKeeper = {
  readonly readings: KeptReadings
  declaration(read: CycleSources['declaration']): CycleSources['declaration']
  directories(directories: CycleSources['directories']): CycleSources['directories']
  bindings(bindings: CycleSources['bindings']): CycleSources['bindings']
  wrote(workspace: WorkspaceName, change: Change, outcome: Outcome): void
  /** Drops all answers: they may be those of other settings. */
  forget(): void
}

type Kept = {
  lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  readonly byId: Map<MappingId, Presence>
  projects?: Reading<ProjectIndex>
  groupSync?: GroupSync
}

export function openReadingsKeeper(): ReadingsKeeper {
  const readings = {
    declared: undefined as Declared | undefined,
    directories: new Map<string, Reading<GroupIndex>>(),
    members: new Map<string, Map<string, KeptMembers>>(),
    workspaces: new Map<WorkspaceName, Kept>(),
  }
  const keptOf = (workspace: WorkspaceName): Kept => {
    const kept = readings.workspaces.get(workspace) ?? { lists: new Map(), byId: new Map() }
    readings.workspaces.set(workspace, kept)
    return kept
  }
  const keepMembers = (directory: string, reading: Reading<Memberships>) => {
    const kept = readings.members.get(directory) ?? new Map<string, KeptMembers>()
    for (const [group, members] of valueIfRead(reading) ?? []) kept.set(group, { members, atMs: reading.atMs })
    readings.members.set(directory, kept)
  }
  const keeping = (name: string, directory: Directory): Directory => ({
    ...directory,
    async read(signal) {
      const reading = await directory.read(signal)
      readings.directories.set(name, reading)
      return reading
    },
    ...(directory.members && { members: keepingMembers(directory.members, (reading) => keepMembers(name, reading)) }),
  })
  const binding = (bound: ReportedBinding): ReportedBinding => ({
    ...bound,
    read: keepingAnswers(bound.read, () => keptOf(bound.workspace)),
  })
  return {
    readings: readings as KeptReadings,
    declaration: (read) => async (signal) => {
      readings.declared = await read(signal)
      return readings.declared
    },
    directories: (directories) => new Map([...directories].map(([name, directory]) => [name, keeping(name, directory)])),
    bindings: (bindings) => new Map([...bindings].map(([credential, ofCredential]) => [credential, ofCredential.map(binding)])),
    wrote(workspace, change, outcome) {
      const kept = keptOf(workspace)
      if (change.action !== 'settings') kept.lists = listsAfter(kept.lists, change, outcome)
      else if (outcome.kind === 'done') kept.groupSync = { ...kept.groupSync, ...change.after, ...outcome.answered }
    },
    forget() {
      readings.declared = undefined
      for (const kept of [readings.directories, readings.members, readings.workspaces]) kept.clear()
    },
  }
}

const keepingMembers =
  (read: ReadMembers, keep: (reading: Reading<Memberships>) => void): ReadMembers =>
  async (groups, signal) => {
    const reading = await read(groups, signal)
    keep(reading)
    return reading
  }

const keepingAnswers = (read: Reader, kept: () => Kept): Reader => ({
  async mappings(list, signal) {
    const reading = await read.mappings(list, signal)
    const before = kept()
    before.lists = new Map([...before.lists, [list, reading]])
    return reading
  },
  async mapping(list, id, signal) {
    const presence = await read.mapping(list, id, signal)
    kept().byId.set(id, presence)
    return presence
  },
  async projects(signal) {
    const reading = await read.projects(signal)
    kept().projects = reading
    return reading
  },
  async groupSync(signal) {
    const groupSync = await read.groupSync(signal)
    kept().groupSync = groupSync
    return groupSync
  },
})
