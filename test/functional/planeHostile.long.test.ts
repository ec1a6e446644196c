import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/compose/realClock.ts'
import { apiKey, oauthClient } from '../../src/plane/credential.ts'
import { change, client, everywhere, never } from './planeWorld.ts'
import { json, rawServer } from './rawServer.ts'

const key = 'plane_api_5f2d8c7b6a'
const id = (nth: number) => `6f9c1f1e-0000-4000-8000-${String(nth).padStart(12, '0')}`
const row = (nth: number, more: object = {}) => ({ id: id(nth), idp_group_name: `g${nth}`, role: 'member', ...more })
const text = (response: ServerResponse, status: number, body: string, type = 'text/html') =>
  response.writeHead(status, { 'content-type': type }).end(body)

describe('a list that is no list fails, and says what it was', () => {
  test.each([
    ['an object', (response: ServerResponse) => json(response, 200, {}), 'results: '],
    ['null', (response: ServerResponse) => json(response, 200, null), 'the body: '],
    ['nothing', (response: ServerResponse) => text(response, 200, '', 'application/json'), 'cut off or broken'],
    ['half of it', (response: ServerResponse) => text(response, 200, '[{"id":"', 'application/json'), 'cut off or broken'],
    [
      'a login page',
      (response: ServerResponse) => text(response, 200, '<html><title>Sign in</title></html>'),
      'a web page instead of JSON (200: a web page "Sign in")',
    ],
    ['another success', (response: ServerResponse) => json(response, 202, []), '202'],
    ['a row without role', (response: ServerResponse) => json(response, 200, [row(1), row(2, { role: undefined })]), '[1].role: '],
    [
      'a row whose id leads elsewhere',
      (response: ServerResponse) => json(response, 200, { results: [row(1, { id: '../../users/me' })] }),
      'results[0].id: not an identifier',
    ],
    ['a row that is a text', (response: ServerResponse) => json(response, 200, ['g1']), '[0]: '],
  ])('%s', async (_, answer, why) => {
    await using server = await rawServer((_, response) => answer(response))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'failed', why: expect.stringContaining(why) as string })
  })

  test('more bytes than allowed', async () => {
    await using server = await rawServer((_, response) =>
      json(
        response,
        200,
        Array.from({ length: 1_000 }, (_, nth) => row(nth)),
      ),
    )
    const { reader } = client(server.url, { origin: { bytesMax: 10_000 } })
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('more than 10000 bytes') as string,
    })
    expect(server.requests).toHaveLength(1)
  })
})

/** The bytes of a list with one group, whose name is `name`. */
const rowsOf = (name: Buffer) => {
  const [before = '', after = ''] = JSON.stringify([row(1, { idp_group_name: 'NAME' })]).split('NAME')
  return Buffer.concat([Buffer.from(before), name, Buffer.from(after)])
}
const bytes = (response: ServerResponse, status: number, body: Buffer) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)

describe('a list whose bytes are not UTF-8 fails: a name in it is perhaps another one', () => {
  test.each([
    ['Latin-1', Buffer.from('m\u00fcnchen', 'latin1')],
    ['a cut character', Buffer.from('münchen').subarray(0, 2)],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['an overlong slash', Buffer.from([0xc0, 0xaf])],
    ['a byte beside a real U+FFFD', Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xff])])],
  ])('%s', async (_, name) => {
    await using server = await rawServer((_, response) => bytes(response, 200, rowsOf(name)))
    const { reader } = client(server.url)
    const why = expect.stringContaining('bytes that are not UTF-8') as string
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'failed', why })
  })
  test.each(['münchen', '\ufffd', '日本'])('%s is read as it is', async (name) => {
    await using server = await rawServer((_, response) => bytes(response, 200, rowsOf(Buffer.from(name))))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value: [{ group: name }] })
  })
  test('an error whose bytes are not UTF-8 keeps its status', async () => {
    await using server = await rawServer((_, response) => bytes(response, 403, Buffer.from('{"detail":"M\u00fcller may not"}', 'latin1')))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('403') as string,
    })
  })
})

