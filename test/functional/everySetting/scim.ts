import { expect } from 'vitest'
import { type ScimFault, type ScimGroup, type StandInScim, scimJson, standInScim } from '../standIns/scim.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { peopleInCorp } from './people.ts'
import { secretRows } from './plane.ts'
import { proofRows, tokenRequest } from './proofs.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to a server of the kind `scim`, or the use of its answers. */

const place: Tree = { kind: 'scim', url: 'http://127.0.0.1:705/scim/v2' }
const corp: Tree = { ...place, token: { env: 'KEY' } }
const issuer = 'http://127.0.0.1:705/id'
const withClient: Tree = { ...place, issuer, client: { id: 'reader', secret: { env: 'KEY' } } }
const user = (n: number) => ({ id: `u${n}`, userName: `name-${n}`, emails: [{ value: `u${n}@example.org` }] })
const members = new Map([
  [
    'ops',
    [
      { value: 'u1', type: 'User' },
      { value: 'night', type: 'Group' },
    ],
  ],
  ['night', [{ value: 'u2', type: 'User' }]],
])
const groups: readonly ScimGroup[] = ['devs', 'ops', 'night'].map((name) => ({
  id: name,
  displayName: name,
  externalId: `x-${name}`,
  members: members.get(name) ?? [],
}))

const large: ScimGroup = { id: 'ops', displayName: 'ops', members: Array.from({ length: 9 }, (_, n) => ({ value: `u${n}`, type: 'User' })) }

type Seen = {
  readonly reading: unknown
  readonly people: readonly string[] | undefined
  readonly server: StandInScim
  readonly shown: ReadonlySet<string> | undefined
}
/** `large`: the group `ops` has so many members that all users are read by pages. */
type Server = { readonly fault?: ScimFault; readonly tls?: true; readonly large?: true }

async function seen<T>(settings: Tree, look: (seen: Seen) => T, options: Server = {}): Promise<T> {
  let address = ''
  const fault: ScimFault = (asked, response, all) => {
    if (options.tls === undefined || asked.key !== 'issuer') return options.fault?.(asked, response, all) ?? false
    scimJson(response, 200, { issuer: `${address}/id`, token_endpoint: `${address}/id/token` })
    return true
  }
  await using server = await standInScim(
    options.large === undefined ? groups : [...groups.filter(({ id }) => id !== 'ops'), large],
    fault,
    { token: 'firstKey', users: [user(1), user(2)] },
  )
  await using tls = options.tls === undefined ? undefined : await behindTls(server.url)
  address = tls?.url ?? server.url.origin
  await using program = await composed(settings, { ports: { [standIn.scim]: address } })
  return look({ reading: await readCorp(program), people: await peopleInCorp(program, 'ops'), server, shown: tls?.shown })
}

const reading = ({ reading }: Seen) => reading
const firstPath = ({ server }: Seen) => server.requests[0]?.path
const complete = { complete: ['devs', 'ops', 'night'] }
const hangs: ScimFault = ({ key }) => key === 'groups'

const row = rowsOf('scim', (base = corp) => base, seen)

const overTls = { url: 'https://127.0.0.1:705/scim/v2', caFile: 'ca.pem' }
const proofs = proofRows(
  (setting, cases, look, { client, tls }) =>
    row(setting, cases, look, {
      base: {
        ...withClient,
        ...(tls === undefined ? {} : { ...overTls, issuer: 'https://127.0.0.1:705/id' }),
        client: { id: 'reader', ...client },
      },
      ...(tls === undefined ? {} : { server: { tls } }),
    }),
  complete,
)

const clientRows: readonly Row[] = [
  row('client.id', [when('reader', 'reader'), when('other', 'other')], (one) => tokenRequest(one).id, { base: withClient }),
  ...secretRows('directories.<scim>.client.secret', withDirectory({ ...withClient, client: { id: 'reader' } }), (settings) =>
    seen(settings, (one) => tokenRequest(one).secret),
  ),
  row(
    'client.authentication',
    [when('client_secret_basic', { id: 'reader', secret: 'firstKey', inForm: null }), when('client_secret_post', { inForm: 'firstKey' })],
    tokenRequest,
    { base: withClient },
  ),
  ...proofs,
  row(
    'issuer',
    [when(issuer, '/id/.well-known/openid-configuration'), when('http://127.0.0.1:705', '/.well-known/openid-configuration')],
    firstPath,
    { base: withClient },
  ),
  row('tokenUrl', [when('http://127.0.0.1:705/a/token', '/a/token'), when('http://127.0.0.1:705/b/token', '/b/token')], firstPath, {
    base: { ...place, client: { id: 'reader', secret: { env: 'KEY' } } },
  }),
  row(
    'scopes',
    [when(undefined, null), when(['read', 'more'], 'read more')],
    ({ server }) => new URLSearchParams(server.requests.find(({ key }) => key === 'token')?.body).get('scope'),
    { base: withClient },
  ),
]

export const scimRows: readonly Row[] = [
  row(
    'url',
    [when('http://127.0.0.1:705/scim/v2', '/scim/v2/ServiceProviderConfig'), when('http://127.0.0.1:705', '/ServiceProviderConfig')],
    firstPath,
  ),
  ...secretRows('directories.<scim>.token', withDirectory(place), (settings) =>
    seen(settings, ({ server }) => server.requests[0]?.authorization.slice('Bearer '.length)),
  ),
  ...clientRows,
  row('allowPlaintext', [when(false, 'plain http:// would show the credential to everyone on the way'), when(true, complete)], reading, {
    base: { ...corp, url: 'http://0.0.0.0:705/scim/v2' },
  }),
  row('groups.name', [when('displayName', complete), when('externalId', { complete: ['x-devs', 'x-ops', 'x-night'] })], reading),
  row('groups.filter', [when(undefined, complete), when('displayName sw "d"', { complete: ['devs'] })], reading),
  row('people.identity', [when('email', ['u1@example.org']), when('userName', ['name-1']), when('id', ['u1'])], ({ people }) => people),
  row('people.nested', [when(false, ['u1@example.org']), when(true, ['u1@example.org', 'u2@example.org'])], ({ people }) => people),
  row(
    'pageSize',
    [when(100, '100'), when(7, '7'), when(0, null)],
    ({ server }) => server.requests.find(({ key }) => key === 'groups')?.query.get('count'),
    { base: { ...corp, expect: { atLeast: 1 } } },
  ),
  row(
    'members.pageSize',
    [when(undefined, '100'), when(7, '7'), when(0, null)],
    ({ server }) => server.requests.find(({ key }) => key === 'users')?.query.get('count'),
    {
      base: { ...corp, people: {} },
      server: { large: true },
    },
  ),
  row(
    'groupsMax',
    [when(2, { failed: 'http://127.0.0.1/scim/v2: there are at least 3 groups, which are more than groupsMax (2)' }), when(3, complete)],
    reading,
  ),
  row(
    'timeout',
    [
      when('40ms', { failed: 'GET http://127.0.0.1/scim/v2/Groups: no complete answer within 0.04 s' }),
      when('80ms', { failed: 'GET http://127.0.0.1/scim/v2/Groups: no complete answer within 0.08 s' }),
    ],
    reading,
    { server: { fault: hangs } },
  ),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: { fault: hangs } },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', complete)], reading, {
    base: { ...corp, url: overTls.url },
    server: { tls: true },
  }),
  ...checkRows('scim', corp, async (look) => {
    await using server = await standInScim(groups.slice(0, 2), undefined, { token: 'firstKey' })
    return await look({ [standIn.scim]: server.url })
  }),
]
