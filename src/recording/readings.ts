import type { Change } from '../core/change.ts'
import { listsInScope, mayNameProjects } from '../core/existing.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { List, Mapping, MappingId, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Members, Memberships } from '../core/people/members.ts'
import { type Reading, valueIfRead } from '../core/reading.ts'
import { directoriesAsked } from '../core/resolve/desiredMapping.ts'
import type { CycleSources } from '../cycle/cycle.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Presence, Reader } from '../cycle/readExisting.ts'
import type { ReadMembers } from '../cycle/readPeople.ts'
import type { Declared } from '../cycle/workspaceContext.ts'
import { listsAfter } from './listsAfter.ts'

/** The last answer of each source that cycles ask. What was not asked is absent. */
export type KeptReadings = {
  readonly declared?: Declared
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  /** Directory → the answer about each group whose members were asked for, by its id, and the time of the answer, epoch ms. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, KeptMembers>>
  readonly workspaces: ReadonlyMap<WorkspaceName, WorkspaceReadings>
}
/** `members`: absent if the directory did not say who they are. */
type KeptMembers = { readonly members?: Members; readonly atMs: number }

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
  /** Each cycle begins with the declaration. What no rule of it is about is dropped: no cycle reads it anew. */
  declaration(read: CycleSources['declaration']): CycleSources['declaration']
  directories(directories: CycleSources['directories']): CycleSources['directories']
  reader(workspace: WorkspaceName, read: Reader): Reader
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
  const keepMembers = (directory: string, groups: readonly Group[], reading: Reading<Memberships>) => {
    const kept = readings.members.get(directory) ?? new Map<string, KeptMembers>()
    for (const { id } of groups) kept.set(id, { ...defined({ members: valueIfRead(reading)?.get(id) }), atMs: reading.atMs })
    readings.members.set(directory, kept)
  }
  const keeping = (name: string, directory: Directory): Directory => ({
    ...directory,
    async read(signal) {
      const reading = await directory.read(signal)
      readings.directories.set(name, reading)
      return reading
    },
    ...(directory.members && { members: keepingMembers(directory.members, (groups, reading) => keepMembers(name, groups, reading)) }),
  })
  const dropUnasked = ({ workspaces }: Declared) => {
    const asked = new Set([...workspaces.values()].flatMap(({ rules }) => directoriesAsked(rules, [...readings.directories.keys()])))
    for (const name of readings.directories.keys()) if (!asked.has(name)) readings.directories.delete(name)
    for (const [workspace, kept] of readings.workspaces) {
      const declaration = workspaces.get(workspace)
      const inScope = declaration === undefined ? new Set<List>() : listsInScope(declaration)
      kept.lists = new Map([...kept.lists].filter(([list]) => inScope.has(list)))
      kept.byId.clear()
      if (declaration === undefined || !mayNameProjects(declaration)) delete kept.projects
    }
  }
  return {
    readings: readings as KeptReadings,
    declaration: (read) => async (signal) => {
      readings.declared = await read(signal)
      dropUnasked(readings.declared)
      return readings.declared
    },
    directories: (directories) => new Map([...directories].map(([name, directory]) => [name, keeping(name, directory)])),
    reader: (workspace, read) => keepingAnswers(read, () => keptOf(workspace)),
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
  (read: ReadMembers, keep: (groups: readonly Group[], reading: Reading<Memberships>) => void): ReadMembers =>
  async (groups, asOfMs, signal) => {
    const reading = await read(groups, asOfMs, signal)
    keep(groups, reading)
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
