import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { sandboxOptions } from '../../src/sandbox/options.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { blockBelow } from './sandboxPage.ts'
import { dialectNames, page, project, projectMappings, startWorld, sticky, type World, workspaceMappings } from './specification-world.ts'

const inDialect = (dialect: World['dialect'], more = {}) => startWorld(dialect, AbortSignal.timeout(20_000), more)
const acme = ({ sandbox }: World) => sandbox.state.workspaces.acme ?? expect.unreachable('the state has acme')

describe('the server', () => {
  test('says where it is, frees its port, and refuses one that is taken', async () => {
    const sandbox = await startSandbox()
    const { port } = new URL(sandbox.url)
    await expect(startSandbox({ port: Number(port) })).rejects.toThrow('EADDRINUSE')
    await sandbox.close()
    await sandbox.close()
    await using again = await startSandbox({ port: Number(port) })
    expect(again.url).toBe(sandbox.url)
  })

  test('needs no options: a workspace, two projects, a key', async () => {
    await using sandbox = await startSandbox()
    const answer = await fetch(`${sandbox.url}/api/v1/workspaces/acme/projects/`, { headers: { 'X-API-Key': 'sandbox-key' } })
    expect(await answer.json()).toMatchObject({ results: [{ identifier: 'ENG' }, { identifier: 'OPS' }] })
  })

  test('its state may be changed while it runs', async () => {
    await using world = await inDialect('specification')
    const row = { id: page, idp_group_name: 'g', project: null, all_projects: true, role: 'guest', created_at: 0, updated_at: 0 }
    acme(world).projectMappings.push(row)
    expect((await world.ask('GET', projectMappings)).results).toMatchObject([{ id: page, created_at: '1970-01-01T00:00:00Z' }])
  })

  test('its log tells what came and what was answered, and never a key', async () => {
    await using world = await inDialect('specification')
    await world.ask('POST', workspaceMappings, { body: { idp_group_name: 'g', role: 'member' } })
    await world.ask('POST', workspaceMappings, { body: { role: 'member' } })
    const path = '/api/v1/workspaces/acme/group-sync/workspace-mappings/'
    expect(world.sandbox.requests).toMatchObject([
      { method: 'POST', path, status: 201, body: '{"idp_group_name":"g","role":"member"}', committedAt: expect.any(Number) },
      { method: 'POST', path, status: 400 },
    ])
    expect(world.sandbox.requests[1]).not.toHaveProperty('committedAt')
    expect(JSON.stringify(world.sandbox.requests)).not.toContain(world.key)
  })

  test('a body over a mebibyte is refused', async () => {
    await using world = await inDialect('specification')
    const answer = await world.ask('POST', workspaceMappings, { body: { idp_group_name: 'g'.repeat(1024 * 1024) } })
    expect(answer).toMatchObject({ status: 413 })
    expect(world.sandbox.requests).toMatchObject([{ status: 413, body: '' }])
    expect(acme(world).workspaceMappings).toEqual([])
  })

  test('an idle connection is closed when it says, and no header warns', async () => {
    await using world = await inDialect('plane', { idleConnectionMs: 100 })
    const { port } = new URL(world.sandbox.url)
    const socket = connect(Number(port), '127.0.0.1')
    let received = ''
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
    socket.write(`GET /api/v1/users/me/ HTTP/1.1\r\nHost: a\r\nX-API-Key: ${world.key}\r\n\r\n`)
    const beganMs = performance.now()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(performance.now() - beganMs).toBeLessThan(900)
    expect(received).toContain('HTTP/1.1 200')
    expect(received.toLowerCase()).not.toContain('keep-alive:')
  })
})

