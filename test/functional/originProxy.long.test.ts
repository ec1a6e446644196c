import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectOrigin, type NoAnswer, type Origin, type OriginOptions } from '../../src/http/origin.ts'
import { hangingServer } from './hanging.ts'
import { json, rawServer } from './rawServer.ts'
import { selfSigned, selfSignedPlane } from './selfSigned.ts'

const never = new AbortController().signal
// The address is not loopback, so the program uses the proxy and does not resolve the name itself.
const plane = new URL('https://plane.example.com')

function open(url: URL, options: Partial<OriginOptions> = {}): Origin {
  const origin = connectOrigin(url, { deadlineMs: 5_000, bytesMax: 1_000_000, idleMs: 1_000, connections: 4, now: Date.now, ...options })
  onTestFinished(() => origin.close())
  return origin
}

const through = (proxy: string, options: Partial<OriginOptions> = {}): Origin =>
  open(plane, { proxy: { https: proxy, http: proxy }, ...options })

const failure = async (origin: Origin, signal = never): Promise<{ error: NoAnswer; tookMs: number }> => {
  const beganMs = performance.now()
  const error = await origin.request({ method: 'POST', path: '/x/', body: '{}' }, signal).then(
    () => Promise.reject(new Error('an answer')),
    (thrown: NoAnswer) => thrown,
  )
  return { error, tookMs: performance.now() - beganMs }
}

/** A proxy. `answer` writes the answer to CONNECT; then the proxy passes all bytes on to the target. */
async function proxyThat(answer: (socket: Socket) => Promise<void> | void, target?: URL) {
  return hangingServer(async (socket) => {
    await answer(socket)
    if (target === undefined || socket.destroyed) return
    const inner = connect(Number(target.port), '127.0.0.1')
    inner.on('error', () => socket.destroy())
    socket.on('error', () => inner.destroy())
    socket.pipe(inner).pipe(socket)
  })
}

describe('a proxy that never answers', () => {
  test('the request ends at its deadline, unsent, and the error names the proxy', async () => {
    await using proxy = await proxyThat(() => undefined)
    const { error, tookMs } = await failure(through(`http://ann:secret-of-ann@127.0.0.1:${proxy.port}`, { deadlineMs: 300 }))
    expect(error).toMatchObject({ code: 'deadline', sent: false })
    expect(error.why).toBe(`the proxy http://127.0.0.1:${proxy.port} did not open a connection to plane.example.com:443 within 0.3 s`)
    expect(error.cure).toContain('no_proxy')
    expect(tookMs).toBeLessThan(4_000)
  })

  test('the request ends at once if it is given up', async () => {
    await using proxy = await proxyThat(() => undefined)
    const stop = new AbortController()
    const pending = failure(through(`http://127.0.0.1:${proxy.port}`, { deadlineMs: 30_000 }), stop.signal)
    await expect.poll(() => proxy.sockets.size).toBe(1)
    stop.abort()
    const { error, tookMs } = await pending
    expect(error).toMatchObject({ code: 'aborted', sent: false })
    expect(tookMs).toBeLessThan(5_000)
  })

  test('it loses its socket soon after the deadline', async () => {
    await using proxy = await proxyThat(() => undefined)
    await failure(through(`http://127.0.0.1:${proxy.port}`, { deadlineMs: 300 }))
    await expect.poll(() => proxy.sockets.size, { timeout: 5_000 }).toBe(0)
  })

  test('every further request ends at its own deadline', async () => {
    await using proxy = await proxyThat(() => undefined)
    const origin = through(`http://127.0.0.1:${proxy.port}`, { deadlineMs: 300, connections: 1 })
    for (const _ of [1, 2, 3]) {
      const { error, tookMs } = await failure(origin)
      expect(error).toMatchObject({ code: 'deadline', sent: false })
      expect(error.why).toContain('the proxy http://127.0.0.1:')
      expect(tookMs).toBeLessThan(4_000)
    }
  })
})

