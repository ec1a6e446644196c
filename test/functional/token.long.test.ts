import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DirectoryError } from '../../src/directories/directoryError.ts'
import type { HttpEnvironment } from '../../src/directories/overHttp/reader.ts'
import { clientTokens } from '../../src/directories/overHttp/token.ts'
import type { ClientCredentials } from '../../src/http/bearerToken.ts'
import { clientCredentials } from '../../src/http/clientCredentials.ts'
import { connectOrigin } from '../../src/http/origin.ts'
import type { TokenSource } from '../../src/http/tokenSource.ts'

const secret = 'p:ss wörd+/%&='

type Asked = { readonly path: string; readonly authorization: string | undefined; readonly form: URLSearchParams }
type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => unknown
type Endpoint = AsyncDisposable & {
  readonly url: URL
  readonly asked: Asked[]
  readonly tokens: () => number
  readonly closed: () => number
}

/** An issuer whose tokens are `token-1`, `token-2`, … and live five minutes. `answer` may answer instead, by path. */
async function issuer(answer: Readonly<Record<string, Answer>> = {}): Promise<Endpoint> {
  const asked: Asked[] = []
  const closed: string[] = []
  const server = createServer((request, response) => {
    response.on('close', () => response.writableFinished || closed.push(request.url ?? ''))
    void respond(request, response)
  })
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    asked.push({ path, authorization: request.headers.authorization, form: new URLSearchParams(await text(request)) })
    const nth = asked.filter((one) => one.path === path).length
    const here = `http://${request.headers.host}`
    const own = answer[path]
    if (own !== undefined) own(request, response, nth)
    else if (path === '/token') json(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 300 })
    else json(response, 200, { issuer: `${here}/`, token_endpoint: `${here}/token` })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    asked,
    tokens: () => asked.filter(({ path }) => path === '/token').length,
    closed: () => closed.length,
    [Symbol.asyncDispose]: close,
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const connect = (url: URL) => connectOrigin(url, { deadlineMs: 2_000, bytesMax: 50_000, idleMs: 1_000, connections: 2, now: Date.now })

type Part = {
  readonly clientId?: string
  readonly clientSecret?: () => Promise<string>
  readonly authentication?: 'client_secret_basic' | 'client_secret_post'
  readonly connect?: HttpEnvironment['connect']
}

/** The tokens of a directory: their errors are DirectoryErrors. Each token belongs to a reading of its own. */
function source(url: URL, part: Part = {}) {
  const clock = { nowMs: 1_000_000 }
  const { clientId: id = 'reader', clientSecret = async () => secret, authentication = 'client_secret_basic' } = part
  const tokens = clientTokens(
    { server: { issuer: url }, client: { id, secret: clientSecret, authentication }, allowPlaintext: false },
    { connect: part.connect ?? connect, now: () => clock.nowMs, wall: () => clock.nowMs },
  )
  let reading: TokenSource | undefined
  const token = async (signal: AbortSignal) => {
    reading = await tokens.open(undefined, signal)
    return reading.token(signal)
  }
  return { token, forget: (refused: string) => reading?.forget(refused), clock }
}

/** Like a general client: errors are passed on unchanged. */
const plainSource = (url: URL, part: Partial<ClientCredentials> = {}) =>
  clientCredentials({
    server: { issuer: url },
    clientId: 'reader',
    authentication: async () => ({ method: 'client_secret_basic', secret }),
    connect: () => connect(url),
    explain: (error) => error,
    now: () => 1_000_000,
    ...part,
  })

const soon = () => AbortSignal.timeout(20_000)

async function refusal(token: Promise<string>): Promise<DirectoryError> {
  const error = await token.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(DirectoryError)
  const seen = shownOf(error)
  for (const form of [secret, encodeURIComponent(secret), new URLSearchParams({ secret }).toString().slice(7), btoa('reader:')]) {
    expect(seen).not.toContain(form)
  }
  return error as DirectoryError
}

/** All texts of an error and its causes that a logger could print. */
function shownOf(error: unknown): string {
  const parts: string[] = []
  for (let at = error; at instanceof Error; at = at.cause)
    parts.push(at.message, at.stack ?? '', JSON.stringify(Object.entries(at).filter(([key]) => key !== 'cause')))
  return parts.join('\n')
}

