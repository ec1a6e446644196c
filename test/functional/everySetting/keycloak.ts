import { expect } from 'vitest'
import { type Branch, type FakeKeycloak, type Fault, fakeKeycloak, json } from '../keycloak-fake.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { peopleInCorp } from './people.ts'
import { secretRows } from './plane.ts'
import { proofRows, tokenRequest } from './proofs.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to a server of the kind `keycloak`, or the use of its answers. */

const corp: Tree = { kind: 'keycloak', url: 'http://127.0.0.1:702', realm: 't', client: { id: 'reader', secret: { env: 'KEY' } } }
const realm: readonly Branch[] = [
  { name: 'devs', people: 3 },
  { name: 'ops', people: 2, groups: [{ name: 'night', people: 3 }] },
]

type Seen = {
  readonly reading: unknown
  readonly people: readonly string[] | undefined
  readonly server: FakeKeycloak
  readonly shown: ReadonlySet<string> | undefined
}
type Server = { readonly realm?: readonly Branch[]; readonly fault?: Fault; readonly tls?: true }

async function seen<T>(settings: Tree, look: (seen: Seen) => T, options: Server = {}): Promise<T> {
  let address = ''
  const fault: Fault = (key, nth, response, query) => {
    if (options.tls && key === 'issuer') return json(response, 200, metadataOf(address))
    return options.fault?.(key, nth, response, query) ?? false
  }
  await using server = await fakeKeycloak(options.realm ?? realm, fault)
  await using tls = options.tls === undefined ? undefined : await behindTls(server.url)
  address = tls?.url ?? server.url.origin
  await using program = await composed(settings, { ports: { [standIn.keycloak]: address } })
  return look({ reading: await readCorp(program), people: await peopleInCorp(program, '/ops'), server, shown: tls?.shown })
}

const metadataOf = (address: string) => ({
  issuer: `${address}/realms/t`,
  token_endpoint: `${address}/realms/t/protocol/openid-connect/token`,
})

const reading = ({ reading }: Seen) => reading
const firstPath = ({ server }: Seen) => server.requests[0]?.path
const complete = { complete: ['/devs', '/ops', '/ops/night'] }
const row = rowsOf('keycloak', (more) => ({ ...corp, ...more }), seen)

const tlsClient = { url: 'https://127.0.0.1:702', caFile: 'ca.pem' }
const proofs = proofRows(
  (setting, cases, look, { client, tls }) =>
    row(setting, cases, look, {
      base: { ...(tls === undefined ? {} : tlsClient), client: { id: 'reader', ...client } },
      ...(tls === undefined ? {} : { server: { tls } }),
    }),
  complete,
)

export const keycloakRows: readonly Row[] = [
  row(
    'url',
    [
      when('http://127.0.0.1:702', '/realms/t/.well-known/openid-configuration'),
      when('http://127.0.0.1:702/auth', '/auth/realms/t/.well-known/openid-configuration'),
    ],
    firstPath,
  ),
  row(
    'realm',
    [when('t', '/realms/t/.well-known/openid-configuration'), when('u', '/realms/u/.well-known/openid-configuration')],
    firstPath,
  ),
  row(
    'issuer',
    [
      when(undefined, '/realms/t/.well-known/openid-configuration'),
      when('http://127.0.0.1:702/public', '/public/.well-known/openid-configuration'),
    ],
    firstPath,
  ),
  row('allowPlaintext', [when(false, 'plain http:// would show the credential to everyone on the way'), when(true, complete)], reading, {
    base: { url: 'http://0.0.0.0:702' },
  }),
  row('client.id', [when('reader', 'reader'), when('other', 'other')], (seen) => tokenRequest(seen).id),
  ...secretRows('directories.<keycloak>.client.secret', withDirectory({ ...corp, client: { id: 'reader' } }), (settings) =>
    seen(settings, (one) => tokenRequest(one).secret),
  ),
  row(
    'client.authentication',
    [when('client_secret_basic', { id: 'reader', secret: 'firstKey', inForm: null }), when('client_secret_post', { inForm: 'firstKey' })],
    tokenRequest,
  ),
  ...proofs,
  row(
    'groups.from',
    [
      when('groups', complete),
      when('realmRoles', { complete: ['default-roles-t', 'devs', 'ops'] }),
      when({ clientRoles: 'plane' }, { complete: ['lead', 'reader'] }),
    ],
    reading,
  ),
  row(
    'groups.from.clientRoles',
    [
      when('plane', { complete: ['lead', 'reader'] }),
      when('other', {
        failed: 'http://127.0.0.1/: the realm t has no client "other", or the account of client "reader" may not see it',
      }),
    ],
    reading,
    { base: { groups: { from: {} } } },
  ),
  row('groups.name', [when('path', complete), when('name', { complete: ['devs', 'ops', 'night'] })], reading),
  row('groups.under', [when(undefined, complete), when('/ops', { complete: ['/ops', '/ops/night'] })], reading),
  row(
    'groups.slashes',
    [
      when('plain', { complete: ['/a/b'] }),
      when('escaped', { partial: 'Keycloak\'s path is "/a/b", but by these settings it is "/a~/b": try slashes: plain' }),
    ],
    reading,
    { server: { realm: [{ name: 'a/b' }] } },
  ),
  row('groups.members', [when(false, { complete: ['/devs'] }), when(true, { complete: ['/devs 2 people'] })], reading, {
    server: { realm: [{ name: 'devs', people: 3 }] },
  }),
  row('people.identity', [when('email', ['u1@example.org']), when('username', ['name-1']), when('id', ['u1'])], ({ people }) => people),
  row('people.nested', [when(false, ['u1@example.org']), when(true, ['u1@example.org', 'u2@example.org'])], ({ people }) => people),
  row('pageSize', [when(100, '100'), when(7, '7')], ({ server }) =>
    server.requests.find(({ path }) => path.endsWith('/groups'))?.query.get('max'),
  ),
  row(
    'members.pageSize',
    [when(undefined, '10000'), when(7, '7')],
    ({ server }) => server.requests.find(({ path }) => path.endsWith('/members'))?.query.get('max'),
    { base: { people: {} } },
  ),
  row(
    'groupsMax',
    [when(2, { failed: 'http://127.0.0.1/: the realm t has 3 groups, which are more than groupsMax (2)' }), when(3, complete)],
    reading,
  ),
  row(
    'timeout',
    [
      when('40ms', { failed: 'GET http://127.0.0.1/admin/realms/t/groups: no complete answer within 0.04 s' }),
      when('80ms', { failed: 'GET http://127.0.0.1/admin/realms/t/groups: no complete answer within 0.08 s' }),
    ],
    reading,
    { server: { fault: (key) => key === 'groups' } },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', complete)], reading, {
    base: { url: 'https://127.0.0.1:702' },
    server: { tls: true },
  }),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: { fault: (key) => key === 'groups' } },
  ),
  ...checkRows(
    'keycloak',
    corp,
    async (look) => {
      await using server = await fakeKeycloak([{ name: 'devs' }, { name: 'ops' }])
      return await look({ [standIn.keycloak]: server.url })
    },
    ['/devs', '/ops'],
  ),
]
