import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { GoogleAccount } from '../../src/directories/google/read.ts'
import { type Fault, type GoogleStandIn, googleStandIn } from './standIns/google.ts'
import { errorBody, json, statusBody } from './standIns/googleAnswers.ts'
import { keyFile, provider, reader, type Tenant, workloadJwt } from './standIns/googleTokens.ts'
import { accounts, named, type Part, reading, showsNone, type World, worldOf } from './standIns/googleWorld.ts'

const groups = named(3)
const soon = () => AbortSignal.timeout(5_000)
const answering =
  (key: string, times: number, answer: (response: ServerResponse) => unknown): Fault =>
  (asked, nth, response) => {
    if (asked !== key || nth > times) return false
    answer(response)
    return true
  }
const always = Number.POSITIVE_INFINITY

const formsOf = ({ requests }: Pick<GoogleStandIn, 'requests'>, path: string) =>
  requests.filter((one) => one.path === path).map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
const claimsIn = (jwt = '') =>
  jwt
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

async function inWorld(part: Part, look: (world: World) => Promise<void>, fault?: Fault): Promise<void> {
  await using server = await googleStandIn(groups, part.tenant, fault)
  await look(worldOf(server, part))
}

describe('each way to a token', () => {
  const ways: readonly (readonly [string, GoogleAccount, readonly string[]])[] = [
    ['a key', accounts.key, ['token']],
    ['a key, for a user', accounts.delegated, ['token']],
    ['workload identity federation', accounts.federated, ['sts', 'generateAccessToken']],
    ['workload identity federation, for a user', accounts.federatedDelegated, ['sts', 'signJwt', 'token']],
    ['a token of another program', accounts.token, []],
  ]
  test.each(ways)('%s: complete, one token for both orders and for several readings', async (_, account, keys) => {
    await inWorld({ account }, async ({ reader, server }) => {
      for (let i = 0; i < 2; i++) expect((await reader.read(soon())).status).toBe('complete')
      expect(server.asked.filter((key) => !/^(?:up|down) /.test(key))).toEqual(keys)
    })
  })

  test('the JWT of a key has the claims that Google asks for, and no client is named', async () => {
    const { requests } = await reading(groups, undefined, { account: accounts.delegated })
    const [form] = formsOf({ requests }, '/token')
    expect(form).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: expect.any(String) })
    const [header, claims] = claimsIn(form?.['assertion'])
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'a1b2c3' })
    expect(claims).toEqual({
      iss: reader,
      sub: 'admin@example.com',
      scope: 'https://www.googleapis.com/auth/admin.directory.group.readonly',
      aud: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/token$/),
      iat: expect.any(Number),
      exp: claims.iat + 3_600,
    })
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(10)
  })

  test('without a user the JWT names none', async () => {
    const { requests } = await reading(groups)
    expect(claimsIn(formsOf({ requests }, '/token')[0]?.['assertion'])[1]).not.toHaveProperty('sub')
  })

  test('the exchange asks only for the right to use service accounts, and sends no other credential', async () => {
    const { requests } = await reading(groups, undefined, { account: accounts.federated })
    const [form] = formsOf({ requests }, '/v1/token')
    expect(form).toMatchObject({ scope: 'https://www.googleapis.com/auth/iam', subject_token: workloadJwt() })
    expect(form).not.toHaveProperty('client_id')
    const call = requests.find(({ path }) => path.endsWith(':generateAccessToken'))
    expect(call?.path).toBe(`/v1/projects/-/serviceAccounts/${encodeURIComponent(reader)}:generateAccessToken`)
    expect(JSON.parse(call?.body ?? '')).toEqual({
      scope: ['https://www.googleapis.com/auth/admin.directory.group.readonly'],
      lifetime: '3600s',
    })
  })
})

