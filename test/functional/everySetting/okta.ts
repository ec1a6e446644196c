import { createPublicKey, verify } from 'node:crypto'
import { expect } from 'vitest'
import { chain } from '../certificateChain.ts'
import { selfSigned } from '../selfSigned.ts'
import { everyone, group, type OktaFault, type OktaGroup, type OktaStandIn, oktaStandIn, serviceApp } from '../standIns/okta.ts'
import { user } from '../standIns/oktaMembers.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { peopleInCorp } from './people.ts'
import { secretRows } from './plane.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to a server of the kind `okta`, or the use of its answers. */

const client = { id: serviceApp, privateKey: { key: { env: 'SIGNING_KEY' } } }
const account: Tree = { kind: 'okta', url: 'http://127.0.0.1:704' }
const corp: Tree = { ...account, client }
const imported = group('00g2', 'devs', {
  type: 'APP_GROUP',
  profile: { name: 'devs', samAccountName: 'sam-devs', windowsDomainQualifiedName: 'CORP\\sam-devs' },
})
const usual = [everyone, imported]

type Seen = { readonly reading: unknown; readonly people: readonly string[] | undefined; readonly server: OktaStandIn }
type Server = { readonly groups?: readonly OktaGroup[]; readonly fault?: OktaFault; readonly rateLimit?: number; readonly tls?: true }

async function seen<T>(settings: Tree, look: (seen: Seen) => T, { groups = usual, tls, ...more }: Server = {}): Promise<T> {
  await using server = await oktaStandIn({ groups, users: { '00g2': [user(7)] }, apiTokens: ['firstKey', 'keyOfFile'], ...more })
  await using front = tls === undefined ? undefined : await behindTls(server.url)
  await using program = await composed(settings, { ports: { [standIn.okta]: front?.url ?? server.url } })
  return look({ reading: await readCorp(program), people: await peopleInCorp(program, '00g2'), server })
}

const reading = ({ reading }: Seen) => reading
const complete = { complete: ['Everyone', 'devs'] }
const assertion = ({ server }: Seen): string => new URLSearchParams(server.requests[0]?.body).get('client_assertion') ?? ''
const partOf = (jwt: string, part: number) => JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString())
/** The query of the first request for groups. */
function query({ server }: Seen): URLSearchParams {
  const asked = server.requests.find(({ url }) => url?.startsWith('/api/v1/groups'))
  return new URL(asked?.url ?? '/', 'http://h').searchParams
}

function signer(one: Seen): string | undefined {
  const [header = '', payload = '', signature = ''] = assertion(one).split('.')
  const keys = Object.entries({ first: selfSigned.key, second: chain.key })
  return keys.find(([, key]) =>
    verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  )?.[0]
}

const row = rowsOf('okta', (more) => ({ ...corp, ...more }), seen)

const silentPage: Server = { fault: ({ key }) => key !== 'token' }

export const oktaRows: readonly Row[] = [
  row(
    'url',
    [when('http://127.0.0.1:704', '127.0.0.1'), when('http://localhost:704', 'localhost')],
    ({ server }) => server.requests[0]?.headers.host?.split(':')[0],
  ),
  row('client.id', [when('reader', 'reader'), when('other', 'other')], (one) => partOf(assertion(one), 1).iss),
  row('client.privateKey.key.file', [when('signing.pem', 'first'), when('signing-2.pem', 'second')], signer, {
    base: { client: { id: serviceApp } },
  }),
  row('client.privateKey.key.env', [when('SIGNING_KEY', 'first'), when('SIGNING_KEY_2', 'second')], signer, {
    base: { client: { id: serviceApp } },
  }),
  row('client.privateKey.keyId', [when(undefined, undefined), when('k1', 'k1')], (one) => partOf(assertion(one), 0).kid),
  ...secretRows('directories.<okta>.token', withDirectory(account), (settings) =>
    seen(settings, ({ server }) => server.requests[0]?.headers.authorization?.replace('SSWS ', '')),
  ),
  row('groups.types', [when(['OKTA_GROUP', 'APP_GROUP', 'BUILT_IN'], complete), when(['APP_GROUP'], { complete: ['devs'] })], reading),
  row(
    'groups.name',
    [
      when('name', { complete: ['devs'] }),
      when('samAccountName', { complete: ['sam-devs'] }),
      when('windowsDomainQualifiedName', { complete: ['CORP\\sam-devs'] }),
    ],
    reading,
    { base: { groups: { types: ['APP_GROUP'] } } },
  ),
  row(
    'people.identity',
    [when('email', ['person-7@example.com']), when('login', ['login-7@example.com']), when('id', ['00u7'])],
    ({ people }) => people,
  ),
  row(
    'reserve',
    [
      when('10%', complete),
      when('60%', {
        failed: expect.stringContaining('the rate limit of the server is used up to the reserve; the next request is due in'),
      }),
    ],
    reading,
    { base: { pageSize: 1, readingTimeout: '10s' }, server: { rateLimit: 5 } },
  ),
  row('pageSize', [when(200, '200'), when(7, '7')], (one) => query(one).get('limit')),
  row('groupsMax', [when(1, { failed: 'http://127.0.0.1/: there are more groups than groupsMax (1)' }), when(2, complete)], reading),
  row(
    'timeout',
    [
      when('40ms', { failed: 'GET http://127.0.0.1/api/v1/groups: no complete answer within 0.04 s' }),
      when('80ms', { failed: 'GET http://127.0.0.1/api/v1/groups: no complete answer within 0.08 s' }),
    ],
    reading,
    { server: silentPage },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', complete)], reading, {
    base: { ...account, client: undefined, token: { env: 'KEY' }, url: 'https://127.0.0.1:704' },
    server: { tls: true },
  }),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: silentPage },
  ),
  ...checkRows('okta', { ...corp, groups: { types: ['OKTA_GROUP'] } }, async (look) => {
    await using server = await oktaStandIn({ groups: [group('1', 'devs'), group('2', 'ops')] })
    return await look({ [standIn.okta]: server.url })
  }),
]
