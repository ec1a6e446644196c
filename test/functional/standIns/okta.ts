import { createPublicKey, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json, type RawServer, rawServer } from '../rawServer.ts'
import { selfSigned } from '../selfSigned.ts'
import { type OktaUser, usersOf } from './oktaMembers.ts'
import { answerPage, pageNumber } from './oktaPages.ts'

/** A group of the organization. The id gives its place in the list. */
export type OktaGroup = {
  readonly id: string
  readonly type: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly lastUpdatedMs?: number
}

/** `key`: `token`, `page 1`, `page 2` …, `changed` for groups that have changed, or `users 1`, `users 2` … of a group; `nth` counts the requests of that key from 1. */
type Asked = {
  readonly key: string
  readonly nth: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: OktaStandIn
}
/** Returns true if it has answered instead of Okta. */
export type OktaFault = (asked: Asked) => boolean

type Organization = {
  readonly groups: readonly OktaGroup[]
  readonly fault?: OktaFault
  /** Id of a group → its members. */
  readonly users?: Readonly<Record<string, readonly OktaUser[]>>
  /** By what the list is sorted. Okta does not document it; by names a rename moves a group. */
  readonly sortedBy?: 'id' | 'name'
  /** Requests in a window of a minute. */
  readonly rateLimit?: number
  /** What is granted to the service app. */
  readonly scopes?: readonly string[]
  readonly needsDpop?: boolean
  readonly apiTokens?: readonly string[]
  readonly now?: () => number
}

export type OktaStandIn = RawServer & { readonly asked: readonly string[]; groups: readonly OktaGroup[]; revoked: boolean }

export const group = (id: string, name: string, more: Partial<OktaGroup> = {}): OktaGroup => ({
  id,
  type: 'OKTA_GROUP',
  profile: { name },
  ...more,
})
/** Each organization has this group. */
export const everyone = group('00g0everyone', 'Everyone', { type: 'BUILT_IN' })
export const serviceApp = '0oaServiceApp'
export const privateKey = selfSigned.key

/** The part of Okta that a reader of groups uses, by Okta's public documentation as it was in August 2026. No real Okta was asked. */
export async function oktaStandIn(organization: Organization): Promise<OktaStandIn> {
  const { fault, sortedBy = 'id', rateLimit = 600, scopes = ['okta.groups.read'], now = Date.now } = organization
  const asked: string[] = []
  const issued = new Set<string>()
  let window = { from: 0, used: 0 }

  const server = await rawServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    response.setHeader('date', new Date(now()).toUTCString())
    const key = keyOf(url)
    asked.push(key)
    const nth = asked.filter((one) => one === key).length
    if (fault?.({ key, nth, request, response, server: standIn })) return
    if (key === 'token') return token(response, url)
    const [, group] = /^\/api\/v1\/groups(?:\/([^/]+)\/users)?$/.exec(url.pathname) ?? ['', '/']
    if (group === '/') return problem(response, 404, 'E0000008', 'The requested path was not found')
    // https://developer.okta.com/docs/reference/rl2-monitor/: the three headers of each answer.
    if (now() - window.from >= 60_000) window = { from: now(), used: 0 }
    window.used++
    response.setHeader('x-rate-limit-limit', `${rateLimit}`)
    response.setHeader('x-rate-limit-remaining', `${Math.max(0, rateLimit - window.used)}`)
    response.setHeader('x-rate-limit-reset', `${Math.ceil((window.from + 60_000) / 1000)}`)
    // https://developer.okta.com/docs/reference/error-codes/#E0000047
    if (window.used > rateLimit) return problem(response, 429, 'E0000047', 'API call exceeded rate limit due to too many requests.')
    // https://developer.okta.com/docs/reference/error-codes/#E0000011
    if (!isAllowed(request)) return problem(response, 401, 'E0000011', 'Invalid token provided')
    if (group === undefined) return list(response, url)
    const users = usersOf(group, standIn.groups, organization.users)
    // https://developer.okta.com/docs/reference/error-codes/#E0000007
    if (users === undefined) return problem(response, 404, 'E0000007', `Not found: Resource not found: ${group} (UserGroup)`)
    answerPage(response, url, users, 1_000)
  })

  const standIn: OktaStandIn = Object.assign(server, { asked, groups: organization.groups, revoked: false })

  function isAllowed({ headers: { authorization = '' } }: IncomingMessage): boolean {
    const [scheme, text = ''] = authorization.split(' ')
    if (standIn.revoked) return false
    // https://developer.okta.com/docs/reference/core-okta-api/#authentication
    return scheme === 'SSWS' ? (organization.apiTokens ?? []).includes(text) : scheme === 'Bearer' && issued.has(text)
  }

  /** https://developer.okta.com/docs/guides/implement-oauth-for-okta-serviceapp/main/: the claims of the JWT, the scope, the answer. */
  function token(response: ServerResponse, url: URL): void {
    const form = new URLSearchParams(server.requests.at(-1)?.body)
    const refuse = (error: string, error_description: string) =>
      json(response, error === 'invalid_client' ? 401 : 400, { error, error_description })
    if (!isSigned(form.get('client_assertion') ?? '', url.href)) return refuse('invalid_client', 'The client_assertion is invalid.')
    // https://developer.okta.com/docs/guides/dpop/oktaresourceserver/main/, and the list of OAuth errors in the same documentation.
    if (organization.needsDpop) return refuse('invalid_dpop_proof', 'The DPoP proof JWT header is missing.')
    const scope = form.get('scope') ?? ''
    if (!scopes.includes(scope)) return refuse('consent_required', 'You are not allowed any of the requested scopes.')
    issued.add(`token-${issued.size + 1}`)
    json(response, 200, { token_type: 'Bearer', expires_in: 3600, access_token: `token-${issued.size}`, scope })
  }

  /** https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/#tag/Group/operation/listGroups */
  function list(response: ServerResponse, url: URL): void {
    const filter = url.searchParams.get('filter') ?? ''
    const keep = filterOf(filter)
    if (keep === undefined) return problem(response, 400, 'E0000031', 'Invalid search criteria.')
    const cursorOf = ({ id, profile }: OktaGroup) => (sortedBy === 'id' ? id : `${String(profile['name'])} ${id}`)
    const rows = standIn.groups.filter(keep).map((one) => ({ cursor: cursorOf(one), row: shown(one) }))
    answerPage(response, url, rows, 10_000)
  }

  return standIn
}