describe('an answer that is compressed, although none was asked for that is', () => {
  const rows = JSON.stringify([row(1)])
  const packed = (response: ServerResponse, status: number, coding: string, body: Buffer) =>
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding }).end(body)
  test.each([
    ['gzip', gzipSync(rows)],
    ['br', brotliCompressSync(rows)],
  ])('%s is named, with the cure', async (coding, body) => {
    await using server = await rawServer((_, response) => packed(response, 200, coding, body))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(
        `the answer is compressed (content-encoding: ${coding}), although the request asks for none that is (GET`,
      ) as string,
      cure: 'check that Plane, or the proxy in front of it, obeys the header Accept-Encoding: identity',
    })
  })
  test('is named also where it is the text of a refusal', async () => {
    await using server = await rawServer((_, response) => packed(response, 400, 'gzip', gzipSync('{"detail":"no"}')))
    const { reader } = client(server.url)
    const why = expect.stringContaining('the service rejects this (400: a text that is compressed (content-encoding: gzip)') as string
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'failed', why })
  })
  test('a body that can be read is read, whatever the header says', async () => {
    await using server = await rawServer((_, response) => packed(response, 200, 'gzip', Buffer.from(rows)))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value: [{ group: 'g1' }] })
  })
})

describe('a list that does not prove itself whole is partial', () => {
  const more = (cursor: string) => ({ next_cursor: cursor, next_page_results: true })
  test.each([
    ['a total that is not reached', { results: [row(1)], total_results: 2 }, '1 of 2 items'],
    ['a page with fewer rows than it says', { results: [row(1)], count: 2 }, 'a page of 1 item whose count is 2'],
    ['one id twice', { results: [row(1), row(1)], total_results: 2 }, 'an item that came twice'],
    ['an empty page with more behind it', { results: [], ...more('100:1:0') }, 'an empty page that says that more follow'],
    ['more, but no cursor', { results: [row(1)], next_page_results: true, next_cursor: '' }, 'cannot ask for'],
    ['a cursor, and nothing that says whether it is the last', { results: [row(1)], next_cursor: '100:1:0' }, 'cannot ask for'],
    ['a next link beside results', { results: [row(1)], count: 1, next: 'http://127.0.0.1:9/?page=2' }, 'cannot ask for'],
    ['more, by a cursor of unknown form', { results: [row(1)], ...more('opaque') }, 'unknown form'],
    ['data that say that more follows', { data: [row(1)], has_more: true }, 'cannot ask for'],
    ['data of a total that is not met', { data: [row(1)], next: null, total_count: 2 }, '1 of 2 items'],
    ['a next link of v2', { data: [row(1)], next: 'http://127.0.0.1:9/api/v2/', total_count: 2 }, 'cannot ask for'],
  ])('%s', async (_, body, missing) => {
    await using server = await rawServer((_, response) => json(response, 200, body))
    const { reader } = client(server.url)
    const reading = await reader.mappings('workspaceRoles', never)
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining(missing) as string })
    expect(server.requests).toHaveLength(1)
  })

  test('one id twice, in another case: a UUID has no case, so a delete of the second one would delete the first', async () => {
    const upper = (nth: number) => id(nth).toUpperCase()
    await using server = await rawServer((_, response) => json(response, 200, [row(1), row(1, { id: upper(1) }), row(2, { id: upper(2) })]))
    const { reader } = client(server.url)
    const reading = await reader.mappings('workspaceRoles', never)
    expect(reading).toMatchObject({ status: 'partial', missing: 'an item that came twice' })
  })

  test('ids that are no UUIDs may differ in case only', async () => {
    await using server = await rawServer((_, response) => json(response, 200, [row(1, { id: 'aB' }), row(2, { id: 'Ab' })]))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value: [{ id: 'aB' }, { id: 'Ab' }] })
  })

  test('a cursor that leads back', async () => {
    await using server = await rawServer((_, response, nth) => json(response, 200, { results: [row(nth)], ...more(`1:${nth % 2}:0`) }))
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('earlier one') as string,
    })
  })

  test('two walks that differ, although each adds up', async () => {
    await using server = await rawServer((request, response, nth) => {
      const second = request.url?.includes('cursor') ?? false
      json(response, 200, {
        results: [row(second ? nth : 1)],
        total_results: 2,
        next_cursor: '1:1:0',
        next_page_results: !second,
      })
    })
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('changed') as string,
    })
    expect(server.requests.map(({ url }) => new URL(url, server.url).search)).toEqual([
      '',
      '?per_page=100',
      '?per_page=1&cursor=1%3A1%3A0',
      '?per_page=100',
      '?per_page=1&cursor=1%3A1%3A0',
    ])
  })

  test.each(['', '100:-1:1', null])('the first prev_cursor may be %j', async (prev_cursor) => {
    await using server = await rawServer((_, response) =>
      json(response, 200, { results: [row(1)], prev_cursor, next_cursor: '100:1:0', next_page_results: false, count: 1, total_results: 1 }),
    )
    const { reader } = client(server.url)
    expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete' })
  })
})

