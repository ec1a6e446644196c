import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/sandbox/endpoints.ts'
import { loadState } from '../../src/sandbox/load.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import { projectMappings, startWorld, type World } from './specification-world.ts'

type Json = Readonly<Record<string, unknown>>
const open = (more: SandboxOptions = {}) => startWorld('plane', AbortSignal.timeout(20_000), more)

async function ask({ sandbox }: Pick<World, 'sandbox'>, method: string, path: string, body?: unknown) {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, { method, ...(content !== undefined && { body: content }) })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type') === 'application/json'
  return { status: answer.status, text, json: (isJson && text !== '' ? JSON.parse(text) : {}) as Json, headers: answer.headers }
}

const mapping = { idp_group_name: 'g', role: 'member', project: 'ENG' }
const create = (world: World) => world.ask('POST', projectMappings, { body: mapping })
const workspace = ({ sandbox }: World) => sandbox.state.workspaces.acme ?? expect.unreachable('the state has acme')

describe('GET /_sandbox/', () => {
  test('lists every endpoint, and each of them answers', async () => {
    await using world = await open()
    const { json } = await ask(world, 'GET', '')
    expect(json).toMatchObject({ sandbox: 'plane-group-sync', workspaces: ['acme'], limit: { requests: 60, windowMs: 60_000 } })
    expect(json.endpoints).toEqual(endpoints.map(({ method, path, does }) => ({ method, path, does })))
    for (const { method, path } of endpoints) {
      const state = path.endsWith('/state') && method === 'PUT' ? '{}' : undefined
      const body = method === 'GET' || method === 'DELETE' ? undefined : (state ?? '{"faults":[]}')
      expect((await ask(world, method, path.replace('/_sandbox/', ''), body)).status, `${method} ${path}`).toBeLessThan(300)
    }
  })

  test('answers HEAD, which tools send that wait for a server, and addresses with and without a slash', async () => {
    await using world = await open()
    expect((await ask(world, 'HEAD', '')).status).toBe(200)
    expect((await fetch(`${world.sandbox.url}/_sandbox`)).status).toBe(200)
    expect((await ask(world, 'GET', 'faults/')).status).toBe(200)
  })

  test('an unknown endpoint or method says what there is', async () => {
    await using world = await open()
    expect(await ask(world, 'GET', 'nothing')).toMatchObject({
      status: 404,
      json: { error: expect.stringContaining('GET /_sandbox/ lists them') },
    })
    const wrong = await ask(world, 'PATCH', 'state', '{}')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT'])
  })

  test('is not counted, needs no key, and no fault and no outage strikes it', async () => {
    await using world = await open({ faults: ['*: 503', '*: latency 1ms'], limit: { requests: 1, windowMs: 60_000 } })
    for (let n = 0; n < 3; n += 1) expect((await ask(world, 'GET', '')).status).toBe(200)
    await ask(world, 'PUT', 'faults', { faults: ['POST *: outage 30s'] })
    expect((await world.ask('GET', 'projects/')).headers.get('x-ratelimit-remaining')).toBe('0')
    await create(world).catch(() => undefined)
    expect((await ask(world, 'POST', 'reset')).status).toBe(204)
    expect((await world.ask('GET', 'projects/')).status).toBe(503)
    expect(world.sandbox.requests.map(({ path }) => path)).toEqual(['/api/v1/workspaces/acme/projects/'])
  })
})

