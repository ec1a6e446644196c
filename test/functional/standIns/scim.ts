import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A group of the stand-in. `members`: those that it has, or how many. */
export type ScimGroup = {
  readonly id: string
  readonly displayName?: string
  readonly externalId?: string
  readonly members?: number | readonly object[]
}

/** A request. `key` is `config`, `groups`, `users`, `schema`, `token`, `issuer` or the path below the address; `nth` counts the requests of that key from 1. */
export type ScimRequest = { readonly key: string; readonly nth: number; readonly path: string; readonly query: URLSearchParams }

/** If it returns true, it has answered instead of the server. It may also change the groups. */
export type ScimFault = (asked: ScimRequest, response: ServerResponse, groups: ScimGroup[]) => boolean

type Heard = ScimRequest & { readonly accept: string; readonly authorization: string; body: string }

export type StandInScim = AsyncDisposable & { readonly url: URL; readonly requests: readonly Heard[]; readonly groups: ScimGroup[] }

/** How this server differs from a usual one. */
export type ScimOddities = {
  /** Its lists have pages by cursor, and its configuration says so. `unannounced`: the configuration does not say it. */
  readonly cursors?: true | 'unannounced'
  /** The most groups in a page, whatever `count` says. */
  readonly cap?: number
  /** Parameters that it ignores. */
  readonly ignores?: readonly string[]
  readonly latencyMs?: number
  readonly users?: readonly { readonly id: string }[]
  /** When its schema says that members are returned. Default: it shows no schema. */
  readonly membersReturned?: string
  /** The token that it accepts beside those that it issues. */
  readonly token?: string
}

export const scimToken = 'the-token-of-the-reader'

/**
 * The part of a SCIM 2.0 service provider that a reader of groups uses, by the documents named at each answer. `test/functional/servers/scim.test.ts`
 * reads a real server.
 */
export async function standInScim(
  groups: readonly ScimGroup[],
  fault: ScimFault = () => false,
  { latencyMs = 0, token = scimToken, ...oddities }: ScimOddities = {},
): Promise<StandInScim> {
  const state = [...groups]
  const requests: Heard[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const { accept = '', authorization = '' } = request.headers
    const key = keyOf(url.pathname)
    const nth = requests.filter((one) => one.key === key).length + 1
    const heard: Heard = { key, nth, path: url.pathname, query: url.searchParams, accept, authorization, body: '' }
    requests.push(heard)
    request.setEncoding('utf8').on('data', (text: string) => (heard.body += text))
    request.on('end', () => setTimeout(answer, latencyMs, heard, request, response))
  })
  function answer(heard: Heard, request: IncomingMessage, response: ServerResponse): void {
    if (fault(heard, response, state)) return
    const { key, nth, query, authorization } = heard
    // RFC 6749 §5.1: https://www.rfc-editor.org/rfc/rfc6749#section-5.1
    if (key === 'token') return scimJson(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 300 })
    if (key === 'issuer') return scimJson(response, 200, metadata(request))
    // RFC 6750 §3: https://www.rfc-editor.org/rfc/rfc6750#section-3
    if (!new RegExp(`^Bearer (?:${token}|token-\\d+)$`).test(authorization)) return scimError(response, 401)
    if (key === 'config') return scimJson(response, 200, configuration(oddities))
    const { users = [], membersReturned } = oddities
    if (key === 'schema' && membersReturned !== undefined)
      return scimJson(response, 200, { attributes: [{ name: 'displayName' }, { name: 'members', returned: membersReturned }] })
    const asked = new URLSearchParams([...query].filter(([name]) => !oddities.ignores?.includes(name)))
    if (key === 'groups' || key === 'users') return listAnswer(response, key === 'groups' ? state : users, asked, oddities)
    // RFC 7644 §3.4.1: https://www.rfc-editor.org/rfc/rfc7644#section-3.4.1
    const one = [
      ...state.map((group) => [`/Groups/${encodeURIComponent(group.id)}`, group] as const),
      ...users.map((user) => [`/Users/${encodeURIComponent(user.id)}`, user] as const),
    ]
    const [, found] = one.find(([path]) => path === key) ?? []
    return found === undefined ? scimError(response, 404) : scimJson(response, 200, shown(found, asked))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`),
    requests,
    groups: state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** RFC 7644 §3.1: https://www.rfc-editor.org/rfc/rfc7644#section-3.1 */
export function scimJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/scim+json', ...headers }).end(JSON.stringify(body))
}

/** RFC 7644 §3.12: https://www.rfc-editor.org/rfc/rfc7644#section-3.12 */
export function scimError(
  response: ServerResponse,
  status: number,
  scimType?: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  scimJson(response, status, { schemas, status: `${status}`, ...(scimType === undefined ? {} : { scimType }) }, headers)
}

function keyOf(path: string): string {
  if (path.endsWith('/.well-known/openid-configuration')) return 'issuer'
  if (path.endsWith('/token')) return 'token'
  if (path.endsWith('/ServiceProviderConfig')) return 'config'
  if (path.includes('/Schemas/')) return 'schema'
  if (path.endsWith('/Groups')) return 'groups'
  return path.endsWith('/Users') ? 'users' : path.replace('/scim/v2', '')
}

/** OpenID Connect Discovery 1.0 §4.2: https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationResponse */
const metadata = ({ headers, url = '' }: IncomingMessage) => {
  const issuer = `http://${headers.host}${url.replace('/.well-known/openid-configuration', '')}`
  return { issuer, token_endpoint: `${issuer}/token` }
}

