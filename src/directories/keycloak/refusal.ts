import { visible } from '../../core/safeName.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Meaning } from '../overHttp/refusal.ts'

/** Roles that are sent in the claim instead of groups: those of the realm, or those of one client, by its client id. */
export type RolesFrom = 'realmRoles' | { readonly clientRoles: string }

/** The realm that was asked, the client that asked, and the list: groups, or the roles of the realm or of a client. */
export type Asked = {
  readonly url: URL
  readonly realm: string
  readonly client: { readonly id: string }
  readonly groups: { readonly roles?: RolesFrom }
}

export const seesNothing = (count: number, { url, realm, client, groups }: Asked) =>
  new DirectoryError('rights', `${url.href}: the realm ${realm} has ${count} groups, and the account of client "${client.id}" sees none`, {
    cure: roleCure(client.id, groups.roles),
  })

export const noSuchClient = ({ url, realm, client, groups }: Asked, clientId: string) =>
  new DirectoryError(
    'missing',
    `${url.href}: the realm ${realm} has no client "${visible(clientId)}", or the account of client "${client.id}" may not see it`,
    {
      cure: `check groups.from.clientRoles, and ${roleCure(client.id, groups.roles)}`,
    },
  )

export const tooManyRoles = ({ url, realm }: Asked, groupsMax: number) =>
  new DirectoryError('bound', `${url.href}: the realm ${realm} has more roles than groupsMax (${groupsMax})`, { cure: 'raise groupsMax' })

export const nothingUnder = ({ url, realm }: Asked, under: string) =>
  new DirectoryError('missing', `${url.href}: the realm ${realm} has no group ${under}`, {
    cure: 'check groups.under: write the whole path, in the right letter case; write a slash inside a name as ~/',
  })

/** The total comes before any group, so a realm that is too large costs one request. */
export const tooManyGroups = (count: number, { url, realm }: Asked, groupsMax: number) =>
  new DirectoryError('bound', `${url.href}: the realm ${realm} has ${count} groups, which are more than groupsMax (${groupsMax})`, {
    cure: 'raise groupsMax',
  })

export function explain(status: number, { realm, client, groups: { roles } }: Asked): Meaning {
  if (status === 401)
    return {
      kind: 'refuse',
      why: 'the token is refused',
      cure: `check that the realm ${realm} issues the token, and that its clock is right`,
    }
  if (status === 403)
    return {
      kind: 'refuse',
      why: `the account of client "${client.id}" may not read ${roles === undefined ? 'groups' : 'roles'}`,
      cure: roleCure(client.id, roles),
    }
  if (status === 404)
    return {
      kind: 'refuse',
      why: 'the realm, or a group that was just listed, does not exist',
      cure: `check the realm ${realm} and the address, which may need a path, such as /auth`,
    }
  return undefined
}

/**
 * With the role `query-groups` alone Keycloak answers with an empty list and the right count, and with `query-clients` alone with an empty list of clients
 * (measured on 26.7.3).
 */
function roleCure(clientId: string, roles: RolesFrom | undefined): string {
  const give = (role: string) => `give the service account of client "${clientId}" the role ${role} of the client realm-management`
  if (roles === undefined) return `${give('view-users')} (query-groups alone lists nothing)`
  return roles === 'realmRoles' ? give('view-realm') : `${give('view-clients')} (query-clients alone lists nothing)`
}
