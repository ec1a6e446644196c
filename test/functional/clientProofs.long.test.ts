import { generateKeyPairSync, verify } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chain } from './certificateChain.ts'
import { behindTls } from './everySetting/behindTls.ts'
import { type Composed, composed, readCorp } from './everySetting/composed.ts'
import { withDirectory } from './everySetting/directory.ts'
import type { Tree } from './everySetting/row.ts'
import { type FakeKeycloak, type Fault, fakeKeycloak, json } from './keycloak-fake.ts'
import { selfSigned } from './selfSigned.ts'

/** Tokens of a directory by each proof of a client, from the settings to the requests. */

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const complete = { complete: ['/devs'] }

type World = {
  readonly server: FakeKeycloak
  readonly program: Composed
  readonly read: () => Promise<unknown>
  readonly write: (name: string, text: string) => Promise<void>
}
type Part = { readonly fault?: Fault; readonly more?: Tree; readonly files?: Readonly<Record<string, string>> }

async function withClient(client: Tree, look: (world: World) => Promise<void>, { fault, more = {}, files = {} }: Part = {}): Promise<void> {
  await using server = await fakeKeycloak([{ name: 'devs' }], fault)
  const corp = { kind: 'keycloak', url: server.url.href, realm: 't', client: { id: 'reader', ...client }, ...more }
  await using program = await composed(withDirectory(corp), { files })
  const write = (name: string, text: string) => writeFile(join(program.folder, name), text)
  await look({ server, program, read: () => readCorp(program), write })
}

const formsOf = ({ requests }: FakeKeycloak) =>
  requests.filter(({ path }) => path.endsWith('/token')).map(({ body }) => new URLSearchParams(body))
const assertionsOf = (server: FakeKeycloak) => formsOf(server).map((form) => form.get('client_assertion') ?? '')
const tokens = ({ asked }: FakeKeycloak) => asked.filter((key) => key === 'token').length
const partsOf = (jwt: string) => jwt.split('.').map((part) => Buffer.from(part, 'base64url'))
const refused = (response: ServerResponse, more: object = {}) => json(response, 400, { error: 'invalid_client', ...more })

const secret = { secret: { file: 'key.txt' } }
const privateKey = { privateKey: { key: { file: 'client.pem' }, keyId: 'k1' } }
const keyFile = { 'client.pem': rsa.privateKey.export(pkcs8) }
const assertion = { assertion: { file: 'account.jwt' } }
const withCertificate = { privateKey: { key: { file: 'signing-2.pem' }, certificateFile: 'own.pem' } }
const otherCa = `${selfSigned.cert}\n${chain.root}\n`

describe('a token', () => {
  test('is used in the next readings, too', () =>
    withClient(secret, async ({ read, server }) => {
      for (let i = 0; i < 3; i++) expect(await read()).toEqual(complete)
      expect(tokens(server)).toBe(1)
    }))

  const proofs: readonly [string, Tree, string, string][] = [
    ['secret', secret, 'key.txt', 'anotherSecret'],
    ['private key', privateKey, 'client.pem', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pkcs8)],
    ['certificate of the private key', withCertificate, 'own.pem', `${chain.leaf}\n${chain.intermediate}\n`],
    ['CA file', secret, 'ca.pem', otherCa],
    ['CA file of a client with an assertion', assertion, 'ca.pem', otherCa],
  ]
  test.each(proofs)('is dropped before its next use if the %s changed', (_, client, name, text) =>
    withClient(
      client,
      async ({ read, server, write }) => {
        expect(await read()).toEqual(complete)
        await write(name, text)
        expect(await read()).toEqual(complete)
        expect(await read()).toEqual(complete)
        expect(tokens(server)).toBe(2)
      },
      { files: { ...keyFile, 'own.pem': chain.leaf }, more: { caFile: 'ca.pem' } },
    ),
  )

  test.each([
    ['secret', secret],
    ['private key', privateKey],
    ['JWT of another issuer', assertion],
  ])('by a %s is dropped after a 403, once, since rights may have been granted meanwhile', async (_, client) => {
    const isGranted = (authorization: string | undefined) => authorization === 'Bearer token-2'
    const fault: Fault = (key, _nth, response) =>
      key === 'count' && !isGranted(response.req.headers.authorization) && json(response, 403, { error: 'HTTP 403 Forbidden' })
    await withClient(
      client,
      async ({ read, server }) => {
        expect(await read()).toEqual(complete)
        expect(await read()).toEqual(complete)
        expect(tokens(server)).toBe(2)
      },
      { fault, files: keyFile },
    )
  })

  test('of a server that asks to wait for longer than the reading may take ends the reading at once', () =>
    withClient(
      secret,
      async ({ read }) => {
        expect(await read()).toEqual({
          failed: expect.stringMatching(/token: 503 .*; the next request is due in 1 h, and the reading has \d+ s left$/),
        })
      },
      {
        more: { readingTimeout: '20s' },
        fault: (key, _nth, response) => {
          if (key !== 'token') return false
          response.writeHead(503, { 'retry-after': '3600', 'content-type': 'application/json' }).end('{"error":"busy"}')
          return true
        },
      },
    ))
})