describe.each(dialectNames)('what a mapping may be (%s)', (dialect) => {
  const base = { idp_group_name: 'g', role: 'member', project: 'ENG' }
  test.each([
    ['texts are trimmed', { idp_group_name: '  g  ' }, { idp_group_name: 'g' }],
    ['numbers become texts', { idp_group_name: 42 }, { idp_group_name: '42' }],
    ['identifiers are upper-cased', { project: 'eng' }, { project: 'ENG' }],
    ['unknown fields are ignored', { color: 'red' }, base],
    ['any script, quotes, slashes', { idp_group_name: 'Ж "a"/b\\c,d' }, { idp_group_name: 'Ж "a"/b\\c,d' }],
    ['255 characters', { idp_group_name: 'é'.repeat(255) }, { idp_group_name: 'é'.repeat(255) }],
  ])('%s', async (_, sent, stored) => {
    await using world = await inDialect(dialect)
    const { status, json } = await world.ask('POST', projectMappings, { body: { ...base, ...sent } })
    expect([status, json]).toEqual([201, expect.objectContaining(stored)])
    expect(acme(world).projectMappings).toMatchObject([stored])
  })

  test.each([
    [{ idp_group_name: 'g'.repeat(256) }, { idp_group_name: ['Ensure this field has no more than 255 characters.'] }],
    [{ idp_group_name: '  ' }, { idp_group_name: ['This field may not be blank.'] }],
    [{ idp_group_name: null }, { idp_group_name: ['This field may not be null.'] }],
    [{ idp_group_name: ['g'] }, { idp_group_name: ['Not a valid string.'] }],
    [{ all_projects: 'perhaps' }, { all_projects: ['Must be a valid boolean.'] }],
    [{ project: 'THIRTEEN-LONG' }, { project: ['Ensure this field has no more than 12 characters.'] }],
    [{ project: 'NOWHERE' }, { project: ['Project with identifier "NOWHERE" does not exist in this workspace.'] }],
    [{ project: null }, { error: 'Either project or all_projects is required.' }],
    [{ all_projects: true }, { error: 'project and all_projects are mutually exclusive.' }],
  ])('400 for %j', async (sent, complaint) => {
    await using world = await inDialect(dialect)
    const { status, json } = await world.ask('POST', projectMappings, { body: { ...base, ...sent } })
    expect([status, json]).toEqual([400, complaint])
    expect(acme(world).projectMappings).toEqual([])
  })

  test('every missing field is told at once', async () => {
    await using world = await inDialect(dialect)
    const required = ['This field is required.']
    expect((await world.ask('POST', projectMappings, { body: {} })).json).toEqual({ idp_group_name: required, role: required })
  })

  test('a patch is judged by what it makes, and an empty one refused', async () => {
    await using world = await inDialect(dialect)
    const { id } = await world.ask('POST', projectMappings, { body: base })
    const patch = async (body: object) => (await world.ask('PATCH', `${projectMappings}${id}/`, { body })).status
    expect(await patch({ all_projects: true })).toBe(400)
    expect(await patch({ all_projects: true, project: null })).toBe(200)
    expect(await patch({ project: 'ops', all_projects: false })).toBe(200)
    expect((await world.ask('PATCH', `${projectMappings}${id}/`, { body: {} })).text).toBe('{"error":"Request body cannot be empty."}')
    expect(acme(world).projectMappings).toMatchObject([{ id, project: 'OPS', all_projects: false }])
  })

  test('roles are opaque, unless the state names them', async () => {
    await using world = await inDialect(dialect)
    const create = async (role: string) => (await world.ask('POST', workspaceMappings, { body: { idp_group_name: 'g', role } })).status
    expect(await create('anything')).toBe(201)
    acme(world).roles = { workspace: ['admin'], project: [] }
    expect([await create('anything'), await create('admin')]).toEqual([400, 201])
    expect((await world.ask('GET', 'roles/?namespace=workspace')).results).toMatchObject([{ slug: 'admin', namespace: 'workspace' }])
  })

  test('a body that is not a JSON object is a 400', async () => {
    await using world = await inDialect(dialect)
    for (const body of ['{', '[]', '"g"', 'null', '\uFFFE']) {
      const headers = { 'X-API-Key': world.key, 'Content-Type': 'application/json' }
      const address = `${world.sandbox.url}/api/v1/workspaces/acme/${workspaceMappings}`
      expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400)
    }
  })
})

