import { DirectoryError } from '../directoryError.ts'
import type { Meaning } from '../overHttp/refusal.ts'

/** The realm that was asked, and the client that asked. */
type Asked = { readonly url: URL; readonly realm: string; readonly client: { readonly id: string } }

export const seesNothing = (count: number, { url, realm, client }: Asked) =>
  new DirectoryError('rights', `${url.href}: the realm ${realm} has ${count} groups, and the account of client "${client.id}" sees none`, {
    cure: roleCure(client.id),
  })

export const nothingUnder = ({ url, realm }: Asked, under: string) =>
  new DirectoryError('missing', `${url.href}: the realm ${realm} has no group ${under}`, {
    cure: 'check groups.under: write the whole path, in the right letter case; write a slash inside a name as ~/',
  })

/** The total comes before any group, so a realm that is too large costs one request. */
export const tooManyGroups = (count: number, { url, realm }: Asked, groupsMax: number) =>
  new DirectoryError('bound', `${url.href}: the realm ${realm} has ${count} groups, which are more than groupsMax (${groupsMax})`, {
    cure: 'raise groupsMax',
  })

export function explain(status: number, { realm, client }: Asked): Meaning {
  if (status === 401)
    return {
      kind: 'refuse',
      why: 'the token is refused',
      cure: `check that the realm ${realm} issues the token, and that its clock is right`,
    }
  if (status === 403) return { kind: 'refuse', why: `the account of client "${client.id}" may not read groups`, cure: roleCure(client.id) }
  if (status === 404)
    return {
      kind: 'refuse',
      why: 'the realm, or a group that was just listed, does not exist',
      cure: `check the realm ${realm} and the address, which may need a path, such as /auth`,
    }
  return undefined
}

/** With the role `query-groups` alone Keycloak answers with an empty list and the right count (measured on 26.7.3). */
const roleCure = (clientId: string): string =>
  `give the service account of client "${clientId}" the role view-users of the client realm-management (query-groups alone lists nothing)`
