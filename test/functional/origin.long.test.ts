import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectOrigin, type NoAnswer, type Origin, type OriginOptions } from '../../src/http/origin.ts'
import { json, rawServer } from './rawServer.ts'
import { selfSigned } from './selfSigned.ts'

const never = new AbortController().signal

function open(url: URL, options: Partial<OriginOptions> = {}): Origin {
  const origin = connectOrigin(url, { deadlineMs: 5_000, bytesMax: 1_000_000, idleMs: 1_000, connections: 4, now: Date.now, ...options })
  onTestFinished(() => origin.close())
  return origin
}

const get = (origin: Origin, path = '/', signal = never) => origin.request({ method: 'GET', path }, signal)
const failure = (promise: Promise<unknown>): Promise<NoAnswer> =>
  promise.then(
    () => Promise.reject(new Error('an answer')),
    (error: NoAnswer) => error,
  )

/** A port on which no program listens. */
async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('an error names the address without the query, which a link to a next page may have', async () => {
  await using server = await rawServer((_, response) => response.destroy())
  const error = await failure(get(open(server.url), '/groups?$skiptoken=abc'))
  expect(error.message).toContain(`GET ${server.url.origin}/groups: `)
})

test('an answer, whole: status, lower-case headers, body, times', async () => {
  await using server = await rawServer((_, response) => json(response, 404, { detail: 'grüße' }, { 'X-RateLimit-Remaining': '59' }))
  const before = Date.now()
  const answer = await get(open(new URL(`${server.url.origin}/plane/`)), '/api/v1/')
  expect(answer).toMatchObject({ status: 404, body: '{"detail":"grüße"}', headers: { 'x-ratelimit-remaining': '59' } })
  expect(answer.sentAtMs).toBeGreaterThanOrEqual(before)
  expect(answer.receivedAtMs).toBeGreaterThanOrEqual(answer.sentAtMs)
  expect(server.requests[0]).toMatchObject({ url: '/plane/api/v1/', headers: { 'accept-encoding': 'identity' } })
})

test('a body that is not wanted is not read: an endless one keeps nobody waiting', async () => {
  let ended = false
  await using server = await rawServer((_, response) => {
    response.writeHead(200, { 'retry-after': '3' })
    const more = setInterval(() => response.write('x'.repeat(1_000)), 5)
    response.on('close', () => {
      clearInterval(more)
      ended = true
    })
  })
  const answer = await open(server.url).request({ method: 'POST', path: '/', body: '{}', ignoresBody: true }, never)
  expect(answer).toMatchObject({ status: 200, body: '', headers: { 'retry-after': '3' } })
  await expect.poll(() => ended).toBe(true)
})

test.each([301, 302, 307, 308])('a %i is an answer: not followed, and the key goes nowhere else', async (status) => {
  await using other = await rawServer((_, response) => json(response, 200, []))
  await using server = await rawServer((_, response) => response.writeHead(status, { location: `${other.url.href}steal/` }).end())
  const origin = open(server.url)
  for (const method of ['GET', 'POST'] as const) {
    const answer = await origin.request(
      { method, path: '/x/', headers: { 'x-api-key': 'secret' }, ...(method === 'POST' ? { body: '{}' } : {}) },
      never,
    )
    expect(answer).toMatchObject({ status, headers: { location: `${other.url.href}steal/` } })
  }
  expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['secret', 'secret'])
  expect(other.requests).toEqual([])
})

test('a path cannot lead to another origin', async () => {
  await using other = await rawServer((_, response) => json(response, 200, []))
  await using server = await rawServer((_, response) => json(response, 200, []))
  const origin = open(server.url)
  for (const path of [`${other.url.href}x`, `//${other.url.host}/x`, `@${other.url.host}/x`]) {
    await get(origin, path).catch(() => undefined)
  }
  expect(other.requests).toEqual([])
})