describe.each(dialectNames)('beside the mappings (%s)', (dialect) => {
  test('the first read of config/ creates it; a patch keeps the rest', async () => {
    await using world = await inDialect(dialect)
    expect(acme(world).config).toBeUndefined()
    expect((await world.ask('GET', 'group-sync/config/')).json).toMatchObject({ group_attribute_key: 'groups', auto_remove: false })
    expect(acme(world).config).toBeDefined()
    const body = { is_enabled: true, default_workspace_role: 'guest' }
    expect((await world.ask('PATCH', 'group-sync/config/', { body })).json).toMatchObject({ ...body, group_attribute_key: 'groups' })
    expect((await world.ask('PATCH', 'group-sync/config/', { body: {} })).status).toBe(400)
  })

  test('who one is', async () => {
    await using world = await inDialect(dialect)
    expect((await world.ask('GET', '/api/v1/users/me/')).json).toMatchObject({
      display_name: 'admin',
      id: world.sandbox.state.users[0]?.id,
    })
  })

  test('a read-only key reads; a key of another workspace does not; a sticky is its owner’s', async () => {
    await using world = await inDialect(dialect)
    const { keys } = world.sandbox.state
    keys.push({ value: 'reader', owner: 'bob', rights: 'read-only', enabled: true })
    keys.push({ value: 'stranger', owner: 'bob', rights: 'admin', enabled: true, workspaces: ['elsewhere'] })
    const body = { idp_group_name: 'g', role: 'member' }
    expect((await world.ask('GET', workspaceMappings, { key: 'reader' })).status).toBe(200)
    expect((await world.ask('POST', workspaceMappings, { key: 'reader', body })).status).toBe(403)
    expect((await world.ask('GET', workspaceMappings, { key: 'stranger' })).status).toBe(world.by({ specification: 404, plane: 403 }))
    expect((await world.ask('GET', `stickies/${sticky}/`, { key: 'reader' })).status).toBe(404)
  })

  test('roles come in pages, those of projects first', async () => {
    await using world = await inDialect(dialect)
    const project = Array.from({ length: 21 }, (_, index) => `project-${index}`)
    acme(world).roles = { workspace: ['admin'], project }
    const roles = [...project.map((slug) => ['project', slug]), ['workspace', 'admin']]
    const read = async (query: string) => {
      const { json, results } = await world.ask('GET', `roles/${query}`)
      return { roles: results.map(({ namespace, slug }) => [namespace, slug]), next: json.next_page_results, total: json.total_results }
    }
    const first = world.by({ specification: 22, plane: 20 })
    expect(await read('')).toEqual({ roles: roles.slice(0, first), next: first < 22, total: 22 })
    expect(await read('?per_page=20&cursor=20:1:0')).toEqual({ roles: roles.slice(20), next: false, total: 22 })
    expect(await read('?namespace=workspace')).toEqual({ roles: [['workspace', 'admin']], next: false, total: 1 })
    expect((await world.ask('GET', 'roles/?namespace=both')).status).toBe(400)
  })

  test('a row names its workspace by the identifier that the state has', async () => {
    await using world = await inDialect(dialect)
    const workspace = '0190f0a0-0000-4000-a000-00000000000a'
    acme(world).id = workspace
    for (const address of [`stickies/${sticky}/`, `pages/${page}/`])
      expect((await world.ask('GET', address)).json).toMatchObject({ workspace })
    for (const address of ['projects/', `projects/${project}/work-items/`]) {
      expect((await world.ask('GET', `${address}?per_page=1`)).results).toMatchObject([{ workspace }])
    }
  })

  test('a secret project is seen by its members; archived ones are listed', async () => {
    await using world = await inDialect(dialect)
    const [eng, ops] = acme(world).projects
    Object.assign(eng ?? {}, { network: 0, members: ['bob'] })
    Object.assign(ops ?? {}, { archived_at: 0 })
    expect((await world.ask('GET', 'projects/?fields=identifier,archived_at')).results).toEqual([
      { identifier: 'OPS', archived_at: world.by({ specification: '1970-01-01T00:00:00Z', plane: '1970-01-01T02:00:00.000000+02:00' }) },
    ])
    expect((await world.ask('GET', `projects/${project}/work-items/`)).status).toBe(world.by({ specification: 404, plane: 403 }))
  })

  test('order_by sorts, and backwards', async () => {
    await using world = await inDialect(dialect)
    const identifiers = async (order: string) =>
      (await world.ask('GET', `projects/?order_by=${order}`)).results.map(({ identifier }) => identifier)
    expect([await identifiers('identifier'), await identifiers('-identifier')]).toEqual([
      ['ENG', 'OPS'],
      ['OPS', 'ENG'],
    ])
    expect((await world.ask('GET', 'projects/?order_by=nonsense')).status).toBe(world.by({ specification: 200, plane: 500 }))
  })

  test('what pages are not', async () => {
    await using world = await inDialect(dialect)
    const status = async (query: string) => (await world.ask('GET', `projects/?${query}`)).status
    expect(await status('per_page=0')).toBe(world.by({ specification: 400, plane: 500 }))
    expect(await status('per_page=-1')).toBe(world.by({ specification: 400, plane: 500 }))
    expect(await status('per_page=10&cursor=10:-1:1')).toBe(400)
    expect(await status('per_page=10&cursor=')).toBe(world.by({ specification: 200, plane: 400 }))
    expect((await world.ask('GET', 'projects/?fields=id,%20identifier')).results[0]).toEqual(
      world.by({ specification: { id: project, identifier: 'ENG' }, plane: { id: project } }),
    )
    expect((await world.ask('GET', 'projects/?fields=project_lead&expand=project_lead')).results[1]).toEqual({
      project_lead: world.by({ specification: null, plane: {} }),
    })
  })

  test('a missing slash, for every method', async () => {
    await using world = await inDialect(dialect)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const { status } = await world.ask(method, projectMappings.slice(0, -1), method === 'GET' ? {} : { body: {} })
      expect(status).toBe(world.by({ specification: 404, plane: 301 }))
    }
  })

  test('HEAD and OPTIONS are no methods of the service; plane looks at Accept', async () => {
    await using world = await inDialect(dialect)
    expect((await world.ask('HEAD', 'projects/')).status).toBe(405)
    expect((await world.ask('OPTIONS', 'projects/')).headers.get('allow')).toBe('GET')
    expect((await world.ask('GET', 'projects/', { headers: { Accept: 'text/html' } })).status).toBe(
      world.by({ specification: 200, plane: 406 }),
    )
  })
})

