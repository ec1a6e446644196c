import { z } from '../../yaml/zod.ts'
import type { Explain, Meaning } from '../overHttp/refusal.ts'

/** How the directory asks: as a service app, or with an API token. */
type Account = { readonly clientId: string } | { readonly clientId?: never }

const OktaError = z.object({ errorCode: z.string() })

/** The codes of the API's errors. @see https://developer.okta.com/docs/reference/error-codes/ */
export const explainOkta =
  (account: Account, asked: 'groups' | 'members'): Explain =>
  ({ status, headers, body }) => {
    const { data } = OktaError.safeParse(body)
    const challenge = headers['www-authenticate'] ?? ''
    if (challenge.includes('insufficient_scope')) return refuse('the token lacks the scope okta.groups.read', scopeCure(account))
    const meaning = meaningOf(data?.errorCode) ?? meaningOf(status)
    // The list of a group's members always has the same parameters, so such a refusal of one group is a passing fault.
    return asked === 'members' && status === 400 && meaning?.kind === 'refuse' ? { ...meaning, again: true } : meaning

    function meaningOf(code: string | number | undefined): Meaning {
      switch (code) {
        case 'E0000004': // authentication exception
        case 'E0000005': // invalid session
        case 'E0000011': // invalid token
        case 401:
          return refuse('the token is not valid here', tokenCure(account))
        case 'E0000006': // access denied
        case 403:
          return asked === 'groups'
            ? refuse('the account may not read groups', roleCure(account, 'groups'))
            : {
                ...refuse('the account may not read the members of this group', roleCure(account, 'groups and all users')),
                cureOfOne:
                  'the members of other groups are read, so the admin role of the account is limited: add this group and its people to the resource set of the role',
              }
        case 'E0000015': // feature not enabled
          return refuse('a feature is not enabled for this organization', 'ask Okta whether the organization may use its API')
        case 'E0000022': // method not supported: "a lack of permissions for the sender or an invalid token"
          return refuse('Okta does not allow this request', `check that the organization may use its API, and ${tokenCure(account)}`)
        case 'E0000001': // validation failed
        case 'E0000031': // invalid search criteria
        case 'E0000053': // invalid filter
          return refuse(
            'Okta does not accept the request',
            `check ${asked === 'groups' ? 'groups.types and ' : ''}pageSize; if this is right, report this answer`,
          )
        case 'E0000007': // resource not found
          if (asked === 'members') return refuse('the group is not there any more', 'if it still exists, check that the account may see it')
          return meaningOf(404)
        case 404:
          if (asked === 'members') return meaningOf('E0000007')
          return meaningOf('E0000008')
        case 'E0000008': // path not found
          return refuse('there is no API of Okta', 'check that url is the address of the organization, such as https://example.okta.com')
        case 'E0000047': // too many requests
          return { kind: 'retry', why: 'the rate limit is used up' }
        case 'E0000009': // internal server error: also a request that takes too long
        case 500:
          return {
            kind: 'retry',
            why: 'Okta failed, or the page took too long',
            cure: 'lower pageSize, and look at https://status.okta.com',
          }
        default:
          return undefined
      }
    }
  }

const refuse = (why: string, cure: string) => ({ kind: 'refuse', why, cure }) as const

const scopeCure = ({ clientId }: Account): string =>
  clientId === undefined
    ? 'use the token of an administrator who may see all groups'
    : `grant the scope okta.groups.read to the service app "${clientId}" (tab Okta API Scopes)`

const roleCure = (account: Account, what: string): string =>
  account.clientId === undefined
    ? `give the administrator who made the API token a role that may see all ${what}, such as Read-Only Administrator`
    : `give the service app "${account.clientId}" an admin role that may see all ${what}, such as Read-Only Administrator (tab Admin roles), and ${scopeCure(account)}`

/** @see https://developer.okta.com/docs/guides/create-an-api-token/main/ for the life of a token, and its network zones */
const tokenCure = ({ clientId }: Account): string =>
  clientId === undefined
    ? 'check that this organization has issued the API token, that it was used in the last 30 days and not revoked, that the account of its administrator is active, and that it may be used from this network'
    : `check that url is the organization that has the service app "${clientId}", and that the app is active`
