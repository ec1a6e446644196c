import { count } from '../../core/quantity.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Explain, Meaning } from '../overHttp/refusal.ts'

export const tooMany = (address: string, what: string, groupsMax: number) =>
  new DirectoryError('bound', `${address}: there are more ${what} than groupsMax (${count(groupsMax)})`, { cure: 'raise groupsMax' })

export const nothingAssigned = (address: string, application: string) =>
  new DirectoryError('missing', `${address}: no group is assigned to the application ${application}`, {
    cure: 'assign groups to it: Entra admin center, Enterprise applications, Users and groups; or leave groups.assigned out',
  })

/** GroupMember.Read.All shows that there are users, and User.ReadBasic.All does not show whether they are enabled. */
export const usersNotShown = (where: string, clientId: string) =>
  new DirectoryError('rights', `${where}: Graph does not show whether the users in this group are enabled`, {
    cure: memberRights(clientId),
  })

const memberRights = (clientId: string): string =>
  `give the app registration of client "${clientId}" the application permissions GroupMember.Read.All and User.Read.All of Microsoft Graph, and let an administrator consent; a new permission takes some minutes`

/** The meaning of errors about the members of a group. Other errors are those of `explainGraph`. */
export const explainGraphMembers =
  (clientId: string, otherwise: Explain): Explain =>
  (answer) => {
    if (answer.status === 403 && codeIn(answer.body) !== 'Authorization_IdentityNotFound')
      return {
        kind: 'refuse',
        why: `client "${clientId}" may not read the members of this group`,
        cure: `${memberRights(clientId)}; for a group that hides its members also Member.Read.Hidden`,
      }
    if (answer.status === 404)
      return { kind: 'refuse', why: 'the group is not there any more', cure: 'if it still exists, check that the application may read it' }
    return otherwise(answer)
  }

/**
 * The meaning of Graph's errors. The body is `{"error": {"code": …}}` (learn.microsoft.com/graph/errors). For other codes the status decides: 429,
 * 503 and 504 are asked again after `Retry-After`.
 */
export const explainGraph =
  ({ clientId, assigned }: { readonly clientId: string; readonly assigned: string | undefined }): Explain =>
  ({ status, body }) => {
    const code = codeIn(body)
    const called = code === undefined ? '' : ` (${code})`
    const refused = (why: string, cure: string): Meaning => ({ kind: 'refuse', why: `${why}${called}`, cure })
    if (code === 'Authorization_IdentityNotFound')
      return refused(
        'the application has no account in this tenant',
        `let an administrator of the tenant consent to the permissions of client "${clientId}", and wait a few minutes`,
      )
    if (status === 401)
      return refused(
        'the token is refused',
        'check that cloud and graphUrl are those of the tenant, and that the clock of this machine is right',
      )
    if (status === 403) {
      const rights = assigned === undefined ? 'GroupMember.Read.All' : 'GroupMember.Read.All and Application.Read.All'
      return refused(
        `client "${clientId}" may not read this`,
        `give its app registration the application permission ${rights} of Microsoft Graph, and let an administrator consent; a new permission takes some minutes`,
      )
    }
    if (status === 404)
      return assigned === undefined
        ? refused('Graph does not know this address', 'check cloud and graphUrl')
        : refused(
            `this tenant has no enterprise application ${assigned}`,
            'check groups.assigned, the application (client) id, and that this tenant has the application',
          )
    if (code === 'Directory_ExpiredPageToken')
      return refused(
        'the link to the next page has expired',
        'raise pageSize, and check why the pages are read so slowly; the next reading begins with the first page',
      )
    if (status === 400 && code !== undefined)
      return refused(
        'Graph does not accept this request',
        'set checkTotal: false if this is a tenant of Azure AD B2C, whose Graph counts no groups',
      )
    return undefined
  }

function codeIn(body: unknown): string | undefined {
  const error = body instanceof Object && 'error' in body ? body.error : undefined
  const code = error instanceof Object && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,100}$/.test(code) ? code : undefined
}