/** https://developer.okta.com/docs/reference/core-okta-api/#errors */
export function problem(response: ServerResponse, status: number, errorCode: string, errorSummary = 'x'): void {
  json(response, status, { errorCode, errorSummary, errorLink: errorCode, errorId: 'oaeHfmOAx1iRLa0H10DeMz5fQ', errorCauses: [] })
}

const shown = ({ id, type, profile, lastUpdatedMs = 0 }: OktaGroup) => ({
  id,
  created: '2015-02-06T10:11:28.000Z',
  lastUpdated: new Date(lastUpdatedMs).toISOString(),
  lastMembershipUpdated: '2015-11-28T19:15:32.000Z',
  objectClass: ['okta:user_group'],
  type,
  profile: { description: null, ...profile },
  _links: { users: { href: `https://example.okta.com/api/v1/groups/${id}/users` } },
})

function keyOf({ pathname, searchParams }: URL): string {
  if (pathname === '/oauth2/v1/token') return 'token'
  if ((searchParams.get('filter') ?? '').includes('lastUpdated')) return 'changed'
  return `${pathname.endsWith('/users') ? 'users' : 'page'} ${pageNumber(searchParams)}`
}

/** The expressions of the reader, in the grammar of https://developer.okta.com/docs/reference/core-okta-api/#filter */
function filterOf(filter: string): ((group: OktaGroup) => boolean) | undefined {
  const types = '(type eq "[A-Z_]+"(?: or type eq "[A-Z_]+")*)'
  const [whole, since, ofBoth, ofTypes] =
    new RegExp(`^(?:lastUpdated gt "([\\d:.TZ-]+)"(?: and \\(${types}\\))?|${types})?$`).exec(filter) ?? []
  if (whole === undefined) return undefined
  const wanted = [...(ofBoth ?? ofTypes ?? '').matchAll(/"(\w+)"/g)].map(([, type]) => type)
  return ({ type, lastUpdatedMs = 0 }) =>
    (wanted.length === 0 || wanted.includes(type)) && (since === undefined || lastUpdatedMs > Date.parse(since))
}

/** Whether the key of the service app has signed the JWT, for this audience. */
function isSigned(jwt: string, audience: string): boolean {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  if (signature === '') return false
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const key = { key: createPublicKey(selfSigned.key), dsaEncoding: 'ieee-p1363' } as const
  return (
    [claims['iss'], claims['sub']].every((one) => one === serviceApp) &&
    [claims['aud']].flat().includes(audience) &&
    verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
  )
}
