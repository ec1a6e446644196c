import { doubt } from '../../core/doubt.ts'
import { counted } from '../../core/quantity.ts'
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
  new DirectoryError(
    'rights',
    doubt(
      'keycloak.seesNone',
      `${url.href}: the realm ${realm} has ${counted(count, 'group')}, and the account of client "${client.id}" sees none`,
    ),
    {
      cure: roleCure(client.id, groups.roles),
    },
  )

export const noSuchClient = ({ url, realm, client, groups }: Asked, clientId: string) =>
  new DirectoryError(
    'missing',
    `${url.href}: the realm ${realm} has no client "${visible(clientId)}", or the account of client "${client.id}" may not see it`,
    {
      cure: `check groups.from.clientRoles, and ${roleCure(client.id, groups.roles)}`,
    },
  )

export const tooManyRoles = ({ url, realm }: Asked, groupsMax: number) =>
  new DirectoryError('bound', doubt('keycloak.groupsMax', `${url.href}: the realm ${realm} has more roles than groupsMax (${groupsMax})`), {
    cure: 'raise groupsMax',
  })

export const nothingUnder = ({ url, realm }: Asked, under: string) =>
  new DirectoryError('missing', `${url.href}: the realm ${realm} has no group ${under}`, {
    cure: 'check groups.under: write the whole path, in the right letter case; write a slash inside a name as ~/',
  })

/** The total comes before any group, so a realm that is too large costs one request. */
export const tooManyGroups = (count: number, { url, realm }: Asked, groupsMax: number) =>
  new DirectoryError(
    'bound',
    doubt(
      'keycloak.groupsMax',
      `${url.href}: the realm ${realm} has ${counted(count, 'group')}, which are more than groupsMax (${groupsMax})`,
    ),
    {
      cure: 'raise groupsMax',
    },
  )

export const seesNoUsers = ({ url, realm, client, groups }: Asked) =>
  new DirectoryError('rights', `${url.href}: the account of client "${client.id}" sees no users of the realm ${realm}`, {
    cure: `${memberCure(client.id, groups.roles)} (query-users alone lists nothing)`,
  })

/** The meaning of errors while members are read. */
export function explainMembers(status: number, asked: Asked): Meaning {
  const { client, groups } = asked
  const what = groups.roles === undefined ? 'group' : 'role'
  if (status === 403)
    return {
      kind: 'refuse',
      why: `the account of client "${client.id}" may not read the members of this ${what}`,
      cure: memberCure(client.id, groups.roles),
      cureOfOne: `the members of other groups are read, so fine-grained permissions exclude this one: add it there, or ${memberCure(client.id, groups.roles)}`,
    }
  if (status === 404)
    return {
      kind: 'refuse',
      why: `the ${what} does not exist any more`,
      cure: `if the ${what} still exists, check that the account may see it`,
    }
  return explain(status, asked)
}

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
  if (roles === undefined) return `${give(clientId, ['view-users'])} (query-groups alone lists nothing)`
  return roles === 'realmRoles' ? give(clientId, ['view-realm']) : `${give(clientId, ['view-clients'])} (query-clients alone lists nothing)`
}

/** Measured on 26.7.3: the people with a role of a client may have it by a role of the realm, so `view-realm` is needed, too. */
function memberCure(clientId: string, roles: RolesFrom | undefined): string {
  if (roles === undefined) return give(clientId, ['view-users'])
  return give(clientId, roles === 'realmRoles' ? ['view-realm', 'view-users'] : ['view-clients', 'view-realm', 'view-users'])
}

function give(clientId: string, roles: readonly string[]): string {
  const [last] = roles.slice(-1)
  const text = roles.length === 1 ? `the role ${last}` : `the roles ${roles.slice(0, -1).join(', ')} and ${last}`
  return `give the service account of client "${clientId}" ${text} of the client realm-management`
}
