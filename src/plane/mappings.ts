import type { List, MappingId, WorkspaceName } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { type PageLimits, readList } from './pages.ts'
import { mappingFrom, type StoredMapping } from './wire/mapping.ts'

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
export const workspacePath = (slug: string): string => `/api/v1/workspaces/${encodeURIComponent(slug)}/`

export const operationName = (list: List) => (list === 'projectRoles' ? 'project-mappings' : 'workspace-mappings')

const segments: Readonly<Record<List, string>> = { projectRoles: 'project-mappings', workspaceRoles: 'workspace-mappings' }