describe('/_sandbox/faults', () => {
  test('are replaced, added, counted, and removed', async () => {
    await using world = await open({ faults: ['GET *: 500'] })
    expect((await ask(world, 'GET', 'faults')).json).toEqual({ faults: [{ fault: 'GET *: 500', matched: 0, struck: 0 }] })
    const put = await ask(world, 'PUT', 'faults', { faults: ['POST project-mappings: 503, once'] })
    expect(put).toMatchObject({ status: 200, json: { faults: [{ fault: 'POST project-mappings: 503, once' }] } })
    expect([(await create(world)).status, (await create(world)).status]).toEqual([503, 201])
    await ask(world, 'POST', 'faults', { faults: ['* projects/: 404'] })
    expect((await world.ask('GET', 'projects/')).status).toBe(404)
    const { json } = await ask(world, 'GET', 'faults')
    expect(json).toEqual({
      faults: [
        { fault: 'POST project-mappings: 503, once', matched: 2, struck: 1 },
        { fault: '* projects/: 404', matched: 1, struck: 1 },
      ],
    })
    expect((await ask(world, 'PUT', 'faults', json)).json).toMatchObject({ faults: [{ matched: 0 }, { struck: 0 }] })
    expect((await ask(world, 'DELETE', 'faults')).status).toBe(204)
    expect((await ask(world, 'GET', 'faults')).json).toEqual({ faults: [] })
  })

  test.each([
    [{ faults: ['POST project-mapping: 503'] }, 'can never strike'],
    [{ faults: ['GET *: 503', 'POST *: explode'] }, '"explode" is none of'],
    [{ faults: 'GET *: 503' }, 'write the body as {"faults": ['],
    [['GET *: 503'], 'write the body as'],
    ['GET *: 503', 'write the body as'],
    ['', 'write the body as'],
  ])('%j is refused as a whole', async (body, why) => {
    await using world = await open({ faults: ['DELETE *: 500'] })
    for (const method of ['PUT', 'POST']) {
      expect(await ask(world, method, 'faults', body)).toMatchObject({ status: 400, json: { error: expect.stringContaining(why) } })
    }
    expect(world.sandbox.faults.map(({ text }) => text)).toEqual(['DELETE *: 500'])
  })
})

describe('/_sandbox/requests', () => {
  test('are shown newest last, chosen, and forgotten', async () => {
    let nowMs = Date.UTC(2026, 0, 31, 12)
    await using world = await open({ now: () => nowMs, faults: ['GET projects/: 404'] })
    await create(world)
    nowMs += 1_000
    await world.ask('GET', 'projects/?per_page=1')
    nowMs += 1_000
    await world.ask('GET', projectMappings, { key: 'wrong-key' })
    const shown = async (query: string) =>
      ((await ask(world, 'GET', `requests${query}`)).json.requests as Json[]).map(({ method, path }) => `${String(method)} ${String(path)}`)
    const [post, projects, list] = ['POST /group-sync/project-mappings/', 'GET /projects/', 'GET /group-sync/project-mappings/'].map(
      (one) => one.replace(' /', ' /api/v1/workspaces/acme/'),
    )
    expect(await shown('')).toEqual([post, projects, list])
    expect(await shown('?method=get')).toEqual([projects, list])
    expect(await shown('?path=project-mappings')).toEqual([post, list])
    expect(await shown('?since=2026-01-31T12:00:01Z')).toEqual([projects, list])
    expect(await shown('?since=2026-01-31T14:00:01.500+02:00')).toEqual([list])
    expect(await shown(`?since=${nowMs}&method=GET&path=/api`)).toEqual([list])
    const { json } = await ask(world, 'GET', 'requests')
    expect(json).toMatchObject({
      forgotten: 0,
      requests: [
        {
          ...{ body: JSON.stringify(mapping), bodyBytes: 54, credential: 'admin', status: 201, remaining: 59, faults: [] },
          ...{ receivedAt: '2026-01-31T12:00:00.000Z', committedAt: '2026-01-31T12:00:00.000Z', answeredAt: '2026-01-31T12:00:00.000Z' },
        },
        { query: 'per_page=1', status: 404, faults: ['GET projects/: 404'], receivedAt: '2026-01-31T12:00:01.000Z' },
        { status: 403, credential: 'refused key' },
      ],
    })
    expect(JSON.stringify(json)).not.toMatch(/good-key|wrong-key/)
    expect((await ask(world, 'DELETE', 'requests')).status).toBe(204)
    expect(await shown('')).toEqual([])
    expect(world.sandbox.requests).toEqual([])
  })

  test.each([
    ['?since=yesterday', 'since "yesterday" is no time'],
    ['?status=200', '"status" is none of the filters method, path, since'],
  ])('%s is refused', async (query, why) => {
    await using world = await open()
    expect(await ask(world, 'GET', `requests${query}`)).toMatchObject({ status: 400, json: { error: expect.stringContaining(why) } })
  })
})

