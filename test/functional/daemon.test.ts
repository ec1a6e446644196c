import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { openProgress } from '../../src/daemon/cycleProgress.ts'
import { type HttpPages, type HttpServer, serveHttp } from '../../src/daemon/http.ts'
import { openTriggers, runLoop } from '../../src/daemon/loop.ts'
import { openMetrics } from '../../src/daemon/metrics.ts'
import { ListenError, parseListen } from '../../src/settings/patterns/address.ts'
import { longTest } from '../long.ts'
import { virtualTime } from '../unit/plane/virtualTime.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const metrics = () => openMetrics({ version: '1.0.0', node: 'v0', queues: () => [], dateOf: (atMs) => atMs, onError: () => undefined })

async function serving(more: Partial<HttpPages> = {}, listen = '127.0.0.1:0'): Promise<HttpServer & { readonly errors: unknown[] }> {
  const errors: unknown[] = []
  const server = await serveHttp(listen, {
    healthy: () => ({ ok: true, reason: 'moving' }),
    ready: () => ({ ok: true, reason: 'attempted' }),
    metrics: metrics().render,
    onError: (error) => errors.push(error),
    ...more,
  })
  servers.push(server)
  return { ...server, errors }
}

/** The answer of a server to bytes that no client library would send. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text))
    socket.on('data', (data) => (said += String(data)))
    socket.on('close', () => resolve(said))
    socket.on('error', reject)
  })
}

describe('pages', () => {
  test('metrics are compressed for a client that asks for it, and for no other', async () => {
    const { url } = await serving()
    const asked = async (encoding: string, method = 'GET') =>
      raw(url, `${method} /metrics HTTP/1.1\r\nhost: x\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`)
    const small = await asked('gzip;q=0.8, identity;q=0.1')
    expect(small).toMatch(/^content-encoding: gzip\r$/m)
    expect(small).toMatch(/^vary: accept-encoding\r$/m)
    expect(await asked('gzip', 'HEAD')).toMatch(/^content-encoding: gzip\r$/m)
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const plain = await asked(encoding)
      expect(plain).not.toMatch(/^content-encoding/m)
      expect(plain).toMatch(/^vary: accept-encoding\r$/m)
      expect(plain).toContain('plane_group_sync_build_info')
    }
    const decoded = await fetch(`${url}/metrics`, { headers: { 'accept-encoding': 'gzip' } })
    expect(decoded.headers.get('content-encoding')).toBe('gzip')
    expect(await decoded.text()).toContain('plane_group_sync_build_info{version="1.0.0",node="v0"} 1')
    const health = await fetch(`${url}/healthz`, { headers: { 'accept-encoding': 'gzip' } })
    expect(health.headers.get('content-encoding')).toBeNull()
  })

  test('health and readiness answer with their reason, 200 or 503', async () => {
    const { url } = await serving({ ready: () => ({ ok: false, reason: 'no cycle yet' }) })
    const health = await fetch(`${url}/healthz`)
    expect([health.status, await health.text()]).toEqual([200, 'ok: moving\n'])
    const ready = await fetch(`${url}/readyz?verbose`)
    expect([ready.status, await ready.text()]).toEqual([503, 'not ok: no cycle yet\n'])
    expect(ready.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(ready.headers.get('cache-control')).toBe('no-store')
  })

  test('metrics, as Prometheus asks for them', async () => {
    const { url } = await serving()
    const page = await fetch(`${url}/metrics`, {
      headers: { accept: 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4' },
    })
    expect(page.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await page.text()).toContain('plane_group_sync_build_info{version="1.0.0",node="v0"} 1')
  })

  test('the index names the others; all else is 404, also what objects are born with', async () => {
    const { url } = await serving()
    const index = await (await fetch(url)).text()
    for (const page of ['/healthz', '/readyz', '/metrics']) expect(index).toContain(page)
    for (const path of ['/healthz/', '/constructor', '/__proto__', '//', '/%2e%2e/etc/passwd']) {
      expect((await fetch(url + path)).status, path).toBe(404)
    }
  })

  test('HEAD is GET without a body; other methods are refused', async () => {
    const { url } = await serving()
    const [get, head] = [await fetch(`${url}/healthz`), await fetch(`${url}/healthz`, { method: 'HEAD' })]
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
    const post = await fetch(`${url}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${url}/nowhere`, { method: 'DELETE' })).status).toBe(404)
  })

  test('a page that cannot be made says nothing about why, the log does', async () => {
    const { url, errors } = await serving({
      metrics: async () => {
        throw new Error('the password is hunter2')
      },
    })
    const page = await fetch(`${url}/metrics`)
    expect(page.status).toBe(500)
    expect(await page.text()).not.toContain('hunter2')
    expect(errors).toHaveLength(1)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('what is not HTTP, or too much of it, is refused and hurts nobody', async () => {
    const { url } = await serving()
    expect(await raw(url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
    expect(await raw(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431/)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})

describe('listening', () => {
  test('a taken port is a sentence that names the setting', async () => {
    const { url } = await serving()
    const { host } = new URL(url)
    await expect(serving({}, host)).rejects.toThrow(ListenError)
    await expect(serving({}, host)).rejects.toThrow(`http.listen ${host}: another program listens there`)
  })

  test('an address that is not ours', async () => {
    await expect(serving({}, '192.0.2.1:0')).rejects.toThrow(/this machine has no such address/)
  })

  test.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    [':8080', { host: '::', port: 8080 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ])('%s', (listen, parsed) => {
    expect(parseListen(listen)).toEqual(parsed)
  })

  test.each(['', '9464', 'localhost', 'a:65536', '::1:9464', 'a:b', 'a:-1'])('"%s" is refused', (listen) => {
    expect(() => parseListen(listen)).toThrow(/is not host:port/)
  })
})

describe('closing', () => {
  test('ends idle connections at once, and the port is free again', async () => {
    const { url, close } = await serving()
    await fetch(url, { keepalive: true })
    const beganMs = performance.now()
    await close()
    // Node closes an idle connection after five seconds.
    expect(performance.now() - beganMs).toBeLessThan(4_000)
    await expect(fetch(url)).rejects.toThrow()
    await expect(serving({}, new URL(url).host)).resolves.toMatchObject({ url })
  })

  longTest('an answer under way is finished', async () => {
    let finish = (_page: { contentType: string; body: string }) => undefined as void
    const asked = Promise.withResolvers<void>()
    const { url, close } = await serving({
      metrics: () =>
        new Promise((resolve) => {
          finish = resolve
          asked.resolve()
        }),
    })
    const page = fetch(`${url}/metrics`)
    await asked.promise
    const closed = close()
    finish({ contentType: 'text/plain', body: 'late' })
    expect(await (await page).text()).toBe('late')
    await closed
  })

  longTest('a client that never reads an end does not keep it open for ever', async () => {
    const { url, close } = await serving({ metrics: () => new Promise(() => undefined) })
    const page = fetch(`${url}/metrics`).then(
      () => 'answered',
      () => 'cut',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    await close()
    expect(await page).toBe('cut')
  })
})

test('a daemon of the parts: probes and numbers follow the loop', async () => {
  const clock = virtualTime(0)
  const numbers = metrics()
  numbers.expect({ workspaces: ['acme'], directories: [], credentials: [] })
  const progress = openProgress(0, 60_000)
  const triggers = openTriggers()
  const stop = new AbortController()
  const { url } = await serving({ healthy: () => progress.healthy(clock.now()), ready: progress.ready, metrics: numbers.render })
  const status = async (path: string) => (await fetch(url + path)).status
  const value = async (name: string) =>
    new RegExp(`^plane_group_sync_${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]

  let fails = true
  const loop = runLoop(
    {
      cycle: async () => {
        if (fails) throw new Error('the declaration is invalid')
        progress.ended(clock.now(), true)
        return {}
      },
      nextTickMs: (afterMs) => afterMs + 600_000,
      jitterMs: () => 0,
      random: () => 0,
      heldUntilMs: () => undefined,
      triggers,
      clock,
      onBegin: (why) => {
        progress.began(clock.now())
        numbers.observeBegin(why)
      },
      onError: () => {
        progress.ended(clock.now(), false)
        numbers.observeThrow()
      },
      onNext: (atMs) => {
        progress.next(atMs)
        numbers.observeNext(atMs)
      },
    },
    stop.signal,
  )
  await clock.run(1_000)
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503])
  expect(await value('cycles_thrown_total')).toBe('1')
  expect(await value('next_run_timestamp_seconds')).toBe('600')

  fails = false
  triggers.fire('reload')
  await clock.run(30_000)
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
  expect(await value('cycles_begun_total\\{trigger="reload"\\}')).toBe('1')

  fails = true
  await clock.run(700_000)
  expect(await status('/readyz')).toBe(200)
  stop.abort()
  await loop
})
