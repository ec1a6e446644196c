import { expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'

const declared = (projectRoles: readonly object[]) => ({ version: 1, workspaces: { acme: { projectRoles } } })
const rules = [
  { group: 'devs', project: 'ENG', role: 'member' },
  { group: 'ops', project: 'OPS', role: 'guest' },
]
/** The groups of the directory, each with its id. */
const know = (place: Place, ids: Readonly<Record<string, string>>) =>
  place.write('directory.yaml', { groups: Object.entries(ids).map(([name, id]) => ({ name, id })) })

async function open(): Promise<Place> {
  const place = await openPlace({ declaration: declared(rules), groups: [], settings: { policy: 'exclusive' } })
  await know(place, { devs: 'id-1', ops: 'id-2' })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  return place
}

/** A person deletes a group's mapping in Plane. */
function unmap({ sandbox }: Place, group: string): void {
  const { projectMappings = [] } = sandbox.state.workspaces.acme ?? {}
  projectMappings.splice(
    projectMappings.findIndex(({ idp_group_name }) => idp_group_name === group),
    1,
  )
}

test('a group that was made again gets no new grant, over restarts, until a waiver names it', async () => {
  await using place = await open()
  await know(place, { devs: 'id-3', ops: 'id-2' })
  for (let again = 0; again < 2; again++) {
    const { code, err } = await place.run(['run', '--once', '--log-format', 'json'])
    expect(code, err).toBe(0)
    expect(err).toMatch(/acme group-changed: groups.yaml:\d+:\d+: group devs of corp is another group now, with another id/)
  }
  unmap(place, 'devs')
  const writes = writesTo(place.sandbox).length
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const { out, code } = await place.run(['plan', '--fail-on', 'held'])
  expect([code, stateOf(place.sandbox)]).toEqual([2, ['OPS ops → guest']])
  expect(writesTo(place.sandbox)).toHaveLength(writes)
  const [pass = ''] = out.match(/(?<=--allow\s+)[0-9a-f]{32}/) ?? []
  expect((await place.run(['apply', '--yes', '--allow', pass])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', 'OPS ops → guest'])
  expect((await place.run(['plan', '--detailed-exitcode', '--fail-on', 'held,findings'])).code).toBe(0)
  const journal = (await place.read('state/journal-000001.jsonl')).split('\n').filter((line) => line.includes('"waiver"'))
  expect(journal.map((line) => (JSON.parse(line) as { passes: string[] }).passes)).toEqual([[pass]])
})

test('an edit of the rule takes the group of today; a removal is written all the while', async () => {
  await using place = await open()
  await know(place, { devs: 'id-3', ops: 'id-4' })
  await place.write('groups.yaml', declared([{ ...rules[0], role: 'contributor' }]))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → contributor'])
  expect((await place.run(['plan', '--fail-on', 'findings'])).code).toBe(0)
})

test('a waiver accepts all groups of a directory that was replaced', async () => {
  await using place = await openPlace({ declaration: declared(rules), groups: [] })
  const names = ['a', 'b', 'c', 'd', 'e']
  const ids = (generation: number) => Object.fromEntries(['devs', 'ops', ...names].map((name) => [name, `${generation}-${name}`]))
  await place.write('groups.yaml', declared([...rules, ...names.map((group) => ({ group, project: 'ENG', role: 'guest' }))]))
  await know(place, ids(1))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  await know(place, ids(2))
  const planned = (await place.run(['plan'])).out.replaceAll(/\s+/g, ' ')
  expect(planned).toContain('7 groups of corp are other groups now, with other ids: devs, ops, a and 4 more')
  const [pass = ''] = planned.match(/(?<=--allow )[0-9a-f]{32}/) ?? []
  const { code, out } = await place.run(['apply', '--yes', '--allow', pass])
  expect(code, out).toBe(0)
  expect((await place.run(['plan', '--fail-on', 'findings'])).code).toBe(0)
})

test('a group that a pattern matched and that was made again waits, over restarts; other groups of the pattern get their role', async () => {
  const wide = (more: object = {}) => declared([{ groupGlob: 'dev*', project: 'ENG', role: 'member', ...more }])
  await using place = await openPlace({ declaration: wide(), groups: [] })
  await know(place, { devs: 'id-1', devops: 'id-2' })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  await know(place, { devs: 'id-3', devops: 'id-2', developers: 'id-9' })
  unmap(place, 'devs')
  const applied = await place.run(['apply', '--yes'])
  expect(applied.out.replaceAll(/\s+/g, ' ')).toContain('group devs of corp is another group now, with another id')
  expect(stateOf(place.sandbox)).toEqual(['ENG developers → member', 'ENG devops → member'])
  await place.write('groups.yaml', wide({ reason: 'the new devs' }))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG developers → member', 'ENG devops → member', 'ENG devs → member'])
  expect((await place.run(['plan', '--fail-on', 'held,findings'])).code).toBe(0)
})

test('names in another form are one finding, nothing is written, and the former form brings everything back', async () => {
  const paths = ['/eng/web', '/eng/api', '/ops']
  const declaration = declared(paths.map((group) => ({ group, project: 'ENG', role: 'member' })))
  await using place = await openPlace({ declaration, groups: [], settings: { policy: 'exclusive' } })
  const name = (made: (path: string) => string) =>
    know(place, { ...Object.fromEntries(paths.map((path, n) => [made(path), `id-${n}`])), other: 'id-9' })
  await name((path) => path)
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const before = stateOf(place.sandbox)
  expect(before).toHaveLength(3)

  await name((path) => path.slice(path.lastIndexOf('/') + 1))
  const writes = writesTo(place.sandbox).length
  for (const command of [
    ['apply', '--yes'],
    ['run', '--once'],
  ])
    expect((await place.run(command)).code).toBe(0)
  const { out } = await place.run(['plan', '--all'])
  expect(out).toContain('names-in-another-form: the names of 3 of 3 known groups of corp come in another form, names in the place')
  expect(out).not.toMatch(/group-renamed/)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'first look in the claim of a login which name the group has there; then: if the group was renamed',
  )
  expect(stateOf(place.sandbox)).toEqual(before)
  expect(writesTo(place.sandbox)).toHaveLength(writes)

  await name((path) => path)
  expect((await place.run(['plan', '--detailed-exitcode', '--fail-on', 'held,findings'])).code).toBe(0)
})