describe('/_sandbox/state', () => {
  test('is a state file: put back, it gives the same service again', async () => {
    await using world = await open()
    const { id } = await create(world)
    await world.ask('GET', 'group-sync/config/')
    const token = await world.token('projects:read')
    const { text } = await ask(world, 'GET', 'state')
    const before = structuredClone(world.sandbox.state)
    await world.ask('DELETE', `${projectMappings}${id}/`)
    expect(workspace(world).projectMappings).toEqual([])
    expect((await ask(world, 'PUT', 'state', text)).status).toBe(204)
    expect(world.sandbox.state).toEqual(before)
    expect((await world.ask('GET', 'projects/', { token })).status).toBe(200)
    await using other = await startSandbox({ state: loadState({ name: 'saved', text }) })
    expect(other.state).toEqual(before)
  })

  test('with a saved state no identifier and no token is given twice, after another start and after a reset', async () => {
    await using world = await open()
    for (let n = 0; n < 5; n += 1) await create(world)
    await world.ask('GET', 'group-sync/config/')
    await world.token('projects:read')
    const { text } = await ask(world, 'GET', 'state')
    await using again = await open({ state: loadState({ name: 'saved', text }) })
    await ask(world, 'POST', 'reset')
    await ask(world, 'PUT', 'state', text)
    for (const next of [again, world]) {
      for (let n = 0; n < 50; n += 1) await create(next)
      await next.token('projects:read')
      const { text: later } = await ask(next, 'GET', 'state')
      const given = Array.from(later.matchAll(/"(?:id|value)": ?"([^"]+)"/g), ([, value]) => value)
      expect(given.filter((value, at) => given.indexOf(value) !== at)).toEqual([])
    }
  })

  test('takes YAML, and the next request sees it', async () => {
    await using world = await open()
    const yaml = 'keys: [{ value: good-key, name: the tester }]\nworkspaces:\n  acme: { projects: [NEW] }\n'
    expect((await ask(world, 'PUT', 'state', yaml)).status).toBe(204)
    expect((await world.ask('GET', 'projects/')).results).toMatchObject([{ identifier: 'NEW' }])
    expect(world.sandbox.requests.at(-1)).toMatchObject({ credential: 'the tester' })
  })

  test('keeps its limit, or the one of the start', async () => {
    await using world = await open({ limit: { requests: 5, windowMs: 1_000 } })
    await ask(world, 'PUT', 'state', '{}')
    expect(world.sandbox.state.limit).toEqual({ requests: 5, windowMs: 1_000 })
    await ask(world, 'PUT', 'state', 'limit: 7/s')
    expect(world.sandbox.state.limit).toEqual({ requests: 7, windowMs: 1_000 })
  })

  test.each([
    ['workspaces: { acme: { projects: [{}] } }', 'state:1:'],
    ['{ "keys": [ }', 'state:1:'],
    ['nothing', 'state:1:1'],
  ])('%s is refused with its place, and nothing changes', async (text, why) => {
    await using world = await open()
    const before = structuredClone(world.sandbox.state)
    expect(await ask(world, 'PUT', 'state', text)).toMatchObject({ status: 400, json: { error: expect.stringContaining(why) } })
    expect(world.sandbox.state).toEqual(before)
  })

  test('a body over its limit is refused', async () => {
    await using world = await open()
    expect((await ask(world, 'PUT', 'state', ' '.repeat(17 * 1024 * 1024))).status).toBe(413)
  })
})