describe('a write', () => {
  const create = change('g', everywhere, { action: 'create', role: 'member' })
  const patch = change('g', everywhere, { action: 'patch', mapping: id(1), role: 'member' })
  const remove = change('g', everywhere, { action: 'delete', mapping: id(1) })

  test.each([
    ['a create accepted but not done', create, 202, row(1), 'unknown'],
    ['a create without a body', create, 201, undefined, 'unknown'],
    ['a create with an error in a success', create, 200, { error: 'no' }, 'unknown'],
    ['a patch without a body', patch, 204, undefined, 'unknown'],
    ['a patch answered as created', patch, 201, row(1), 'done'],
    ['a delete with a body', remove, 200, {}, 'unknown'],
    ['a delete without one', remove, 204, undefined, 'done'],
    ['a delete that is only accepted', remove, 202, {}, 'unknown'],
    ['a timeout of a proxy', create, 408, {}, 'unknown'],
    ['a status of nobody', create, 599, {}, 'unknown'],
    ['a rejection', create, 422, { role: ['no'] }, 'refused'],
  ] as const)('%s', async (_, wanted, status, body, is) => {
    await using server = await rawServer((_, response) =>
      body === undefined ? response.writeHead(status).end() : json(response, status, body),
    )
    const { writer } = client(server.url)
    expect(await writer.write(wanted, never)).toMatchObject({ kind: is })
    expect(server.requests).toHaveLength(1)
  })

  test('404: gone for what existed, rejected for what should be made', async () => {
    await using server = await rawServer((_, response) => json(response, 404, { detail: 'Not found.' }))
    const { writer } = client(server.url)
    expect(await writer.write(create, never)).toMatchObject({ kind: 'refused', code: 'rejected' })
    expect(await writer.write(patch, never)).toMatchObject({ kind: 'refused', code: 'gone' })
    expect(await writer.write(remove, never)).toMatchObject({ kind: 'refused', code: 'gone' })
  })

  const foreign: readonly (readonly [string, string, string])[] = [
    ["a proxy's text", '404 page not found', 'text/plain'],
    ["a proxy's page", '<html><title>404 Not Found</title></html>', 'text/html'],
    ["a gateway's JSON", '{"message":"no Route matched with those values"}', 'application/json'],
    ["Plane's, of an address", '{"error":"Page not found."}', 'application/json'],
    ["Plane's, of an object", '{"detail":"Not found."}', 'application/json'],
    ['nothing', '', 'application/json'],
  ]
  test.each(foreign.flatMap(([whose, body, type]) => [404, 410].map((status) => [whose, status, body, type] as const)))(
    'after a lost answer, %s with %i: unknown since the first sending',
    async (_, status, body, type) => {
      let firstAtMs = 0
      await using server = await rawServer((_, response, nth) => {
        if (nth % 2 === 0) text(response, status, body, type)
        else {
          firstAtMs = Date.now()
          response.destroy()
        }
      })
      const { writer } = client(server.url)
      for (const wanted of [remove, patch]) {
        const outcome = await writer.write(wanted, never)
        expect(outcome).toMatchObject({ kind: 'unknown', status, why: expect.stringContaining(`${status}`) as string })
        if (outcome.kind === 'unknown') expect(Math.abs(outcome.lastByteMs - firstAtMs)).toBeLessThan(1_000)
      }
      expect(server.requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'PATCH', 'PATCH'])
    },
  )

  test('a service that refuses for ever costs a few attempts', async () => {
    await using server = await rawServer((_, response) => json(response, 429, {}, { 'retry-after': '0' }))
    const { writer } = client(server.url)
    expect(await writer.write(create, never)).toMatchObject({ kind: 'refused', code: 'throttled' })
    expect(server.requests).toHaveLength(4)
  })
})

