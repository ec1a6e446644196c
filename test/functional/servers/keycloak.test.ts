import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupIndex } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { type KeycloakSettings, keycloak } from '../../../src/directories/keycloak/read.ts'
import type { ClientProof } from '../../../src/directories/overHttp/token.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { people } from '../../unit/bounds.ts'
import { selfSigned } from '../selfSigned.ts'
import { type Keycloak, startKeycloak } from './keycloak.ts'
import { groupsTotal, makeAccount, realm, secret } from './keycloakRealm.ts'

let server: Keycloak
beforeAll(async () => {
  server = await startKeycloak()
  // The first start on a machine also fills the realm.
}, 400_000)
afterAll(() => server[Symbol.asyncDispose]())

const around = {
  connect: (url: URL) =>
    connectOrigin(url, { deadlineMs: 20_000, bytesMax: 4 * 1024 * 1024, idleMs: 2_000, connections: 4, now: Date.now }),
  now: Date.now,
  wall: Date.now,
  wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
  random: Math.random,
}
const limits = { pageSize: 100, groupsMax: 10_000, depthMax: 10, requestsMax: 2_000, attemptsMax: 3, concurrency: 2 }

type Part = {
  readonly url?: URL
  readonly realm?: string
  readonly id?: string
  readonly proof?: ClientProof
  readonly groups?: Partial<KeycloakSettings['groups']>
  readonly limits?: Partial<KeycloakSettings['limits']>
}
const directory = (part: Part = {}) =>
  keycloak(
    {
      url: part.url ?? server.url,
      realm: part.realm ?? realm,
      client: { id: part.id ?? 'view-users', ...(part.proof ?? { secret: async () => secret }) },
      groups: { name: 'path', slashes: 'plain', members: false, ...part.groups },
      limits: { ...limits, ...part.limits },
    },
    around,
  )
const read = (part: Part = {}) => directory(part).read(AbortSignal.timeout(60_000))

function complete(reading: Reading<GroupIndex>): GroupIndex {
  expect(reading).toMatchObject({ status: 'complete' })
  return reading.status === 'complete' ? reading.value : new Map()
}
const countOf = (index: GroupIndex) => [...index.values()].flat().length
const named = (index: GroupIndex, name: string) => index.get(name as GroupName)

describe('a realm of 443 groups, three deep', () => {
  test('is read whole, by path', async () => {
    const index = complete(await read())
    expect(countOf(index)).toBe(groupsTotal)
    expect(named(index, '/Team 12/sub-12-4/leaf-12-4-5')).toHaveLength(1)
    expect([...index.keys()].filter((name) => name.startsWith('/Wide/'))).toHaveLength(130)
    for (const name of ['/ Space ', '/ÜBER', '/Case', '/case', '/x,y=z', '/100%', '/a/b', '/tilde~/y']) {
      expect(named(index, name), name).toHaveLength(1)
    }
  })

  test('is read whole in pages of seven', async () => {
    const index = complete(await read({ limits: { pageSize: 7 } }))
    expect(countOf(index)).toBe(groupsTotal)
  })

  test('by bare name and with the secret in the form', async () => {
    const index = complete(
      await read({ groups: { name: 'name' }, proof: { secret: async () => secret, authentication: 'client_secret_post' } }),
    )
    expect(named(index, 'leaf-12-4-5')).toMatchObject([{ place: '/Team 12/sub-12-4/leaf-12-4-5' }])
  })

  test('below one group', async () => {
    const index = complete(await read({ groups: { under: '/Team 03' } }))
    expect(countOf(index)).toBe(1 + 4 + 20)
  })

  test('with its people: enabled ones, past the default page of a hundred', async () => {
    const index = complete(await read({ groups: { members: true } }))
    expect(named(index, '/Big')).toMatchObject([{ size: people(234) }])
    expect(named(index, '/Empty')?.[0]).not.toHaveProperty('people')
    expect(named(index, '/Team 01/sub-1-1/leaf-1-1-1')).toMatchObject([{ size: people(1) }])
  })

  test('and a token that lives two seconds, renewed on the way', async () => {
    const index = complete(await read({ id: 'short-lived', groups: { members: true } }))
    expect(countOf(index)).toBe(groupsTotal)
  })

  test('names are what the claim carries', async () => {
    const claims = await login()
    const [byPath, byName] = [complete(await read()), complete(await read({ groups: { name: 'name' } }))]
    expect(claims.groups.toSorted()).toEqual(['/Team 01/sub-1-1/leaf-1-1-1', '/a/b', '/tilde~/y'])
    expect(claims.groups.filter((name) => !byPath.has(name as GroupName))).toEqual([])
    expect(claims.bare.toSorted()).toEqual(['a/b', 'leaf-1-1-1', 'tilde~/y'])
    expect(claims.bare.filter((name) => !byName.has(name as GroupName))).toEqual([])
  })
})

