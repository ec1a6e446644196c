import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { errorBody, json } from './googleAnswers.ts'
import { answerMembers, membersKey } from './googleMembers.ts'
import { type Tenant, tokenEndpoints } from './googleTokens.ts'

export type GoogleGroup = { readonly id: string; readonly email: string; readonly name?: string }

/**
 * `key`: `token`, `sts`, `generateAccessToken`, `signJwt`, a page of a list: `up 1`, `down 2`, or of the members of a group: `members devs 1`. `nth` counts the requests of that key from 1. If it
 * returns true, it has answered instead of the server.
 */
export type Fault = (key: string, nth: number, response: ServerResponse, query: URLSearchParams) => boolean

export type Heard = { readonly path: string; readonly query: URLSearchParams; readonly authorization: string; readonly body: string }

export type GoogleStandIn = AsyncDisposable & {
  readonly url: URL
  readonly asked: readonly string[]
  readonly requests: readonly Heard[]
  /** The groups, which a test may change while they are read. */
  groups: readonly GoogleGroup[]
}

/** A page has at most this many groups, whatever is asked for: https://developers.google.com/workspace/admin/directory/reference/rest/v1/groups/list */
const pageMax = 200

/**
 * The part of Google that a reader of groups uses: the list of groups of the Directory API, and the endpoints that give tokens. It behaves as Google's
 * documentation says; it was not compared with Google. All addresses are on one origin: `/token`, `/v1/token` (STS), `/v1/projects/…` (IAM) and
 * `/admin/directory/v1/groups`.
 */
export async function googleStandIn(
  groups: readonly GoogleGroup[],
  tenant: Tenant = {},
  fault: Fault = () => false,
): Promise<GoogleStandIn> {
  const asked: string[] = []
  const requests: Heard[] = []
  const tokens = tokenEndpoints(tenant)
  const standIn = { groups }

  const server = createServer((request, response) => {
    void (async () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://stand-in')
      const { authorization = '' } = request.headers
      const body = await text(request).catch(() => '')
      const key = keyOf(path, query)
      asked.push(key)
      requests.push({ path, query, authorization, body })
      const nth = asked.filter((one) => one === key).length
      if (fault(key, nth, response, query)) return
      if (!path.startsWith('/admin/directory/v1/groups')) return tokens.answer(key, { body, authorization, base: baseOf(server) }, response)
      if (!tokens.isValid(authorization)) return void json(response, 401, errorBody(401, 'authError', 'Invalid Credentials'))
      if (!tokens.mayRead(authorization))
        // https://developers.google.com/workspace/admin/directory/v1/guides/troubleshoot-error-codes
        return void json(response, 403, errorBody(403, 'forbidden', 'Not Authorized to access this resource/api'))
      return path === '/admin/directory/v1/groups' ? list(response, query) : answerMembers(response, path, query, tenant.members)
    })()
  })

  function list(response: ServerResponse, query: URLSearchParams): void {
    const domain = query.get('domain')
    const customer = query.get('customer')
    if (domain === null && customer === null) return void json(response, 400, errorBody(400, 'badRequest', 'Bad Request'))
    if (domain !== null && !(tenant.domains ?? ['example.com']).includes(domain))
      return void json(response, 404, errorBody(404, 'notFound', 'Domain not found.'))
    if (customer !== null && customer !== 'my_customer' && customer !== tenant.customer)
      return void json(response, 400, errorBody(400, 'invalid', 'Invalid Input'))
    const isDown = query.get('sortOrder') === 'DESCENDING'
    const sorted = standIn.groups
      .filter(({ email }) => domain === null || email.endsWith(`@${domain}`))
      .toSorted((a, b) => (isDown ? -1 : 1) * compare(a.email, b.email))
    // The place in the list is that of an address, so a group that is renamed may be passed over, or come twice.
    const after = placeIn(query)
    if (after === undefined && query.has('pageToken'))
      return void json(response, 400, errorBody(400, 'invalid', 'Invalid Input: pageToken'))
    const rest = after === undefined ? sorted : sorted.filter(({ email }) => (isDown ? email < after.email : email > after.email))
    const page = rest.slice(0, Math.min(pageMax, Number(query.get('maxResults') ?? pageMax)))
    const last = page.at(-1)
    const next =
      last === undefined || page.length === rest.length
        ? {}
        : { nextPageToken: tokenOf({ page: (after?.page ?? 1) + 1, email: last.email }) }
    // The value of `kind` is that of the discovery document: https://admin.googleapis.com/$discovery/rest?version=directory_v1
    json(response, 200, masked({ kind: 'admin#directory#groups', etag: '"x"', groups: page, ...next }, query))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(standIn, {
    url: new URL(baseOf(server)),
    asked,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

const baseOf = (server: ReturnType<typeof createServer>): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type Place = { readonly page: number; readonly email: string }
const tokenOf = ({ page, email }: Place): string => `place-${page}-${Buffer.from(email).toString('base64url')}`

/** Undefined for the first page and for a token of another server. */
function placeIn(query: URLSearchParams): Place | undefined {
  const [, page, email = ''] = /^place-(\d+)-(.*)$/.exec(query.get('pageToken') ?? '') ?? []
  return page === undefined ? undefined : { page: Number(page), email: Buffer.from(email, 'base64url').toString() }
}

function keyOf(path: string, query: URLSearchParams): string {
  if (path === '/token') return 'token'
  if (path === '/v1/token') return 'sts'
  if (path.startsWith('/v1/projects/')) return path.split(':').at(-1) ?? ''
  const members = membersKey(path, query)
  if (members !== undefined) return members
  const page = placeIn(query)?.page ?? query.get('pageToken') ?? 1
  return `${query.get('sortOrder') === 'DESCENDING' ? 'down' : 'up'} ${page}`
}

/**
 * Only the fields that are asked for, and nothing that is empty: https://developers.google.com/workspace/admin/directory/v1/guides/performance#partial
 */
function masked(answer: { readonly groups: readonly GoogleGroup[]; readonly [name: string]: unknown }, query: URLSearchParams): object {
  const fields = query.get('fields')
  const [, ofGroups = '*'] = /groups\(([^)]*)\)/.exec(fields ?? '') ?? []
  const outer = fields?.replace(/\([^)]*\)/, '').split(',')
  const pick = (object: object, names: readonly string[] | undefined) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => names === undefined || names.includes(name)))
  const groups = answer.groups.map((group) => pick(group, ofGroups === '*' ? undefined : ofGroups.split(',')))
  return pick(groups.length === 0 ? { ...answer, groups: undefined } : { ...answer, groups }, outer)
}
