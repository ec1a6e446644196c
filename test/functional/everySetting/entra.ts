import { createPublicKey, verify } from 'node:crypto'
import { expect } from 'vitest'
import { json } from '../keycloak-fake.ts'
import { selfSigned } from '../selfSigned.ts'
import { application, clientId, type EntraStandIn, entraStandIn, type Fault, type TenantGroup, tenantId } from '../standIns/entra.ts'
import { idOf, inside, user } from '../standIns/entraMembers.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { peopleInCorp } from './people.ts'
import { secretRows } from './plane.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to the token endpoint of Entra ID and to Graph, or the use of their answers. */

const address = `http://127.0.0.1:${standIn.entra}`
const corp: Tree = {
  kind: 'entra',
  tenant: tenantId,
  graphUrl: address,
  loginUrl: address,
  client: { id: clientId, secret: { env: 'KEY' } },
}
const onPremises = { onPremisesSamAccountName: 'devs', onPremisesNetBiosName: 'CORP', onPremisesDomainName: 'corp.example.com' }
const groups: readonly TenantGroup[] = [
  { id: idOf(1), displayName: 'Devs', ...onPremises },
  { id: idOf(2), displayName: 'Ops' },
  { id: idOf(3), displayName: 'Newsletter', securityEnabled: false },
]

const members = { [idOf(1)]: [user(7), inside(2)], [idOf(2)]: [user(8)] }

type Seen = { readonly reading: unknown; readonly people: readonly string[] | undefined; readonly server: EntraStandIn }
type Server = { readonly fault?: Fault; readonly tls?: true }

async function seen<T>(settings: Tree, look: (seen: Seen) => T, options: Server = {}): Promise<T> {
  const tenant = { groups, members, assigned: [{ principalId: idOf(2), principalType: 'Group' as const }] }
  await using server = await entraStandIn(tenant, options.fault)
  await using tls = options.tls === undefined ? undefined : await behindTls(server.url)
  await using program = await composed(settings, { ports: { [standIn.entra]: tls?.url ?? server.url } })
  return look({ reading: await readCorp(program), people: await peopleInCorp(program, idOf(1)), server })
}

const reading = ({ reading }: Seen) => reading
const people = ({ people }: Seen) => people
const form = ({ server }: Seen) => new URLSearchParams(server.requests[0]?.body)
const paths = ({ server }: Seen) => server.requests.map(({ url }) => url.pathname)
const page = ({ server }: Seen) => server.requests.find(({ url }) => url.pathname.endsWith('/groups'))?.url.searchParams
const partsOf = (one: Seen) => (form(one).get('client_assertion') ?? '').split('.')

/** The header of the assertion, if it was signed with the key of the certificate; else what is wrong. */
function signed(one: Seen): unknown {
  const [header = '', payload = '', signature = ''] = partsOf(one)
  if (header === '') return one.reading
  const key = { key: createPublicKey(selfSigned.key), dsaEncoding: 'ieee-p1363' as const }
  const isSigned = verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
  return isSigned && JSON.parse(Buffer.from(header, 'base64url').toString())
}

const row = rowsOf('entra', (more) => ({ ...corp, ...more }), seen)

const scope = (one: Seen) => form(one).get('scope')
const whole = { complete: [idOf(1), idOf(2)] }
const stalled: Server = { fault: (key) => key === 'groups' }
const uncounted: Server = { fault: (key, _, response) => key === 'groups' && json(response, 200, { value: [] }) }
const header = { alg: 'ES256', typ: 'JWT', 'x5t#S256': expect.stringMatching(/^[\w-]{43}$/) }
const wrongPair = { failed: `the private key of client "${clientId}" does not belong to its certificate` }
const withKey = (privateKey: Tree) => ({ base: { client: { id: clientId, privateKey } } })

