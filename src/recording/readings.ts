import type { GroupIndex } from '../core/group.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { List, Mapping, MappingId, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Presence, Reader } from '../cycle/readExisting.ts'

/** The last answer of each source that a cycle asks. What was not asked is absent. */
export type KeptReadings = {
  readonly directories: ReadonlyMap<string, Reading<GroupIndex>>
  readonly workspaces: ReadonlyMap<WorkspaceName, WorkspaceReadings>
}

export type WorkspaceReadings = {
  readonly lists: ReadonlyMap<List, Reading<readonly Mapping[]>>
  /** What the service answered about single mappings. */
  readonly byId: ReadonlyMap<MappingId, Presence>
  readonly projects?: Reading<ProjectIndex>
  readonly groupSync?: GroupSync
}

type Kept = {
  readonly lists: Map<List, Reading<readonly Mapping[]>>
  readonly byId: Map<MappingId, Presence>
  projects?: Reading<ProjectIndex>
  groupSync?: GroupSync
}

/** The same sources, which keep the last answer that each of them gave. */
export function keepingReadings(sources: CycleSources): { readonly sources: CycleSources; readonly readings: KeptReadings } {
  const directories = new Map<string, Reading<GroupIndex>>()
  const workspaces = new Map<WorkspaceName, Kept>()
  const keptOf = (workspace: WorkspaceName): Kept => {
    const kept = workspaces.get(workspace) ?? { lists: new Map(), byId: new Map() }
    workspaces.set(workspace, kept)
    return kept
  }
  const keeping = (name: string, directory: Directory): Directory => ({
    ...directory,
    async read(signal) {
      const reading = await directory.read(signal)
      directories.set(name, reading)
      return reading
    },
  })
  const binding = (one: ReportedBinding): ReportedBinding => ({ ...one, read: keepingAnswers(one.read, () => keptOf(one.workspace)) })
  return {
    readings: { directories, workspaces },
    sources: {
      ...sources,
      directories: new Map([...sources.directories].map(([name, directory]) => [name, keeping(name, directory)])),
      bindings: new Map([...sources.bindings].map(([credential, bindings]) => [credential, bindings.map(binding)])),
    },
  }
}

const keepingAnswers = (read: Reader, kept: () => Kept): Reader => ({
  async mappings(list, signal) {
    const reading = await read.mappings(list, signal)
    kept().lists.set(list, reading)
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