describe('bounded', () => {
  test('more bytes than allowed', async () => {
    await using server = await rawServer((_, response) => response.end('x'.repeat(50_000)))
    expect(await failure(get(open(server.url, { bytesMax: 10_000 })))).toMatchObject({ code: 'tooLarge', sent: true })
  })

  test('a body without end', async () => {
    await using server = await rawServer((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(await failure(get(open(server.url, { bytesMax: 100_000 })))).toMatchObject({ code: 'tooLarge', sent: true })
    await expect.poll(() => server.sockets.size).toBe(0)
  })

  test('compression that nobody asked for is not unpacked', async () => {
    await using server = await rawServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000))),
    )
    const answer = await get(open(server.url, { bytesMax: 10_000 }))
    expect(answer.body.length).toBeLessThan(10_000)
  })

  test('no answer before the deadline', async () => {
    await using server = await rawServer(() => undefined)
    const began = Date.now()
    const error = await failure(get(open(server.url, { deadlineMs: 1_000 })))
    expect(error).toMatchObject({ code: 'deadline', sent: true })
    expect(error.message).toContain('1 s')
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  test('an answer that drips past the deadline', async () => {
    await using server = await rawServer((_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await failure(get(open(server.url, { deadlineMs: 1_000 })))).toMatchObject({ code: 'deadline', sent: true })
  })
})

describe('a cut-off 200 is no answer', () => {
  test('fewer bytes than Content-Length says', async () => {
    await using server = await rawServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('[1,2')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failure(get(open(server.url)))).toMatchObject({ code: 'cut', sent: true })
  })

  test('chunks without the last one', async () => {
    await using server = await rawServer((_, response) => {
      response.write('[1,2')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failure(get(open(server.url)))).toMatchObject({ code: 'cut', sent: true })
  })

  test('no byte at all', async () => {
    await using server = await rawServer((_, response) => response.destroy())
    expect(await failure(get(open(server.url)))).toMatchObject({ code: 'cut', sent: true })
  })
})

/** Why there is no answer, if a server sends these bytes. */
async function whyNot(bytes: string): Promise<NoAnswer> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(bytes)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return failure(get(open(new URL(`http://127.0.0.1:${port}`))))
}

