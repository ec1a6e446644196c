import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { type Projection, projectionQuery, withFields } from './items.ts'
import { type PlaneWorkspace, workspacePath } from './mappings.ts'
import { perPageMax } from './pageSizes.ts'
import { type PageLimits, readList } from './pages.ts'
import { type Project, projectFields, projectFrom } from './wire/project.ts'

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
