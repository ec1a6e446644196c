import type { Change } from '../core/change.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { List, MappingId, Role } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import type { Reading } from '../core/reading.ts'
import { type Caller, type CallOptions, openCaller } from './call.ts'
import type { PageLimits } from './pages.ts'
import { usualRetries } from './rate/retry.ts'
import {
  listMappings,
  listProjects,
  listWorkItems,
  type PlaneWorkspace,
  type Projection,
  readGroupSync,
  readRoles,
  retrieveMapping,
  retrieveSticky,
  retrieveWikiPage,
} from './resources.ts'
import type { Sticky, WikiPage, WorkItem } from './wire/items.ts'
import type { StoredMapping } from './wire/mapping.ts'
import type { Project } from './wire/project.ts'
import { type User, userFrom } from './wire/user.ts'
import { write } from './write.ts'

/** Plane's public REST API v1 with one credential. Reading and writing are separate values: code that only plans has no writer. */
export type Plane = {
  /** The owner of the credential, by the cheapest call of the API. @throws {PlaneError} */
  me(signal: AbortSignal): Promise<User>
  reader(workspace: PlaneWorkspace): WorkspaceReader
  /** @param whyNot is called directly before each sending, after the wait for the rate limit. If it returns a sentence, nothing is sent */
  writer(workspace: PlaneWorkspace, whyNot?: (change: Change) => string | undefined): WorkspaceWriter
}

export type WorkspaceReader = {
  mappings(list: List, signal: AbortSignal): Promise<Reading<readonly StoredMapping[]>>
  mapping(list: List, id: MappingId, signal: AbortSignal): Promise<StoredMapping | undefined>
  projects(projection: Projection, signal: AbortSignal): Promise<Reading<readonly Project[]>>
  groupSync(signal: AbortSignal): Promise<Reading<GroupSync>>
  roles(namespace: 'workspace' | 'project', signal: AbortSignal): Promise<Reading<readonly Role[]> | undefined>
  workItems(projectId: string, projection: Projection, signal: AbortSignal): Promise<Reading<readonly WorkItem[]>>
  sticky(id: string, projection: Projection, signal: AbortSignal): Promise<Sticky | undefined>
  wikiPage(id: string, projection: Projection, signal: AbortSignal): Promise<WikiPage | undefined>
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
    me: (signal) =>
      openCaller({ ...rest, retries, gracePeriodMs }).read(
        { name: 'users.me', method: 'GET', path: '/api/v1/users/me/' },
        userFrom,
        signal,
      ),
    reader(workspace) {
      const call = callerFor(workspace)
      return {
        mappings: (list, signal) => listMappings(call, workspace, list, limits, signal),
        mapping: (list, id, signal) => retrieveMapping(call, workspace, list, id, signal),
        projects: (projection, signal) => listProjects(call, workspace, projection, limits, signal),
        groupSync: (signal) => readGroupSync(call, workspace, signal),
        roles: (namespace, signal) => readRoles(call, workspace, namespace, limits, signal),
        workItems: (projectId, projection, signal) => listWorkItems(call, workspace, projectId, projection, limits, signal),
        sticky: (id, projection, signal) => retrieveSticky(call, workspace, id, projection, signal),
        wikiPage: (id, projection, signal) => retrieveWikiPage(call, workspace, id, projection, signal),
      }
    },
    writer(workspace, whyNot) {
      const call = callerFor(workspace)
      const sending = (change: Change) => ({ whyNot: () => whyNot?.(change), revocation: isRevocation?.(change) ?? false })
      return { write: (change, signal) => write(call, workspace, change, sending(change), signal) }
    },
  }
}
