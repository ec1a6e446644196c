import type { Group } from '../../core/group.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import type { MembershipsFound, ReadDirect } from '../membership/membership.ts'
import { readPermitted } from '../membership/permitted.ts'
import type { Ask } from '../overHttp/ask.ts'
import { canBeInPath, pathPart } from '../overHttp/pathPart.ts'
import { type MembersAsked, openMembers } from './members.ts'
import type { RolesFrom } from './refusal.ts'
import { type KeycloakRole, listRoles, Roles, rolesPath } from './roles.ts'
import { childrenPath } from './tree.ts'
import { membersPath } from './users.ts'

/**
 * The people with roles. A person has a role by itself, by a group or a group above, and by a composite role: so these groups and composite roles are the
 * groups inside of a role. Source: claims of a login, measured on Keycloak 26.7.3. Composite roles of the realm are known, and those of the client
 * whose roles are read, not those of other clients.
 */
export async function readRoleMembers(
  ask: Ask,
  from: RolesFrom,
  roles: readonly Group[],
  asked: MembersAsked,
  signal: AbortSignal,
): Promise<MembershipsFound> {
  const lists = [...new Set([await rolesPath(ask, from, asked, signal), '/roles'])]
  const { placed, missing } = await readRoles(ask, lists, asked, signal)
  if (missing !== undefined) return { memberships: new Map(), missing: `${asked.url.href}: ${missing}` }

  const read = openMembers(ask, asked)
  const direct: ReadDirect = async (key, signal) => {
    if (key.startsWith(groupMark)) return groupMembers(key.slice(groupMark.length), signal)
    const role = placed.get(key)
    if (role === undefined)
      return { missing: `${asked.url.href}: a role does not exist any more, or no address can have its name, such as . or ..` }
    const members = await read.direct(`${role.path}/users`, `${role.path}/groups`, signal)
    return 'missing' in members ? members : { ...members, groups: [...members.groups.map(marked), ...role.partOf] }
  }
  const groupMembers: ReadDirect = async (group, signal) => {
    const members = await read.direct(membersPath(group), childrenPath(group), signal)
    return 'missing' in members ? members : { ...members, groups: members.groups.map(marked) }
  }

  const memberships = await readPermitted(
    roles.map(({ id }) => id),
    direct,
    { nested: asked.people.nested },
    signal,
  )
  await read.check(signal)
  return memberships
}

/** Begins the key of a group, and no id of a role. */
const groupMark = 'group '
const marked = (group: string): string => `${groupMark}${group}`

/** Where a role is, and the composite roles that have it as a part. */
type Placed = { readonly path: string; readonly partOf: string[] }

async function readRoles(
  ask: Ask,
  lists: readonly string[],
  { limits }: MembersAsked,
  signal: AbortSignal,
): Promise<{ readonly placed: ReadonlyMap<string, Placed>; readonly missing?: string }> {
  const placed = new Map<string, Placed>()
  const composites: KeycloakRole[] = []
  for (const list of lists) {
    const { items, missing } = await listRoles(ask, list, limits, signal)
    if (missing !== undefined) return { placed, missing }
    for (const role of items) {
      if (!canBeInPath(role.name)) continue
      placed.set(role.id, { path: `${list}/${pathPart(role.name)}`, partOf: [] })
      if (role.composite === true) composites.push(role)
    }
  }
  const parts = await mapConcurrently(composites, limits.concurrency, async ({ id }) => {
    const list = async () => (await ask(`${placed.get(id)?.path}/composites`, {}, Roles, signal)).body
    const found = await list()
    // A composite role has parts, so an empty answer is a fault, or a change of this moment.
    return { id, parts: found.length > 0 ? found : await list() }
  })
  for (const { id, parts: inside } of parts) for (const part of inside) placed.get(part.id)?.partOf.push(id)
  return { placed }
}
