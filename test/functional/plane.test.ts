import { describe, expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../src/compose/realClock.ts'
import type { MappingId } from '../../src/core/mapping.ts'
import { apiKey, oauthClient } from '../../src/plane/credential.ts'
import { dialectNames } from '../../src/sandbox/dialect.ts'
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts'
import { type ClientOptions, change, client, everywhere, inProject, never, settingsChange } from './planeWorld.ts'

const work = '0190f0a0-0000-4000-a000-000000000001'
const mapping = '0190f0a0-0000-4000-a000-000000000005'
const stickyId = '0190f0a0-0000-4000-a000-000000000002'
const pageId = '0190f0a0-0000-4000-a000-000000000003'
const installation = '0190f0a0-0000-4000-a000-000000000004'

const state: NonNullable<SandboxOptions['state']> = {
  keys: [
    { value: 'sandbox-key' },
    { value: 'reading-key', rights: 'read-only' },
    { value: 'expired-key', expiresAt: '2020-01-01T00:00:00Z' },
  ],
  applications: [{ clientId: 'app', clientSecret: 'app-secret', installationId: installation, owner: 'admin' }],
  limit: { requests: 1_000, windowMs: 60_000 },
  workspaces: {
    acme: {
      projects: [
        {
          id: work,
          identifier: 'ENG',
          states: [{ name: 'Todo', group: 'unstarted' }],
          workItems: Array.from({ length: 250 }, (_, index) => ({ name: `Work ${index}`, state: 'Todo', assignees: ['admin'] })),
        },
        { identifier: 'OPS', archived_at: '2026-01-01T00:00:00Z' },
      ],
      stickies: [{ id: stickyId, name: 'Remember', description_html: '<p>the milk</p>' }],
      pages: [{ id: pageId, name: 'Handbook', description: 'How we work' }],
    },
  },
}

describe.each(dialectNames)('dialect %s', (dialect) => {
  async function open(sandboxOptions: Partial<SandboxOptions> = {}, clientOptions: ClientOptions = {}) {
    const sandbox = await startSandbox({ dialect, state, ...sandboxOptions })
    onTestFinished(() => sandbox.close())
    return { sandbox, ...client(sandbox.url, clientOptions) }
  }
  const workspaceOf = ({ state }: Awaited<ReturnType<typeof startSandbox>>) =>
    state.workspaces.acme as NonNullable<(typeof state.workspaces)[string]>

  test('both kinds of mapping: create, list, retrieve, patch, rename, delete', async () => {
    const { sandbox, reader, writer } = await open()
    for (const [list, target] of [
      ['projectRoles', inProject('ENG')],
      ['projectRoles', { kind: 'allProjects' }],
      ['workspaceRoles', everywhere],
    ] as const) {
      const made = await writer.write(change('eng/"dev", ü', target, { action: 'create', role: 'guest' }), never)
      expect(made).toMatchObject({ kind: 'done', echoed: 'guest', mapping: expect.any(String) as string })
      const mapping = (made.kind === 'done' ? made.mapping : '') as MappingId
      const listed = await reader.mappings(list, never)
      expect(listed).toMatchObject({ status: 'complete', value: [{ id: mapping, group: 'eng/"dev", ü', target, role: 'guest' }] })
      expect(await reader.mapping(list, mapping, never)).toEqual(listed.status === 'complete' ? listed.value[0] : undefined)

      expect(await writer.write(change('eng/"dev", ü', target, { action: 'patch', mapping, role: 'member' }), never)).toEqual({
        kind: 'done',
        mapping,
        echoed: 'member',
      })
      expect(await writer.write(change('dev', target, { action: 'rename', mapping, fromGroup: 'eng/"dev", ü' }), never)).toEqual({
        kind: 'done',
        mapping,
      })
      expect(await reader.mapping(list, mapping, never)).toMatchObject({ group: 'dev', role: 'member', target })

      const gone = change('dev', target, { action: 'delete', mapping })
      expect(await writer.write(gone, never)).toEqual({ kind: 'done' })
      expect(await writer.write(gone, never)).toMatchObject({ kind: 'refused', code: 'gone', status: 404 })
      expect(await writer.write(change('dev', target, { action: 'patch', mapping, role: 'guest' }), never)).toMatchObject({
        kind: 'refused',
        code: 'gone',
      })
      expect(await reader.mapping(list, mapping, never)).toBeUndefined()
      expect(await reader.mappings(list, never)).toMatchObject({ status: 'complete', value: [] })
    }
    expect(sandbox.requests.every(({ path }) => path.endsWith('/'))).toBe(true)
    expect(sandbox.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual(
      ['all projects', 'a project', 'the workspace'].flatMap(() => ['{"role":"member"}', '{"idp_group_name":"dev"}', '{"role":"guest"}']),
    )
  })

  test("the workspace's own settings: only what differs is sent, and never nothing", async () => {
    const { sandbox, reader, writer } = await open()
    expect(await reader.groupSync(never)).toMatchObject({
      status: 'complete',
      value: { enabled: false, groupAttribute: 'groups', defaultWorkspaceRole: null },
    })
    expect(await writer.write(settingsChange({ enabled: true, defaultWorkspaceRole: 'guest' }), never)).toEqual({ kind: 'done' })
    expect(workspaceOf(sandbox).config).toMatchObject({ is_enabled: true, sync_on_login: true, default_workspace_role: 'guest' })
    const before = sandbox.requests.length
    expect(await writer.write(settingsChange({}), never)).toMatchObject({ kind: 'notSent' })
    expect(sandbox.requests.length).toBe(before)
  })

  test('projects, also archived ones', async () => {
    const { reader } = await open()
    expect(await reader.projects(never)).toMatchObject({
      status: 'complete',
      value: [
        { id: work, identifier: 'ENG', archived: false },
        { identifier: 'OPS', archived: true },
      ],
    })
  })

  test('projects over several pages: one call a hundred', async () => {
    const projects = Array.from({ length: 201 }, (_, index) => `P${String(index).padStart(4, '0')}`)
    const { reader, sandbox } = await open({ state: { ...state, workspaces: { acme: { projects } } } })
    expect(await reader.projects(never)).toMatchObject({ status: 'complete', value: { length: 201 } })
    expect(sandbox.requests).toHaveLength(3)
  })

  test('projects: only the fields that the program uses are asked for', async () => {
    const { reader, sandbox } = await open()
    const reading = await reader.projects(never)
    expect(reading.status === 'complete' && reading.value[0]).toEqual({ id: work, identifier: 'ENG', name: 'ENG', archived: false })
    expect(new URLSearchParams(sandbox.requests[0]?.query).get('fields')).toBe('id,identifier,name,archived_at')
  })

  test('OAuth: one token for all that ask at once, with the scopes; renewed once when it is refused', async () => {
    const oauth = {
      clientId: 'app',
      clientSecret: async () => 'app-secret',
      installation,
      scopes: ['workspaces.group_sync:read', 'projects:read'],
    }
    const { sandbox, reader, writer } = await open({}, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    const tokens = () => sandbox.requests.filter(({ path }) => path === '/auth/o/token/').length
    await Promise.all([reader.projects(never), reader.mappings('projectRoles', never), reader.mappings('workspaceRoles', never)])
    expect(tokens()).toBe(1)
    sandbox.state.tokens = []
    expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
    expect(tokens()).toBe(2)
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'member' }), never)).toMatchObject({
      kind: 'refused',
      code: 'forbidden',
      status: 403,
    })
  })

  test('OAuth: a token is asked for again before it expires', async () => {
    let now = Date.now()
    const oauth = { clientId: 'app', clientSecret: async () => 'app-secret', installation, scopes: ['projects:read'] }
    const { sandbox, reader } = await open(
      { now: () => now },
      { credential: (origin) => oauthClient('robot', oauth, origin, { now: () => now, wall: () => now }) },
    )
    await reader.projects(never)
    now += 86_400_000 - 61_000
    await reader.projects(never)
    now += 2_000
    await reader.projects(never)
    expect(sandbox.requests.filter(({ path }) => path === '/auth/o/token/')).toHaveLength(2)
  })

  test.each([
    [
      'a wrong secret',
      { clientSecret: async () => 'wrong-secret-value' },
      'client id or secret refused: invalid_client: Client authentication failed. (401)',
    ],
    ['a wrong installation', { installation: 'elsewhere' }, 'names no installation'],
    ['a scope that is not granted', { scopes: ['users:write'] }, 'Not granted'],
  ])('OAuth: %s', async (_, wrong, why) => {
    const oauth = { clientId: 'app', clientSecret: async () => 'app-secret', installation, scopes: ['projects:read'], ...wrong }
    const { reader, writer } = await open({}, { credential: (origin) => oauthClient('robot', oauth, origin, realClock) })
    const reading = await reader.projects(never)
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining(why) as string })
    expect(JSON.stringify(reading)).not.toContain('secret-value')
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'member' }), never)).toMatchObject({
      kind: 'refused',
      code: 'credential',
    })
  })

  describe('refusals', () => {
    const create = change('g', everywhere, { action: 'create', role: 'member' })

    test.each(['expired-key', 'no-such-key'])(
      '%s: said with the name of the credential, never its value, and not repeated',
      async (key) => {
        const { sandbox, reader, writer } = await open({}, { credential: apiKey('prod', async () => key) })
        const reading = await reader.mappings('projectRoles', never)
        expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('refuses the credential "prod"') as string })
        const outcome = await writer.write(create, never)
        expect(outcome).toMatchObject({ kind: 'refused', code: 'credential' })
        expect(sandbox.requests).toHaveLength(2)
        expect(JSON.stringify([reading, outcome])).not.toContain(key)
      },
    )

    test('a key that may only read', async () => {
      const { reader, writer } = await open({}, { credential: apiKey('prod', async () => 'reading-key') })
      expect(await reader.mappings('projectRoles', never)).toMatchObject({ status: 'complete' })
      expect(await writer.write(create, never)).toMatchObject({
        kind: 'refused',
        code: 'forbidden',
        status: 403,
        sentence: expect.stringContaining('read-only') as string,
      })
    })

    test('a misspelt workspace', async () => {
      const { reader } = await open({}, { slug: 'acmee' })
      const reading = await reader.mappings('projectRoles', never)
      expect(reading).toMatchObject({ status: 'failed' })
      if (dialect === 'plane') expect(reading).toMatchObject({ cure: expect.stringContaining('slug "acmee"') as string })
    })

    test.each([400, 409] as const)('a duplicate that the service refuses with %i', async (status) => {
      const { writer } = await open({ faults: [`POST workspace-mappings: duplicates ${status}`] })
      expect(await writer.write(create, never)).toMatchObject({ kind: 'done' })
      expect(await writer.write(create, never)).toMatchObject({ kind: 'refused', status, code: status === 409 ? 'conflict' : 'rejected' })
    })

    test('a redirect', async () => {
      const { writer, reader } = await open({ faults: ['*: 307 redirect to http://elsewhere.example/'] })
      expect(await writer.write(create, never)).toMatchObject({
        kind: 'refused',
        code: 'redirected',
        sentence: expect.stringContaining('http://elsewhere.example/') as string,
      })
      expect(await reader.projects(never)).toMatchObject({ status: 'failed', cure: expect.stringContaining('baseUrl') as string })
    })

    test('throttled for longer than a call may take', async () => {
      const budget = { blockedMaxMs: 900_000 }
      const { writer } = await open({ faults: ['POST workspace-mappings: 429 retry after 900s'] }, { budget })
      expect(await writer.write(create, never)).toMatchObject({
        kind: 'notSent',
        why: expect.stringContaining('the last one with 429 (') as string,
        retryAfterMs: expect.closeTo(900_000, -3),
      })
    })
  })

  test('a refused write is sent again when the budget allows', async () => {
    const { sandbox, writer } = await open({ faults: ['POST workspace-mappings: 429, 2 times'] }, { budget: { windowMs: 200 } })
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'member' }), never)).toMatchObject({ kind: 'done' })
    expect(sandbox.requests.map(({ status }) => status)).toEqual([429, 429, 201])
  })

  describe('writes whose outcome is unknown are not repeated', () => {
    test.each([
      ['lost after commit for 100ms', 1],
      ['lost before commit for 100ms', 0],
      ['reset after commit', 1],
      ['reset before commit', 0],
      ['commit late after 100ms', 0],
      ['500 after commit', 1],
      ['502', 0],
      ['408 after commit', 1],
      ['html after commit', 1],
      ['truncated', 1],
      ['cut off', 1],
    ])('%s', async (fault, committed) => {
      const { sandbox, writer } = await open({ faults: [`POST workspace-mappings: ${fault}`] })
      const beganMs = Date.now()
      const outcome = await writer.write(change('g', everywhere, { action: 'create', role: 'member' }), never)
      expect(outcome).toMatchObject({ kind: 'unknown', lastByteMs: expect.any(Number) as number })
      if (outcome.kind === 'unknown') expect(outcome.lastByteMs).toBeGreaterThanOrEqual(beganMs)
      expect(sandbox.requests).toHaveLength(1)
      expect(workspaceOf(sandbox).workspaceMappings).toHaveLength(committed)
    })

    test('no answer before the deadline, and given up by the caller', async () => {
      const { sandbox, writer } = await open({ faults: ['POST workspace-mappings: latency 2s'] }, { origin: { deadlineMs: 500 } })
      const create = change('g', everywhere, { action: 'create', role: 'member' })
      expect(await writer.write(create, never)).toMatchObject({ kind: 'unknown', why: expect.stringContaining('0.5 s') as string })
      const stop = new AbortController()
      const pending = writer.write(create, stop.signal)
      await expect.poll(() => sandbox.requests.length).toBe(2)
      stop.abort()
      expect(await pending).toMatchObject({ kind: 'unknown' })
    })
  })

  describe('a change or a deletion whose outcome is unknown is repeated, and the earlier sending is told', () => {
    const list = { ...state, workspaces: { acme: { workspaceMappings: [{ id: mapping, idp_group_name: 'g', role: 'guest' }] } } }
    const patch = change('g', everywhere, { action: 'patch', mapping, role: 'member' })
    const gone = change('g', everywhere, { action: 'delete', mapping })
    const earlierLastByteMs = expect.any(Number) as number

    test.each(['lost after commit for 100ms', 'reset before commit', '500 after commit', '502', '408', 'cut off'])('%s', async (fault) => {
      const { sandbox, writer } = await open({ state: list, faults: [`workspace-mappings/*: ${fault}, once`] })
      expect(await writer.write(patch, never)).toMatchObject({ kind: 'done', echoed: 'member', earlierLastByteMs })
      expect(sandbox.requests.map(({ method }) => method)).toEqual(['PATCH', 'PATCH'])
    })

    test('a deletion, too, where the first sending was not executed', async () => {
      const { sandbox, writer } = await open({ state: list, faults: ['DELETE workspace-mappings/*: reset before commit, once'] })
      expect(await writer.write(gone, never)).toMatchObject({ kind: 'done', earlierLastByteMs })
      expect(workspaceOf(sandbox).workspaceMappings).toEqual([])
    })

    test('what is gone at the second try may have gone with the first: only a list tells', async () => {
      const { sandbox, writer } = await open({ state: list, faults: ['DELETE workspace-mappings/*: reset after commit, once'] })
      const beganMs = Date.now()
      const outcome = await writer.write(gone, never)
      expect(outcome).toMatchObject({ kind: 'unknown', status: 404 })
      // `lastByteMs` is the time of the first sending, which got no answer.
      if (outcome.kind === 'unknown') {
        expect(outcome.lastByteMs).toBeGreaterThanOrEqual(beganMs)
        expect(outcome.lastByteMs).toBeLessThanOrEqual(sandbox.requests[1]?.receivedAt ?? 0)
      }
      expect(workspaceOf(sandbox).workspaceMappings).toEqual([])
      expect(await writer.write(gone, never)).toMatchObject({ kind: 'refused', code: 'gone' })
      const other = await open({ state: list, faults: ['PATCH workspace-mappings/*: reset before commit, once'] })
      workspaceOf(other.sandbox).workspaceMappings = []
      expect(await other.writer.write(patch, never)).toMatchObject({ kind: 'unknown', status: 404 })
    })

    test('a web page is no answer to a deletion: what exists, exists', async () => {
      const { sandbox, writer } = await open({ state: list, faults: ['DELETE workspace-mappings/*: html, once'] })
      expect(await writer.write(gone, never)).toMatchObject({
        kind: 'unknown',
        status: 200,
        why: expect.stringContaining('a web page') as string,
      })
      expect(workspaceOf(sandbox).workspaceMappings).toHaveLength(1)
    })

    test('held before the second sending, it may still have been executed', async () => {
      const { sandbox, plane } = await open({ state: list, faults: ['PATCH workspace-mappings/*: commit late after 50ms'] })
      let asked = 0
      const writer = plane.writer({ name: 'acme' as never, slug: 'acme' }, () => (++asked > 1 ? 'suspended' : undefined))
      expect(await writer.write(patch, never)).toMatchObject({
        kind: 'notSent',
        why: expect.stringContaining('suspended') as string,
        earlierLastByteMs,
      })
      await expect.poll(() => workspaceOf(sandbox).workspaceMappings[0]?.role).toBe('member')
    })

    test('a failure that stays is unknown after a few attempts, from the last byte of the last one', async () => {
      const { sandbox, writer } = await open({ state: list, faults: ['PATCH workspace-mappings/*: 503'] })
      const outcome = await writer.write(patch, never)
      expect(outcome).toMatchObject({ kind: 'unknown' })
      expect(sandbox.requests).toHaveLength(3)
      if (outcome.kind === 'unknown') expect(outcome.lastByteMs).toBeGreaterThanOrEqual(sandbox.requests[2]?.answeredAt ?? 0)
    })

    test('all callers of a key share what may be repeated', async () => {
      const { sandbox, reader } = await open({ faults: ['projects/: 500'] })
      for (let nth = 0; nth < 10; nth++) await reader.projects(never)
      expect(sandbox.requests).toHaveLength(10 + 10)
    })
  })

  test('a service that fails for a while is not asked any more: said in words, nothing was sent', async () => {
    const circuit = { failuresMin: 2, lastingMs: 0, pauseMs: 60_000, pauseMaxMs: 60_000 }
    const { sandbox, reader, writer, queue } = await open({ faults: ['projects/: 503'] }, { queue: { circuit } })
    expect(await reader.projects(never)).toMatchObject({ status: 'failed' })
    expect(await writer.write(change('g', everywhere, { action: 'create', role: 'member' }), never)).toMatchObject({
      kind: 'notSent',
      why: expect.stringMatching(
        /not sent: 2 requests in a row failed since .*, the last: status 503 \(.*\); the service is asked again from/,
      ) as string,
    })
    expect(sandbox.requests).toHaveLength(2)
    expect(queue.view().circuit).toMatchObject({ open: true, failures: 2 })
  })

  test('an open circuit says why the last request failed, and what to do about that', async () => {
    const circuit = { failuresMin: 2, lastingMs: 0, pauseMs: 60_000, pauseMaxMs: 60_000 }
    const { sandbox, reader, queue } = await open({}, { queue: { circuit } })
    await sandbox.close()
    for (let nth = 0; nth < 2; nth++) await reader.projects(never)
    expect(queue.view().circuit.open).toBe(true)
    expect(await reader.projects(never)).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/in a row failed since .*, the last: cannot connect \(ECONNREFUSED\); the service/) as string,
      cure: expect.stringMatching(/^check the address of Plane .*network policies.*; the circuit closes with the first answer$/) as string,
    })
  })

  test('surely not sent: nobody listens, given up before, or not permitted at the last moment', async () => {
    const { sandbox, plane, writer } = await open()
    const create = change('g', everywhere, { action: 'create', role: 'member' })
    expect(await writer.write(create, AbortSignal.abort())).toMatchObject({ kind: 'notSent' })
    const suspended = plane.writer({ name: 'acme' as never, slug: 'acme' }, () => 'suspended')
    expect(await suspended.write(create, never)).toMatchObject({ kind: 'notSent', why: expect.stringContaining('suspended') as string })
    expect(sandbox.requests).toEqual([])
    await sandbox.close()
    expect(await writer.write(create, never)).toMatchObject({ kind: 'notSent', why: expect.stringContaining('cannot connect') as string })
  })

  describe('lists that are not whole', () => {
    const mappings = Array.from({ length: 250 }, (_, index) => ({ idp_group_name: `g${index}`, role: 'member' }))
    const many = { ...state, workspaces: { acme: { workspaceMappings: mappings } } }

    test('a list that suddenly comes in pages is walked, twice', async () => {
      const { reader, sandbox } = await open({ state: many, faults: ['GET workspace-mappings/: envelope of 100'] })
      expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value: { length: 250 } })
      expect(sandbox.requests).toHaveLength(6)
    })

    test.each(['list grows', 'list shrinks'])('%s while it is read: partial', async (drift) => {
      const { reader } = await open({
        state: many,
        faults: ['GET workspace-mappings/: envelope of 100', `GET workspace-mappings/: ${drift}`],
      })
      const reading = await reader.mappings('workspaceRoles', never)
      expect(reading).toMatchObject({ status: 'partial', missing: expect.stringMatching(/twice|total changed/) as string })
    })

    test.each(['html', 'truncated', 'cut off', '500', 'reset', 'lost for 100ms'])(
      'a page that fails with %s: failed, after few attempts',
      async (fault) => {
        const { reader, sandbox } = await open({
          state: many,
          faults: ['GET workspace-mappings/: envelope of 100', `GET workspace-mappings/: ${fault}, from the 2nd, every 1st`],
        })
        expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'failed' })
        expect(sandbox.requests.length).toBeLessThanOrEqual(4)
      },
    )

    test('a failure that passes is not seen', async () => {
      const { reader, observed } = await open({
        state: many,
        faults: ['GET workspace-mappings/: 503, once', 'GET workspace-mappings/: reset, once'],
      })
      expect(await reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'complete', value: { length: 250 } })
      expect(observed.map((one) => ('status' in one ? one.status : one.failure))).toEqual([503, 'cut', 200])
      expect(observed[0]).toMatchObject({ operation: 'workspace-mappings.list', workspace: 'acme', credential: 'default' })
    })

    test('more pages or rows than allowed', async () => {
      const faults = ['GET workspace-mappings/: envelope of 10']
      const few = await open({ state: many, faults }, { plane: { pagesMax: 3 } })
      expect(await few.reader.mappings('workspaceRoles', never)).toMatchObject({
        status: 'partial',
        missing: 'more than 3 pages',
        value: { length: 30 },
      })
      const small = await open({ state: many }, { plane: { rowsMax: 100 } })
      expect(await small.reader.mappings('workspaceRoles', never)).toMatchObject({ status: 'partial', missing: 'more than 100 items' })
    })
  })

  test('a rotated key needs no restart', async () => {
    let key = 'expired-key'
    const { reader } = await open({}, { credential: apiKey('prod', async () => key) })
    expect(await reader.projects(never)).toMatchObject({ status: 'failed' })
    key = 'sandbox-key\n'
    expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
  })
})
