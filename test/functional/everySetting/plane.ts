import { json, type RawServer, rawServer } from '../rawServer.ts'
import { selfSigned } from '../selfSigned.ts'
import { composed, standIn, usual } from './composed.ts'
import { over, type Row, type Tree, when } from './row.ts'

/** Settings that change the requests to the service, or their credential. */

/** Runs one cycle against an empty service, and looks at the requests. */
async function asked<T>(settings: Tree, look: (requests: RawServer['requests']) => T): Promise<T> {
  await using server = await rawServer((request, response) => {
    const isToken = request.url?.endsWith('/auth/o/token/') === true
    json(response, 200, isToken ? { access_token: 'a-token', token_type: 'Bearer', expires_in: 300 } : [])
  })
  await using program = await composed(settings, { ports: { [standIn.plane]: server.url } })
  await program.cycle()
  return look(server.requests)
}

const first =
  (look: (request: RawServer['requests'][number]) => unknown) =>
  (settings: Tree): Promise<unknown> =>
    asked(settings, ([request]) => request && look(request))

const keySent = first(({ headers }) => headers['x-api-key'])
const path = first(({ url }) => url.split('/group-sync')[0])
const placeAsked = first(({ url, headers }) => `${String(headers.host).split(':')[0]} ${url.split('/workspaces')[0]}`)
const form = (name: string) => first(({ body }) => new URLSearchParams(body).get(name))
const basic = (part: 0 | 1) => first(({ headers }) => atob(String(headers.authorization).slice('Basic '.length)).split(':')[part])

const secrets = [
  ['env', 'KEY', 'firstKey', 'KEY_2', 'secondKey'],
  ['file', 'key.txt', 'keyOfFile', 'key-2.txt', 'keyOfFile2'],
] as const

/** Rows for a setting that takes a secret by reference. */
export const secretRows = (setting: string, base: Tree, see: Row['see']): readonly Row[] =>
  secrets.map(([kind, one, content, another, other]) => ({
    setting: `${setting}.${kind}`,
    base,
    cases: [when(one, content), when(another, other)],
    see,
  }))

const { credential: _, ...nobody } = usual.service as Tree
const withoutCredential: Tree = { ...usual, service: nobody }
const client = { clientId: 'app', installation: 'an-installation' }
const clientSecret = { env: 'KEY' }

/** The rows of a credential, for one of the two places that accept one. */
const credentialRows = (place: 'service.credential' | 'service.credentials.<name>'): readonly Row[] => {
  const credential = (value: Tree): Tree =>
    over(withoutCredential, { service: place === 'service.credential' ? { credential: value } : { credentials: { default: value } } })
  const oauth = credential({ oauth: { ...client, clientSecret } })
  const scopes = ['projects:read']
  return [
    ...secretRows(`${place}.apiKey`, withoutCredential, keySent),
    ...secretRows(`${place}.oauth.clientSecret`, credential({ oauth: client }), basic(1)),
    {
      setting: `${place}.oauth.clientId`,
      base: oauth,
      cases: [when('app', 'app'), when('other', 'other')],
      see: basic(0),
    },
    {
      setting: `${place}.oauth.installation`,
      base: oauth,
      cases: [when('one', 'one'), when('two', 'two')],
      see: form('app_installation_id'),
    },
    {
      setting: `${place}.oauth.scopes`,
      base: oauth,
      cases: [when(scopes, 'projects:read'), when([...scopes, 'more'], 'projects:read more')],
      see: form('scope'),
    },
  ]
}

async function view(settings: Tree): Promise<unknown> {
  await using program = await composed(settings)
  const { limit, windowMs, allowed } = program.program.queues.get('default')?.view() ?? {}
  return `${allowed} of ${limit} in ${windowMs} ms`
}

/** The reason why the first list of a workspace could not be read. If it could be read: the kind of the cycle's result. */
async function failure(settings: Tree, answers: boolean, tls?: typeof selfSigned): Promise<unknown> {
  await using server = await rawServer((_request, response) => (answers ? json(response, 200, []) : undefined), tls)
  await using program = await composed(settings, { ports: { [standIn.plane]: server.url } })
  const { workspaces } = await program.cycle()
  const [one] = workspaces
  return one?.kind === 'failed' && one.error instanceof Error
    ? /(no complete answer within [\d.]+ s|the certificate is refused)/.exec(one.error.message)?.[0]
    : one?.kind
}

export const planeRows: readonly Row[] = [
  {
    setting: 'service.baseUrl',
    base: usual,
    cases: [
      when('http://127.0.0.1:701', '127.0.0.1 /api/v1'),
      when('http://127.0.0.1:701/plane', '127.0.0.1 /plane/api/v1'),
      when('http://localhost:701', 'localhost /api/v1'),
    ],
    see: placeAsked,
  },
  {
    setting: 'service.allowPlaintext',
    // 0.0.0.0 leads to this machine, but it is not a loopback address by its text.
    base: over(usual, { service: { baseUrl: 'http://0.0.0.0:701' } }),
    cases: [when(false, 'plain http:// would show the credential to everyone on the way'), when(true, '0.0.0.0 /api/v1')],
    see: placeAsked,
  },
  ...credentialRows('service.credential'),
  ...credentialRows('service.credentials.<name>'),
  {
    setting: 'service.limit.requests',
    base: usual,
    cases: [when(60, '54 of 60 in 60000 ms'), when(20, '18 of 20 in 60000 ms')],
    see: view,
  },
  {
    setting: 'service.limit.window',
    base: usual,
    cases: [when('1m', '54 of 60 in 60000 ms'), when('1s', '54 of 60 in 1000 ms')],
    see: view,
  },
  {
    setting: 'service.limit.reserve',
    base: usual,
    cases: [when('10%', '54 of 60 in 60000 ms'), when('50%', '30 of 60 in 60000 ms')],
    see: view,
  },
  {
    setting: 'service.timeout',
    base: usual,
    cases: [when('40ms', 'no complete answer within 0.04 s'), when('80ms', 'no complete answer within 0.08 s')],
    see: (settings) => failure(settings, false),
  },
  {
    setting: 'service.caFile',
    base: over(usual, { service: { baseUrl: 'https://127.0.0.1:701' } }),
    cases: [when(undefined, 'the certificate is refused'), when('ca.pem', 'judged')],
    see: (settings) => failure(settings, true, selfSigned),
  },
  {
    setting: 'workspaces.<name>.slug',
    base: usual,
    cases: [when(undefined, '/api/v1/workspaces/acme'), when('acme-stg', '/api/v1/workspaces/acme-stg')],
    see: path,
  },
  {
    setting: 'workspaces.<name>.credential',
    base: over(usual, { service: { credentials: { other: { apiKey: { env: 'KEY_2' } } } } }),
    cases: [when(undefined, 'firstKey'), when('other', 'secondKey')],
    see: keySent,
  },
]
