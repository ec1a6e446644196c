import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from '../keycloak-fake.ts'
import { belowGroup, idOf, type TenantMember } from './entraMembers.ts'

/** A group of the tenant: properties that are not given are null, as Graph answers them. */
export type TenantGroup = {
  readonly id: string
  readonly displayName?: string | null
  readonly onPremisesSamAccountName?: string
  readonly onPremisesDomainName?: string
  readonly onPremisesNetBiosName?: string
  readonly securityEnabled?: boolean
  readonly visibility?: string
}
export type Tenant = {
  readonly groups: readonly TenantGroup[]
  /** Assignments to `application`, in this order. */
  readonly assigned?: readonly { readonly principalId: string; readonly principalType: 'Group' | 'User' }[]
  readonly secret?: string
  /** Id of a group → its direct members. */
  readonly members?: Readonly<Record<string, readonly TenantMember[]>>
  /** The application permissions beside those for groups. Default: all that members need. */
  readonly permissions?: readonly string[]
}

/** `key` is `token`, `groups`, `batch` (groups by ids), `assigned`, `group`, `members` or `transitiveMembers`, from the second page on with its number: `groups 2`. `nth` counts each key from 1. */
export type Fault = (key: string, nth: number, response: ServerResponse, url: URL) => boolean

export type EntraStandIn = AsyncDisposable & {
  readonly url: URL
  readonly asked: readonly string[]
  readonly requests: readonly Heard[]
  /** All tokens so far are refused from now on. */
  revoke(): void
  change(groups: readonly TenantGroup[]): void
  /** Ends all connections and listens no longer, as a server that is killed. */
  kill(): void
}
type Heard = { readonly url: URL; readonly headers: IncomingMessage['headers']; body: string }

export const tenantId = 'aaaabbbb-0000-cccc-1111-dddd2222eeee'
export const clientId = '00001111-aaaa-2222-bbbb-3333cccc4444'
export const application = '11112222-bbbb-3333-cccc-4444dddd5555'

/**
 * The part of the token endpoint and of Microsoft Graph v1.0 that a reader of groups uses, by their public documentation; nothing of it was compared with
 * Microsoft's servers. If `fault` returns true, it has answered instead.
 */
