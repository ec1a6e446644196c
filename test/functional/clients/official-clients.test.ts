import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DialectName, dialectNames, speak } from '../../../src/sandbox/dialect.ts'
import { findRoute } from '../../../src/sandbox/routes.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'
import type { Credential } from './call.ts'
import { addressesOf, type OfficialClient, type Operation, officialClients, type Running, start } from './client.ts'
import { errors } from './errors.ts'
import { application, comparable, input, installation, page, project, sticky, stored } from './world.ts'

/**
 * Fields of the specification's envelope that the Python client refuses: in its model `extra_stats` is a text or null, and
 * `total_count` is required. The Node client accepts every answer.
 */
const refusedFields: Record<OfficialClient['name'], Record<DialectName, readonly string[]>> = {
  Python: { specification: ['extra_stats', 'total_count'], plane: [] },
  Node: { specification: [], plane: [] },
}

const lists = [
  { operation: 'projects', args: ['acme'] },
  { operation: 'workItems', args: ['acme', project] },
  { operation: 'roles', args: ['acme'] },
] as const

type Query = Readonly<Record<string, unknown>>
type Page = { readonly results: readonly unknown[]; readonly next_cursor: string; readonly next_page_results: boolean }

describe.each(officialClients)("Plane's official $name client", (client) => {
  let running: Running
  beforeAll(() => {
    running = start(client)
  })
  afterAll(() => running?.[Symbol.asyncDispose]())

  // The test of tokens is separate, because the sandbox has only one of the OAuth grants.
  test('is tried with every operation that it and the sandbox both know', async () => {
    const known = (await addressesOf(client)).flatMap(({ call, method, path }) => {
      const found = findRoute(path, speak('specification'))
      return found.kind === 'route' && Object.hasOwn(found.route.methods, method)
        ? [{ call, operation: `${method} ${found.route.address}` }]
        : []
    })
    const tried = known.filter(({ call }) => Object.values(client.calls).includes(call))
    const operations = (of: typeof known) => [...new Set(of.map(({ operation }) => operation))].toSorted()
    expect(operations(tried)).toEqual(operations(known))
    expect(operations(known)).toHaveLength(6)
  })

  describe.each(dialectNames)('in the dialect %s', (dialect) => {
    const ask = (sandbox: Sandbox, operation: Operation, args: readonly unknown[], query?: Query, by: Credential = { key: 'good-key' }) =>
      running.call({ url: sandbox.url, call: client.calls[operation], arguments: args, ...(query && { query }), ...by })
    const held = async (...asked: Parameters<typeof ask>) => {
      const outcome = await ask(...asked)
      if ('value' in outcome) return comparable(outcome.value)
      throw new Error(`${asked[1]} returned no value: ${JSON.stringify(outcome)}`)
    }
    const begin = (faults: readonly string[] = []) => startSandbox({ dialect, state: input, faults })

    test('whose key it is', async () => {
      await using sandbox = await begin()
      expect(await held(sandbox, 'me', [])).toEqual(stored(sandbox.state).user('ann'))
    })

    test('a sticky and a wiki page', async () => {
      await using sandbox = await begin()
      const { stickies, pages } = stored(sandbox.state)
      expect(await held(sandbox, 'sticky', ['acme', sticky])).toEqual(stickies[0])
      expect(await held(sandbox, 'page', ['acme', page])).toEqual(pages[0])
    })

    if (refusedFields[client.name][dialect].length === 0) {
      test.each(lists)('the list $operation, page by page', async ({ operation, args }) => {
        await using sandbox = await begin()
        const rows = stored(sandbox.state)[operation]
        const pages: Page[] = []
        for (let next: Query | undefined = {}; next !== undefined; ) {
          const one = (await held(sandbox, operation, args, { per_page: 2, ...next })) as Page
          pages.push(one)
          next = one.next_page_results ? { cursor: one.next_cursor } : undefined
        }
        expect(pages.flatMap(({ results }) => results)).toEqual(rows)
        expect(pages.length).toBe(Math.ceil(rows.length / 2))
        const { results: second = [], ...envelope } = pages[1] ?? {}
        expect(envelope).toEqual({
          ...(dialect === 'plane' && { grouped_by: null, sub_grouped_by: null, total_count: rows.length }),
          next_cursor: '2:2:0',
          prev_cursor: '2:0:1',
          next_page_results: pages.length > 2,
          prev_page_results: true,
          count: second.length,
          total_pages: pages.length,
          total_results: rows.length,
          extra_stats: dialect === 'plane' ? null : {},
        })
      })

      const results = async (...asked: Parameters<typeof held>) => ((await held(...asked)) as Page).results

      test('chosen fields, expanded relations, an order, a namespace', async () => {
        await using sandbox = await begin()
        const { projects, workItems, states, roles, user } = stored(sandbox.state)
        const backwards = projects.toSorted((a, b) => (a.identifier < b.identifier ? 1 : -1))
        expect(await results(sandbox, 'projects', ['acme'], { fields: 'id,identifier,name', order_by: '-identifier' })).toEqual(
          backwards.map(({ id, identifier, name }) => ({ id, identifier, name })),
        )
        const people = [[], ['ann', 'ben'], ['ann']].map((names) => names.map(user))
        const noState = dialect === 'plane' ? {} : null
        expect(await results(sandbox, 'workItems', ['acme', project], { expand: 'state,assignees' })).toEqual(
          workItems.map((row, index) => ({ ...row, state: row.state === null ? noState : states[0], assignees: people[index] })),
        )
        const ofWorkspace = roles.filter(({ namespace }) => namespace === 'workspace')
        expect(await results(sandbox, 'roles', ['acme'], { namespace: 'workspace' })).toEqual(ofWorkspace)
      })

      test('without a page size: 20 roles as Plane has it, 100 as the specification has it for all lists', async () => {
        await using sandbox = await begin()
        const { roles } = stored(sandbox.state)
        expect(roles).toHaveLength(26)
        expect(await results(sandbox, 'roles', ['acme'])).toEqual(dialect === 'plane' ? roles.slice(0, 20) : roles)
      })
    } else {
      test.each(lists)(
        'the list $operation: two fields of its envelope are refused, and nothing else in it',
        async ({ operation, args }) => {
          await using sandbox = await begin()
          expect(await ask(sandbox, operation, args)).toEqual({ error: 'ValidationError', fields: refusedFields[client.name][dialect] })
        },
      )
    }

    test('a token, and what it opens', async () => {
      await using sandbox = await begin()
      const scope = 'workspaces.group_sync:read stickies:read'
      const query = client.name === 'Python' ? { app_installation_id: installation, scope } : undefined
      const token = (await held(sandbox, 'token', query ? [] : [installation], query, { application })) as { access_token: string }
      const [given] = sandbox.state.tokens
      expect(token).toEqual({ access_token: given?.value, token_type: 'Bearer', expires_in: 86_400, scope: given?.scopes.join(' ') })
      if (query) expect(given?.scopes).toEqual(scope.split(' '))
      const by = { token: token.access_token }
      expect(await held(sandbox, 'sticky', ['acme', sticky], undefined, by)).toEqual(stored(sandbox.state).stickies[0])
    })

    test('a token for the wrong secret', async () => {
      await using sandbox = await begin()
      const query = client.name === 'Python' ? { app_installation_id: installation } : undefined
      // The Node client passes on the error of its HTTP library here.
      const error = client.name === 'Python' ? 'HttpError' : 'AxiosError'
      const by = { application: { ...application, secret: 'wrong' } }
      expect(await ask(sandbox, 'token', query ? [] : [installation], query, by)).toMatchObject({ error, status: 401 })
      expect(sandbox.state.tokens).toEqual([])
    })

    test.each([
      ['project-mappings', 'projectMappings', { idp_group_name: 'new', project: 'OPS', all_projects: false, role: 'role-01' }, 'role-02'],
      ['workspace-mappings', 'workspaceMappings', { idp_group_name: 'new', role: 'guest' }, 'member'],
    ] as const)('%s through its own requests: created, read, listed, patched, deleted', async (address, kind, body, role) => {
      await using sandbox = await begin()
      const rows = () => stored(sandbox.state)[kind]
      const list = `acme/group-sync/${address}`
      const before = rows().length
      const created = (await held(sandbox, 'create', [list, body])) as { id: string }
      expect(rows()).toHaveLength(before + 1)
      expect(rows().at(-1)).toMatchObject(body)
      expect(created).toEqual(rows().at(-1))
      expect(sandbox.requests.at(-1)).toMatchObject({ method: 'POST', status: 201 })
      expect(await held(sandbox, 'read', [`${list}/${created.id}`])).toEqual(created)
      expect(await held(sandbox, 'read', [list])).toEqual(rows())
      const patched = await held(sandbox, 'update', [`${list}/${created.id}`, { role }])
      expect(patched).toEqual(rows().at(-1))
      expect(patched).toMatchObject({ ...body, id: created.id, role })
      expect(await held(sandbox, 'remove', [`${list}/${created.id}`])).toBeNull()
      expect(sandbox.requests.at(-1)).toMatchObject({ method: 'DELETE', status: 204 })
      expect(rows()).toHaveLength(before)
      expect(await ask(sandbox, 'read', [`${list}/${created.id}`])).toMatchObject({ error: 'HttpError', status: 404 })
    })

    test('the group-sync settings through its own requests: read and patched', async () => {
      await using sandbox = await begin()
      const config = 'acme/group-sync/config'
      const first = await held(sandbox, 'read', [config])
      expect(first).toMatchObject({ is_enabled: false, default_workspace_role: null })
      expect(first).toEqual(stored(sandbox.state).config)
      const patched = await held(sandbox, 'update', [config, { is_enabled: true, default_workspace_role: 'guest' }])
      expect(patched).toMatchObject({ is_enabled: true, default_workspace_role: 'guest' })
      expect(patched).toEqual(stored(sandbox.state).config)
    })

    test.each(errors)('an error of its own, with the status: $what', async ({ operation, args, query, by, fault, status, body }) => {
      await using sandbox = await begin(fault === undefined ? [] : [fault])
      sandbox.state.tokens.push({ value: 'narrow', clientId: application.id, scopes: ['stickies:read'], expiresAt: Date.now() + 60_000 })
      const before = structuredClone(sandbox.state)
      const outcome = await ask(sandbox, operation, args, query, by)
      const expected = typeof status === 'number' ? status : status[dialect]
      expect(outcome).toMatchObject({ error: 'HttpError', status: expected, ...(body !== undefined && { body }) })
      expect(sandbox.requests.map((request) => request.status)).toEqual([expected])
      expect(sandbox.state).toEqual(before)
    })
  })
})
