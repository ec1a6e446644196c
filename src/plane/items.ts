import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { type PlaneWorkspace, workspacePath } from './mappings.ts'
import { type PageLimits, perPageMax, readList } from './pages.ts'
import { type Sticky, stickyFrom } from './wire/sticky.ts'
import { type WikiPage, wikiPageFrom } from './wire/wikiPage.ts'
import { type WorkItem, workItemFrom } from './wire/workItem.ts'

/** Which fields to send, and which related objects whole. Names are the service's own; one that it does not know may be an error. */
export type Projection = { readonly fields?: readonly string[]; readonly expand?: readonly string[] }

/** A project's work items. A project that the credential's owner is not in is a 403, even for a workspace admin. */
export function listWorkItems(
  call: Caller,
  { slug }: PlaneWorkspace,
  projectId: string,
  projection: Projection,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<Reading<readonly WorkItem[]>> {
  const path = `${workspacePath(slug)}projects/${encodeURIComponent(projectId)}/work-items/`
  const operation: Operation = { name: 'work-items.list', method: 'GET', path, query: projectionQuery(withId(projection)) }
  const row = { from: workItemFrom, id: (item: WorkItem) => item.id }
  return readList(call, operation, row, { ...limits, perPage: perPageMax, proof: 'twice' }, signal)
}

/** @returns undefined where it is not there, or belongs to somebody else. @throws {PlaneError} */
export function retrieveSticky(
  call: Caller,
  { slug }: PlaneWorkspace,
  id: string,
  projection: Projection,
  signal: AbortSignal,
): Promise<Sticky | undefined> {
  const path = `${workspacePath(slug)}stickies/${encodeURIComponent(id)}/`
  const operation: Operation = { name: 'stickies.retrieve', method: 'GET', path, query: projectionQuery(projection) }
  return call.readIfThere(operation, 'object', stickyFrom, signal)
}

/** @returns undefined where it is not there. @throws {PlaneError} */
export function retrieveWikiPage(
  call: Caller,
  { slug }: PlaneWorkspace,
  id: string,
  projection: Projection,
  signal: AbortSignal,
): Promise<WikiPage | undefined> {
  const path = `${workspacePath(slug)}pages/${encodeURIComponent(id)}/`
  const operation: Operation = { name: 'pages.retrieve', method: 'GET', path, query: projectionQuery(projection) }
  return call.readIfThere(operation, 'object', wikiPageFrom, signal)
}

/** What tells one item from another when pages are put together. */
const withId = ({ fields, expand }: Projection): Projection => ({
  ...(fields === undefined ? {} : { fields: [...new Set(['id', ...fields])] }),
  ...(expand === undefined ? {} : { expand }),
})

/** No blank after a comma: Plane would drop the field behind it (measured). */
const projectionQuery = ({ fields, expand }: Projection): Record<string, string> => ({
  ...(fields === undefined ? {} : { fields: fields.map((name) => name.trim()).join(',') }),
  ...(expand === undefined ? {} : { expand: expand.map((name) => name.trim()).join(',') }),
})