describe('a reading that proves nothing', () => {
  test('query-groups alone sees an empty list: failed, and the role to give is named', async () => {
    expect(await read({ id: 'query-groups' })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`has ${groupsTotal} groups, and the account of client "query-groups" sees none`),
      cure: expect.stringContaining('view-users'),
    })
  })

  test('no role at all', async () => {
    expect(await read({ id: 'none' })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('403'),
      cure: expect.stringContaining('view-users'),
    })
  })

  test.each([
    ['a wrong secret', { proof: { secret: async () => 'wrong-secret' } }],
    ['an unknown client', { id: 'nobody' }],
  ])('%s', async (_, part: Part) => {
    const reading = await read(part)
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('401'), cure: expect.stringContaining('secret') })
    expect(JSON.stringify(reading)).not.toMatch(/wrong-secret|s3cret/)
  })

  test('a wrong realm', async () => {
    expect(await read({ realm: 'nowhere' })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('404'),
      cure: expect.stringContaining('/realms/nowhere'),
    })
  })

  test('slashes said the wrong way: the path that Keycloak would send is shown', async () => {
    expect(await read({ groups: { slashes: 'escaped' } })).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('try slashes: plain'),
    })
  })

  test('nothing under a path', async () => {
    expect(await read({ groups: { under: '/team 03' } })).toMatchObject({ status: 'failed', why: expect.stringContaining('/team 03') })
  })
})

describe('a client that signs a JWT (private_key_jwt)', () => {
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
  const rsaPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [rsa, other] = [rsaPair(), rsaPair()]
  const signedBy = (key: string, more: { readonly keyId?: string; readonly certificateFile?: string } = {}): ClientProof => ({
    privateKey: { key: async () => key, ...more },
  })
  const pem = rsa.privateKey.export(pkcs8)
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signed-'))
    await writeFile(join(folder, 'cert.pem'), selfSigned.cert)
    const keys = [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }]
    const clientAuthenticatorType = 'client-jwt'
    const jwks = { 'use.jwks.string': 'true', 'jwks.string': JSON.stringify({ keys }) }
    await makeAccount(server.admin, ['view-users'], { clientId: 'signed', clientAuthenticatorType, attributes: jwks })
    const certificate = selfSigned.cert.replaceAll(/-----[A-Z ]+-----|\s/g, '')
    const attributes = { 'jwt.credential.certificate': certificate }
    await makeAccount(server.admin, ['view-users'], { clientId: 'certified', clientAuthenticatorType, attributes })
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['by its key id', () => ({ id: 'signed', proof: signedBy(pem, { keyId: 'k1' }) })],
    [
      'by the key id of a JWK',
      () => ({ id: 'signed', proof: signedBy(JSON.stringify({ ...rsa.privateKey.export({ format: 'jwk' }), kid: 'k1' })) }),
    ],
    ['without a key id', () => ({ id: 'signed', proof: signedBy(pem) })],
    [
      'with a certificate, by its thumbprint',
      () => ({ id: 'certified', proof: signedBy(selfSigned.key, { certificateFile: join(folder, 'cert.pem') }) }),
    ],
  ])('is accepted %s', async (_, part: () => Part) => {
    expect(countOf(complete(await read(part())))).toBe(groupsTotal)
  })

  test.each([
    ['another key', signedBy(other.privateKey.export(pkcs8), { keyId: 'k1' }), 'has this public key under the key id "k1"'],
    ['a key id that the server does not know', signedBy(pem, { keyId: 'k2' }), 'has this public key under the key id "k2"'],
    ['a secret instead', { secret: async () => secret }, 'its secret'],
  ])('%s is refused, with what to check', async (_, proof: ClientProof, cure) => {
    const reading = await read({ id: 'signed', proof })
    expect(reading).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/client "signed" is refused, 40[01] \((invalid_client|unauthorized_client)/),
      cure: expect.stringContaining(cure),
    })
  })
})

