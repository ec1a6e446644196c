import type { Change } from '../core/change.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { List, Mapping, MappingId } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Reading } from '../core/reading.ts'
import { type Caller, type CallOptions, openCaller } from './call.ts'
import type { PageLimits } from './pages.ts'
import { type ReadAccess, readAccess, readOwner } from './probe.ts'
import { usualRetries } from './rate/retry.ts'
import { listMappings, listProjects, type PlaneWorkspace, readGroupSync, retrieveMapping } from './resources.ts'
import type { Project } from './wire/project.ts'
import { write } from './write.ts'

/** Plane's public REST API v1 with one credential. Reading and writing are separate values: code that only plans has no writer. */
export type Plane = {
  reader(workspace: PlaneWorkspace): WorkspaceReader
  readonly probe: Probe
  /** @param whyNot is called directly before each sending, after the wait for the rate limit. If it returns a sentence, nothing is sent */
  writer(workspace: PlaneWorkspace, whyNot?: (change: Change) => string | undefined): WorkspaceWriter
}

/** Reads that no cycle needs. They create nothing. */
type Probe = {
  /** The account to which the credential belongs. @throws {PlaneError} */
  owner(signal: AbortSignal): Promise<string>
  access(workspace: PlaneWorkspace, signal: AbortSignal): Promise<ReadAccess>
}

export type WorkspaceReader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly Mapping[]>>
  mapping(list: List, id: MappingId, signal: AbortSignal): Promise<Mapping | undefined>
  projects(signal: AbortSignal): Promise<Reading<readonly Project[]>>
  groupSync(signal: AbortSignal): Promise<Reading<GroupSync>>
}

type WorkspaceWriter = { write(change: Change, signal: AbortSignal): Promise<Outcome> }

export type PlaneOptions = Omit<CallOptions, 'workspace' | Usual> &
  Partial<Pick<CallOptions, Usual> & PageLimits> & {
    /** A change that takes a right away is sent first while the budget is short. */
    readonly isRevocation?: (change: Change) => boolean
  }
type Usual = 'retries' | 'gracePeriodMs'

/** Docker and others kill a process ten seconds after they asked it to stop. */
const defaultGracePeriodMs = 8_000

export function connectPlane(options: PlaneOptions): Plane {
  const {
    pagesMax = 1_000,
    rowsMax = 200_000,
    retries = usualRetries,
    gracePeriodMs = defaultGracePeriodMs,
    isRevocation,
    ...rest
  } = options
  const limits = { pagesMax, rowsMax }
  const callerFor = (workspace: PlaneWorkspace): Caller => openCaller({ ...rest, retries, gracePeriodMs, workspace })
  return {
    probe: {
      owner: (signal) => readOwner(openCaller({ ...rest, retries, gracePeriodMs }), signal),
      access: (workspace, signal) => readAccess(callerFor(workspace), workspace, signal),
    },
    reader(workspace) {
      const call = callerFor(workspace)
      return {
        mappings: (list, signal) => listMappings(call, workspace, list, limits, signal),
        mapping: (list, id, signal) => retrieveMapping(call, workspace, list, id, signal),
        projects: (signal) => listProjects(call, workspace, limits, signal),
        groupSync: (signal) => readGroupSync(call, workspace, signal),
      }
    },
    writer(workspace, whyNot) {
      const call = callerFor(workspace)
      const sending = (change: Change) => ({ whyNot: () => whyNot?.(change), revocation: isRevocation?.(change) ?? false })
      return { write: (change, signal) => write(call, workspace, change, sending(change), signal) }
    },
  }
}