describe('OAuth', () => {
  const form = { grant_type: 'client_credentials', app_installation_id: '0190f0a0-0000-4000-a000-000000000004' }
  const ask = async (world: World, fields: object, credentials = 'an-application:a-secret') => {
    const headers = { Authorization: `Basic ${btoa(credentials)}` }
    const body = new URLSearchParams({ ...form, ...fields })
    const answer = await fetch(`${world.sandbox.url}/auth/o/token/`, { method: 'POST', headers, body })
    return [answer.status, (await answer.json()) as { access_token?: string }] as const
  }

  test('a token lives 86,400 s, has the scopes that were asked for, and dies', async () => {
    let nowMs = Date.UTC(2026, 0, 1)
    await using world = await inDialect('specification', { now: () => nowMs })
    const [status, token] = await ask(world, { scope: 'projects:read stickies:read' })
    expect([status, token]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 86_400, scope: 'projects:read stickies:read' },
    ])
    expect((await world.ask('GET', 'projects/', { token: token.access_token ?? '' })).status).toBe(200)
    nowMs += 86_400_000
    expect((await world.ask('GET', 'projects/', { token: token.access_token ?? '' })).status).toBe(401)
  })

  test.each([
    [401, 'invalid_client', {}, 'an-application:wrong'],
    [401, 'invalid_client', {}, 'nobody:a-secret'],
    [400, 'unsupported_grant_type', { grant_type: 'password' }, undefined],
    [400, 'invalid_grant', { app_installation_id: 'other' }, undefined],
    [400, 'invalid_scope', { scope: 'everything' }, undefined],
  ])('%d %s', async (status, error, fields, credentials) => {
    await using world = await inDialect('plane')
    expect(await ask(world, fields, credentials)).toEqual([status, { error, error_description: expect.any(String) }])
  })
})