test('POST /_sandbox/reset: everything as after the start, identifiers and chance included', async () => {
  await using world = await open({ faults: ['PATCH *: 503, 50%'], limit: { requests: 40, windowMs: 60_000 } })
  const { state } = world.sandbox
  const run = async () => {
    const { id, headers } = await create(world)
    const struck: number[] = []
    for (let n = 0; n < 12; n += 1) struck.push((await world.ask('PATCH', `${projectMappings}${id}/`, { body: { role: 'guest' } })).status)
    return [id, headers.get('x-ratelimit-remaining'), struck]
  }
  const first = await run()
  state.keys = []
  await ask(world, 'PUT', 'state', '{}')
  await ask(world, 'PUT', 'faults', { faults: [] })
  expect((await ask(world, 'POST', 'reset')).status).toBe(204)
  expect(world.sandbox.requests).toEqual([])
  expect(world.sandbox.faults).toEqual([{ text: 'PATCH *: 503, 50%', rule: expect.any(Object), matched: 0, struck: 0 }])
  expect(world.sandbox.state).toBe(state)
  expect(await run()).toEqual(first)
})

describe('who may use /_sandbox/', () => {
  /** The status of a request with these lines. `fetch` does not send a `Host` of our choice. */
  async function status(url: string, ...lines: readonly string[]): Promise<number> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const received = new Promise<string>((resolve) => socket.once('data', (bytes: Buffer) => resolve(bytes.toString())))
    socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
    const [, code] = /^HTTP\/1\.1 (\d+)/.exec(await received) ?? []
    socket.destroy()
    return Number(code)
  }
  const get = 'GET /_sandbox/state HTTP/1.1'

  test.each([
    [200, [get, 'Host: localhost:8787']],
    [200, [get, 'Host: LOCALHOST']],
    [200, [get, 'Host: 127.0.0.1']],
    [200, [get, 'Host: 127.1.2.3:1']],
    [200, [get, 'Host: [::1]:8787']],
    [200, ['GET /_sandbox/ HTTP/1.0']],
    [200, ['GET http://127.0.0.1/_sandbox/ HTTP/1.1', 'Host: evil.example']],
    [200, [get, 'Host: localhost', 'Sec-Fetch-Site: none']],
    [403, [get, 'Host: evil.example']],
    [403, [get, 'Host: localhost.evil.example']],
    [403, [get, 'Host: 127.0.0.1.evil.example']],
    [403, [get, 'Host: evil.example:127']],
    [403, [get, 'Host: [::2]']],
    [403, [get, 'Host: 10.0.0.1']],
    [403, [get, 'Host: 0.0.0.0']],
    [403, [get, 'Host: ']],
    [403, ['GET http://evil.example/_sandbox/state HTTP/1.1', 'Host: localhost']],
    [403, ['GET http://user@evil.example/_sandbox/state HTTP/1.1', 'Host: localhost']],
    [403, [get, 'Host: localhost', 'Origin: http://localhost:3000']],
    [403, [get, 'Host: localhost', 'Origin: null']],
    [403, [get, 'Host: localhost', 'Sec-Fetch-Site: cross-site']],
    [403, ['POST /_sandbox/reset HTTP/1.1', 'Host: localhost', 'Origin: http://evil.example', 'Content-Length: 0']],
    [403, ['OPTIONS /_sandbox/state HTTP/1.1', 'Host: localhost', 'Origin: http://evil.example']],
  ])('%d for %j', async (expected, lines) => {
    await using sandbox = await startSandbox()
    expect(await status(sandbox.url, ...lines)).toBe(expected)
  })

  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)

  test.skipIf(outside === undefined)('a request from another address of the network is refused, and the service answers it', async () => {
    await using sandbox = await startSandbox({ host: '0.0.0.0' })
    const url = sandbox.url.replace('0.0.0.0', outside?.address ?? '')
    expect(await status(url, get, 'Host: localhost')).toBe(403)
    expect(await status(url, 'GET /api/v1/users/me/ HTTP/1.1', 'Host: localhost', 'X-API-Key: sandbox-key')).toBe(200)
    expect(await status(sandbox.url, get, 'Host: localhost')).toBe(200)
  })
})
