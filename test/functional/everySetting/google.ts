import { expect } from 'vitest'
import { type Fault, type GoogleGroup, type GoogleStandIn, googleStandIn } from '../standIns/google.ts'
import { inside, user } from '../standIns/googleMembers.ts'
import { provider, reader, type Tenant } from '../standIns/googleTokens.ts'
import { behindTls } from './behindTls.ts'
import { composed, readCorp, standIn } from './composed.ts'
import { checkRows, rowsOf, withDirectory } from './directory.ts'
import { peopleInCorp } from './people.ts'
import { secretRows } from './plane.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to Google, or the use of its answers. */

const at = (path: string) => `http://127.0.0.1:706${path}`
const addresses: Tree = { url: at(''), tokenUrl: at('/token'), stsUrl: at('/v1/token'), iamUrl: at('') }
const key: Tree = { key: { env: 'GOOGLE_KEY' } }
const federated: Tree = { workloadIdentity: { provider, serviceAccount: reader, token: { file: 'workload.jwt' } } }
const token: Tree = { token: { file: 'google-token' } }
const corp: Tree = { kind: 'google', account: key, ...addresses }
const groups: readonly GoogleGroup[] = [
  { id: '1', email: 'devs@example.com', name: 'Devs' },
  { id: '2', email: 'ops@other.example', name: 'Ops' },
]
const tenant: Tenant = { customer: 'C1', domains: ['example.com', 'other.example'], members: { 1: [user(7), inside('2')], 2: [user(8)] } }

type Seen = { readonly reading: unknown; readonly people: readonly string[] | undefined; readonly server: GoogleStandIn }
type Server = { readonly fault?: Fault; readonly tls?: true }

async function seen<T>(settings: Tree, look: (seen: Seen) => T, { fault, tls }: Server = {}): Promise<T> {
  await using server = await googleStandIn(groups, tenant, fault)
  await using front = tls === undefined ? undefined : await behindTls(server.url)
  await using program = await composed(settings, { ports: { [standIn.google]: front?.url ?? server.url.origin } })
  return look({ reading: await readCorp(program), people: await peopleInCorp(program, '1'), server })
}

const row = rowsOf('google', (more) => ({ ...corp, ...more }), seen)

const reading = ({ reading }: Seen) => reading
const people = ({ people }: Seen) => people
const complete = { complete: ['Devs', 'Ops'] }
const listed =
  (name: string) =>
  ({ server }: Seen) =>
    server.requests.find(({ path }) => path.endsWith('/groups'))?.query.get(name)
const pathOf =
  (part: string) =>
  ({ server }: Seen) =>
    server.requests.find(({ path }) => path.includes(part))?.path
const formOf =
  (part: string) =>
  ({ server }: Seen) =>
    new URLSearchParams(server.requests.find(({ path }) => path.endsWith(part))?.body)
const claims = (seen: Seen) => JSON.parse(Buffer.from(formOf('/token')(seen).get('assertion')?.split('.')[1] ?? '', 'base64url').toString())
const workload = (seen: Seen) =>
  JSON.parse(Buffer.from(formOf('/v1/token')(seen).get('subject_token')?.split('.')[1] ?? '', 'base64url').toString()).sub
const iamPath = `/v1/projects/-/serviceAccounts/${encodeURIComponent(reader)}:generateAccessToken`
const silent: Fault = (key) => /^(?:up|down)/.test(key)