describe('OAuth with the secret in the body', () => {
  const fields = {
    grant_type: 'client_credentials',
    app_installation_id: '0190f0a0-0000-4000-a000-000000000004',
    scope: 'projects:read',
    client_id: 'an-application',
    client_secret: 'a-secret',
  }
  const ask = async ({ sandbox }: World, init: { headers?: Record<string, string>; body: URLSearchParams | string }) => {
    const answer = await fetch(`${sandbox.url}/auth/o/token/`, { method: 'POST', ...init })
    return [answer.status, (await answer.json()) as { access_token?: string; error?: string }] as const
  }
  const headers = { 'Content-Type': 'application/json' }

  test.each([
    ['a form', { body: new URLSearchParams(fields) }],
    ['JSON', { headers, body: JSON.stringify(fields) }],
  ])('as %s: a token, and no secret in the log', async (_, init) => {
    await using world = await inDialect('plane')
    const [status, { access_token: token = '' }] = await ask(world, init)
    expect([status, world.sandbox.state.tokens]).toMatchObject([200, [{ value: token, scopes: ['projects:read'] }]])
    expect((await world.ask('GET', 'projects/', { token })).status).toBe(200)
    expect(JSON.stringify(world.sandbox.requests)).not.toContain('a-secret')
  })

  const wrong = JSON.stringify({ ...fields, client_secret: 'wrong' })
  test.each([
    [401, 'invalid_client', 'a wrong secret', { headers, body: wrong }],
    [401, 'invalid_client', 'no secret', { headers, body: JSON.stringify({ ...fields, client_secret: null }) }],
    [
      400,
      'invalid_request',
      'a secret in both places',
      { headers: { ...headers, Authorization: `Basic ${btoa('an-application:a-secret')}` }, body: wrong },
    ],
    [400, 'invalid_request', 'a list', { headers, body: '[]' }],
    [400, 'invalid_request', 'half of an object', { headers, body: '{"client_id":' }],
    [400, 'invalid_request', 'another type', { headers: { 'Content-Type': 'text/plain' }, body: String(new URLSearchParams(fields)) }],
  ])('%d %s: %s', async (status, error, _, init) => {
    await using world = await inDialect('plane')
    expect(await ask(world, init)).toMatchObject([status, { error }])
    expect(world.sandbox.state.tokens).toEqual([])
  })
})

describe('docs/dev/sandbox-reference.md', () => {
  const page = () => readFile(new URL('../../docs/dev/sandbox-reference.md', import.meta.url), 'utf8')
  test('shows a state file and faults that work', async () => {
    const text = await page()
    const yaml = blockBelow('## The state file', 'yaml')
    const faults = [...text.matchAll(/--fault '([^']+)'/g)].map(([, fault = '']) => fault)
    expect(faults.length).toBeGreaterThan(0)
    await using sandbox = await startSandbox(sandboxOptions({ state: { name: 'sandbox.md', text: yaml }, faults }))
    expect(sandbox.state.workspaces.acme?.projectMappings.map(({ role }) => role)).toEqual(['member', 'guest'])
  })
})
