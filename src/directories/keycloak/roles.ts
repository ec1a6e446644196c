import { type Doubt, doubt } from '../../core/doubt.ts'
import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { mapConcurrently } from '../mapConcurrently.ts'
import { type MembershipsFound, type ReadDirect, readPermitted } from '../membership.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { canBeInPath, pathPart } from '../overHttp/pathPart.ts'
import type { GroupsFound } from '../overHttp/reader.ts'
import { readKeycloakList } from './list.ts'
import { type MembersAsked, membersPath, openMembers } from './members.ts'
import { type Asked, noSuchClient, type RolesFrom, tooManyRoles } from './refusal.ts'
import { childrenPath } from './tree.ts'

/** Maximum of one name or id, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096
const text = z.string().min(1).max(charactersMax)
const KeycloakRole = z.object({ id: text, name: text, composite: z.boolean().optional() })
type KeycloakRole = Readonly<z.infer<typeof KeycloakRole>>
const Roles = checkedList(KeycloakRole)
/** A client in the list has more fields, such as its secret. None of them is kept. */
const Clients = checkedList(z.object({ id: text, clientId: text }))

type Limits = { readonly pageSize: number; readonly groupsMax: number }

/**
 * The roles as groups: name and id are those of the role. `Group.people` is absent: people have a role also by groups and by composite roles. Keycloak has no
 * total of roles (404) by which a list could be checked, and it may answer `[]` while its database fails (keycloak/keycloak#51268). So the list is
 * read twice, and is complete only if both answers are equal. Source: measured on Keycloak 26.7.3.
 */
export async function rolesAsGroups(ask: Ask, from: RolesFrom, limits: Limits, asked: Asked, signal: AbortSignal): Promise<GroupsFound> {
  const list = await rolesPath(ask, from, asked, signal)
  const read = () => listRoles(ask, list, limits, signal)
  const [first, second] = [await read(), await read()]
  if (second.items.length > limits.groupsMax) throw tooManyRoles(asked, limits.groupsMax)
  const missing = first.missing ?? second.missing ?? (textOf(first) === textOf(second) ? undefined : changed(first, second))
  const ofWhom = from === 'realmRoles' ? '' : ` of client ${from.clientRoles}`
  return { groups: indexGroups(second.items.map((role) => groupOf(role, ofWhom))), missing }
}

const groupOf = ({ id, name }: KeycloakRole, ofWhom: string): Group => ({
  name: name as GroupName,
  id,
  place: `role ${visible(name)}${ofWhom}`,
})
const textOf = ({ items }: Pages<KeycloakRole>): string => JSON.stringify(items.map(({ id, name }) => [id, name]))
const changed = (first: Pages<KeycloakRole>, second: Pages<KeycloakRole>): Doubt =>
  doubt(
    'keycloak.rolesDiffer',
    `the roles were read twice, and the answers differ (${first.items.length} and ${counted(second.items.length, 'role')}): they changed meanwhile`,
  )

/** Where the roles are listed. */
const rolesPath = async (ask: Ask, from: RolesFrom, asked: Asked, signal: AbortSignal): Promise<string> =>
  from === 'realmRoles' ? '/roles' : `/clients/${encodeURIComponent(await clientOf(ask, from.clientRoles, asked, signal))}/roles`

/** The id of a client. An account without the right to see it gets an empty list. */
async function clientOf(ask: Ask, clientId: string, asked: Asked, signal: AbortSignal): Promise<string> {
  const { body: clients } = await ask('/clients', { clientId, first: '0', max: '2' }, Clients, signal)
  const client = clients.find((candidate) => candidate.clientId === clientId)
  if (client === undefined) throw noSuchClient(asked, clientId)
  return client.id
}

function listRoles(ask: Ask, path: string, { pageSize, groupsMax }: Limits, signal: AbortSignal): Promise<Pages<KeycloakRole>> {
  return readKeycloakList(ask, { path, rows: Roles, pageSize, rowsMax: groupsMax + 1, confirmEmpty: true, confirmEnd: true }, signal)
}

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

  const read = openMembers(ask, asked, signal)
  const direct: ReadDirect = async (key, turn) => {
    if (key.startsWith(groupMark)) return groupMembers(key, turn)
    const role = placed.get(key)
    if (role === undefined)
      return { missing: `${asked.url.href}: a role does not exist any more, or no address can have its name, such as . or ..` }
    const members = await read.direct(key, { users: `${role.path}/users`, groups: `${role.path}/groups` }, turn)
    return 'missing' in members ? members : { ...members, groups: [...members.groups.map(marked), ...role.partOf] }
  }
  const groupMembers: ReadDirect = async (key, turn) => {
    const group = key.slice(groupMark.length)
    const members = await read.direct(key, { users: membersPath(group), groups: childrenPath(group) }, turn)
    return 'missing' in members ? members : { ...members, groups: members.groups.map(marked) }
  }

  return readPermitted(
    roles.map(({ id }) => id),
    direct,
    { nested: asked.people.nested, deadline: asked.deadline, check: read.check },
    signal,
  )
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
    const roles = await list()
    // A composite role has parts, so an empty answer is a fault, or a change of this moment.
    return { id, parts: roles.length > 0 ? roles : await list() }
  })
  for (const { id, parts: inside } of parts) for (const part of inside) placed.get(part.id)?.partOf.push(id)
  return { placed }
}