const accountRows: readonly Row[] = [
  row(
    'account.key.file',
    [when('google.json', reader), when('google-2.json', expect.stringMatching(/^other@/))],
    (seen) => claims(seen).iss,
    {
      base: { account: {} },
    },
  ),
  row('account.key.env', [when('GOOGLE_KEY', reader), when('GOOGLE_KEY_2', expect.stringMatching(/^other@/))], (seen) => claims(seen).iss, {
    base: { account: {} },
  }),
  row('account.subject', [when(undefined, undefined), when('admin@example.com', 'admin@example.com')], (seen) => claims(seen).sub),
  ...secretRows('directories.<google>.account.token', withDirectory({ ...corp, account: {} }), (settings) =>
    seen(settings, ({ server }) => server.requests[0]?.authorization.replace('Bearer ', '')),
  ),
  row(
    'account.workloadIdentity.provider',
    [when(provider, `//iam.googleapis.com/${provider}`), when(provider.replace('pool/', 'other/'), expect.stringContaining('/other/'))],
    (seen) => formOf('/v1/token')(seen).get('audience'),
    { base: { account: federated } },
  ),
  row(
    'account.workloadIdentity.serviceAccount',
    [when(reader, expect.stringContaining('/reader%40')), when('other@p.iam.gserviceaccount.com', expect.stringContaining('/other%40'))],
    pathOf('/v1/projects/'),
    { base: { account: federated } },
  ),
  row(
    'account.workloadIdentity.token.file',
    [when('workload.jwt', 'system:serviceaccount:plane:sync'), when('workload-2.jwt', 'system:serviceaccount:plane:other')],
    workload,
    { base: { account: federated } },
  ),
]

export const googleRows: readonly Row[] = [
  ...accountRows,
  row('customer', [when(undefined, 'my_customer'), when('C1', 'C1')], listed('customer')),
  row('domain', [when(undefined, complete), when('other.example', { complete: ['Ops'] })], reading),
  row('groups.name', [when('name', complete), when('email', { complete: ['devs@example.com', 'ops@other.example'] })], reading),
  row('people.identity', [when('email', ['person-7@example.com']), when('id', ['107'])], people),
  row('people.nested', [when(false, ['person-7@example.com']), when(true, ['person-7@example.com', 'person-8@example.com'])], people),
  row('pageSize', [when(200, '200'), when(7, '7')], listed('maxResults')),
  row('groupsMax', [when(1, { failed: 'http://127.0.0.1/: there are more than groupsMax (1) groups' }), when(2, complete)], reading),
  row('url', [when(at(''), '/admin/directory/v1/groups'), when(at('/proxy'), '/proxy/admin/directory/v1/groups')], pathOf('/directory/')),
  row('tokenUrl', [when(at('/token'), '/token'), when(at('/other/token'), '/other/token')], pathOf('/token')),
  row('stsUrl', [when(at('/v1/token'), '/v1/token'), when(at('/other/token'), '/other/token')], pathOf('/token'), {
    base: { account: federated },
  }),
  row('iamUrl', [when(at(''), iamPath), when(at('/proxy'), `/proxy${iamPath}`)], pathOf('/v1/projects/'), { base: { account: federated } }),
  row('allowPlaintext', [when(false, 'plain http:// would show the credential to everyone on the way'), when(true, complete)], reading, {
    base: { url: 'http://0.0.0.0:706' },
  }),
  row(
    'timeout',
    [
      when('40ms', { failed: expect.stringContaining('no complete answer within 0.04 s') }),
      when('80ms', { failed: expect.stringContaining('no complete answer within 0.08 s') }),
    ],
    reading,
    { server: { fault: silent } },
  ),
  row(
    'readingTimeout',
    [when('1s', { failed: 'it was not read to its end within 1 s' }), when('2s', { failed: 'it was not read to its end within 2 s' })],
    reading,
    { server: { fault: silent } },
  ),
  row('caFile', [when(undefined, { failed: expect.stringContaining('the certificate is refused') }), when('ca.pem', complete)], reading, {
    base: { url: 'https://127.0.0.1:706', account: token },
    server: { tls: true },
  }),
  ...checkRows('google', { ...corp, groups: { name: 'name' } }, async (look) => {
    await using server = await googleStandIn(['devs', 'ops'].map((name) => ({ id: name, email: `${name}@example.com`, name })))
    return await look({ [standIn.google]: server.url })
  }),
]