describe('the key', () => {
  const credential = apiKey('prod', async () => key)

  test('goes nowhere but to its own origin', async () => {
    await using other = await rawServer((_, response) => json(response, 200, []))
    await using server = await rawServer((_, response) => response.writeHead(308, { location: `${other.url.href}api/` }).end())
    const { reader, writer } = client(server.url, { credential })
    expect(await reader.mappings('projectRoles', never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(other.url.href) as string,
    })
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never)).toMatchObject({
      kind: 'refused',
      code: 'redirected',
    })
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([key, key])
    expect(other.requests).toEqual([])
  })

  test('is not repeated after a service that echoes it, and nothing can steer a terminal', async () => {
    await using server = await rawServer((_, response) =>
      json(response, 400, { detail: `bad token ${key}`, [`x-${key}`]: '\u001b]0;owned\u0007\u202eabc' }),
    )
    const { reader, writer } = client(server.url, { credential })
    const all = JSON.stringify([
      await reader.projects(never),
      await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never),
    ])
    expect(all).not.toContain(key)
    expect(all).toContain('bad token •••')
    for (const unsafe of ['\u001b', '\u0007', '\u202e']) expect(all).not.toContain(JSON.stringify(unsafe).slice(1, -1))
    expect(all).toContain(String.raw`\\u{1b}`)
  })

  test.each([
    ['is empty', async () => '  \n'],
    ['contains characters that a header cannot have', async () => 'ключ\r\nX-Evil: 1'],
    ['cannot be read: ENOENT', () => Promise.reject(new Error('ENOENT: /run/secrets/key'))],
  ])('%s: nothing is sent', async (why, secret) => {
    await using server = await rawServer((_, response) => json(response, 200, []))
    const { reader, writer } = client(server.url, { credential: apiKey('prod', secret) })
    expect(await reader.projects(never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`credential "prod" ${why}`) as string,
    })
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never)).toMatchObject({ kind: 'notSent' })
    expect(server.requests).toEqual([])
  })
})

describe('a token', () => {
  const oauth = {
    clientId: 'app:1',
    clientSecret: async () => 's3cr3t&value',
    installation: 'inst',
    scopes: ['projects:read', 'stickies:read'],
  }
  const token = { access_token: 'tok-1234567', token_type: 'Bearer', expires_in: 3600 }

  test('is asked for with Basic authentication and the form that the service wants', async () => {
    await using server = await rawServer((request, response) =>
      json(response, 200, request.method === 'POST' ? token : { results: [], next_page_results: false }),
    )
    const { reader } = client(new URL('/plane', server.url), { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
    const [asked, listed] = server.requests
    expect(asked).toMatchObject({ method: 'POST', url: '/plane/auth/o/token/' })
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      app_installation_id: 'inst',
      scope: 'projects:read stickies:read',
    })
    expect(Buffer.from(asked?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()).toBe('app%3A1:s3cr3t%26value')
    expect(listed?.headers).toMatchObject({ authorization: 'Bearer tok-1234567' })
    expect(listed?.headers).not.toHaveProperty('x-api-key')
  })

  test.each([
    ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    ['a web page', (response: ServerResponse) => text(response, 200, '<html><title>Sign in</title></html>')],
    ['a broken connection', (response: ServerResponse) => response.destroy()],
    [
      'an error that repeats the secret',
      (response: ServerResponse) => json(response, 400, { error: 'invalid_client', error_description: 's3cr3t&value is wrong' }),
    ],
    ['no token', (response: ServerResponse) => json(response, 200, { token_type: 'Bearer' })],
  ])('%s instead: a failure with a sentence, without the secret, and nothing is asked without one', async (_, answer) => {
    await using server = await rawServer((_, response) => answer(response))
    const { reader, writer } = client(server.url, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    const reading = await reader.projects(never)
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('no token for credential "robot"') as string })
    const outcome = await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never)
    expect(['notSent', 'refused']).toContain(outcome.kind)
    expect(JSON.stringify([reading, outcome])).not.toContain('s3cr3t')
    expect(server.requests.every(({ url }) => url === '/auth/o/token/')).toBe(true)
  })

  test('a service that cannot give one now: the write was not sent', async () => {
    await using server = await rawServer((_, response) => json(response, 503, {}))
    const { writer } = client(server.url, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never)).toMatchObject({ kind: 'notSent' })
  })

  test('a 401 renews it once, also for a write, and no more than once', async () => {
    let tokens = 0
    await using server = await rawServer((request, response) => {
      if (request.url === '/auth/o/token/') return json(response, 200, { ...token, access_token: `tok-${++tokens}` })
      if (request.headers.authorization === 'Bearer tok-1') return json(response, 401, { detail: 'Token expired' })
      return request.method === 'POST' ? json(response, 201, row(1)) : json(response, 401, { detail: 'Token expired' })
    })
    const { reader, writer } = client(server.url, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    expect(await writer.write(change('g1', everywhere, { action: 'create', role: 'member' }), never)).toMatchObject({ kind: 'done' })
    expect(tokens).toBe(2)
    expect(await reader.projects(never)).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('refuses the credential "robot"') as string,
    })
    expect(tokens).toBe(3)
  })
})

