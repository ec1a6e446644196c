import { type Group, indexGroups } from '../../core/group.ts'
import type { GroupName } from '../../core/mapping.ts'
import { counted } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import type { GroupsFound } from '../overHttp/reader.ts'
import { readKeycloakList } from './list.ts'
import { type Asked, noSuchClient, type RolesFrom, tooManyRoles } from './refusal.ts'

/** Maximum of one name or id, so that a hostile answer does not fill the memory. */
const charactersMax = 4_096
const text = z.string().min(1).max(charactersMax)
const KeycloakRole = z.object({ id: text, name: text, composite: z.boolean().optional() })
export type KeycloakRole = Readonly<z.infer<typeof KeycloakRole>>
export const Roles = checkedList(KeycloakRole)
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
const changed = (first: Pages<KeycloakRole>, second: Pages<KeycloakRole>): string =>
  `the roles were read twice, and the answers differ (${first.items.length} and ${counted(second.items.length, 'role')}): they changed meanwhile`

/** Where the roles are listed. */
export const rolesPath = async (ask: Ask, from: RolesFrom, asked: Asked, signal: AbortSignal): Promise<string> =>
  from === 'realmRoles' ? '/roles' : `/clients/${encodeURIComponent(await clientOf(ask, from.clientRoles, asked, signal))}/roles`

/** The id of a client. An account without the right to see it gets an empty list. */
async function clientOf(ask: Ask, clientId: string, asked: Asked, signal: AbortSignal): Promise<string> {
  const { body: clients } = await ask('/clients', { clientId, first: '0', max: '2' }, Clients, signal)
  const found = clients.find((client) => client.clientId === clientId)
  if (found === undefined) throw noSuchClient(asked, clientId)
  return found.id
}

export function listRoles(ask: Ask, path: string, { pageSize, groupsMax }: Limits, signal: AbortSignal): Promise<Pages<KeycloakRole>> {
  return readKeycloakList(ask, { path, rows: Roles, pageSize, rowsMax: groupsMax + 1, confirmEmpty: true, confirmEnd: true }, signal)
}