describe('private_key_jwt', () => {
  test('each assertion is signed anew, for the issuer, for a minute, and no secret is sent', () =>
    withClient(
      privateKey,
      async ({ read, server }) => {
        expect(await read()).toEqual(complete)
        const [form] = formsOf(server)
        expect(Object.fromEntries(form ?? [])).toEqual({
          grant_type: 'client_credentials',
          client_id: 'reader',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: expect.any(String),
        })
        const [first = '', second = ''] = assertionsOf(server)
        const [header, payload, signature] = partsOf(first)
        expect(JSON.parse(String(header))).toEqual({ alg: 'RS256', kid: 'k1' })
        const claims = JSON.parse(String(payload)) as Record<string, unknown>
        expect(claims).toMatchObject({ iss: 'reader', sub: 'reader', aud: new URL('/realms/t', server.url).href, jti: expect.any(String) })
        expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60)
        expect(verify('sha256', Buffer.from(first.slice(0, first.lastIndexOf('.'))), rsa.publicKey, signature ?? Buffer.of())).toBe(true)
        expect(second).not.toBe(first)
      },
      { files: keyFile, fault: (key, nth, response) => key === 'count' && nth === 1 && json(response, 401, {}) },
    ))

  test.each([
    [privateKey, 'has this public key under the key id "k1"'],
    [{ privateKey: { key: { file: 'client.pem' } } }, 'knows the public key of this private key'],
  ])('a server that refuses it: what to check', (client, cure) =>
    withClient(
      client,
      async ({ program }) => {
        const reading = await program.program.sources.directories.get('corp')?.read(AbortSignal.timeout(10_000))
        expect(reading).toMatchObject({
          status: 'failed',
          why: expect.stringMatching(/token: client "reader" is refused, 400 \(invalid_client: no key\)$/),
          cure: expect.stringContaining(cure),
        })
        expect(reading).toMatchObject({ cure: expect.stringContaining('the clock of this machine is right') })
      },
      { files: keyFile, fault: (key, _nth, response) => key === 'token' && refused(response, { error_description: 'no key' }) },
    ),
  )

  test('a key that cannot sign is named before anything is asked', () =>
    withClient(
      privateKey,
      async ({ read, server }) => {
        expect(await read()).toEqual({
          failed: expect.stringMatching(/^the private key of client "reader" is a certificate or a public key/),
        })
        expect(server.asked).toEqual([])
      },
      { files: { 'client.pem': selfSigned.cert } },
    ))
})

describe('an assertion of another issuer', () => {
  test('is sent as it is, and read anew for each token only', () =>
    withClient(
      assertion,
      async ({ read, server, write }) => {
        await read()
        await write('account.jwt', 'renewed.foreign.assertion\n')
        await read()
        expect(assertionsOf(server)).toEqual(['first.foreign.assertion', 'renewed.foreign.assertion'])
        await write('account.jwt', 'again.foreign.assertion')
        await read()
        expect(tokens(server)).toBe(2)
      },
      // The first token is refused at the beginning of the second reading.
      { fault: (key, nth, response) => key === 'count' && nth === 3 && json(response, 401, {}) },
    ))

  test.each(['no jwt', 'ab.cd', 'a.b.c.d', 'a.b.c d'])('%j is none, and is not sent', (text) =>
    withClient(
      assertion,
      async ({ read, server }) => {
        expect(await read()).toEqual({ failed: 'the assertion of client "reader" is not a JWT' })
        expect(server.requests.map(({ body }) => body).join('')).not.toContain(text)
      },
      { files: { 'account.jwt': text } },
    ),
  )
})

