import { DirectoryError } from '../directoryError.ts'
import type { Explain } from '../overHttp/refusal.ts'
import { groupsScope } from './assertion.ts'
import { reasonsIn } from './reasons.ts'

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
    if (status === 403)
      return {
        kind: 'refuse',
        why: asked === 'members' ? 'the account may not read the members of this group' : 'the account may not read groups',
        cure: 'give an admin role with the privilege Groups, Read (such as Groups Reader) to the service account, or to the user in account.subject',
      }
    if (asked === 'members')
      return status === 404
        ? { kind: 'refuse', why: 'the group is not there any more', cure: 'if it still exists, check that the account may read it' }
        : undefined
    if (status === 400 || status === 404) return { kind: 'refuse', why: 'the request does not fit the account', cure: cureOf(asked) }
    return undefined
  }

const cureOf = (asked: GroupsOwner): string =>
  'domain' in asked
    ? `check that ${asked.domain} is a domain of this Google Workspace`
    : `check customer, ${asked.customer}: it is the customer id in the Admin console (account settings), or my_customer`

export const aboveGroupsMax = (url: URL, groupsMax: number): DirectoryError =>
  new DirectoryError('bound', `${url.href}: there are more than groupsMax (${groupsMax}) groups`, { cure: 'raise groupsMax' })