describe('a client id or secret with characters that forms encode', () => {
  /** An issuer that compares the account without decoding it. */
  const literal = (id: string, password: string) =>
    issuer({
      '/token': (request, response, nth) => {
        const isRight =
          Buffer.from(String(request.headers.authorization).replace('Basic ', ''), 'base64').toString() === `${id}:${password}`
        if (isRight) return json(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 300 })
        return json(
          response,
          401,
          { error: 'invalid_client', error_description: 'no such account' },
          { 'www-authenticate': 'Basic realm="x"' },
        )
      },
    })
  const accountsOf = (server: Endpoint) =>
    server.asked.flatMap(({ authorization }) =>
      authorization === undefined ? [] : [Buffer.from(authorization.slice(6), 'base64').toString()],
    )

  test.each([
    ['plane-group_sync.1', 'a-b_c.d', 1],
    ['reader', 'p+s/s=:ä', 2],
    ['reader@corp', 'simple', 2],
  ])('%s %s: the server that does not decode them gets them as they are, at request %i', async (clientId, password, requests) => {
    await using server = await literal(clientId, password)
    const { token } = source(server.url, { clientId, clientSecret: async () => password })
    expect(await token(soon())).toBe(`token-${requests}`)
    expect(accountsOf(server).at(-1)).toBe(`${clientId}:${password}`)
    expect(server.tokens()).toBe(requests)
  })

  test('a server that refuses the first way without a word gets the second', async () => {
    await using server = await issuer({
      '/token': (request, response, nth) => {
        const account = Buffer.from(String(request.headers.authorization).slice(6), 'base64').toString()
        if (account !== `reader:${secret}`) return response.writeHead(401).end()
        return json(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: 300 })
      },
    })
    expect(await source(server.url).token(soon())).toBe('token-2')
  })

  test('a wrong one is refused after the second way, in the words of the server', async () => {
    await using server = await literal('reader', 'another')
    const error = await refusal(source(server.url).token(soon()))
    expect(error.message).toContain('client "reader" is refused, 401 (invalid_client: no such account)')
    expect(error.cure).toContain('client_secret_post')
    expect(server.tokens()).toBe(2)
  })

  test.each([
    [{ error: 'invalid_scope' }, 'refused, 400 (invalid_scope)'],
    [{ error: 'invalid_scope', error_description: 'no such scope' }, 'refused, 400 (invalid_scope: no such scope)'],
  ])('another refusal is not tried again: %j', async (body, says) => {
    await using server = await issuer({ '/token': (_request, response) => json(response, 400, body) })
    expect((await refusal(source(server.url).token(soon()))).message).toContain(says)
    expect(server.tokens()).toBe(1)
  })
})

