import { ageMs, type Clock, type Moment, momentOf } from '../core/clock.ts'
import { type GroupSync, groupSyncKey } from '../core/groupSync.ts'
import type { KnownProject, ProjectId, ProjectIdentifier, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { type Reading, whyIncomplete } from '../core/reading.ts'
import type { Reader } from '../cycle/readExisting.ts'
import type { WorkspaceReader } from '../plane/client.ts'
import { PlaneError } from '../plane/errors.ts'
import type { Project } from '../plane/wire/project.ts'

const settingsKeptMs = 3_600_000

export type CachedReader = Pick<WorkspaceReader, 'mappings' | 'mapping'> & {
  projects(signal: AbortSignal): Promise<Reading<readonly Project[]>>
  groupSync(signal: AbortSignal): Promise<GroupSync>
  /** To be called before the settings are written: the next read asks the service. */
  forgetSettings(): void
}

/**
 * Reads the group-sync settings once an hour, since they hardly ever change. While a lost write of them may still be executed, each call asks the
 * service.
 *
 * @param open makes the client, at each call, since of thousands of workspaces nearly all are idle most of the time
 * @param memory its quarantine says how long a lost write may still be executed, also one of an earlier process
 */
export function withCachedSettings(
  open: () => WorkspaceReader,
  workspace: WorkspaceName,
  memory: () => Memory,
  clock: Pick<Clock, 'now' | 'wall'>,
): CachedReader {
  const settledMs = () => memory().quarantine[groupSyncKey(workspace)] ?? 0
  let kept: { readonly value: GroupSync; readonly at: Moment } | undefined
  return {
    mappings: (list, signal) => open().mappings(list, signal),
    mapping: (list, id, signal) => open().mapping(list, id, signal),
    projects: (signal) => open().projects(signal),
    groupSync: async (signal) => {
      const at = momentOf(clock)
      if (kept === undefined || kept.at.steadyMs < settledMs() || ageMs(kept.at, at) >= settingsKeptMs) {
        kept = { value: valueOf(await open().groupSync(signal), 'the group-sync settings'), at }
      }
      return kept.value
    },
    forgetSettings: () => {
      kept = undefined
    },
  }
}

/** The reader of a cycle: projects by identifier, and the answers about one mapping. */
export const cycleReader = (reader: Omit<CachedReader, 'forgetSettings'>): Reader => ({
  ...reader,
  mapping: async (list, id, signal) => {
    try {
      const mapping = await reader.mapping(list, id, signal)
      return mapping === undefined ? { is: 'gone' } : { is: 'there', key: mapping.key }
    } catch (error) {
      if (!(error instanceof PlaneError)) throw error
      return { is: 'unproved', why: error.message }
    }
  },
  projects: async (signal) => {
    const reading = await reader.projects(signal)
    return reading.status === 'failed' ? reading : indexed(reading)
  },
})

/** Projects by identifier. If two projects have the same identifier, that identifier is left out, and the reading is partial. */
function indexed(reading: Exclude<Reading<readonly Project[]>, { status: 'failed' }>): Reading<ProjectIndex> {
  const value = new Map<ProjectIdentifier, KnownProject>()
  const twice = new Set<ProjectIdentifier>()
  for (const { identifier, id, archived } of reading.value) {
    if ((value.get(identifier)?.id ?? id) !== id) twice.add(identifier)
    value.set(identifier, { id: id as ProjectId, archived })
  }
  for (const identifier of twice) value.delete(identifier)
  const [first] = twice
  if (first === undefined || reading.status === 'partial') return { ...reading, value }
  return { ...reading, status: 'partial', value, missing: `two projects have the identifier ${first}` }
}

function valueOf<T>(reading: Reading<T>, of: string): T {
  if (reading.status === 'complete') return reading.value
  const cure = reading.status === 'failed' ? reading.cure : undefined
  throw new OperationalError('SettingsUnread', `${of} cannot be read: ${whyIncomplete(reading)}`, { cure })
}