/** RFC 7643 §5 and RFC 9865 §4: https://www.rfc-editor.org/rfc/rfc7643#section-5 https://www.rfc-editor.org/rfc/rfc9865.html#section-4 */
const configuration = ({ cursors, cap }: ScimOddities) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  filter: { supported: true, maxResults: 1_000 },
  ...(cursors === true ? { pagination: { cursor: true, index: false, ...(cap === undefined ? {} : { maxPageSize: cap }) } } : {}),
})

function listAnswer(
  response: ServerResponse,
  resources: readonly ScimGroup[],
  asked: URLSearchParams,
  { cursors, cap }: ScimOddities,
): void {
  // RFC 7644 §3.9: https://www.rfc-editor.org/rfc/rfc7644#section-3.9
  if (asked.has('attributes') && asked.has('excludedAttributes')) return scimError(response, 400, 'invalidValue')
  const all = resources.filter(matching(asked.get('filter')))
  const count = Math.min(Number(asked.get('count') ?? 1_000), cap ?? Number.POSITIVE_INFINITY)
  const cursor = asked.get('cursor') ?? ''
  // RFC 9865 §2.1: https://www.rfc-editor.org/rfc/rfc9865.html#section-2.1
  if (cursor !== '' && !/^after-\d+$/.test(cursor)) return scimError(response, 400, 'invalidCursor')
  // RFC 7644 §3.4.2.4: the index of the first is 1; a smaller one counts as 1. https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2.4
  const from = cursors === undefined ? Math.max(1, Number(asked.get('startIndex') ?? 1)) - 1 : Number(cursor.replace('after-', ''))
  const page = all.slice(from, from + count)
  const isLast = from + page.length >= all.length
  scimJson(response, 200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: all.length,
    itemsPerPage: page.length,
    ...(cursors === undefined ? { startIndex: from + 1 } : isLast ? {} : { nextCursor: `after-${from + page.length}` }),
    Resources: page.map((group) => shown(group, asked)),
  })
}

/** RFC 7644 §3.4.2.2, only `attribute sw "text"` and `attribute pr`: https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2.2 */
function matching(filter: string | null): (group: ScimGroup) => boolean {
  const [, name, beginning] = /^(\w+) (?:sw "(.*)"|pr)$/.exec(filter ?? '') ?? []
  if (name === undefined) return () => true
  return (group) => (group[name as 'displayName' | 'externalId'] ?? '').startsWith(beginning ?? '') && name in group
}

/** RFC 7643 §4.2 and RFC 7644 §3.9: the id is always there. https://www.rfc-editor.org/rfc/rfc7643#section-4.2 */
function shown({ members = 0, ...group }: ScimGroup, asked: URLSearchParams): Readonly<Record<string, unknown>> {
  const listed = typeof members === 'number' ? Array.from({ length: members }, (_, n) => ({ value: `u${n}` })) : members
  const whole = { ...group, members: listed, meta: { resourceType: 'Group' } }
  const wanted = asked.get('attributes')?.split(',')
  const unwanted = asked.get('excludedAttributes')?.split(',')
  return Object.fromEntries(
    Object.entries(whole).filter(([name]) => (name === 'id' || wanted?.includes(name) !== false) && unwanted?.includes(name) !== true),
  )
}