describe('the life of a token', () => {
  test.each([
    ['a key', accounts.key, 'token'],
    ['federation', accounts.federated, 'generateAccessToken'],
  ] as const)('of %s: it is renewed a minute before its end', async (_, account, key) => {
    await inWorld({ account, tenant: { lifetimeS: 3_600 } }, async ({ reader, server, clock }) => {
      const renewals = () => server.asked.filter((one) => one === key).length
      await reader.read(soon())
      clock.aheadMs = 3_530_000
      expect((await reader.read(soon())).status).toBe('complete')
      expect(renewals()).toBe(1)
      clock.aheadMs = 3_545_000
      await reader.read(soon())
      expect(renewals()).toBeGreaterThan(1)
    })
  })

  test.each([
    ['a key', accounts.delegated],
    ['federation', accounts.federatedDelegated],
  ] as const)("a JWT of %s has the date of the machine's clock, also after a suspension or a step of the clock", async (_, account) => {
    for (const aheadMs of [-7_200_000, 7_200_000])
      await inWorld({ account }, async ({ reader, clock }) => {
        clock.aheadMs = aheadMs
        expect(await reader.read(soon())).toMatchObject({ status: 'complete' })
      })
  })

  test('the token of a workload is read again for each token', async () => {
    let reads = 0
    const jwt = async () => workloadJwt(`system:serviceaccount:plane:${++reads}`)
    const account = { workloadIdentity: { provider, serviceAccount: reader, jwt } }
    await inWorld({ account }, async ({ reader, server, clock }) => {
      await reader.read(soon())
      // The platform has renewed the JWT. The token that Google gave for the old one is valid.
      expect((await reader.read(soon())).status).toBe('complete')
      expect(formsOf(server, '/v1/token')).toHaveLength(1)
      clock.aheadMs = 3_600_000
      await reader.read(soon())
      expect(formsOf(server, '/v1/token').map((form) => claimsIn(form['subject_token'])[1].sub)).toEqual([
        'system:serviceaccount:plane:1',
        'system:serviceaccount:plane:2',
      ])
    })
  })

  test('a changed key drops it', async () => {
    let file = keyFile('other@project.iam.gserviceaccount.com')
    await inWorld({ account: { key: async () => file } }, async ({ reader: directory, server }) => {
      expect(await directory.read(soon())).toMatchObject({ status: 'failed', why: expect.stringContaining('may not read groups') })
      file = keyFile()
      expect((await directory.read(soon())).status).toBe('complete')
      expect(
        formsOf(server, '/token')
          .map((form) => claimsIn(form['assertion'])[1].iss)
          .at(-1),
      ).toBe(reader)
    })
  })

  test.each([
    [401, errorBody(401, 'authError', 'Invalid Credentials')],
    [403, errorBody(403, 'forbidden', 'Not Authorized to access this resource/api')],
  ])('a %i in the middle of a reading drops it, once', async (status, body) => {
    const fault: Fault = (key, _, response) =>
      key === 'up 2' && response.req.headers.authorization === 'Bearer ya29.token-1' && json(response, status, body)
    const { result, asked } = await reading(named(12), fault)
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'token')).toHaveLength(2)
  })

  test('a token that is revoked for ever ends the reading', async () => {
    const { result, asked } = await reading(
      groups,
      answering('up 1', always, (response) => json(response, 401, errorBody(401, 'authError', 'Invalid Credentials'))),
    )
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the token is refused'),
      cure: expect.stringContaining('not disabled'),
    })
    expect(asked.filter((key) => key === 'up 1')).toHaveLength(2)
  })
})

test('all that proves an identity is known as a secret before it is sent', async () => {
  for (const account of [accounts.delegated, accounts.federated, accounts.federatedDelegated, accounts.token]) {
    await inWorld({ account }, async (world) => {
      const result = await world.reader.read(soon())
      expect(result.status).toBe('complete')
      showsNone(result, world)
      const sent = world.server.requests.flatMap(({ authorization, body }) => [
        authorization.replace('Bearer ', ''),
        new URLSearchParams(body).get('assertion') ?? '',
        new URLSearchParams(body).get('subject_token') ?? '',
      ])
      expect(new Set(sent.filter((text) => text !== '')).difference(world.secrets)).toEqual(new Set())
    })
  }
})

test('the private key of a key file is known as a secret', async () => {
  await inWorld({ account: accounts.key }, async (world) => {
    await world.reader.read(soon())
    const { private_key: pem } = JSON.parse(keyFile()) as { private_key: string }
    expect([...world.secrets]).toContain(pem.replaceAll(/-----[^-]*-----|\s/g, ''))
  })
})