const proofRows: readonly Row[] = [
  row('client.id', [when(clientId, clientId), when(application, application)], (one) => form(one).get('client_id')),
  ...secretRows('directories.<entra>.client.secret', withDirectory({ ...corp, client: { id: clientId } }), (settings) =>
    seen(settings, (one) => form(one).get('client_secret')),
  ),
  row(
    'client.privateKey.key.file',
    [when('signing.pem', header), when('signing-2.pem', wrongPair)],
    signed,
    withKey({ certificateFile: 'ca.pem' }),
  ),
  row(
    'client.privateKey.key.env',
    [when('SIGNING_KEY', header), when('SIGNING_KEY_2', wrongPair)],
    signed,
    withKey({ certificateFile: 'ca.pem' }),
  ),
  row(
    'client.privateKey.certificateFile',
    [when('ca.pem', header), when('leaf.pem', wrongPair)],
    signed,
    withKey({ key: { env: 'SIGNING_KEY' } }),
  ),
  row(
    'client.assertion.file',
    [when('account.jwt', 'first.foreign.assertion'), when('account-2.jwt', 'second.foreign.assertion')],
    (one) => partsOf(one).join('.'),
    { base: { client: { id: clientId } } },
  ),
]

export const entraRows: readonly Row[] = [
  row(
    'tenant',
    [when(tenantId, `/${tenantId}/oauth2/v2.0/token`), when('contoso.onmicrosoft.com', '/contoso.onmicrosoft.com/oauth2/v2.0/token')],
    (one) => paths(one)[0],
  ),
  row(
    'cloud',
    [
      when('global', 'https://graph.microsoft.com/.default'),
      when('usgov', 'https://graph.microsoft.us/.default'),
      when('usgov-dod', 'https://dod-graph.microsoft.us/.default'),
      when('china', 'https://microsoftgraph.chinacloudapi.cn/.default'),
    ],
    scope,
  ),
  row('graphUrl', [when(address, '/v1.0/groups'), when(`${address}/graph`, '/graph/v1.0/groups')], (one) => paths(one)[1]),
  row(
    'loginUrl',
    [when(address, `/${tenantId}/oauth2/v2.0/token`), when(`${address}/login`, `/login/${tenantId}/oauth2/v2.0/token`)],
    (one) => paths(one)[0],
  ),
  row('allowPlaintext', [when(false, 'plain http:// would show the credential to everyone on the way'), when(true, whole)], reading, {
    base: { graphUrl: `http://0.0.0.0:${standIn.entra}` },
  }),
  ...proofRows,
  row(
    'groups.name',
    [
      when('id', whole),
      when('displayName', { complete: ['Devs', 'Ops'] }),
      when('onPremisesName', { complete: ['devs'] }),
      when('domainName', { complete: ['CORP\\devs'] }),
      when('dnsDomainName', { complete: ['corp.example.com\\devs'] }),
    ],
    reading,
  ),
  row('groups.cloudDisplayName', [when(false, { complete: ['devs'] }), when(true, { complete: ['devs', 'Ops'] })], reading, {
    base: { groups: { name: 'onPremisesName' } },
  }),
  row('groups.types', [when('security', whole), when('all', { complete: [idOf(1), idOf(2), idOf(3)] })], reading),
  row('groups.assigned', [when(undefined, whole), when(application, { complete: [idOf(2)] })], reading),
  row(
    'people.identity',
    [when('mail', ['person-7@example.com']), when('userPrincipalName', ['person-7@contoso.example']), when('id', [idOf(7)])],
    people,
  ),
  row('people.nested', [when(false, ['person-7@example.com']), when(true, ['person-7@example.com', 'person-8@example.com'])], people),
  row(
    'checkTotal',
    [when(true, { partial: expect.stringContaining('Graph did not say how many groups there are') }), when(false, { complete: [] })],
    reading,
    { server: uncounted },
  ),
  row('pageSize', [when(999, '999'), when(7, '7')], (one) => page(one)?.get('$top')),
  row('groupsMax', [when(1, { failed: 'http://127.0.0.1/: there are more groups than groupsMax (1)' }), when(2, whole)], reading),
  row(
    'timeout',
    [
      when('40ms', { failed: 'GET http://127.0.0.1/v1.0/groups: no complete answer within 0.04 s' }),
      when('80ms', { failed: 'GET http://127.0.0.1/v1.0/groups: no complete answer within 0.08 s' }),
    ],
    reading,
    { server: stalled },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', whole)], reading, {
    base: { graphUrl: address.replace('http:', 'https:'), loginUrl: address.replace('http:', 'https:') },
    server: { tls: true },
  }),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: stalled },
  ),
  ...checkRows(
    'entra',
    { ...corp, groups: { name: 'displayName' } },
    async (look) => {
      await using server = await entraStandIn({ groups: groups.slice(0, 2) })
      return await look({ [standIn.entra]: server.url })
    },
    ['Devs', 'Ops'],
  ),
]