describe('a token of a server that keeps less to the standard', () => {
  const answered = (more: object) => ({
    '/token': (_: IncomingMessage, response: ServerResponse, nth: number) =>
      json(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', ...more }),
  })

  test.each([
    [{ expires_in: null, refresh_token: null, scope: null, id_token: null }],
    [{ id_token: 'no JWT', scope: ['read'], refresh_token: 5 }],
    [{ token_type: 'BEARER', expires_in: '300' }],
  ])('%j: only its text, type and life count', async (more) => {
    await using server = await issuer(answered(more))
    expect(await source(server.url).token(soon())).toBe('token-1')
  })

  test.each([0, -1, '0', null])('a life of %j says nothing: it is not asked for anew for each request', async (life) => {
    await using server = await issuer(answered({ expires_in: life }))
    const { token, clock } = source(server.url)
    for (let request = 0; request < 3; request++) expect(await token(soon())).toBe('token-1')
    clock.nowMs += 60_000
    expect(await token(soon())).toBe('token-2')
  })

  test.each(['a\r\nX-Other: 1', 'tök', 'a b'])('with a character that no header may have: %j', async (text) => {
    await using server = await issuer(answered({ access_token: text }))
    const error = await refusal(source(server.url).token(soon()))
    expect(error.message).toMatch(/\/token: the token has a character that no header may have$/)
    expect(error).toMatchObject({ code: 'garbled', cure: expect.stringContaining('issues tokens') as string })
  })

  test.each(['e', '"', 'abc'])('with fewer characters than a secret has: %j', async (text) => {
    await using server = await issuer(answered({ access_token: text }))
    const seen: string[] = []
    const error = await refusal(source(server.url).token(soon()))
    await plainSource(server.url, { onToken: (token) => seen.push(token) })
      .token(soon())
      .catch(() => undefined)
    expect(error.message).toMatch(/\/token: the token has fewer than 4 characters, too few to be kept out of the log$/)
    expect(error).toMatchObject({ code: 'garbled', cure: expect.stringContaining('issues tokens') as string })
    expect(seen).toEqual([])
  })

  test.each(['DPoP', 'dpop'])('of the type %s, which this program does not use: it is not sent as Bearer', async (type) => {
    await using server = await issuer(answered({ token_type: type }))
    const error = await refusal(source(server.url).token(soon()))
    expect(error.message).toMatch(/\/token: the token is of the type DPoP, and this program uses only tokens of the type Bearer/)
  })

  test.each([
    [{ token_type: undefined }, '"token_type" property must be a string'],
    [{ access_token: '' }, '"access_token" property must not be empty'],
    [{ token_type: 'mac' }, 'unsupported `token_type` value'],
    [{ expires_in: 'soon' }, '"expires_in" property must be a number'],
    [{ access_token: undefined, error: 'invalid_client', error_description: 'no such app' }, ': invalid_client: no such app ('],
  ])('%j: the message says what is wrong', async (more, says) => {
    await using server = await issuer(answered(more))
    const error = await refusal(source(server.url).token(soon()))
    expect(error.message).toContain(says)
    expect(error).toMatchObject({ code: 'garbled', cure: expect.stringContaining('issues tokens') as string })
  })
})

describe('a token', () => {
  test('by basic authentication, each part form-encoded (RFC 6749 §2.3.1)', async () => {
    await using server = await issuer()
    expect(await source(server.url).token(soon())).toBe('token-1')
    const [discovery, asked] = server.asked
    expect(discovery?.path).toBe('/.well-known/openid-configuration')
    const basic = Buffer.from(asked?.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    expect(new URLSearchParams(`secret=${basic.replace('reader:', '')}`).get('secret')).toBe(secret)
    expect(asked?.form.has('client_secret')).toBe(false)
    expect(asked?.form.get('grant_type')).toBe('client_credentials')
  })

  test('by the form, with a scope', async () => {
    await using server = await issuer()
    await plainSource(server.url, {
      authentication: async () => ({ method: 'client_secret_post', secret }),
      parameters: { scope: 'groups:read' },
    }).token(soon())
    const asked = server.asked.at(-1)
    expect(asked?.authorization).toBeUndefined()
    expect(Object.fromEntries(asked?.form ?? [])).toEqual({
      grant_type: 'client_credentials',
      client_id: 'reader',
      client_secret: secret,
      scope: 'groups:read',
    })
  })

  test('without metadata, from a token address', async () => {
    await using server = await issuer()
    expect(await plainSource(server.url, { server: { tokenAddress: new URL('/token', server.url) } }).token(soon())).toBe('token-1')
    expect(server.asked.map(({ path }) => path)).toEqual(['/token'])
  })

  test('is kept until sixty seconds before it expires', async () => {
    await using server = await issuer()
    const { token, clock } = source(server.url)
    expect(await token(soon())).toBe('token-1')
    clock.nowMs += 239_999
    expect(await token(soon())).toBe('token-1')
    clock.nowMs += 1
    expect(await token(soon())).toBe('token-2')
  })

  test('that lives two seconds is kept for one and a half; one of unknown life for less than a minute', async () => {
    const answer =
      (expiry: object): Answer =>
      (_, response, nth) =>
        json(response, 200, { access_token: `tok${nth}`, token_type: 'bearer', ...expiry })
    for (const [expiry, keptMs] of [
      [{ expires_in: 2 }, 1_500],
      [{}, 45_000],
    ] as const) {
      await using server = await issuer({ '/token': answer(expiry) })
      const { token, clock } = source(server.url)
      await token(soon())
      clock.nowMs += keptMs - 1
      expect(await token(soon())).toBe('tok1')
      clock.nowMs += 1
      expect(await token(soon())).toBe('tok2')
    }
  })

  test('is asked for once, however many want it', async () => {
    await using server = await issuer()
    const { token } = source(server.url)
    expect(await Promise.all(Array.from({ length: 20 }, () => token(soon())))).toEqual(Array(20).fill('token-1'))
    expect(server.tokens()).toBe(1)
  })

  test('forgotten is renewed, with the secret as it is then; forgetting an older one changes nothing', async () => {
    await using server = await issuer()
    let now = 'old'
    const { token, forget } = source(server.url, { authentication: 'client_secret_post', clientSecret: async () => now })
    const old = await token(soon())
    now = 'new'
    forget(old)
    expect(await token(soon())).toBe('token-2')
    forget(old)
    expect(await token(soon())).toBe('token-2')
    expect(server.asked.flatMap(({ form }) => form.get('client_secret') ?? [])).toEqual(['old', 'new'])
  })

  test('a failure is not kept', async () => {
    const once: Answer = (_, response, nth) =>
      nth === 1 ? json(response, 500, { error: 'unknown_error' }) : json(response, 200, { access_token: 'good', token_type: 'Bearer' })
    await using server = await issuer({ '/token': once })
    const { token } = source(server.url)
    expect(await refusal(token(soon()))).toMatchObject({ code: 'failing', retryable: true })
    expect(await token(soon())).toBe('good')
  })
})

describe('giving up', () => {
  test('one of two does not take the token from the other', async () => {
    await using server = await issuer({
      '/token': async (_, response) => {
        await sleep(50)
        json(response, 200, { access_token: 'late', token_type: 'Bearer' })
      },
    })
    const { token } = source(server.url)
    const abort = new AbortController()
    const [one, other] = [token(abort.signal), token(soon())]
    abort.abort(new Error('enough'))
    await expect(one).rejects.toThrow('enough')
    expect(await other).toBe('late')
    expect(server.tokens()).toBe(1)
  })

  test('all of them ends the request', async () => {
    const begun = Promise.withResolvers<void>()
    await using server = await issuer({ '/token': () => begun.resolve() })
    const patient = (url: URL) => connectOrigin(url, { deadlineMs: 60_000, bytesMax: 50_000, idleMs: 1_000, connections: 2, now: Date.now })
    const { token } = source(server.url, { connect: patient })
    const abort = new AbortController()
    const [one, other] = [token(abort.signal), token(abort.signal)]
    await begun.promise
    abort.abort(new Error('enough'))
    await expect(one).rejects.toThrow('enough')
    await expect(other).rejects.toThrow('enough')
    await expect.poll(server.closed).toBe(1)
  })
})

describe('no token', () => {
  const from = async (answer: Readonly<Record<string, Answer>>, part: Part = {}) => {
    await using server = await issuer(answer)
    return { error: await refusal(source(server.url, part).token(soon())), server }
  }
  const discovery = '/.well-known/openid-configuration'

  test('a token address on another host: no secret goes there', async () => {
    await using other = await issuer()
    const { error } = await from({
      [discovery]: (request, response) =>
        json(response, 200, { issuer: `http://${request.headers.host}/`, token_endpoint: new URL('/token', other.url).href }),
    })
    expect(error).toMatchObject({ code: 'foreign', retryable: false })
    expect(error.message).toContain(other.url.origin)
    expect(other.asked).toEqual([])
  })

  test('metadata of another issuer', async () => {
    const { error, server } = await from({
      [discovery]: (request, response) =>
        json(response, 200, { issuer: 'https://sso.example.org/', token_endpoint: `http://${request.headers.host}/token` }),
    })
    expect(error).toMatchObject({ code: 'foreign', cure: expect.stringContaining('exactly') })
    expect(error.message).toContain('https://sso.example.org/')
    expect(server.tokens()).toBe(0)
  })

  test.each(['client_secret_basic', 'client_secret_post'] as const)('%s: a redirect is not followed', async (authentication) => {
    await using other = await issuer()
    const { error } = await from(
      { '/token': (_, response) => response.writeHead(307, { location: new URL('/token', other.url).href }).end() },
      { authentication },
    )
    expect(error).toMatchObject({ code: 'foreign', retryable: false })
    expect(other.asked).toEqual([])
  })

  test('plain http beyond this machine: nothing is asked unless allowed', async () => {
    const error = await refusal(source(new URL('http://sso.example.org/')).token(soon()))
    expect(error).toMatchObject({ code: 'insecure', cure: expect.stringContaining('allowPlaintext') })
  })

  const refused: readonly [string, Answer, Partial<DirectoryError>][] = [
    [
      '401 with an error',
      (_, r) => json(r, 401, { error: 'unauthorized_client', error_description: 'Invalid client' }),
      { code: 'credentials', retryable: false },
    ],
    [
      '401 with a challenge',
      (_, r) => json(r, 401, {}, { 'www-authenticate': 'Basic realm="x"' }),
      { code: 'credentials', retryable: false },
    ],
    [
      '401 without a word',
      (_, r) => r.writeHead(401).end(),
      { code: 'credentials', retryable: false, cure: expect.stringContaining('its secret') as string },
    ],
    ['400 invalid_scope', (_, r) => json(r, 400, { error: 'invalid_scope' }), { code: 'credentials', retryable: false }],
    ['400 of a dead database', (_, r) => json(r, 400, { error: 'Cannot parse the JSON' }), { code: 'failing', retryable: true }],
    ['404', (_, r) => json(r, 404, { error: 'Realm does not exist' }), { code: 'missing', retryable: false }],
    ['500', (_, r) => json(r, 500, { error: 'unknown_error' }), { code: 'failing', retryable: true }],
    ['502 in HTML', (_, r) => r.writeHead(502, { 'content-type': 'text/html' }).end('<html>'), { code: 'failing', retryable: true }],
    ['200 in HTML', (_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), { code: 'garbled', retryable: false }],
    [
      '200 cut off',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('{"access_tok'),
      { code: 'garbled', retryable: true },
    ],
    ['200 without a token', (_, r) => json(r, 200, { token_type: 'Bearer' }), { code: 'garbled', retryable: false }],
    ['silence', () => {}, { code: 'unreachable', retryable: true }],
    [
      'an endless answer',
      (_, r) => r.writeHead(200).end('x'.repeat(100_000)),
      { code: 'bound', retryable: false, cure: expect.stringContaining('issues tokens') as string },
    ],
  ]
  test.each(refused)('%s', async (_, answer, expected) => {
    for (const path of ['/token', discovery]) {
      if (path === discovery && expected.code === 'credentials') continue
      const { error } = await from({ [path]: answer })
      expect(error).toMatchObject(expected)
      expect(error.message).toMatch(/127\.0\.0\.1:\d+/)
      expect(error.cure).toBeTypeOf('string')
    }
  })

  test('metadata that are refused say nothing about the client', async () => {
    const { error } = await from({ [discovery]: (_, response) => response.writeHead(401).end() })
    expect(error).toMatchObject({ code: 'failing', cure: expect.stringContaining('log of the server') as string })
  })

  test('a refused client is named, with what to check', async () => {
    const { error } = await from({ '/token': (_, response) => json(response, 401, { error: 'invalid_client' }) })
    expect(error.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/token: client "reader" is refused, 401 \(invalid_client\)$/)
    expect(error.cure).toContain('its secret')
  })

  test('control characters of an answer do not reach a terminal', async () => {
    const { error } = await from({
      '/token': (_, response) => json(response, 401, { error: 'invalid_client', error_description: '\u001B[2J' }),
    })
    expect(error.message).not.toContain('\u001B')
  })

  test('an empty secret, and one that cannot be read', async () => {
    const { error, server } = await from({}, { clientSecret: async () => '' })
    expect(error.message).toBe('the secret of client "reader" is empty')
    expect(server.asked).toEqual([])
    const missing = await from({}, { clientSecret: () => Promise.reject(new Error('/run/secrets/kc: there is no such file')) })
    expect(missing.error.message).toContain('/run/secrets/kc: there is no such file')
  })
})