describe('mutual TLS', () => {
  const tls = { tls: { certificateFile: 'ca.pem', key: { file: 'signing.pem' } } }
  const fault =
    (issuer: () => string): Fault =>
    (key, _nth, response) =>
      key === 'issuer' && json(response, 200, { issuer: issuer(), token_endpoint: `${issuer()}/protocol/openid-connect/token` })

  /** The issuer is a TLS server that refuses clients without a certificate of `trusted`; the admin API is plain. */
  async function withIssuer(
    trusted: string,
    client: Tree,
    look: (read: () => Promise<unknown>, tokens: () => number, program: Composed) => Promise<void>,
    files: Readonly<Record<string, string>> = {},
  ) {
    let issuer = ''
    await using server = await fakeKeycloak([{ name: 'devs' }], (...asked) => fault(() => issuer)(...asked))
    await using guard = await behindTls(server.url, { ca: trusted, rejectUnauthorized: true })
    issuer = `${guard.url}/realms/t`
    const corp = { kind: 'keycloak', url: server.url.href, realm: 't', issuer, caFile: 'ca.pem', client: { id: 'reader', ...client } }
    await using program = await composed(withDirectory(corp), { files })
    await look(
      () => readCorp(program),
      () => tokens(server),
      program,
    )
  }

  test('the certificate is shown to the issuer', () =>
    withIssuer(selfSigned.cert, tls, async (read, tokens) => {
      expect(await read()).toEqual(complete)
      expect(await read()).toEqual(complete)
      expect(tokens()).toBe(1)
    }))

  test('a token is dropped before its next use if the certificate and its key changed', () =>
    withIssuer(
      [selfSigned.cert, chain.intermediate, chain.root].join('\n'),
      { tls: { certificateFile: 'own.pem', key: { file: 'own.key' } } },
      async (read, tokens, { folder }) => {
        expect(await read()).toEqual(complete)
        await writeFile(join(folder, 'own.pem'), `${chain.leaf}\n${chain.intermediate}\n`)
        await writeFile(join(folder, 'own.key'), chain.key)
        expect(await read()).toEqual(complete)
        expect(await read()).toEqual(complete)
        expect(tokens()).toBe(2)
      },
      { 'own.pem': selfSigned.cert, 'own.key': selfSigned.key },
    ))

  test('a server that closes the connection: the cure speaks of the certificate', () =>
    withIssuer(chain.root, tls, async (_, __, program) => {
      expect(await program.program.sources.directories.get('corp')?.read(AbortSignal.timeout(10_000))).toMatchObject({
        status: 'failed',
        why: expect.stringContaining('the connection ended'),
        cure: expect.stringContaining('accepts this one for the client'),
      })
    }))

  test('without TLS is refused before anything is asked', () =>
    withClient(tls, async ({ read, server }) => {
      expect(await read()).toEqual({ failed: expect.stringContaining('a client certificate is only shown over TLS') })
      expect(server.asked).toEqual([])
    }))
})

describe('secrets', () => {
  test.each([
    ['private key', privateKey],
    ['JWT of another issuer', assertion],
    ['certificate', { tls: { certificateFile: 'ca.pem', key: { file: 'signing.pem' } } }],
  ])('by %s: nothing goes to a token endpoint on another host', async (_, client) => {
    await using other = await fakeKeycloak([])
    await withClient(
      client,
      async ({ read }) => {
        expect(await read()).toEqual({ failed: expect.any(String) })
        expect(other.asked).toEqual([])
      },
      {
        files: keyFile,
        fault: (key, _nth, response) => {
          const issuer = `http://${response.req.headers.host}/realms/t`
          return key === 'issuer' && json(response, 200, { issuer, token_endpoint: new URL('/token', other.url).href })
        },
      },
    )
  })

  test.each([
    ['private key', privateKey],
    ['JWT of another issuer', assertion],
  ])('by %s: neither the key nor an assertion nor a token is in the log', (_, client) =>
    withClient(
      client,
      async ({ read, server, program }) => {
        // A server that shows the request in its refusal.
        const { failed } = (await read()) as { failed: string }
        const sent = assertionsOf(server).filter((text) => text !== '')
        expect(sent).not.toEqual([])
        const keys = 'privateKey' in client ? [rsa.privateKey.export(pkcs8)] : []
        program.world.log.error({ sent, keys }, `${failed} ${sent.join(' ')} ${keys.join(' ')}`)
        const base64 = keys.flatMap((key) => key.split('\n').slice(1, -2))
        // As a JWK or another program may write the same key.
        const joined = keys.map((key) => key.replaceAll(/-----[A-Z ]+-----|\s/g, ''))
        program.world.log.error({ joined }, 'again')
        for (const text of [...sent, ...sent.map(encodeURIComponent), ...base64, ...joined])
          expect(failed + program.logged.join('')).not.toContain(text)
      },
      {
        files: keyFile,
        fault: (key, _nth, response) => {
          if (key !== 'token') return false
          let body = ''
          response.req.setEncoding('utf8').on('data', (text: string) => (body += text))
          response.req.on('end', () => refused(response, { error_description: `bad request: ${body}` }))
          return true
        },
      },
    ),
  )
})
