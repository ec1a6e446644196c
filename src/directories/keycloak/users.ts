import { checkedList } from '../../http/checkedList.ts'
import { z } from '../../yaml/zod.ts'
import { membersMax, tooManyMembers } from '../membership/permitted.ts'
import type { Ask } from '../overHttp/ask.ts'
import type { Pages } from '../overHttp/paging.ts'
import { pathPart } from '../overHttp/pathPart.ts'
import { type KeycloakList, readKeycloakList } from './list.ts'

const text = z.string().max(4_096)
const KeycloakUser = z.object({ id: text.min(1), enabled: z.boolean().optional(), username: text.nullish(), email: text.nullish() })
export type KeycloakUser = Readonly<z.infer<typeof KeycloakUser>>
const Users = checkedList(KeycloakUser)

/**
 * The users of one list, such as the members of a group, all pages.
 */
export async function readUsers(
  ask: Ask,
  path: string,
  { search, ...how }: Pick<KeycloakList<KeycloakUser>, 'pageSize' | 'confirmEmpty' | 'confirmEnd'> & { readonly search?: string },
  signal: AbortSignal,
): Promise<Pages<KeycloakUser>> {
  const query: Readonly<Record<string, string>> = search === undefined ? {} : { search }
  const list = { ...how, path, query, rows: Users, rowsMax: membersMax, called: 'a member' }
  const users = await readKeycloakList(ask, list, signal)
  return users.items.length > membersMax ? { items: [], missing: tooManyMembers } : users
}

/** Whether the account sees a user at all. With the role query-users Keycloak answers 200 `[]` to each list of users (measured on 26.7.3). */
export async function seesUsers(ask: Ask, signal: AbortSignal): Promise<boolean> {
  const look = async () =>
    (await ask('/users', { first: '0', max: '1', briefRepresentation: 'true' }, Users, signal, '/users')).body.length > 0
  return (await look()) || look()
}

export const membersPath = (group: string): string => `/groups/${pathPart(group)}/members`

/** The name of the account of a client begins with this. No list and no user of the admin API has another mark of it, and a person may have such a name. */
const serviceAccount = 'service-account-'
const isNamedAsService = ({ username }: KeycloakUser): boolean => username?.startsWith(serviceAccount) === true

/** Leaves out the accounts of clients, which are neither people nor groups. `missing`: why it is not known which they are. */
type People = (users: readonly KeycloakUser[], signal: AbortSignal) => Promise<readonly KeycloakUser[] | { readonly missing: string }>

/**
 * Tells people from accounts of clients: a search in the users of the realm finds people only, and the members of a group are both (measured on Keycloak
 * 26.7.3). The search is made once, and only if a user has the name of such an account.
 */
export function openPeople(ask: Ask, pageSize: number): People {
  let searched: Promise<Pages<KeycloakUser>> | undefined
  return async (users, signal) => {
    if (!users.some(isNamedAsService)) return users
    searched ??= readUsers(ask, '/users', { pageSize, confirmEmpty: true, confirmEnd: true, search: serviceAccount }, signal)
    const { items, missing } = await searched
    if (missing !== undefined) return { missing: `/users: ${missing}` }
    const people = new Set(items.map(({ id }) => id))
    return users.filter((user) => !isNamedAsService(user) || people.has(user.id))
  }
}
