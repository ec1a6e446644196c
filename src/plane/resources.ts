import type { GroupSync } from '../core/groupSync.ts'
import type { List, MappingId, Role, WorkspaceName } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { Make } from './answerBody.ts'
import type { Caller, Operation } from './call.ts'
import { asReading, type PageLimits, perPageMax, readList, readListIfThere } from './pages.ts'
import { groupSyncFrom, type NamedRole, roleFrom } from './wire/groupSync.ts'
import { stickyFrom, type WorkItem, wikiPageFrom, workItemFrom } from './wire/items.ts'
import { mappingFrom, type StoredMapping } from './wire/mapping.ts'
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
): Promise<Reading<readonly StoredMapping[]>> {
  const operation: Operation = { name: `${operationName(list)}.list`, method: 'GET', path: mappingsPath(slug, list) }
  const row = { from: (value: unknown, at: string) => mappingFrom(value, name, list, at), id: (mapping: StoredMapping) => mapping.id }
  return readList(call, operation, row, { ...limits, proof: 'twice' }, signal)
}

/** @returns undefined if Plane says that the mapping does not exist. @throws {PlaneError} */
export async function retrieveMapping(
  call: Caller,
  { name, slug }: PlaneWorkspace,
  list: List,
  id: MappingId,
  signal: AbortSignal,
): Promise<StoredMapping | undefined> {
  const operation: Operation = { name: `${operationName(list)}.retrieve`, method: 'GET', path: mappingPath(slug, list, id) }
  return call.readIfThere(operation, 'object', (body) => mappingFrom(body, name, list), signal)
}

export const mappingsPath = (slug: string, list: List): string => `${groupSyncPath(slug)}${segments[list]}/`

export const mappingPath = (slug: string, list: List, id: MappingId): string => `${mappingsPath(slug, list)}${encodeURIComponent(id)}/`

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
 * The role slugs that a mapping may name. A server that does not know the filter sends all namespaces, so the answer is filtered here too.
 *
 * @returns undefined if the service is too old to know the address
 */
export async function readRoles(
  call: Caller,
  { slug }: PlaneWorkspace,
  namespace: 'workspace' | 'project',
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly Role[]> | undefined> {
  const operation: Operation = { name: 'roles.list', method: 'GET', path: `${workspacePath(slug)}roles/`, query: { namespace } }
  const row = { from: roleFrom, id: (role: NamedRole) => `${role.namespace ?? ''}/${role.slug}` }
  const reading = await readListIfThere(call, operation, row, { ...limits, perPage: perPageMax, proof: 'twice' }, signal)
  if (reading === undefined || reading.status === 'failed') return reading
  const wanted = reading.value.filter((role) => (role.namespace ?? namespace) === namespace)
  return { ...reading, value: wanted.map((role) => role.slug) }
}

/**
 * The projects that the credential's owner sees, including archived ones. A project that is not in the list may exist.
 * The order is by `identifier`, which is unique, so pages are stable. Plane answers an `order_by` that it does not know with a 500.
 *
 * @param projection with `fields: []` the service sends only the fields of a `Project`
 */
export function listProjects(
  call: Caller,
  { slug }: PlaneWorkspace,
  projection: Projection,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly Project[]>> {
  const operation: Operation = {
    name: 'projects.list',
    method: 'GET',
    path: `${workspacePath(slug)}projects/`,
    query: { order_by: 'identifier', ...projectionQuery(withFields(projectFields, projection)) },
  }
  const row = { from: projectFrom, id: (project: Project) => project.id }
  return readList(call, operation, row, { ...limits, perPage: perPageMax, proof: 'total' }, signal)
}

/**
 * `fields`: which fields the service sends. `expand`: which related objects it sends whole. For an unknown name the service may answer with an
 * error.
 */
export type Projection = { readonly fields?: readonly string[]; readonly expand?: readonly string[] }

/** A project's work items. Plane answers 403 if the credential's owner is not a member of the project, even for a workspace admin. */
export function listWorkItems(
  call: Caller,
  { slug }: PlaneWorkspace,
  projectId: string,
  projection: Projection,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly WorkItem[]>> {
  const path = `${workspacePath(slug)}projects/${encodeURIComponent(projectId)}/work-items/`
  const operation: Operation = { name: 'work-items.list', method: 'GET', path, query: projectionQuery(withFields(['id'], projection)) }
  const row = { from: workItemFrom, id: (item: WorkItem) => item.id }
  return readList(call, operation, row, { ...limits, perPage: perPageMax, proof: 'twice' }, signal)
}

const retrieving =
  <T>(folder: 'stickies' | 'pages', make: Make<T>) =>
  (call: Caller, { slug }: PlaneWorkspace, id: string, projection: Projection, signal: AbortSignal): Promise<T | undefined> => {
    const path = `${workspacePath(slug)}${folder}/${encodeURIComponent(id)}/`
    const operation: Operation = { name: `${folder}.retrieve`, method: 'GET', path, query: projectionQuery(projection) }
    return call.readIfThere(operation, 'object', make, signal)
  }
/** @returns undefined if the sticky does not exist or belongs to another person. @throws {PlaneError} */
export const retrieveSticky = retrieving('stickies', stickyFrom)
/** @returns undefined if the page does not exist. @throws {PlaneError} */
export const retrieveWikiPage = retrieving('pages', wikiPageFrom)

/** Adds names to `fields`, such as the id: the items of several pages are told apart by it. Without `fields` the service sends all of them. */
const withFields = (names: readonly string[], { fields, expand }: Projection): Projection => ({
  ...(fields === undefined ? {} : { fields: [...new Set([...names, ...fields])] }),
  ...(expand === undefined ? {} : { expand }),
})

/** Names are joined without blanks: Plane drops a field after a blank (measured). */
const projectionQuery = ({ fields, expand }: Projection): Record<string, string> => ({
  ...(fields === undefined ? {} : { fields: fields.map((name) => name.trim()).join(',') }),
  ...(expand === undefined ? {} : { expand: expand.map((name) => name.trim()).join(',') }),
})
