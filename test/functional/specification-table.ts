import { expect } from 'vitest'
import { page, project, projectMappings, sticky, type World, workspaceMappings } from './specification-world.ts'

/** One line of the specification, quoted, and what shows that it holds: over bare HTTP, and through the client. */
export type Row = {
  readonly section: string
  readonly line: string
  readonly raw: (world: World) => Promise<void>
  readonly client?: (world: World) => Promise<void>
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+02:00$/
const engineers = { idp_group_name: 'engineers', role: 'member' }
const rowFields = ['id', 'created_at', 'updated_at']
const items = `projects/${project}/work-items/`

const create = (world: World, body: object = { project: 'ENG' }, kind = projectMappings) =>
  world.ask('POST', kind, { body: { ...engineers, ...body } })
const keysOf = (value: object) => Object.keys(value).toSorted()
/** The operation works with its scope and is refused with another. */
async function needsScope(world: World, scope: string, run: (token: string) => Promise<{ status: number }>): Promise<void> {
  expect((await run(await world.token(scope))).status).toBeLessThan(300)
  expect((await run(await world.token('projects:read'))).status).toBe(403)
}
/** A service that answers with this status is shown as it is. */
const showsStatus = (status: number) => async (world: World) => {
  world.sandbox.setFaults([`GET ${projectMappings}: ${status}`])
  expect((await world.ask('GET', projectMappings)).status).toBe(status)
}

const resources: Row[] = [
  {
    section: 'What the service does',
    line: 'request bodies are JSON (`application/json`), responses are JSON',
    raw: async (world) => {
      expect((await create(world)).headers.get('content-type')).toBe('application/json')
      const form = { body: engineers, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
      expect((await world.ask('POST', projectMappings, form)).status).toBe(415)
    },
  },
  {
    section: 'What the service does',
    line: 'The base address is `{base_url}`. It is prefixed to every path.',
    raw: async ({ ask }) => expect((await ask('GET', '/api/v1/users/me/')).status).toBe(200),
  },
  {
    section: 'Resources',
    line: 'All identifiers are strings (UUID-shaped).',
    raw: async (world) => {
      const ids = [(await create(world)).id, ...(await world.ask('GET', 'projects/')).results.map(({ id }) => id)]
      for (const id of ids) expect(id).toMatch(uuid)
    },
  },
  {
    section: 'Resources',
    line: 'All timestamps are strings in ISO 8601 UTC form',
    raw: async (world) => expect((await create(world)).json.created_at).toMatch(world.by({ specification: utc, plane: withOffset })),
  },
  {
    section: 'Project group mapping',
    line: 'Maps an IdP group to a role in one project or in all projects of a workspace.',
    raw: async (world) => {
      const { json } = await create(world)
      expect(keysOf(json)).toEqual([...rowFields, 'idp_group_name', 'project', 'all_projects', 'role'].toSorted())
      expect(json).toMatchObject({ idp_group_name: 'engineers', project: 'ENG', role: 'member' })
    },
  },
  {
    section: 'Project group mapping',
    line: '`project` and `all_projects: true` are mutually exclusive.',
    raw: async (world) => {
      expect((await create(world, { project: 'ENG', all_projects: true })).status).toBe(400)
      expect(world.sandbox.state.workspaces.acme?.projectMappings).toEqual([])
    },
  },
  {
    section: 'Project group mapping',
    line: 'In a created mapping for a specific project, `all_projects` is false.',
    raw: async (world) => expect((await create(world)).json.all_projects).toBe(false),
  },
  {
    section: 'Workspace group mapping',
    line: 'Maps an IdP group to a workspace role.',
    raw: async (world) => {
      const { json } = await create(world, {}, workspaceMappings)
      expect(keysOf(json)).toEqual([...rowFields, 'idp_group_name', 'role'].toSorted())
    },
  },
  {
    section: 'Paginated list envelope',
    line: 'List responses use this object',
    raw: async ({ ask }) => {
      const { json, results } = await ask('GET', `${items}?per_page=3&cursor=3:1:0`)
      expect({ ...json, results: results.length }).toEqual({
        next_cursor: '3:2:0',
        prev_cursor: '3:0:1',
        next_page_results: true,
        prev_page_results: true,
        count: 3,
        total_pages: 3,
        total_results: 7,
        extra_stats: {},
        results: 3,
      })
    },
  },
]

const endpoints: Row[] = [
  {
    section: 'Endpoints',
    line: '`{workspace_slug}` is the unique workspace identifier',
    raw: async ({ ask, by }) =>
      expect((await ask('GET', '/api/v1/workspaces/nowhere/projects/')).status).toBe(by({ specification: 404, plane: 403 })),
  },
  {
    section: 'Endpoints',
    line: 'GET (read), POST (create), PATCH (partial update), DELETE (delete)',
    raw: async (world) => {
      for (const kind of [projectMappings, workspaceMappings]) {
        const { id, json } = await create(world, kind === projectMappings ? { project: 'ENG' } : {}, kind)
        expect((await world.ask('GET', `${kind}${id}/`)).json).toEqual(json)
        expect((await world.ask('PATCH', `${kind}${id}/`, { body: { role: 'guest' } })).json.role).toBe('guest')
        expect((await world.ask('GET', kind)).results).toMatchObject([{ id, role: 'guest' }])
        expect((await world.ask('DELETE', `${kind}${id}/`)).status).toBe(204)
        expect((await world.ask('GET', `${kind}${id}/`)).status).toBe(404)
        expect((await world.ask('PUT', kind, { body: {} })).status).toBe(405)
      }
    },
  },
  {
    section: 'Create project group mapping',
    line: '`POST /api/v1/workspaces/{workspace_slug}/group-sync/project-mappings/`',
    raw: async (world) => {
      const { status, id } = await create(world)
      expect(status).toBe(201)
      expect(world.sandbox.state.workspaces.acme?.projectMappings).toMatchObject([{ id, project: 'ENG', role: 'member' }])
    },
  },
  {
    section: 'Create project group mapping',
    line: 'Required scope: `workspaces.group_sync:write`',
    raw: (world) =>
      needsScope(world, 'workspaces.group_sync:write', (token) =>
        world.ask('POST', projectMappings, { token, body: { ...engineers, project: 'ENG' } }),
      ),
  },
  {
    section: 'Create project group mapping',
    line: '| idp_group_name | string | yes |',
    raw: async (world) => {
      const { status, json } = await world.ask('POST', projectMappings, { body: { role: 'member', project: 'ENG' } })
      expect([status, keysOf(json)]).toEqual([400, ['idp_group_name']])
    },
  },
  {
    section: 'Create project group mapping',
    line: '| role | string | yes |',
    raw: async (world) => {
      const { status, json } = await world.ask('POST', projectMappings, { body: { idp_group_name: 'g', project: 'ENG' } })
      expect([status, keysOf(json)]).toEqual([400, ['role']])
    },
  },
  {
    section: 'Create project group mapping',
    line: '| all_projects | boolean | no |',
    raw: async (world) => {
      const { status, json } = await create(world, { all_projects: true })
      expect([status, json.all_projects, json.project]).toEqual([201, true, null])
    },
  },
  {
    section: 'Update workspace group mapping',
    line: '`PATCH /api/v1/workspaces/{workspace_slug}/group-sync/workspace-mappings/{mapping_id}/`',
    raw: async (world) => {
      const { id } = await create(world, {}, workspaceMappings)
      const patched = await world.ask('PATCH', `${workspaceMappings}${id}/`, { body: { idp_group_name: 'g', role: 'admin' } })
      expect([patched.status, patched.json.idp_group_name, patched.json.role]).toEqual([200, 'g', 'admin'])
    },
  },
  {
    section: 'Update workspace group mapping',
    line: 'Required scope: `workspaces.group_sync:write`',
    raw: async (world) => {
      const { id } = await create(world, {}, workspaceMappings)
      const path = `${workspaceMappings}${id}/`
      await needsScope(world, 'workspaces.group_sync:write', (token) => world.ask('PATCH', path, { token, body: { role: 'admin' } }))
    },
  },
  {
    section: 'Update workspace group mapping',
    line: 'Fields not sent keep their values.',
    raw: async (world) => {
      const { id } = await create(world, {}, workspaceMappings)
      for (const body of [{ role: 'admin' }, { idp_group_name: 'g' }]) await world.ask('PATCH', `${workspaceMappings}${id}/`, { body })
      expect((await world.ask('GET', `${workspaceMappings}${id}/`)).json).toMatchObject({ idp_group_name: 'g', role: 'admin' })
    },
  },
  {
    section: 'Retrieve a sticky',
    line: '`GET /api/v1/workspaces/{workspace_slug}/stickies/{resource_id}/`',
    raw: async ({ ask }) =>
      expect((await ask('GET', `stickies/${sticky}/`)).json).toMatchObject({
        id: sticky,
        name: 'Remember',
        description_html: '<p>the milk</p>',
        created_at: expect.any(String),
      }),
  },
  {
    section: 'Retrieve a sticky',
    line: 'Required scope: `stickies:read`',
    raw: (world) => needsScope(world, 'stickies:read', (token) => world.ask('GET', `stickies/${sticky}/`, { token })),
  },
  {
    section: 'Retrieve a wiki page',
    line: '`GET /api/v1/workspaces/{workspace_slug}/pages/{page_id}/`',
    raw: async ({ ask }) =>
      expect((await ask('GET', `pages/${page}/`)).json).toMatchObject({
        id: page,
        name: 'Handbook',
        description: 'How we work',
        created_at: expect.any(String),
      }),
  },
  {
    section: 'Retrieve a wiki page',
    line: 'Required scope: `wiki.pages:read`',
    raw: (world) => needsScope(world, 'wiki.pages:read', (token) => world.ask('GET', `pages/${page}/`, { token })),
  },
  {
    section: 'List endpoints',
    line: '`GET /api/v1/workspaces/{workspace_slug}/projects/` lists projects of a workspace.',
    raw: async ({ ask }) => {
      const { results } = await ask('GET', 'projects/')
      expect(results.map(({ identifier }) => identifier)).toEqual(['ENG', 'OPS'])
    },
  },
  {
    section: 'List endpoints',
    line: '`GET /api/v1/workspaces/{workspace_slug}/projects/{project_id}/work-items/` lists work items of a project',
    raw: async ({ ask }) => expect((await ask('GET', items)).json).toMatchObject({ total_results: 7, count: 7 }),
  },
  {
    section: 'List endpoints',
    line: 'A trailing-slash-less form of this path also appears in a pagination example.',
    raw: async ({ ask, by }) => {
      const { status, headers } = await ask('GET', `${items.slice(0, -1)}?per_page=5`)
      const expected = by<[number, string | null]>({
        specification: [200, null],
        plane: [301, `/api/v1/workspaces/acme/${items}?per_page=5`],
      })
      expect([status, headers.get('location')]).toEqual(expected)
    },
  },
]

const lists: Row[] = [
  {
    section: 'Pagination',
    line: 'items per page; default 100; maximum 100',
    raw: async ({ ask, sandbox }) => {
      const rows = sandbox.state.workspaces.acme?.projects[0]?.workItems ?? []
      const [first] = rows
      if (first !== undefined) while (rows.length < 101) rows.push({ ...first })
      expect((await ask('GET', items)).json).toMatchObject({ count: 100, total_results: 101, next_page_results: true })
      expect((await ask('GET', `${items}?per_page=100`)).json.count).toBe(100)
      rows.pop()
      expect((await ask('GET', items)).json).toMatchObject({ count: 100, next_page_results: false })
      expect((await ask('GET', `${items}?per_page=101`)).status).toBe(400)
    },
  },
  {
    section: 'Pagination',
    line: 'position; when absent the first page is returned',
    raw: async ({ ask }) =>
      expect((await ask('GET', `${items}?per_page=3`)).json.results).toEqual(
        (await ask('GET', `${items}?per_page=3&cursor=3:0:0`)).json.results,
      ),
  },
  {
    section: 'Pagination',
    line: 'Cursor format: `value:offset:is_prev`, where value = page size, offset = current page number starting at 0',
    raw: async ({ ask }) => {
      const names = async (query: string) => (await ask('GET', `${items}?per_page=3&fields=name&${query}`)).results.map(({ name }) => name)
      expect(await names('cursor=3:1:0')).toEqual(['Work 3', 'Work 4', 'Work 5'])
      expect(await names('cursor=3:0:1')).toEqual(['Work 0', 'Work 1', 'Work 2'])
      expect(await names('cursor=3:9:0')).toEqual([])
      expect((await ask('GET', `${items}?cursor=nonsense`)).status).toBe(400)
    },
  },
  {
    section: 'Pagination',
    line: 'value = page size',
    raw: async ({ ask, by }) => {
      // Without per_page, the cursor alone says the size; the running service takes 100 and shows nothing.
      const { results } = await ask('GET', `${items}?cursor=3:1:0`)
      expect(results).toHaveLength(by({ specification: 3, plane: 0 }))
    },
  },
  {
    section: 'Pagination',
    line: 'On the first page, prev_cursor is an empty string, prev_page_results is false.',
    raw: async ({ ask, by }) =>
      expect((await ask('GET', `${items}?per_page=3`)).json).toMatchObject({
        prev_cursor: by({ specification: '', plane: '3:-1:1' }),
        prev_page_results: false,
      }),
  },
  {
    section: 'Pagination',
    line: 'With per_page=N and a first page, next_cursor has the form `N:1:0`',
    raw: async ({ ask }) => expect((await ask('GET', `${items}?per_page=3`)).json.next_cursor).toBe('3:1:0'),
  },
  {
    section: 'Pagination',
    line: 'requesting the cursor `N:1:0` yields a next_cursor of `N:2:0` and a prev_cursor of `N:0:1`',
    raw: async ({ ask }) =>
      expect((await ask('GET', `${items}?per_page=3&cursor=3:1:0`)).json).toMatchObject({ next_cursor: '3:2:0', prev_cursor: '3:0:1' }),
  },
  {
    section: 'fields and expand',
    line: 'response contains only the named fields of each resource',
    raw: async ({ ask }) => {
      expect((await ask('GET', 'projects/?fields=id,identifier')).results.map(keysOf)).toEqual([
        ['id', 'identifier'],
        ['id', 'identifier'],
      ])
      expect(keysOf((await ask('GET', `stickies/${sticky}/?fields=name`)).json)).toEqual(['name'])
    },
  },
  {
    section: 'fields and expand',
    line: 'named related objects are returned expanded instead of as identifiers',
    raw: async ({ ask, sandbox }) => {
      const [user] = sandbox.state.users
      const [plain] = (await ask('GET', `${items}?per_page=1`)).results
      const [expanded] = (await ask('GET', `${items}?per_page=1&expand=assignees,state`)).results
      expect(plain).toMatchObject({ state: expect.stringMatching(uuid), assignees: [user?.id] })
      expect(expanded).toMatchObject({
        state: { id: plain?.state, name: 'Todo' },
        assignees: [{ id: user?.id, display_name: 'admin' }],
      })
    },
  },
  {
    section: 'fields and expand',
    line: 'yield an error response that names the invalid items',
    raw: async ({ ask, by }) => {
      for (const query of ['fields=id,nonsense', 'expand=nonsense', 'expand=name,nonsense']) {
        const { status, text } = await ask('GET', `${items}?${query}`)
        expect([status, text.includes('nonsense')]).toEqual(by({ specification: [400, true], plane: [200, false] }))
      }
    },
  },
]

const authentication: Row[] = [
  {
    section: 'Authentication',
    line: 'header `X-API-Key: <API_KEY>`',
    raw: async ({ ask }) => expect((await ask('GET', 'projects/')).status).toBe(200),
  },
  {
    section: 'Authentication',
    line: 'header `Authorization: Bearer <ACCESS_TOKEN>`',
    raw: async ({ ask, token }) => expect((await ask('GET', 'projects/', { token: await token('projects:read') })).status).toBe(200),
  },
  {
    section: 'Authentication',
    line: 'Every request carries one of these credentials.',
    raw: async ({ ask }) => {
      const paths = ['projects/', items, projectMappings, workspaceMappings, `stickies/${sticky}/`, `pages/${page}/`, '/api/v1/users/me/']
      for (const path of paths) expect((await ask('GET', path, { key: null })).status).toBe(401)
    },
  },
  {
    section: 'Authentication',
    line: 'A key with an expiry stops working after it.',
    raw: async ({ ask, by, sandbox }) => {
      expect((await ask('GET', 'projects/', { key: 'expiring-key' })).status).toBe(200)
      const key = sandbox.state.keys.find(({ value }) => value === 'expiring-key')
      if (key !== undefined) key.expiresAt = Date.now()
      expect((await ask('GET', 'projects/', { key: 'expiring-key' })).status).toBe(by({ specification: 401, plane: 403 }))
    },
  },
  {
    section: 'Authentication',
    line: 'An OAuth access token is limited to the scopes the user granted to the application.',
    raw: async ({ ask, token }) => {
      const narrow = await token('stickies:read')
      expect((await ask('GET', `stickies/${sticky}/`, { token: narrow })).status).toBe(200)
      expect((await ask('GET', `pages/${page}/`, { token: narrow })).status).toBe(403)
    },
  },
  {
    section: 'Authentication',
    line: 'A request without a key gets an authentication-required error',
    raw: async ({ ask }) => {
      for (const key of [null, '']) {
        const { status, text } = await ask('GET', 'projects/', { key })
        expect([status, text]).toEqual([401, '{"detail":"Authentication credentials were not provided."}'])
      }
    },
  },
  {
    section: 'Authentication',
    line: 'an invalid or expired key gets an authentication-failure error (HTTP 401)',
    raw: async ({ ask, by }) => {
      for (const key of ['no-such-key', 'expired-key']) {
        const { status, text } = await ask('GET', 'projects/', { key })
        expect([status, text]).toEqual([by({ specification: 401, plane: 403 }), '{"detail":"Given API token is not valid"}'])
      }
    },
  },
  {
    section: 'Authentication',
    line: 'Keys are secret',
    raw: async ({ ask, key }) => {
      const answers = await Promise.all(['projects/', 'nowhere/', '/api/v1/users/me/'].map((path) => ask('GET', path)))
      for (const { text, headers } of answers) expect(text + JSON.stringify([...headers])).not.toContain(key)
    },
  },
]

const errorsAndLimits: Row[] = [
  {
    section: 'Errors',
    line: '| 200 | request succeeded; typical for GET and PATCH |',
    raw: async (world) => {
      const { id } = await create(world)
      const answers = [
        await world.ask('GET', projectMappings),
        await world.ask('PATCH', `${projectMappings}${id}/`, { body: { role: 'guest' } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    },
  },
  {
    section: 'Errors',
    line: '| 201 | resource created; typical for POST',
    raw: async (world) => expect((await create(world, {}, workspaceMappings)).status).toBe(201),
  },
  {
    section: 'Errors',
    line: '| 204 | succeeded, no body; typical for DELETE |',
    raw: async (world) => {
      const { id } = await create(world)
      const { status, text } = await world.ask('DELETE', `${projectMappings}${id}/`)
      expect([status, text, world.sandbox.state.workspaces.acme?.projectMappings]).toEqual([204, '', []])
    },
  },
  {
    section: 'Errors',
    line: '| 400 | client error in the request |',
    raw: async (world) =>
      expect((await create(world, { project: 'NOWHERE' })).json).toEqual({ project: [expect.stringContaining('NOWHERE')] }),
  },
  {
    section: 'Errors',
    line: '| 401 | unauthenticated: credential missing, invalid or expired |',
    raw: async ({ ask }) => expect((await ask('GET', 'projects/', { token: 'no-such-token' })).status).toBe(401),
  },
  {
    section: 'Errors',
    line: '| 404 | resource or URL not found |',
    raw: async ({ ask }) => {
      for (const path of [`stickies/${page}/`, `pages/${sticky}/`, `${projectMappings}${page}/`, 'nowhere/', '/nowhere/']) {
        expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
      }
    },
  },
  {
    section: 'Errors',
    line: '| 429 | throttled: too many requests; retry later |',
    raw: async ({ ask, by }) => {
      const answers = []
      for (let n = 0; n < 4; n += 1) answers.push(await ask('GET', 'projects/', { key: 'slow-key' }))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      const { headers } = answers[3] ?? { headers: new Headers() }
      expect(headers.get('x-ratelimit-remaining')).toBe(by({ specification: '0', plane: null }))
      expect(headers.get('retry-after')).toEqual(by({ specification: null, plane: expect.stringMatching(/^(59|60)$/) }))
    },
  },
  ...([500, 502, 503, 504] as const).map((status) => ({ section: 'Errors', line: `| ${status} |`, raw: showsStatus(status) })),
  {
    section: 'Limits',
    line: '60 requests per minute per API key',
    raw: async ({ ask }) => {
      for (let n = 0; n < 60; n += 1) expect((await ask('GET', 'projects/')).status).toBe(200)
      expect((await ask('GET', 'projects/')).status).toBe(429)
      expect((await ask('GET', 'projects/', { key: 'slow-key' })).status).toBe(200)
    },
  },
  {
    section: 'Limits',
    line: '| Rate window | resets every minute |',
    raw: async ({ ask, sandbox }) => {
      sandbox.state.limit = { requests: 2, windowMs: 1_000 }
      const statuses = async () => [
        (await ask('GET', 'projects/')).status,
        (await ask('GET', 'projects/')).status,
        (await ask('GET', 'projects/')).status,
      ]
      expect(await statuses()).toEqual([200, 200, 429])
      await new Promise((resolve) => setTimeout(resolve, 1_010))
      expect(await statuses()).toEqual([200, 200, 429])
    },
  },
  {
    section: 'Limits',
    line: '| X-RateLimit-Remaining | requests left in the current window (integer) |',
    raw: async ({ ask }) => {
      const remaining = async () => (await ask('GET', 'projects/')).headers.get('x-ratelimit-remaining')
      expect([await remaining(), await remaining(), await remaining()]).toEqual(['59', '58', '57'])
    },
  },
  {
    section: 'Limits',
    line: '| X-RateLimit-Reset | time the window resets, UTC epoch seconds (integer) |',
    raw: async ({ ask }) => {
      const { headers } = await ask('GET', 'projects/')
      expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/)
      const inS = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
      expect(inS).toBeGreaterThan(58)
      expect(inS).toBeLessThan(61)
    },
  },
  {
    section: 'Limits',
    line: 'Response headers on each request',
    raw: async ({ ask, by }) => {
      const answers = [
        await ask('GET', `stickies/${sticky}/`),
        await ask('GET', 'nowhere/'),
        await ask('GET', 'projects/', { key: 'no-such-key' }),
      ]
      for (const { headers } of answers) expect(headers.has('x-ratelimit-remaining')).toBe(by({ specification: true, plane: false }))
    },
  },
  {
    section: 'Versioning',
    line: 'all endpoints begin with `/api/v1/`',
    raw: async ({ ask }) => expect((await ask('GET', '/api/v2/workspaces/acme/projects/')).status).toBe(404),
  },
]

export const rows: readonly Row[] = [...resources, ...endpoints, ...lists, ...authentication, ...errorsAndLimits]
