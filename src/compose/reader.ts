import type { List, Mapping, ProjectId, ProjectIdentifier, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import { baselineOf, listName, type Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { checkShrink, type Reading, type ShrinkLimit, whyIncomplete } from '../core/reading.ts'
import type { GroupSync } from '../core/rule.ts'
import type { Reader } from '../cycle/readExisting.ts'
import type { WorkspaceReader } from '../plane/client.ts'
import type { Project } from '../plane/wire.ts'

const settingsKeptMs = 3_600_000

export type Asking = Pick<WorkspaceReader, 'mappings' | 'projects'> & {
  groupSync(signal: AbortSignal): Promise<GroupSync>
  /** After a write to them: the next question asks the service. */
  forgetSettings(): void
}

/**
 * The workspace's own settings hardly ever change: one call an hour is enough to see that they did.
 *
 * @param open what asks the service: made anew for each question, since thousands of workspaces do nothing most of the time
 */
export function rememberingSettings(open: () => WorkspaceReader, now: () => number): Asking {
  let kept: { readonly value: GroupSync; readonly atMs: number } | undefined
  return {
    mappings: (list, signal) => open().mappings(list, signal),
    projects: (signal) => open().projects(signal),
    groupSync: async (signal) => {
      if (kept === undefined || now() - kept.atMs >= settingsKeptMs) {
        kept = { value: valueOf(await open().groupSync(signal), 'the group-sync settings'), atMs: now() }
      }
      return kept.value
    },
    forgetSettings: () => {
      kept = undefined
    },
  }
}

/** The service's own lists are readings like any other: one that lost half of its rows is not believed. */
export function doubting(
  reader: Omit<Asking, 'forgetSettings'>,
  workspace: WorkspaceName,
  limit: ShrinkLimit,
  memory: () => Memory,
): Reader {
  return {
    groupSync: reader.groupSync,
    mappings: async (list: List, signal): Promise<Reading<readonly Mapping[]>> => {
      const doubt = { baseline: baselineOf(memory(), listName(workspace, list)), limit, emptyPossible: true, setting: 'service.shrink' }
      return checkShrink<readonly Mapping[]>(await reader.mappings(list, signal), ({ length }) => length, doubt)
    },
    projects: async (signal) => {
      const reading = await reader.projects(signal)
      return reading.status === 'failed' ? reading : indexed(reading)
    },
  }
}

/** An identifier belongs to one project. Where two rows have it, nobody can say which project it names. */
function indexed(reading: Exclude<Reading<readonly Project[]>, { status: 'failed' }>): Reading<ProjectIndex> {
  const value = new Map<ProjectIdentifier, ProjectId>()
  const twice = new Set<ProjectIdentifier>()
  for (const { identifier, id } of reading.value) {
    if (value.has(identifier) && value.get(identifier) !== id) twice.add(identifier)
    value.set(identifier, id as ProjectId)
  }
  for (const identifier of twice) value.delete(identifier)
  const [first] = twice
  if (first === undefined || reading.status === 'partial') return { ...reading, value }
  return { ...reading, status: 'partial', value, missing: `two projects have the identifier ${first}` }
}

function valueOf<T>(reading: Reading<T>, of: string): T {
  if (reading.status === 'complete') return reading.value
  throw new OperationalError('SettingsUnread', `${of} cannot be read: ${whyIncomplete(reading)}`)
}