describe('a refusal names the cure', () => {
  const oauth = (status: number, error: string, error_description: string) => (response: ServerResponse) =>
    json(response, status, { error, error_description })
  const rights = statusBody(
    403,
    'PERMISSION_DENIED',
    "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
  )
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  const key = (text: string): GoogleAccount => ({ key: async () => text })
  const workload = (part: object): GoogleAccount => ({ workloadIdentity: { ...accounts.federated.workloadIdentity, ...part } })

  type Refusal = { readonly account?: GoogleAccount; readonly tenant?: Tenant; readonly fault?: Fault; readonly aheadMs?: number }
  const refusals: readonly (readonly [string, Refusal, string, string])[] = [
    ['no admin role', { tenant: { readers: [] } }, 'may not read groups', 'Groups Reader'],
    [
      'a user without an admin role',
      { account: { ...accounts.delegated, subject: 'bob@example.com' } },
      'may not read groups',
      'account.subject',
    ],
    [
      'no delegation',
      { account: accounts.delegated, tenant: { isDelegated: false } },
      'for admin@example.com is refused, 401 (unauthorized_client',
      'admin.directory.group.readonly; this can take up to 24 hours',
    ],
    [
      'an unknown user',
      { account: { ...accounts.delegated, subject: 'bob@other.example' } },
      'Invalid email or User ID',
      'check that account.subject, bob@other.example',
    ],
    ['a clock that is ahead', { aheadMs: 3_600_000 }, 'reasonable timeframe', 'check that the clock of this machine is right'],
    [
      'a deleted key',
      { fault: answering('token', always, oauth(400, 'invalid_grant', 'Invalid JWT Signature.')) },
      'Invalid JWT Signature',
      'make a new one',
    ],
    [
      'a deleted account',
      { fault: answering('token', always, oauth(400, 'invalid_grant', 'Invalid grant: account not found')) },
      'account not found',
      'was deleted',
    ],
    [
      'another provider',
      { account: workload({ provider: provider.replace('cluster', 'other') }) },
      'the token of the workload is refused, 400 (invalid_target',
      'check account.workloadIdentity.provider',
    ],
    [
      'another workload',
      { account: workload({ jwt: async () => workloadJwt('bob') }) },
      'attribute condition',
      'check the attribute condition',
    ],
    [
      'an expired workload token',
      {
        account: accounts.federated,
        fault: answering('sts', always, oauth(400, 'invalid_grant', 'ID Token issued at 1 is stale to sign-in.')),
      },
      'stale',
      'the JWT has not expired',
    ],
    [
      'an issuer that Google cannot reach',
      {
        account: accounts.federated,
        fault: answering('sts', always, oauth(400, 'invalid_grant', "Error connecting to the given credential's issuer.")),
      },
      'Error connecting',
      'upload its JWKS',
    ],
    [
      'a workload without rights',
      { account: accounts.federated, fault: answering('generateAccessToken', always, (response) => json(response, 403, rights)) },
      `may not use the service account ${reader}`,
      'grant the role roles/iam.workloadIdentityUser',
    ],
    [
      'a workload that may not sign',
      { account: accounts.federatedDelegated, fault: answering('signJwt', always, (response) => json(response, 403, rights)) },
      `may not use the service account ${reader}`,
      'grant the role roles/iam.serviceAccountTokenCreator',
    ],
    [
      'an unknown service account',
      {
        account: accounts.federated,
        fault: answering('generateAccessToken', always, (response) =>
          json(response, 404, statusBody(404, 'NOT_FOUND', 'Not found; Gaia id not found')),
        ),
      },
      'is not accepted',
      'check account.workloadIdentity.serviceAccount',
    ],
    [
      'IAM that is not enabled',
      {
        account: accounts.federated,
        fault: answering('generateAccessToken', always, (response) =>
          json(response, 403, statusBody(403, 'PERMISSION_DENIED', 'x', 'SERVICE_DISABLED')),
        ),
      },
      'not enabled',
      'enable the IAM Service Account Credentials API',
    ],
    [
      'IAM that answers something else',
      { account: accounts.federated, fault: answering('generateAccessToken', always, (response) => json(response, 200, {})) },
      'an unexpected shape (accessToken:',
      'of this kind',
    ],
    [
      'a token address of another server',
      { fault: answering('token', always, (response) => response.writeHead(404).end()) },
      '404, there is no token endpoint',
      '/token',
    ],
    [
      'a redirect',
      { fault: answering('token', always, (response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end()) },
      'which is not followed',
      'final address',
    ],
    [
      'an answer without a token',
      { fault: answering('token', always, (response) => json(response, 200, {})) },
      'not an answer of an OAuth server',
      '',
    ],
    [
      'HTML in place of a token',
      { fault: answering('token', always, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')) },
      'not an answer with a token',
      'issues tokens',
    ],
    [
      'a token address in the key',
      { account: key(keyFile(reader, { token_uri: 'https://tokens.example.com/x' })) },
      'names the token address https://tokens.example.com/x',
      'set tokenUrl to it',
    ],
    [
      'a key that is no JSON',
      { account: key('-----BEGIN PRIVATE KEY-----') },
      'the key of the service account is not JSON',
      'make a key of the type JSON',
    ],
    [
      'a key of another type',
      { account: key(JSON.stringify({ type: 'external_account' })) },
      'type, client_email, private_key_id, private_key is missing or wrong',
      'use account.workloadIdentity',
    ],
    ['a key that is a list', { account: key('[]') }, 'is not an object of JSON', 'make a key of the type JSON'],
    [
      'a key without its private part',
      { account: key(keyFile(reader, { private_key: 'x' })) },
      'is not a private key that can be read',
      'make a key',
    ],
    ['an EC key', { account: key(keyFile(reader, { private_key: pem(ec) })) }, 'is not an RSA key', 'make a key'],
    ['a short key', { account: key(keyFile(reader, { private_key: pem(short) })) }, '1024 bits, too few', 'make a key'],
    ['an empty key', { account: key('') }, 'the key of the service account is empty', 'fill the file'],
    [
      'a workload token that is none',
      { account: workload({ jwt: async () => 'x' }) },
      'the token of the workload is not a JWT',
      'projected service-account token',
    ],
    ['an old token', { account: { token: async () => 'old' } }, 'the token is refused', 'is its own'],
  ]
  test.each(refusals)('%s', async (_, { account = accounts.key, tenant = {}, fault, aheadMs = 0 }, why, cure) => {
    await inWorld(
      { account, tenant },
      async (world) => {
        world.clock.wallAheadMs = aheadMs
        const result = await world.reader.read(soon())
        expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
        if (cure !== '') expect(result).toMatchObject({ cure: expect.stringContaining(cure) })
        expect(JSON.stringify(result)).not.toMatch(/PRIVATE KEY-----.{10}/)
        showsNone(result, world)
      },
      fault,
    )
  })
})

describe('a failure on the way to a token that may be over soon', () => {
  const transient: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
    ['500', (response) => json(response, 500, { error: 'internal_failure' })],
    ['503 in HTML', (response) => response.writeHead(503).end('<html>')],
    ['429', (response) => json(response, 429, { error: 'rate_limit' })],
    ['a reset', (response) => response.destroy()],
    ['JSON that is cut', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access')],
  ]
  const keys = [
    ['token', accounts.key],
    ['sts', accounts.federated],
    ['generateAccessToken', accounts.federated],
    ['signJwt', accounts.federatedDelegated],
  ] as const
  test.each(keys.flatMap(([key, account]) => transient.map(([name, answer]) => [key, name, account, answer] as const)))(
    '%s: %s, once: asked again, complete',
    async (key, _, account, answer) => {
      const { result, asked } = await reading(groups, answering(key, 1, answer), { account })
      expect(result).toMatchObject({ status: 'complete' })
      expect(asked.filter((one) => one === key).length).toBeGreaterThan(1)
    },
  )

  test.each(keys)('%s that stalls meets the time limit of a request', async (key, account) => {
    const { result } = await reading(
      groups,
      answering(key, always, () => undefined),
      { account, deadlineMs: 100, limits: { attemptsMax: 1 } },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('no complete answer within 0.1 s') })
  })
})

test.each([
  ['url', accounts.token],
  ['tokenUrl', accounts.key],
  ['stsUrl', accounts.federated],
  ['iamUrl', accounts.federated],
] as const)('plain http to another host in %s is refused before anything is sent', async (setting, account) => {
  const { result, asked } = await reading(groups, undefined, { account, settings: { [setting]: new URL('http://google.example.com/x') } })
  expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('without encryption') })
  expect(asked).toEqual([])
})