export async function entraStandIn(tenant: Tenant, fault: Fault = () => false): Promise<EntraStandIn> {
  let { groups } = tenant
  let revoked = 0
  const asked: string[] = []
  const requests: Heard[] = []

  function answer(key: string, nth: number, heard: Heard, response: ServerResponse): void {
    const { url, headers } = heard
    if (fault(key, nth, response, url)) return
    if (key === 'token') return token(new URLSearchParams(heard.body), nth, url, tenant, response)
    const [, number = '0'] = /^Bearer token-(\d+)$/.exec(headers.authorization ?? '') ?? []
    // https://learn.microsoft.com/graph/resolve-auth-errors
    if (Number(number) <= revoked)
      return graphError(response, 401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.')
    const rows = rowsOf(key, url, { ...tenant, groups })
    // https://learn.microsoft.com/graph/api/serviceprincipal-get
    if (rows === undefined) return graphError(response, 404, 'Request_ResourceNotFound', `Resource does not exist: ${url.pathname}`)
    if (!Array.isArray(rows)) return void json(response, 200, shown(rows, url.searchParams.get('$select')))
    page(rows, url, headers, response)
  }

  const server = createServer((request, response): void => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const heard: Heard = { url, headers: request.headers, body: '' }
    const key = keyOf(url)
    asked.push(key)
    requests.push(heard)
    const nth = asked.filter((one) => one === key).length
    request.setEncoding('utf8').on('data', (text: string) => (heard.body += text))
    request.on('end', () => answer(key, nth, heard, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    asked,
    requests,
    revoke: () => void (revoked = asked.filter((key) => key === 'token').length),
    change: (changed) => void (groups = changed),
    kill() {
      server.close()
      server.closeAllConnections()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function keyOf({ pathname, searchParams }: URL): string {
  if (pathname.endsWith('/oauth2/v2.0/token')) return 'token'
  const filter = searchParams.get('$filter') ?? ''
  const [, below] = /^\/v1\.0\/groups\/[^/]+(?:\/(\w+))?$/.exec(pathname) ?? ['', undefined]
  const ofGroups = pathname === '/v1.0/groups' ? (filter.startsWith('id in') ? 'batch' : 'groups') : (below ?? 'group')
  const list = pathname.endsWith('/appRoleAssignedTo') ? 'assigned' : ofGroups
  const at = searchParams.get('$skiptoken')
  return at === null ? list : `${list} ${1 + Number(at) / Number(searchParams.get('$top'))}`
}

/** https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow; errors: …/reference-error-codes */
function token(form: URLSearchParams, nth: number, { pathname }: URL, tenant: Tenant, response: ServerResponse): void {
  if (pathname !== `/${tenantId}/oauth2/v2.0/token`) return tokenError(response, 400, 'invalid_request', 90002, 'Tenant not found.')
  if (form.get('client_id') !== clientId) return tokenError(response, 400, 'unauthorized_client', 700016, 'Application was not found.')
  if (tenant.secret !== undefined && form.get('client_secret') !== tenant.secret)
    return tokenError(response, 401, 'invalid_client', 7000215, 'Invalid client secret provided.')
  json(response, 200, { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: `token-${nth}` })
}

export function tokenError(response: ServerResponse, status: number, error: string, number: number, text: string): void {
  json(response, status, {
    error,
    error_description: `AADSTS${number}: ${text} Trace ID: 0000aaaa-11bb-cccc-dd33-eeeeee333333 Timestamp: 2026-01-09 02:02:12Z`,
    error_codes: [number],
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
  })
}

/** https://learn.microsoft.com/graph/errors */
export function graphError(
  response: ServerResponse,
  status: number,
  code: string,
  message = code,
  headers: Record<string, string> = {},
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const innerError = { date: '2026-01-09T02:02:12', 'request-id': '0000aaaa-11bb-cccc-dd33-eeeeee333333' }
  json(response, status, { error: { code, message, innerError } })
}

function rowsOf(key: string, url: URL, tenant: Tenant): object | readonly object[] | undefined {
  const { groups, assigned } = tenant
  // https://learn.microsoft.com/graph/api/serviceprincipal-list-approleassignedto
  if (key.startsWith('assigned')) {
    if (!decodeURIComponent(url.pathname).endsWith(`/servicePrincipals(appId='${application}')/appRoleAssignedTo`)) return undefined
    return assigned?.map((one, at) => ({ id: `assignment-${at}`, appRoleId: idOf(0), principalDisplayName: 'x', ...one }))
  }
  if (url.pathname !== '/v1.0/groups') return belowGroup(url.pathname, tenant)
  const filter = url.searchParams.get('$filter')
  const ids = filter?.startsWith('id in') ? [...filter.matchAll(/'([^']*)'/g)].map(([, id]) => id) : undefined
  // https://developer.microsoft.com/graph/known-issues: `in` takes 15 values.
  if (ids !== undefined && ids.length > 15) return undefined
  const isWanted = ({ id, securityEnabled = true }: TenantGroup) =>
    ids === undefined ? filter !== 'securityEnabled eq true' || securityEnabled : ids.includes(id)
  return groups.filter(isWanted)
}

/** Only the selected properties, with null where the group has none. Assignments are asked for without `$select`. */
function shown(row: object, select: string | null): object {
  const values: Readonly<Record<string, unknown>> = { securityEnabled: true, ...row }
  // The type of a row is there unless it is that of the list: OData JSON Format 4.01, §4.6.3.
  const type = values['@odata.type'] === undefined ? {} : { '@odata.type': values['@odata.type'] }
  return select === null ? row : { ...type, ...Object.fromEntries(select.split(',').map((name) => [name, values[name] ?? null])) }
}

/**
 * https://learn.microsoft.com/graph/paging: the link has all parameters of the query; `@odata.count` is only in the first page. Without the header
 * `ConsistencyLevel: eventual` the count is silently left out (https://learn.microsoft.com/graph/aad-advanced-queries).
 */
function page(rows: readonly object[], url: URL, headers: IncomingMessage['headers'], response: ServerResponse): void {
  const at = Number(url.searchParams.get('$skiptoken') ?? 0)
  const top = Math.min(999, Number(url.searchParams.get('$top') ?? 100))
  const isCounted = at === 0 && url.searchParams.get('$count') === 'true' && headers['consistencylevel'] === 'eventual'
  const next = new URL(url)
  next.searchParams.set('$skiptoken', `${at + top}`)
  json(response, 200, {
    '@odata.context': `${url.origin}/v1.0/$metadata#groups`,
    ...(isCounted ? { '@odata.count': rows.length } : {}),
    ...(at + top < rows.length ? { '@odata.nextLink': next.href } : {}),
    value: rows.slice(at, at + top).map((row) => shown(row, url.searchParams.get('$select'))),
  })
}