describe('an answer that is no HTTP/1.1 is named so, in words', () => {
  test.each<[what: string, answer: string, reason: string]>([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'Expected HTTP/, RTSP/ or ICE/'],
    ['another version', 'HTTP/2 200\r\n\r\n', 'Expected dot'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n', 'Invalid character in Content-Length'],
    [
      'a length beside chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n',
      "Content-Length can't be present with Transfer-Encoding",
    ],
    ['a chunk without its size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'Invalid character in chunk size'],
    ['a header with a control character', 'HTTP/1.1 200 OK\r\nx\0y: z\r\n\r\n', 'Invalid header token'],
  ])('%s', async (_, answer, reason) => {
    const error = await whyNot(answer)
    expect(error).toMatchObject({ code: 'cut', sent: true, why: `the answer is not HTTP/1.1 (${reason})` })
    expect(error.cure).toContain('check the address and its port')
  })
})

describe('an answer that came, but breaks HTTP, is not told as one that was cut', () => {
  const two = 'its body does not have the length of its header Content-Length'
  test.each<[what: string, answer: string, why: string, code: string]>([
    [
      '100 Continue',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]',
      'the server sent 100 Continue, for which the request did not ask',
      'UND_ERR_SOCKET',
    ],
    [
      '101',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'the server sent 101 Switching Protocols, for which the request did not ask',
      'UND_ERR_SOCKET',
    ],
    ['a status below 100', 'HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 'such as a status below 100', 'ERR_ASSERTION'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 4\r\n\r\n[  ]', two, 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    [
      'chunks beside a length',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[  ]\r\n0\r\n\r\n',
      two,
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    ],
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`,
      'its headers have more bytes than are allowed',
      'UND_ERR_HEADERS_OVERFLOW',
    ],
  ])('%s', async (_, answer, why, code) => {
    const error = await whyNot(answer)
    expect(error).toMatchObject({ code: 'cut', sent: true, why: expect.stringContaining(why) as string })
    expect(error.why).toContain(`(${code})`)
    expect(error.cure).toMatch(/proxy/)
  })

  test('an answer that does end early is still one', async () => {
    expect(await whyNot('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n[]')).toMatchObject({
      code: 'cut',
      why: 'the connection ended before the answer was complete (UND_ERR_SOCKET)',
    })
  })
})

describe('nothing was sent', () => {
  test('connection refused', async () => {
    const port = await deadPort()
    const error = await failure(get(open(new URL(`http://127.0.0.1:${port}`))))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('a name that does not exist', async () => {
    expect(await failure(get(open(new URL('http://nowhere.invalid'), { deadlineMs: 20_000 })))).toMatchObject({ sent: false })
  })

  test('a certificate of nobody, until its issuer is named', async () => {
    await using server = await rawServer((_, response) => json(response, 200, []), selfSigned)
    const error = await failure(get(open(server.url)))
    expect(error).toMatchObject({ code: 'tls', sent: false })
    expect(error.cure).toContain('caFile')
    expect(server.requests).toEqual([])
    expect(await get(open(server.url, { ca: selfSigned.cert }))).toMatchObject({ status: 200 })
  })

  test('given up before', async () => {
    await using server = await rawServer((_, response) => json(response, 200, []))
    expect(await failure(get(open(server.url), '/', AbortSignal.abort()))).toMatchObject({ code: 'aborted', sent: false })
    expect(server.requests).toEqual([])
  })
})

test('given up while it is under way: sent', async () => {
  await using server = await rawServer(() => undefined)
  const stop = new AbortController()
  const pending = failure(get(open(server.url), '/', stop.signal))
  await expect.poll(() => server.requests.length).toBe(1)
  stop.abort()
  expect(await pending).toMatchObject({ code: 'aborted', sent: true })
})

test('an idle socket is given up before the service closes it, which says nothing of when: no write goes into a closing one', async () => {
  await using server = await rawServer((_, response) => json(response, 200, [], { connection: 'keep-alive' }))
  const origin = open(server.url, { idleMs: 300 })
  await get(origin)
  await get(origin)
  expect(server.sockets.size).toBeGreaterThan(0)
  await expect.poll(() => server.sockets.size, { timeout: 4_000 }).toBe(0)
  expect(await get(origin)).toMatchObject({ status: 200 })
})

test("the service's own longer keep-alive does not prolong it", async () => {
  await using server = await rawServer((_, response) => json(response, 200, [], { 'keep-alive': 'timeout=60' }))
  await get(open(server.url, { idleMs: 300 }))
  await sleep(100)
  await expect.poll(() => server.sockets.size, { timeout: 4_000 }).toBe(0)
})

test('a POST whose connection is cut is not sent again', async () => {
  await using server = await rawServer((_, response, nth) => (nth === 2 ? response.destroy() : json(response, 201, {})))
  const origin = open(server.url)
  const post = () => origin.request({ method: 'POST', path: '/', body: '{}' }, never)
  expect(await post()).toMatchObject({ status: 201 })
  expect(await failure(post())).toMatchObject({ code: 'cut', sent: true })
  expect(server.requests).toHaveLength(2)
})

test.each(['http://user:pass@host', 'http://host/?x=1', 'http://host/#x'])(
  'an address with more than scheme, host and path is refused: %s',
  (address) => {
    expect(() => open(new URL(address))).toThrow(TypeError)
  },
)

test('the environment cannot switch the check of certificates off', async () => {
  const { spawn } = await import('node:child_process')
  const { once } = await import('node:events')
  const { createServer } = await import('node:https')
  const seen: (string | string[] | undefined)[] = []
  const server = createServer(selfSigned, (request, response) => {
    seen.push(request.headers['x-api-key'])
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const script = `import { connectOrigin } from './src/http/origin.ts'
    const origin = connectOrigin(new URL('https://127.0.0.1:${port}'), { deadlineMs: 5000, bytesMax: 1000, idleMs: 1000, connections: 1, now: Date.now })
    await origin.request({ method: 'GET', path: '/', headers: { 'x-api-key': 'key' } }, new AbortController().signal).then(() => process.exit(0), () => process.exit(7))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  const [code] = (await once(child, 'exit')) as [number]
  server.close()
  expect([code, seen]).toEqual([7, []])
})