describe('roles in the place of groups', () => {
  const claimMapper = (claim: string, kind: string, more: object = {}) => ({
    name: claim,
    protocol: 'openid-connect',
    protocolMapper: `oidc-usermodel-${kind}-role-mapper`,
    config: { 'claim.name': claim, 'access.token.claim': 'true', multivalued: 'true', ...more },
  })
  const clientId = 'app/x y'
  const ofClient = { roles: { clientRoles: clientId } }
  beforeAll(async () => {
    const { admin } = server
    for (let i = 0; i < 130; i++) await admin('POST', `/${realm}/roles`, { name: `role-${String(i).padStart(3, '0')}` })
    for (const name of [' Space ', 'a/b', 'ÜBER', 'x,y']) await admin('POST', `/${realm}/roles`, { name })
    await admin('POST', `/${realm}/roles`, { name: 'both', composite: true, composites: { realm: ['role-001'] } })
    const { id } = await admin('POST', `/${realm}/clients`, { clientId, publicClient: true })
    for (let i = 0; i < 25; i++) await admin('POST', `/${realm}/clients/${id}/roles`, { name: `of-app-${i}` })
    for (const role of ['view-realm', 'view-clients', 'query-clients']) await makeAccount(admin, [role], { clientId: role, secret })
  }, 120_000)

  test('those of the realm are read by an account with view-realm alone, in pages', async () => {
    for (const pageSize of [100, 7]) {
      const index = complete(await read({ id: 'view-realm', groups: { roles: 'realmRoles' }, limits: { pageSize } }))
      // A realm has the roles default-roles-t1, offline_access and uma_authorization from the beginning.
      expect(countOf(index)).toBe(130 + 4 + 1 + 3)
      for (const name of [' Space ', 'a/b', 'ÜBER', 'x,y', 'both', 'role-129']) expect(named(index, name), name).toHaveLength(1)
      expect(named(index, 'role-000')).toEqual([{ name: 'role-000', id: expect.stringMatching(/^[0-9a-f-]{36}$/), place: 'role role-000' }])
    }
  })

  test('those of a client are read by an account with view-clients alone', async () => {
    const index = complete(await read({ id: 'view-clients', groups: ofClient, limits: { pageSize: 7 } }))
    expect(countOf(index)).toBe(25)
  })

  test.each<[string, Partial<KeycloakSettings['groups']>, string, string]>([
    ['view-users', { roles: 'realmRoles' }, 'may not read roles', 'view-realm'],
    ['view-clients', { roles: 'realmRoles' }, 'may not read roles', 'view-realm'],
    ['view-realm', ofClient, 'may not read roles', 'view-clients'],
    ['query-clients', ofClient, 'has no client "app/x y", or the account', 'view-clients'],
    ['view-clients', { roles: { clientRoles: 'nobody' } }, 'has no client "nobody"', 'check groups.from.clientRoles'],
  ])('an account with %s alone, asked for %j: what is missing', async (id, groups, why, cure) => {
    expect(await read({ id, groups })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(why),
      cure: expect.stringContaining(cure),
    })
  })

  test('names are what the claim carries, and a composite role carries its parts too', async () => {
    const { admin } = server
    const first = async (path: string) => ((await admin('GET', `/${realm}${path}`)).json as { readonly id: string }[])[0]?.id ?? ''
    const [loginClient, app, anna] = [
      await first('/clients?clientId=login'),
      await first(`/clients?clientId=${encodeURIComponent(clientId)}`),
      await first('/users?username=anna'),
    ]
    for (const mapper of [
      claimMapper('realmRoles', 'realm'),
      claimMapper('clientRoles', 'client', { 'usermodel.clientRoleMapping.clientId': clientId }),
    ])
      await admin('POST', `/${realm}/clients/${loginClient}/protocol-mappers/models`, mapper)
    const both = (await admin('GET', `/${realm}/roles/both`)).json
    await admin('POST', `/${realm}/users/${anna}/role-mappings/realm`, [both])
    const ofApp = (await admin('GET', `/${realm}/clients/${app}/roles/of-app-7`)).json
    await admin('POST', `/${realm}/users/${anna}/role-mappings/clients/${app}`, [ofApp])
    const claims = await login()
    expect(claims.realmRoles).toEqual(expect.arrayContaining(['both', 'role-001']))
    expect(claims.clientRoles).toEqual(['of-app-7'])
    const index = complete(await read({ id: 'view-realm', groups: { roles: 'realmRoles' } }))
    expect(claims.realmRoles?.filter((name) => !index.has(name as GroupName))).toEqual([])
  })
})

test('a Keycloak that escapes slashes is read by escaped paths', async () => {
  await using escaping = await startKeycloak('--spi-group--jpa--escape-slashes-in-group-path=true')
  const index = complete(await read({ url: escaping.url, groups: { slashes: 'escaped' } }))
  expect(countOf(index)).toBe(groupsTotal)
  for (const name of ['/a~/b', '/tilde~~/y', '/tilde~x']) expect(named(index, name), name).toHaveLength(1)
  expect(await read({ url: escaping.url })).toMatchObject({ status: 'partial', missing: expect.stringContaining('try slashes: escaped') })
})

// Last, for it changes the realm.
test('while groups are made and deleted a reading is whole or says that it is not, and the next one knows', async () => {
  const making = new AbortController()
  const made = makeGroups(making.signal)
  const readings = []
  for (let i = 0; i < 3; i++) readings.push(await read({ limits: { pageSize: 20 } }))
  making.abort()
  const count = groupsTotal + (await made)
  expect(readings.map(({ status }) => status)).toContain('partial')
  expect(countOf(complete(await read()))).toBe(count)
})

/** Adds two groups and removes one, again and again, at the front of the list. */
async function makeGroups(signal: AbortSignal): Promise<number> {
  let kept = 0
  for (; !signal.aborted; kept++) {
    const { id } = await server.admin('POST', `/${realm}/groups`, { name: `!${kept}-short` })
    await server.admin('POST', `/${realm}/groups`, { name: `!${kept}-long` })
    await server.admin('DELETE', `/${realm}/groups/${id}`)
  }
  return kept
}

type Claims = {
  readonly groups: readonly string[]
  readonly bare: readonly string[]
  readonly realmRoles?: readonly string[]
  readonly clientRoles?: readonly string[]
}
async function login(): Promise<Claims> {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'login', username: 'anna', password: secret })
  const answer = await fetch(new URL(`/realms/${realm}/protocol/openid-connect/token`, server.url), { method: 'POST', body: form })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}
