import { doubt } from '../../core/doubt.ts'
import { checkedList } from '../../http/json.ts'
import { z } from '../../yaml/zod.ts'
import { DirectoryError } from '../directoryError.ts'
import type { Explain, Meaning } from '../overHttp/refusal.ts'

/** The only right that a reading of groups needs: https://developers.google.com/workspace/admin/directory/v1/guides/authorizing */
export const groupsScope = 'https://www.googleapis.com/auth/admin.directory.group.readonly'

/** What was asked for: all groups of a customer, or those of one domain. */
export type GroupsOwner = { readonly customer: string } | { readonly domain: string }

/** Requests that succeed later: https://developers.google.com/workspace/admin/directory/v1/limits. A 403 with one of them has no `Retry-After`. */
const laterReasons = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'RESOURCE_EXHAUSTED']

/** The meaning of errors of the Directory API: https://developers.google.com/workspace/admin/directory/v1/guides/troubleshoot-error-codes */
export const explainGoogle =
  (asked: GroupsOwner | 'members'): Explain =>
  ({ status, body }) => {
    const reasons = reasonsIn(body)
    const has = (...names: readonly string[]) => names.some((name) => reasons.has(name))
    const later = laterReasons.find((reason) => reasons.has(reason))
    if (later !== undefined) return { kind: 'retry', why: `the limit of requests is reached (${later})` }
    if (has('dailyLimitExceeded'))
      return {
        kind: 'refuse',
        why: 'the requests of the day are used up',
        cure: 'request a higher quota of the Admin SDK API in Google Cloud, or make the schedule longer',
      }
    if (has('accessNotConfigured', 'SERVICE_DISABLED'))
      return {
        kind: 'refuse',
        why: 'the Admin SDK API is not enabled',
        cure: 'enable the Admin SDK API in the Google Cloud project of the service account',
      }
    if (has('insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'))
      return { kind: 'refuse', why: 'the token lacks a scope', cure: `make the token with the scope ${groupsScope}` }
    if (status === 401)
      return {
        kind: 'refuse',
        why: 'the token is refused',
        cure: 'check that the account is not disabled or suspended, and that the token is its own',
      }
    if (asked === 'members') return explainMembers(status)
    if (status === 403) return { kind: 'refuse', why: 'the account may not read groups', cure: roleCure }
    if (status === 400 || status === 404) return { kind: 'refuse', why: 'the request does not fit the account', cure: cureOf(asked) }
    return undefined
  }

const roleCure =
  'give an admin role with the privilege Groups, Read (such as Groups Reader) to the service account, or to the user in account.subject'

/** Google answers 403 also for a group of another organization, which a group may have as a member. */
function explainMembers(status: number): Meaning {
  switch (status) {
    case 403:
      return {
        kind: 'refuse',
        why: 'the account may not read the members of this group',
        cure: roleCure,
        cureOfOne:
          'the members of other groups are read, so this one is probably of another organization: no role helps. Set people.nested to false, or approve its changes for any number of people (ID:any)',
      }
    case 404:
      return { kind: 'refuse', why: 'the group is not there any more', cure: 'if it still exists, check that the account may see it' }
    default:
      return undefined
  }
}

const cureOf = (asked: GroupsOwner): string =>
  'domain' in asked
    ? `check that ${asked.domain} is a domain of this Google Workspace`
    : `check customer, ${asked.customer}: it is the customer id in the Admin console (account settings), or my_customer`

export const aboveGroupsMax = (url: URL, groupsMax: number): DirectoryError =>
  new DirectoryError('bound', doubt('google.groupsMax', `${url.href}: there are more than groupsMax (${groupsMax}) groups`), {
    cure: 'raise groupsMax',
  })

const Reason = z.object({ reason: z.string().optional() })
const ErrorBody = z.object({
  error: z.object({
    status: z.string().optional(),
    errors: checkedList(Reason).optional(),
    details: checkedList(Reason).optional(),
  }),
})

/**
 * The reasons in an error of Google: `errors[].reason` of the older form, `status` and `details[].reason` of the newer one. Empty for another body.
 * Source: https://developers.google.com/workspace/admin/directory/v1/limits and https://cloud.google.com/apis/design/errors
 */
export function reasonsIn(body: unknown): ReadonlySet<string> {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return new Set()
  const { status, errors = [], details = [] } = parsed.data.error
  return new Set(
    [status, ...errors.map(({ reason }) => reason), ...details.map(({ reason }) => reason)].filter((reason) => reason !== undefined),
  )
}

type Asked = { readonly email: string; readonly subject: string | undefined }

/**
 * The cure if Google gives no token for a signed JWT, by what it said: `error: error_description`. Source:
 * https://developers.google.com/identity/protocols/oauth2/service-account#error-codes
 */
export function jwtCure(detail: string, { email, subject }: Asked): string {
  if (/^(?:unauthorized_client|access_denied)/.test(detail)) {
    return subject === undefined
      ? `check that the service account ${email} exists and is not disabled`
      : `let the service account ${email} act for users: in the Admin console, under API controls, domain-wide delegation, add its client id (a number) with the scope ${groupsScope}; this can take up to 24 hours`
  }
  if (/account not found/i.test(detail)) return `the service account ${email} was deleted: make a key of another one`
  if (/signature|verifier|private_key|kid/i.test(detail))
    return `the key of ${email} was deleted or disabled in Google Cloud: make a new one, and put it into the file that the settings name`
  if (/\b(?:iat|exp)\b|timeframe|expired/i.test(detail)) return 'check that the clock of this machine is right'
  if (subject !== undefined && /email|user|prn|subject/i.test(detail))
    return `check that account.subject, ${subject}, is the e-mail address of a user of this Google Workspace who is not suspended`
  if (/scope/i.test(detail)) return `check that the service account ${email} may use the scope ${groupsScope}`
  return `check that the clock of this machine is right, and that the service account ${email}${subject === undefined ? '' : `, the user ${subject}`} and the key exist`
}

/**
 * The cure if Google's Security Token Service does not take the token of the other issuer. Source:
 * https://cloud.google.com/iam/docs/troubleshooting-workload-identity-federation
 */
export function exchangeCure(detail: string, provider: string): string {
  if (detail.startsWith('invalid_target'))
    return `check account.workloadIdentity.provider, ${provider}, and that this provider is not disabled`
  if (detail.startsWith('unauthorized_client'))
    return `check the attribute condition of the provider ${provider}, which does not let this token pass`
  if (/connecting/i.test(detail)) return 'Google must reach the keys of the issuer: check its address, or upload its JWKS to the provider'
  return `check that the issuer and the audience of the JWT are those of the provider ${provider}, that the JWT has not expired, and that the clock of its issuer is right`
}
