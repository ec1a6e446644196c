import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { type PlaneWorkspace, workspacePath } from './mappings.ts'
import { type PageLimits, perPageMax, readList } from './pages.ts'
import { type Project, projectFrom } from './wire/project.ts'

/**
 * Projects that the credential's owner sees, archived ones included: a project that is missing may exist all the same.
 * An unknown `order_by` would be a 500 for ever; `identifier` is known, and unique, so pages are stable.
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
    path: `${workspacePath(slug)}projects/`,
    query: { order_by: 'identifier', fields: 'id,identifier,name,archived_at' },
  }
  const row = { from: projectFrom, id: (project: Project) => project.id }
  return readList(call, operation, row, { ...limits, perPage: perPageMax, proof: 'total' }, signal)
}