const opened = (socket: Socket) => void socket.write('HTTP/1.1 200 Connection established\r\n\r\n')

describe('a tunnel', () => {
  test('that opens in time carries the request', async () => {
    await using target = await rawServer((_, response) => json(response, 201, {}), selfSignedPlane)
    await using proxy = await proxyThat(opened, target.url)
    const origin = through(`http://127.0.0.1:${proxy.port}`, { ca: selfSignedPlane.cert })
    expect(await origin.request({ method: 'POST', path: '/x/', body: '{}' }, never)).toMatchObject({ status: 201 })
    expect(target.requests).toHaveLength(1)
  })

  test.each(['its deadline', 'the caller gave up'] as const)('that opens after %s carries no request', async (when) => {
    await using target = await rawServer((_, response) => json(response, 201, {}), selfSignedPlane)
    let isOpen = false
    await using proxy = await proxyThat(async (socket) => {
      await sleep(500)
      opened(socket)
      isOpen = true
    }, target.url)
    const deadlineMs = when === 'its deadline' ? 450 : 20_000
    const origin = through(`http://127.0.0.1:${proxy.port}`, { ca: selfSignedPlane.cert, deadlineMs })
    const stop = new AbortController()
    const pending = failure(origin, stop.signal)
    await sleep(100)
    if (when === 'the caller gave up') stop.abort()
    expect((await pending).error.sent).toBe(false)
    await expect.poll(() => isOpen).toBe(true)
    await sleep(1_000)
    expect(target.requests).toEqual([])
  })
})

describe('a proxy that refuses', () => {
  test.each([
    [407, 'Proxy Authentication Required', 'the proxy refuses the name and the password that it was given: check them in https_proxy'],
    [403, 'Forbidden', 'allow CONNECT to plane.example.com:443'],
    [502, 'Bad Gateway', 'look into the log of the proxy'],
    [302, 'Found', 'look into the log of the proxy'],
  ])('%i is named with the proxy', async (status, reason, cure) => {
    await using proxy = await proxyThat((socket) => void socket.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: 5\r\n\r\nno!!!`))
    const { error, tookMs } = await failure(through(`http://ann:secret-of-ann@127.0.0.1:${proxy.port}`))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.why).toBe(`the proxy http://127.0.0.1:${proxy.port} does not open a connection to plane.example.com:443 (${status})`)
    expect(error.cure).toContain(cure)
    expect(tookMs).toBeLessThan(4_000)
  })

  test('one that hangs up', async () => {
    await using proxy = await proxyThat((socket) => void socket.destroy())
    const { error } = await failure(through(`http://127.0.0.1:${proxy.port}`))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.why).toBe(`cannot connect to the proxy http://127.0.0.1:${proxy.port} (UND_ERR_SOCKET)`)
  })

  test('one that does not speak HTTP', async () => {
    await using proxy = await proxyThat((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    const { error } = await failure(through(`http://127.0.0.1:${proxy.port}`))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.why).toBe(`cannot connect to the proxy http://127.0.0.1:${proxy.port} (the answer is not HTTP/1.1)`)
  })

  test('one that is not there', async () => {
    const { port } = await (async () => {
      await using gone = await proxyThat(() => undefined)
      return gone
    })()
    const { error } = await failure(through(`http://127.0.0.1:${port}`))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.why).toBe(`cannot connect to the proxy http://127.0.0.1:${port} (ECONNREFUSED)`)
  })

  test.each(['localhost', '127.0.0.1'])('one whose certificate is refused, at %s', async (host) => {
    await using proxy = await rawServer((_, response) => response.end(), selfSigned)
    const address = `https://${host}:${proxy.url.port}`
    const { error } = await failure(through(address))
    expect(error).toMatchObject({ code: 'tls', sent: false })
    expect(error.why).toContain(`the proxy ${address}: the certificate is refused: no trusted CA issued it`)
    expect(error.cure).toContain('NODE_EXTRA_CA_CERTS')
  })

  test('one that forwards plain http and wants a password', async () => {
    await using proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    const { error } = await failure(open(new URL('http://plane.example.com'), { proxy: { http: `http://127.0.0.1:${proxy.port}` } }))
    expect(error.why).toContain('407')
    expect(error.cure).toContain('give the proxy a name and a password: http_proxy=http://NAME:PASSWORD@HOST:PORT')
  })

  test('one that gets no name and no password', async () => {
    await using proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    const { error } = await failure(through(`http://127.0.0.1:${proxy.port}`))
    expect(error.cure).toContain('give the proxy a name and a password: https_proxy=http://NAME:PASSWORD@HOST:PORT')
  })

  test('one of http_proxy that is asked for https, since there is no other', async () => {
    await using proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    const cureOf = async (account: string) => {
      const http = `http://${account}127.0.0.1:${proxy.port}`
      const { error } = await failure(open(new URL('https://plane.example.com'), { proxy: { http, https: '' } }))
      return error.cure
    }
    expect(await cureOf('')).toContain('give the proxy a name and a password: http_proxy=http://NAME:PASSWORD@HOST:PORT')
    expect(await cureOf('ann:secret-of-ann@')).toContain('check them in http_proxy')
  })

  test('one that forwards plain http and refuses the password', async () => {
    await using proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'))
    const address = `http://ann:secret-of-ann@127.0.0.1:${proxy.port}`
    const { error } = await failure(open(new URL('http://plane.example.com'), { proxy: { http: address } }))
    expect(error.why).toContain('407')
    expect(error.cure).toContain('refuses the name and the password that it was given: check them in http_proxy')
  })
})

