import { doubt } from '../../core/doubt.ts'
import { count } from '../../core/quantity.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Explain, Meaning } from '../overHttp/refusal.ts'

export const tooMany = (address: string, what: string, groupsMax: number) =>
  new DirectoryError('bound', doubt('entra.groupsMax', `${address}: there are more ${what} than groupsMax (${count(groupsMax)})`), {
    cure: 'raise groupsMax',
  })

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
        cureOfOne: `the members of other groups are read, so this group probably hides its own: give client "${clientId}" also the application permission Member.Read.Hidden`,
      }
    if (answer.status === 404)
      return { kind: 'refuse', why: 'the group is not there any more', cure: 'if it still exists, check that the application may read it' }
    const code = codeIn(answer.body)
    // The list of a group's members always has the same parameters, so such a refusal of one group is a passing fault.
    if (answer.status === 400 && code !== undefined && code !== expired)
      return {
        kind: 'refuse',
        why: `Graph does not accept this request for members (${code})`,
        cure: 'look up this code in the errors of Microsoft Graph; the groups themselves are read',
        again: true,
      }
    const meaning = otherwise(answer)
    return answer.status === 400 && meaning?.kind === 'refuse' ? { ...meaning, again: true } : meaning
  }

const expired = 'Directory_ExpiredPageToken'

type GraphAsked = { readonly clientId: string; readonly assigned: string | undefined; readonly checkTotal: boolean }

/**
 * The meaning of Graph's errors. The body is `{"error": {"code": …}}` (learn.microsoft.com/graph/errors). For other codes the status decides: 429,
 * 503 and 504 are asked again after `Retry-After`.
 */
export const explainGraph =
  ({ clientId, assigned, checkTotal }: GraphAsked): Explain =>
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
    if (code === expired)
      return refused(
        'the link to the next page has expired',
        'raise pageSize, and check why the pages are read so slowly; the next reading begins with the first page',
      )
    if (status === 400 && code !== undefined)
      return refused(
        'Graph does not accept this request',
        checkTotal
          ? 'set checkTotal: false if this is a tenant of Azure AD B2C, whose Graph counts no groups'
          : 'look up this code in the errors of Microsoft Graph, and check graphUrl',
      )
    return undefined
  }

function codeIn(body: unknown): string | undefined {
  const error = body instanceof Object && 'error' in body ? body.error : undefined
  const code = error instanceof Object && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,100}$/.test(code) ? code : undefined
}

const certificate =
  'upload the certificate to the app registration (Certificates & secrets), and name the same one in client.privateKey.certificateFile'
const federated =
  'compare the federated credential of the app registration with the JWT in client.assertion: issuer, subject and audience must be equal, letter by letter'

/**
 * What to do after an error of the token endpoint, by its number (learn.microsoft.com/entra/identity-platform/reference-error-codes). The page says that
 * programs must not depend on the numbers: only the words of the cure do.
 */
const cures: Readonly<Record<string, string>> = {
  '7000215': 'the secret is wrong: write the value of the client secret into the file, not its id (Certificates & secrets)',
  '7000222': 'the secret has expired: make a new one in the app registration (Certificates & secrets), and write its value into the file',
  '700016': 'the tenant has no such application: check client.id, the application (client) id, and tenant',
  '7000112': 'the application is disabled: enable it under Enterprise applications, Properties',
  '7000229': 'the tenant has no account of this application: let an administrator consent to its permissions',
  '90002': 'there is no such tenant: check tenant and cloud',
  '900021': 'there is no such tenant: check tenant and cloud',
  '900023': 'there is no such tenant: check tenant and cloud',
  '900382': 'the tenant is in another cloud: check cloud',
  '500011': 'the tenant does not know this Microsoft Graph: check cloud',
  '700024': 'check that the clock of this machine is right, and that the file of client.assertion is renewed before its JWT expires',
  '700027': certificate,
  '70021': federated,
  '700211': federated,
  '700212': federated,
  '700213': federated,
  '53003': 'a Conditional Access policy for workload identities blocks the application: allow it from the address of this machine',
}

/** @param detail the server's `error` and `error_description`: `invalid_client: AADSTS7000215: Invalid client secret provided. …` */
export function tokenCure(detail: string): string | undefined {
  const [, number = ''] = /\bAADSTS(\d{5,8})\b/.exec(detail) ?? []
  return Object.hasOwn(cures, number) ? cures[number] : undefined
}
