import { createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientProof, clientTokens } from '../../../src/directories/overHttp/token.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { selfSigned } from '../selfSigned.ts'
import { type OidcProvider, startOidcProvider } from './oidcProvider.ts'
import { issueCertificate } from './slapd.ts'

/** Ways to a token that the tests of Keycloak do not have. A real server of another project accepts each, and introspects the token. */

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const
type Algorithm = keyof typeof pairs
const algorithms = Object.keys(pairs) as Algorithm[]
const jwkOf = (alg: Algorithm) => ({ ...pairs[alg].publicKey.export({ format: 'jwk' }), alg, use: 'sig', kid: `key-${alg}` })

/** RFC 6749 §2.3.1 and appendix A: printable ASCII. Both are form-encoded before they become the user and the password of HTTP Basic. */
const [oddId, oddSecret] = ['reader:of groups/+', 'p:ss word+/%&= of a test']
const subject = '/O=Example/CN=reader'
const ownJwk = {
  ...createPublicKey(selfSigned.cert).export({ format: 'jwk' }),
  x5c: [selfSigned.cert.replaceAll(/-----[A-Z ]+-----|\s/g, '')],
}

let server: OidcProvider
beforeAll(async () => {
  server = await startOidcProvider([
    { client_id: oddId, client_secret: oddSecret, token_endpoint_auth_method: 'client_secret_basic' },
    { client_id: 'post', client_secret: oddSecret, token_endpoint_auth_method: 'client_secret_post' },
    ...algorithms.map((alg) => ({
      client_id: alg,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: alg,
      jwks: { keys: [jwkOf(alg)] },
    })),
    {
      client_id: 'certified',
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'O=Example,CN=reader',
      tls_client_certificate_bound_access_tokens: true,
    },
    { client_id: 'own', token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [ownJwk] } },
    { client_id: 'inspector', client_secret: oddSecret, token_endpoint_auth_method: 'client_secret_post' },
  ])
})
afterAll(() => server?.[Symbol.asyncDispose]())

const connect: Parameters<typeof clientTokens>[1]['connect'] = (url, trust) =>
  connectOrigin(url, { ...trust, deadlineMs: 20_000, bytesMax: 100_000, idleMs: 2_000, connections: 2, now: Date.now })

async function tokenOf(id: string, proof: ClientProof): Promise<string> {
  const client = { id, ...proof }
  const tokens = clientTokens(
    { server: { issuer: server.issuer }, client, allowPlaintext: false },
    { connect, now: Date.now, wall: Date.now },
  )
  const signal = AbortSignal.timeout(30_000)
  return (await tokens.open(server.ca, signal)).token(signal)
}

/** What the server says of a token that it gave (RFC 7662). */
async function inspected(token: string): Promise<unknown> {
  const origin = connect(server.issuer, { ca: server.ca })
  const body = new URLSearchParams({ token, client_id: 'inspector', client_secret: oddSecret }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await origin.request({ method: 'POST', path: '/token/introspection', headers, body }, AbortSignal.timeout(20_000))
  await origin.close()
  return JSON.parse(answer.body)
}
const active = (id: string) => ({ active: true, client_id: id, token_type: 'Bearer' })

describe('a token that the server knows as that of the client', () => {
  test.each([
    [oddId, 'client_secret_basic'],
    ['post', 'client_secret_post'],
  ] as const)('for %s by %s, with a secret of all sorts of characters', async (id, authentication) => {
    expect(await inspected(await tokenOf(id, { secret: async () => oddSecret, authentication }))).toMatchObject(active(id))
  })

  test.each(algorithms)('by private_key_jwt with %s', async (alg) => {
    const key = JSON.stringify({ ...pairs[alg].privateKey.export({ format: 'jwk' }), alg })
    expect(await inspected(await tokenOf(alg, { privateKey: { key: async () => key, keyId: `key-${alg}` } }))).toMatchObject(active(alg))
    if (alg === 'PS256') return
    const pem = pairs[alg].privateKey.export(pkcs8)
    expect(await inspected(await tokenOf(alg, { privateKey: { key: async () => pem } }))).toMatchObject(active(alg))
  })

  test('by a JWT that another program signed; the server takes each only once', async () => {
    const assertion = async () => signed({ iss: 'ES256', sub: 'ES256', aud: server.issuer.origin, jti: 'only-once' })
    expect(await inspected(await tokenOf('ES256', { assertion }))).toMatchObject(active('ES256'))
    await expect(tokenOf('ES256', { assertion })).rejects.toMatchObject({
      message: expect.stringMatching(/refused, 40[01] \(invalid_client/),
    })
  })

  test('by a certificate of a CA that the server trusts, to which the token is bound (tls_client_auth)', async () => {
    const { certificateFile, keyFile } = issueCertificate(server.caFile, subject)
    const token = await tokenOf('certified', { tls: { certificateFile, key: async () => readFileSync(keyFile, 'utf8') } })
    const print = Buffer.from(new X509Certificate(readFileSync(certificateFile)).fingerprint256.replaceAll(':', ''), 'hex')
    expect(await inspected(token)).toMatchObject({ ...active('certified'), cnf: { 'x5t#S256': print.toString('base64url') } })
  })

  test('by a certificate that the server has registered for the client (self_signed_tls_client_auth)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-'))
    const certificateFile = join(folder, 'cert.pem')
    writeFileSync(certificateFile, selfSigned.cert)
    const token = await tokenOf('own', { tls: { certificateFile, key: async () => selfSigned.key } })
    rmSync(folder, { recursive: true })
    expect(await inspected(token)).toMatchObject(active('own'))
  })
})

describe('a client that is refused is named, with what to check', () => {
  const refused = (id: string, cure: string) => ({
    message: expect.stringMatching(new RegExp(`client "${id}" is refused, 40[01] \\(invalid_client`)),
    cure: expect.stringContaining(cure),
  })

  test('another key', async () => {
    const key = async () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8)
    await expect(tokenOf('ES256', { privateKey: { key } })).rejects.toMatchObject(refused('ES256', 'the public key of this private key'))
  })

  test.each(['client_secret_basic', 'client_secret_post'] as const)('another secret by %s', async (authentication) => {
    const proof: ClientProof = { secret: async () => 'another secret', authentication }
    await expect(tokenOf('post', proof)).rejects.toMatchObject(refused('post', 'check the id "post", its secret'))
  })

  test.each([
    ['for another name', '/O=Example/CN=other', 1],
    ['that has expired', subject, -1],
  ])('a certificate %s', async (_, name, days) => {
    const { certificateFile, keyFile } = issueCertificate(server.caFile, name, days)
    const tls = { certificateFile, key: async () => readFileSync(keyFile, 'utf8') }
    await expect(tokenOf('certified', { tls })).rejects.toMatchObject(refused('certified', 'accepts this one for the client'))
  })
})

/** A JWT by ES256 for a minute. */
function signed(claims: object): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const nowS = Math.floor(Date.now() / 1000)
  const body = `${part({ alg: 'ES256', kid: 'key-ES256' })}.${part({ ...claims, iat: nowS, exp: nowS + 60 })}`
  const signature = sign('sha256', Buffer.from(body), { key: pairs.ES256.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${body}.${signature.toString('base64url')}`
}
