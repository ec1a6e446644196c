import type { GroupSync } from '../core/groupSync.ts'
import type { Role } from '../core/mapping.ts'
import type { Reading } from '../core/reading.ts'
import type { Caller, Operation } from './call.ts'
import { groupSyncPath, type PlaneWorkspace, workspacePath } from './mappings.ts'
import { perPageMax } from './pageSizes.ts'
import { asReading, type PageLimits, readListIfThere } from './pages.ts'
import { groupSyncFrom } from './wire/groupSync.ts'
import { type NamedRole, roleFrom } from './wire/roles.ts'

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
