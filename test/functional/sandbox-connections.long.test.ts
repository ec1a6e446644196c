import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'

const key = 'X-API-Key: sandbox-key'

/** Sends raw text, and reads until the server closes the connection, or until nothing has come for a while. */
async function exchange(url: string, text: string, quietMs = 300): Promise<{ readonly received: string; readonly closed: boolean }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let lastMs = performance.now()
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString()
    lastMs = performance.now()
  })
  socket.on('error', () => undefined)
  socket.write(text)
  while (!socket.closed && performance.now() - lastMs < quietMs) await sleep(10)
  const { closed } = socket
  socket.destroy()
  return { received, closed }
}

describe('a connection', () => {
  test.each([
    ['HTTP/1.1', [], 'keep-alive', false],
    ['HTTP/1.1', ['Connection: close'], 'close', true],
    ['HTTP/1.1', ['Connection: keep-alive'], 'keep-alive', false],
    ['HTTP/1.0', [], 'close', true],
    ['HTTP/1.0', ['Connection: keep-alive'], 'keep-alive', false],
  ])('of %s with %j is answered with %s', async (version, headers, connection, closed) => {
    await using sandbox = await startSandbox()
    const request = [`GET /api/v1/users/me/ ${version}`, 'Host: a', key, ...headers, '', ''].join('\r\n')
    const answer = await exchange(sandbox.url, request)
    expect(answer.received).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer.received.match(/^connection: .*$/gim)).toEqual([expect.stringMatching(new RegExp(`^connection: ${connection}$`, 'i'))])
    expect(answer.closed).toBe(closed)
    expect(answer.received.toLowerCase()).not.toContain('keep-alive:')
  })

  test.each([
    ['an error of the service', 'GET /nowhere/ HTTP/1.1', 404],
    ['a fault', 'GET /api/v1/workspaces/acme/projects/ HTTP/1.1', 503],
    ['the sandbox itself', 'GET /_sandbox/ HTTP/1.1', 200],
  ])('is closed on request after %s, too', async (_, line, status) => {
    await using sandbox = await startSandbox({ faults: ['GET projects: 503'] })
    const answer = await exchange(sandbox.url, `${line}\r\nHost: localhost\r\n${key}\r\nConnection: close\r\n\r\n`)
    expect(answer.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.closed).toBe(true)
  })
})

describe('a target', () => {
  test.each(['http://plane.example.com', 'HTTP://127.0.0.1:8787', 'https://user@[::1]:1'])('may be absolute: %s', async (origin) => {
    await using sandbox = await startSandbox()
    const target = `${origin}/api/v1/workspaces/acme/projects/?per_page=1&x=/?`
    const { received } = await exchange(sandbox.url, `GET ${target} HTTP/1.1\r\nHost: a\r\n${key}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(sandbox.requests).toMatchObject([{ path: '/api/v1/workspaces/acme/projects/', query: 'per_page=1&x=/?' }])
  })

  test.each(['http://plane.example.com', 'http://plane.example.com?x=1', '/', '*', '//', '/%', '/api/v1/workspaces/%ff/projects/'])(
    'may be anything: %s is an unknown address',
    async (target) => {
      await using sandbox = await startSandbox()
      const method = target === '*' ? 'OPTIONS' : 'GET'
      const { received } = await exchange(sandbox.url, `${method} ${target} HTTP/1.1\r\nHost: a\r\n${key}\r\nConnection: close\r\n\r\n`)
      expect(received).toMatch(/^HTTP\/1\.1 404 /)
      expect(received).toContain('not found')
    },
  )
})

describe('bodies', () => {
  const post = (url: string, bytes: number, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/workspaces/acme/group-sync/project-mappings/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: 'x'.repeat(bytes),
    })

  test('of refused requests do not stay in memory', async () => {
    await using sandbox = await startSandbox()
    for (let sent = 0; sent < 120; sent += 1) expect((await post(sandbox.url, 900_000)).status).toBe(401)
    expect(sandbox.requests).toHaveLength(120)
    expect(sandbox.requests.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(8 * 1024 * 1024)
    expect(sandbox.requests[0]).toMatchObject({ bodyBytes: 900_000, credential: 'none' })
  })

  test('of requests that wait for their answer have a limit together', async () => {
    await using sandbox = await startSandbox({ faults: ['POST *: latency 1h'] })
    const asked = Array.from({ length: 80 }, () => post(sandbox.url, 1_000_000).then(({ status }) => status))
    for (const one of asked) one.catch(() => undefined)
    while (sandbox.requests.length < 80) await sleep(20)
    const refused = sandbox.requests.filter(({ status }) => status === 503)
    expect(refused.length).toBe(80 - 67)
    sandbox.setFaults([])
    expect((await fetch(`${sandbox.url}/_sandbox/`)).status).toBe(200)
  })

  test('that are too large are answered, whatever their size', async () => {
    await using sandbox = await startSandbox()
    expect((await post(sandbox.url, 20_000_000)).status).toBe(413)
    expect(sandbox.requests).toMatchObject([{ status: 413, bodyBytes: 0 }])
  })
})
