import type { Role } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { GroupSync } from '../core/rule.ts'
import type { Caller, Operation } from './call.ts'
import { groupSyncPath, type PlaneWorkspace, workspacePath } from './mappings.ts'
import { asReading } from './pages.ts'
import { groupSyncFrom } from './wire/groupSync.ts'
import { rolesFrom } from './wire/roles.ts'

/** The workspace's settings of group sync. The first read creates them in Plane, with defaults: read them only if that is wanted. */
export function readGroupSync(call: Caller, { slug }: PlaneWorkspace, signal: AbortSignal): Promise<Reading<GroupSync>> {
  const operation: Operation = { name: 'config.retrieve', method: 'GET', path: `${groupSyncPath(slug)}config/` }
  return asReading(
    () => call.clock.now(),
    async () => ({ value: await call.read(operation, groupSyncFrom, signal) }),
  )
}

/**
 * The role slugs that a mapping may name.
 *
 * @returns undefined if the service is too old to know the address
 * @throws {PlaneError}
 */
export function readRoles(
  call: Caller,
  { slug }: PlaneWorkspace,
  namespace: 'workspace' | 'project',
  signal: AbortSignal,
): Promise<readonly Role[] | undefined> {
  const operation: Operation = { name: 'roles.list', method: 'GET', path: `${workspacePath(slug)}roles/`, query: { namespace } }
  return call.readIfThere(operation, 'address', (body) => rolesFrom(body, namespace), signal)
}
