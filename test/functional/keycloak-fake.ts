import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A group of the fake realm: its name, its subgroups, and the number of its members. The id is the path. `services`: members that are the accounts of
 * clients; `named`: members with these user names. Both also have them as ids.
 */
export type Branch = {
  readonly name: string
  readonly groups?: readonly Branch[]
  readonly people?: number
  readonly services?: readonly string[]
  readonly named?: readonly string[]
}

/** `key` is `token`, `count`, `groups`, `users`, `children <id>` or `members <id>`; `nth` counts the requests of that key from 1. */
export type Fault = (key: string, nth: number, response: ServerResponse, query: URLSearchParams) => boolean

export type FakeKeycloak = AsyncDisposable & {
  readonly url: URL
  readonly asked: readonly string[]
  /** The same requests with the arrived part of their bodies. */
  readonly requests: readonly Heard[]
  grow(branch: Branch): void
}
type Heard = { readonly path: string; readonly query: URLSearchParams; readonly authorization: string; body: string }

/**
 * The part of Keycloak 26.7.3 that a reader of groups uses. Its behaviour was measured on the real server. A page without `max` has all groups of
 * the top, at most 10 children, or at most 100 members. `subGroups` is empty. A 401 has no `WWW-Authenticate` header. If `fault` returns true, it
 * has answered instead of the server.
 */
export async function fakeKeycloak(
  groups: readonly Branch[],
  fault: Fault = () => false,
  roles: Roles = usualRoles,
): Promise<FakeKeycloak> {
  const tree = [...groups]
  const asked: string[] = []
  const requests: Heard[] = []
  const server = createServer((request, response): void => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const key = keyOf(url.pathname)
    asked.push(key)
    const heard: Heard = { path: url.pathname, query: url.searchParams, authorization: request.headers.authorization ?? '', body: '' }
    requests.push(heard)
    request.setEncoding('utf8').on('data', (text: string) => (heard.body += text))
    const nth = asked.filter((one) => one === key).length
    if (fault(key, nth, response, url.searchParams)) return
    if (key === 'token') return void json(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 300 })
    if (key === 'issuer') return void json(response, 200, metadata(request))
    if (!/^Bearer token-\d+$/.test(request.headers.authorization ?? '')) return void json(response, 401, { error: 'HTTP 401 Unauthorized' })
    json(
      response,
      200,
      key.includes('roles') || key === 'clients' ? rolesAnswer(roles, key, url.searchParams) : answer(tree, key, url.searchParams),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    asked,
    requests,
    grow: (branch) => void tree.unshift(branch),
    [Symbol.asyncDispose]: close,
  }
}

/** Answers the first `times` requests of a key. */
export const first =
  (key: string, times: number, answer: (response: ServerResponse) => unknown): Fault =>
  (asked, nth, response) => {
    if (asked !== key || nth > times) return false
    answer(response)
    return true
  }
export const always = Number.POSITIVE_INFINITY

export function json(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}

function keyOf(path: string): string {
  if (path === '/realms/t/.well-known/openid-configuration') return 'issuer'
  if (path === '/realms/t/protocol/openid-connect/token') return 'token'
  const [, roles] = /^\/admin\/realms\/t\/(roles|clients|clients\/[^/]+\/roles)$/.exec(path) ?? []
  if (roles !== undefined) return roles
  if (path === '/admin/realms/t/users') return 'users'
  const below = path.replace('/admin/realms/t/groups', '')
  if (below === '') return 'groups'
  if (below === '/count') return 'count'
  const [, id, list] = /^\/([^/]+)\/(children|members)$/.exec(below) ?? []
  return id === undefined ? `unknown ${path}` : `${list} ${decodeURIComponent(id)}`
}

/** The names of the roles of the realm, and of each client. */
type Roles = { readonly realm: readonly string[]; readonly clients: Readonly<Record<string, readonly string[]>> }
const usualRoles: Roles = { realm: ['default-roles-t', 'devs', 'ops'], clients: { plane: ['lead', 'reader'] } }

/** The id of a client is `uuid of` and its client id. A client in the list shows its secret, too. */
function rolesAnswer({ realm, clients }: Roles, key: string, query: URLSearchParams): unknown {
  if (key === 'clients')
    return Object.keys(clients)
      .filter((clientId) => clientId === query.get('clientId'))
      .map((clientId) => ({ id: `uuid of ${clientId}`, clientId, secret: 'the secret of another client' }))
  const client = decodeURIComponent(key.split('/')[1] ?? '').replace('uuid of ', '')
  const first = Number(query.get('first') ?? 0)
  const rows = key === 'roles' ? realm : (clients[client] ?? [])
  return rows.slice(first, first + Number(query.get('max'))).map((name) => ({ id: `id of ${name}`, name, composite: false }))
}

const metadata = ({ headers }: IncomingMessage) => ({
  issuer: `http://${headers.host}/realms/t`,
  token_endpoint: `http://${headers.host}/realms/t/protocol/openid-connect/token`,
})

function answer(tree: readonly Branch[], key: string, query: URLSearchParams): unknown {
  const all = flatten(tree, '')
  if (key === 'count') return { count: all.length }
  const page = <T>(rows: readonly T[], usual: number) => {
    const first = Number(query.get('first') ?? 0)
    return rows.slice(first, first + Number(query.get('max') ?? usual))
  }
  if (key === 'groups') return page(all.filter(({ parent }) => parent === '').map(shown), Number.POSITIVE_INFINITY)
  // A list of the realm's users has no accounts of clients. A list of members has them, and nothing in it tells them from people.
  if (key === 'users') {
    const named = all.flatMap(({ branch }) => (branch.named ?? []).map(userCalled))
    const search = query.get('search')
    if (search !== null)
      return page(
        named.filter(({ username }) => username.startsWith(search)),
        100,
      )
    return page([...all.flatMap(({ branch }) => usersOf(branch.people ?? 0)), ...named].slice(0, 1), 100)
  }
  const id = key.replace(/^\w+ /, '')
  if (key.startsWith('children ')) {
    return page(all.filter(({ parent }) => parent === id).map(shown), 10)
  }
  const { people = 0, services = [], named = [] } = all.find((group) => group.id === id)?.branch ?? {}
  return page([...usersOf(people), ...[...services, ...named].map(userCalled)], 100)
}

/** All groups have the same users: u0, who is disabled, u1 … */
function usersOf(count: number): readonly object[] {
  while (users.length < count) {
    const n = users.length
    users.push({ id: `u${n}`, username: `name-${n}`, email: `u${n}@example.org`, enabled: n !== 0 })
  }
  return users.slice(0, count)
}
const users: object[] = []
const userCalled = (username: string) => ({ id: username, username, enabled: true })

type Placed = { readonly id: string; readonly parent: string; readonly branch: Branch }

const flatten = (groups: readonly Branch[], parent: string): Placed[] =>
  groups.flatMap((branch) => {
    const id = `${parent}/${branch.name}`
    return [{ id, parent, branch }, ...flatten(branch.groups ?? [], id)]
  })

const shown = ({ id, branch }: Placed) => ({
  id,
  name: branch.name,
  path: id,
  subGroupCount: branch.groups?.length ?? 0,
  subGroups: [],
})