describe('a 404 to a reading', () => {
  const read = ({ reader }: ReturnType<typeof client>) => reader.mapping('projectRoles', id(1) as never, never)
  const notFound = '{"detail":"Not found."}'
  test.each<[string, string, string, 'absent' | 'error']>([
    ["Plane's, of an object", notFound, 'application/json', 'absent'],
    ["Plane's, of an object, by its views", '{"error":"The requested resource does not exist."}', 'application/json', 'absent'],
    ["Plane's, of an address: it is too old to have it", '{"error":"Page not found."}', 'application/json', 'error'],
    ["Plane's, of a workspace", '{"error":"Workspace not found."}', 'application/json', 'error'],
    ["a proxy's text", '404 page not found', 'text/plain; charset=utf-8', 'error'],
    ["a proxy's page", '<html><title>404 Not Found</title></html>', 'text/html', 'error'],
    ["a gateway's", '{"message":"no Route matched with those values"}', 'application/json', 'error'],
    ['nothing', '', 'application/json', 'error'],
    ['half of it', notFound.slice(0, 15), 'application/json', 'error'],
    ['of another type', notFound, 'text/html', 'error'],
  ])('%s', async (_, body, type, means) => {
    await using server = await rawServer((_, response) => text(response, 404, body, type))
    const reading = read(client(server.url))
    if (means === 'absent') expect(await reading).toBeUndefined()
    else await expect(reading).rejects.toMatchObject({ name: 'PlaneError', code: 'notFound', status: 404 })
  })

  test('of which half is missing on the wire is none', async () => {
    await using server = await rawServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'content-length': notFound.length })
      response.write(notFound.slice(0, 15), () => response.destroy())
    })
    await expect(read(client(server.url))).rejects.toMatchObject({ name: 'PlaneError', code: 'cut' })
    expect(server.requests).toHaveLength(3)
  })

  test('410 is none that Plane gives: an error', async () => {
    await using server = await rawServer((_, response) => text(response, 410, notFound, 'application/json'))
    await expect(read(client(server.url))).rejects.toMatchObject({ name: 'PlaneError', status: 410 })
  })

  test('of a list, or of the settings, is never an empty one', async () => {
    await using server = await rawServer((_, response) => text(response, 404, notFound, 'application/json'))
    const { reader } = client(server.url)
    for (const reading of [reader.mappings('projectRoles', never), reader.projects(never), reader.groupSync(never)])
      expect(await reading).toMatchObject({ status: 'failed', why: expect.stringContaining('404') as string })
  })
})

test('a token that is refused with 404 while a write is repeated: the credential is wrong, and the first sending is told', async () => {
  const oauth = { clientId: 'app', clientSecret: async () => 'a-secret', installation: 'inst', scopes: ['projects:read'] }
  let [tokens, writes] = [0, 0]
  await using server = await rawServer((request, response) => {
    if (request.url === '/auth/o/token/') {
      if (++tokens > 1) return json(response, 404, { error: 'Page not found.' })
      return json(response, 200, { access_token: 'tok-1234567', token_type: 'Bearer', expires_in: 3600 })
    }
    if (++writes === 1) return response.destroy()
    json(response, 401, { detail: 'Token expired' })
  })
  const { writer } = client(server.url, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
  expect(await writer.write(change('g', everywhere, { action: 'delete', mapping: id(1) }), never)).toMatchObject({
    kind: 'refused',
    code: 'credential',
    earlierLastByteMs: expect.any(Number) as number,
  })
})

test('a full queue is said, and nothing is sent', async () => {
  await using server = await rawServer(() => undefined)
  const { reader, writer } = client(server.url, { queue: { lengthMax: 1, inFlightMax: 1 }, origin: { deadlineMs: 300 } })
  const under = [reader.projects(never), reader.projects(never)]
  expect(await writer.write(change('g', everywhere, { action: 'create', role: 'x' }), never)).toMatchObject({
    kind: 'notSent',
    why: expect.stringContaining('wait already') as string,
  })
  await Promise.all(under)
})
