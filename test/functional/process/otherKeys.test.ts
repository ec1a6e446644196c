import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { json, type RawServer, rawServer } from '../rawServer.ts'
import { doublesOf, openPlace, stateOf, writesTo } from './program.ts'

type Row = { readonly id: string; readonly idp_group_name: string; readonly project: string | null; readonly all_projects: boolean }
type Page = { readonly results: readonly Row[] }

const groups = Array.from({ length: 10 }, (_, n) => `team-${n}`)
const row = (group: string) => ({ group, project: 'ENG', role: 'member' })
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** A proxy before the sandbox that changes each list of project mappings, and nothing else. */
async function placeBehindProxy(policy: string, declared: readonly object[] = groups.map(row)) {
  const seen: { list: (rows: readonly Row[]) => readonly Row[]; byId: number } = { list: (rows) => rows, byId: 0 }
  const place = await openPlace({
    workspaces: { acme: { projects: ['ENG', 'OPS'] } },
    declaration: { version: 1, workspaces: { acme: { projectRoles: declared } } },
    groups: [...groups, 'old', 'new'],
    settings: { policy, guards: { deletes: { share: '100%' } } },
  })
  const changed = (content: Page | readonly Row[]) =>
    'results' in content ? { ...content, results: seen.list(content.results) } : seen.list(content)
  async function pass(request: IncomingMessage, response: ServerResponse, nth: number): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers as Record<string, string>
    const body = proxy.requests[nth - 1]?.body ?? ''
    const answer = await fetch(`${place.sandbox.url}${url}`, { method, headers: passed, ...(method === 'GET' ? {} : { body }) })
    if (method === 'GET' && /\/project-mappings\/[^/?]+\/$/.test(url)) seen.byId++
    if (answer.status === 204) {
      response.writeHead(204).end()
      return
    }
    const content = (await answer.json()) as Page | readonly Row[]
    const isList = method === 'GET' && /\/project-mappings\/(\?|$)/.test(url)
    json(response, answer.status, isList ? changed(content) : content)
  }
  const proxy: RawServer = await rawServer((request, response, nth) => void pass(request, response, nth))
  const run = (...args: string[]) => place.run(args, { env: { PLANE_BASE_URL: proxy.url.href } })
  const first = await run('run', '--once')
  expect(first.code, first.out + first.err).toBe(0)
  await sleep(1_100)
  const writes = writesTo(place.sandbox).length
  const written = () => writesTo(place.sandbox).length - writes
  return {
    place,
    run,
    seen,
    written,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

const some = (change: (row: Row) => object) => (rows: readonly Row[]) =>
  rows.map((one) => (/[012]$/.test(one.idp_group_name) ? { ...one, ...change(one) } : one))

test.each([
  ['in capitals', some(({ idp_group_name }) => ({ idp_group_name: idp_group_name.toUpperCase() }))],
  ['with a blank behind', some(({ idp_group_name }) => ({ idp_group_name: `${idp_group_name} ` }))],
  ['in all projects', some(() => ({ project: null, all_projects: true }))],
  ['in capitals, all of them', (rows: readonly Row[]) => rows.map((one) => ({ ...one, idp_group_name: one.idp_group_name.toUpperCase() }))],
])('a list that shows mappings under another key makes and deletes nothing: %s', async (_name, list) => {
  for (const policy of ['upsert-only', 'exclusive']) {
    await using world = await placeBehindProxy(policy)
    const { place, run, seen, written } = world
    const before = stateOf(place.sandbox)
    seen.list = list
    for (let again = 0; again < 3; again++) {
      const { code, out, err } = await run('apply', '--yes')
      expect(code, out + err).toBe(1)
      expect(inOneLine(out)).toMatch(
        /the list shows the mapping project\/ENG\/team-\d \(id [-0-9a-f]+\) as .*, and Plane itself has it as project\/ENG\/team-\d/,
      )
    }
    expect(seen.byId).toBeLessThanOrEqual(6)
    expect([stateOf(place.sandbox), doublesOf(place.sandbox), written()]).toEqual([before, [], 0])
    seen.list = (rows) => rows
    expect((await run('apply', '--yes')).code).toBe(0)
    expect([stateOf(place.sandbox), written()]).toEqual([before, 0])
  }
})

test('a mapping that a person renamed in Plane is asked for once, and is made again', async () => {
  await using world = await placeBehindProxy('upsert-only')
  const { place, run, seen, written } = world
  const stored = place.sandbox.state.workspaces['acme']?.projectMappings?.[0]
  if (stored === undefined) throw new Error('no mapping')
  stored.idp_group_name = 'by-hand'
  expect((await run('apply', '--yes')).code).toBe(0)
  expect((await run('apply', '--yes')).code).toBe(0)
  expect([seen.byId, written()]).toEqual([1, 1])
  expect(stateOf(place.sandbox)).toEqual(['ENG by-hand → member', ...groups.map((group) => `ENG ${group} → member`)])
})

test('a rename of a mapping that the list hides waits until the list shows it', async () => {
  await using world = await placeBehindProxy('upsert-only', [row('old'), row('team-3')])
  const { place, run, seen, written } = world
  seen.list = (rows) => rows.filter(({ idp_group_name }) => idp_group_name !== 'old')
  const renamed = { version: 1, workspaces: { acme: { projectRoles: [{ ...row('new'), previously: 'old' }, row('team-3')] } } }
  await place.write('groups.yaml', renamed)
  expect((await run('apply', '--yes')).code).toBe(1)
  expect(written()).toBe(0)
  seen.list = (rows) => rows
  expect((await run('apply', '--yes')).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG new → member', 'ENG team-3 → member'])
})

test.each([
  ['is renamed', ['ENGX', 'OPS'], 'ENGX'],
  ['swaps its identifier with another one', ['OPS', 'ENG'], 'OPS'],
])(
  'a project that %s before its mappings are declared so, while the list lacks some of them: none is made twice',
  async (_name, identifiers, now) => {
    for (const policy of ['upsert-only', 'exclusive']) {
      await using world = await placeBehindProxy(policy)
      const { place, run, seen, written } = world
      const { projects = [], projectMappings = [] } = place.sandbox.state.workspaces['acme'] ?? {}
      for (const [index, project] of projects.entries()) project.identifier = identifiers[index] ?? ''
      for (const mapping of projectMappings) mapping.project = now
      await place.write('groups.yaml', {
        version: 1,
        workspaces: { acme: { projectRoles: groups.map((group) => ({ ...row(group), project: now })) } },
      })
      seen.list = (rows) => rows.filter(({ idp_group_name }) => !/[012]$/.test(idp_group_name))
      for (let again = 0; again < 2; again++) {
        expect((await run('apply', '--yes')).code).toBe(1)
        expect([doublesOf(place.sandbox), written()]).toEqual([[], 0])
      }
      expect(seen.byId).toBeLessThanOrEqual(6)
      seen.list = (rows) => rows
      expect((await run('apply', '--yes')).code).toBe(0)
      expect([stateOf(place.sandbox), written()]).toEqual([groups.map((group) => `${now} ${group} → member`), 0])
    }
  },
)

test('what Plane says of a mapping of one list is not remembered for the other', async () => {
  await using world = await placeBehindProxy('upsert-only', [row('team-0')])
  const { place, run } = world
  const { projects = [], projectMappings = [] } = place.sandbox.state.workspaces['acme'] ?? {}
  const rename = (identifier: string) => {
    for (const project of projects.slice(0, 1)) project.identifier = identifier
    for (const mapping of projectMappings) if (mapping.project !== 'OPS') mapping.project = identifier
  }
  const declare = (project: string, workspaceRoles: readonly object[]) =>
    place.write('groups.yaml', {
      version: 1,
      workspaces: {
        acme: {
          projectRoles: [
            { ...row('team-0'), project },
            { ...row('team-0'), project: 'OPS' },
          ],
          workspaceRoles,
        },
      },
    })
  rename('ENGX')
  await declare('ENGX', [])
  expect((await run('apply', '--yes')).code).toBe(0)
  rename('ENGY')
  await declare('ENGY', [{ group: 'team-0', role: 'guest' }])
  const { code, out, err } = await run('apply', '--yes')
  expect(code, out + err).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['- team-0 → guest', 'ENGY team-0 → member', 'OPS team-0 → member'])
})