describe('a range of addresses in no_proxy', () => {
  test.each([
    ['192.0.2.7', '192.0.2.0/24', 0],
    ['192.0.2.7', 'example.com, 192.0.2.0/24', 0],
    ['192.0.2.7', '198.51.100.0/24', 1],
    ['[2001:db8::7]', '2001:db8::/32', 0],
    ['[2001:db8::7]', '2001:db9::/32', 1],
  ])('http://%s with %s: the proxy gets %i connections', async (host, except, connections) => {
    let asked = 0
    await using proxy = await proxyThat((socket) => {
      asked++
      socket.end('HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n')
    })
    const address = `http://127.0.0.1:${proxy.port}`
    await failure(open(new URL(`https://${host}`), { deadlineMs: 1_000, proxy: { http: address, https: address, except } }))
    expect(asked).toBe(connections)
  })
})

describe('a resolver', () => {
  /** Replaces the resolver of this machine for one test. */
  function resolver(answer: typeof dns.lookup | ((...args: never[]) => void)): void {
    const { lookup } = dns
    Object.assign(dns, { lookup: answer })
    syncBuiltinESMExports()
    onTestFinished(() => {
      Object.assign(dns, { lookup })
      syncBuiltinESMExports()
    })
  }

  test('that is silent is named, with the host', async () => {
    resolver(() => undefined)
    const { error, tookMs } = await failure(open(plane, { deadlineMs: 300 }))
    expect(error).toMatchObject({ code: 'deadline', sent: false })
    expect(error.why).toBe('the resolver did not answer for the name plane.example.com within 0.3 s')
    expect(error.cure).toContain('DNS')
    expect(tookMs).toBeLessThan(4_000)
  })

  test('that is silent about the proxy is named, with the name of the proxy', async () => {
    resolver(() => undefined)
    const { error } = await failure(through('http://proxy.example.com:3128', { deadlineMs: 300 }))
    expect(error.why).toContain('proxy.example.com within 0.3 s')
  })

  test('that gives up is named', async () => {
    resolver((_host: string, _how: object, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })),
    )
    const { error } = await failure(open(plane))
    expect(error).toMatchObject({ code: 'unreachable', sent: false })
    expect(error.why).toBe('the name plane.example.com cannot be resolved (EAI_AGAIN)')
  })
})
