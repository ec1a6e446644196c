import type { GroupSync } from '../core/groupSync.ts'
import type { List, Mapping, MappingId, WorkspaceName } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { asReading, type PageLimits, perPageMax, readList } from './pages.ts'
import { groupSyncFrom } from './wire/groupSync.ts'
import { mappingFrom } from './wire/mapping.ts'
import { type Project, projectFields, projectFrom } from './wire/project.ts'

/** A workspace: `name` is its name in the declaration and the settings, `slug` its name in Plane's addresses. */
export type PlaneWorkspace = { readonly name: WorkspaceName; readonly slug: string }

/** All mappings of one list. Plane sends both lists as bare arrays today; if it sends pages one day, all of them are read. */
export function listMappings(
  call: Caller,
  { name, slug }: PlaneWorkspace,
  list: List,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly Mapping[]>> {
  const operation: Operation = { name: `${operationName(list)}.list`, method: 'GET', path: mappingsPath(slug, list) }
  const row = { from: (value: unknown, at: string) => mappingFrom(value, name, list, at), id: (mapping: Mapping) => mapping.id }
  return readList(call, operation, row, { ...limits, proof: 'twice' }, signal)
}

/** @returns undefined if Plane says that the mapping does not exist. @throws {PlaneError} */
export async function retrieveMapping(
  call: Caller,
  { name, slug }: PlaneWorkspace,
  list: List,
  id: MappingId,
  signal: AbortSignal,
): Promise<Mapping | undefined> {
  const operation: Operation = { name: `${operationName(list)}.retrieve`, method: 'GET', path: mappingPath(slug, list, id) }
  return call.readIfThere(operation, (body) => mappingFrom(body, name, list), signal)
}

export const mappingsPath = (slug: string, list: List): string => `${groupSyncPath(slug)}${segments[list]}/`

export const mappingPath = (slug: string, list: List, id: MappingId): string => `${mappingsPath(slug, list)}${encodeURIComponent(id)}/`

export const projectsPath = (slug: string): string => `${workspacePath(slug)}projects/`

export const groupSyncPath = (slug: string): string => `${workspacePath(slug)}group-sync/`

/** The slash at the end is needed: without it Plane answers a POST with a redirect (measured). */
const workspacePath = (slug: string): string => `/api/v1/workspaces/${encodeURIComponent(slug)}/`

export const operationName = (list: List) => (list === 'projectRoles' ? 'project-mappings' : 'workspace-mappings')

const segments: Readonly<Record<List, string>> = { projectRoles: 'project-mappings', workspaceRoles: 'workspace-mappings' }

/** The workspace's settings of group sync. The first read creates them in Plane, with defaults: read them only if that is wanted. */
export function readGroupSync(call: Caller, { slug }: PlaneWorkspace, signal: AbortSignal): Promise<Reading<GroupSync>> {
  const operation: Operation = { name: 'config.retrieve', method: 'GET', path: `${groupSyncPath(slug)}config/` }
  return asReading(
    () => call.clock.now(),
    async () => ({ value: await call.read(operation, groupSyncFrom, signal) }),
  )
}

/**
 * The projects that the credential's owner sees, including archived ones. A project that is not in the list may exist.
 * The order is by `identifier`, which is unique, so pages are stable. Plane answers an `order_by` that it does not know with a 500.
 */
export function listProjects(
  call: Caller,
  { slug }: PlaneWorkspace,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly Project[]>> {
  const operation: Operation = {
    name: 'projects.list',
    method: 'GET',
    path: projectsPath(slug),
    query: { order_by: 'identifier', fields: projectFields.join(',') },
  }
  const row = { from: projectFrom, id: (project: Project) => project.id }
  return readList(call, operation, row, { ...limits, perPage: perPageMax, proof: 'total' }, signal)
}
