import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { type PlaneWorkspace, workspacePath } from './mappings.ts'
import { perPageMax } from './pageSizes.ts'
import { type PageLimits, readList } from './pages.ts'
import { type Sticky, stickyFrom } from './wire/sticky.ts'
import { type WikiPage, wikiPageFrom } from './wire/wikiPage.ts'
import { type WorkItem, workItemFrom } from './wire/workItem.ts'

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

/** @returns undefined if the sticky does not exist or belongs to another person. @throws {PlaneError} */
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

/** @returns undefined if the page does not exist. @throws {PlaneError} */
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

/** Adds names to `fields`, such as the id: the items of several pages are told apart by it. Without `fields` the service sends all of them. */
export const withFields = (names: readonly string[], { fields, expand }: Projection): Projection => ({
  ...(fields === undefined ? {} : { fields: [...new Set([...names, ...fields])] }),
  ...(expand === undefined ? {} : { expand }),
})

/** Names are joined without blanks: Plane drops a field after a blank (measured). */
export const projectionQuery = ({ fields, expand }: Projection): Record<string, string> => ({
  ...(fields === undefined ? {} : { fields: fields.map((name) => name.trim()).join(',') }),
  ...(expand === undefined ? {} : { expand: expand.map((name) => name.trim()).join(',') }),
})
