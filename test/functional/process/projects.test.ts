import { expect, test } from 'vitest'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'

const declared = (projectRoles: readonly object[]) => ({ version: 1, workspaces: { acme: { projectRoles } } })
const rules = [
  { group: 'devs', project: 'ENG', role: 'member' },
  { group: 'ops', project: 'OPS', role: 'guest' },
  { group: 'web', project: 'WEB', role: 'guest' },
]
const workspaces = { acme: { projects: ['ENG', 'OPS', 'WEB'] } }
const groups = ['devs', 'ops', 'web']

/** A person gives a project another identifier in Plane: it keeps its id, and its mappings name it by the new one. */
function rename({ sandbox }: Place, from: string, to: string): void {
  const { projects = [], projectMappings = [] } = sandbox.state.workspaces.acme ?? {}
  for (const project of projects) if (project.identifier === from) project.identifier = to
  for (const mapping of projectMappings) if (mapping.project === from) mapping.project = to
}

const open = () => openPlace({ workspaces, declaration: declared(rules), groups, settings: { policy: 'exclusive' } })
const applied = async (place: Place) => {
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  return writesTo(place.sandbox).length
}

test('a project that is renamed keeps its mappings under sync, over restarts, until the file follows', async () => {
  await using place = await open()
  const writes = await applied(place)
  rename(place, 'ENG', 'ENGX')
  for (let again = 0; again < 2; again++) {
    const { code, err } = await place.run(['run', '--once', '--log-format', 'json'])
    expect(code, err).toBe(0)
    expect(err).toMatch(/acme project-changed: groups.yaml:\d+:\d+: project ENG is called ENGX now/)
  }
  expect(stateOf(place.sandbox)).toEqual(['ENGX devs → member', 'OPS ops → guest', 'WEB web → guest'])
  expect((await place.run(['plan', '--fail-on', 'held'])).code).toBe(2)
  await place.write('groups.yaml', declared(rules.map((rule) => (rule.project === 'ENG' ? { ...rule, project: 'ENGX' } : rule))))
  const { out, code } = await place.run(['plan', '--detailed-exitcode'])
  expect([code, out.includes('ENGX now')]).toEqual([0, false])
  expect(writesTo(place.sandbox)).toHaveLength(writes)
})

test('two identifiers that are swapped cost nobody a mapping; the digits of the finding take the projects of today', async () => {
  await using place = await open()
  const writes = await applied(place)
  rename(place, 'ENG', 'TMP')
  rename(place, 'OPS', 'ENG')
  rename(place, 'TMP', 'OPS')
  const { out } = await place.run(['apply', '--yes'])
  expect(out).toMatch(/identifier ENG belongs to another project now; the project that had it\s+is\s+called\s+OPS/)
  expect(writesTo(place.sandbox)).toHaveLength(writes)
  const passes = [...new Set(out.match(/(?<=--allow\s+)[0-9a-f]{32}/g))]
  expect(passes).toHaveLength(2)
  const allowed = await place.run(['apply', '--yes', ...passes.flatMap((pass) => ['--allow', pass])])
  expect(allowed.code, allowed.out).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', 'OPS ops → guest', 'WEB web → guest'])
  expect((await place.run(['plan', '--detailed-exitcode', '--fail-on', 'held'])).code).toBe(0)
  const journal = (await place.read('state/journal-000001.jsonl')).split('\n').filter((line) => line.includes('"waiver"'))
  expect(journal.map((line) => (JSON.parse(line) as { passes: string[] }).passes.toSorted())).toEqual([passes.toSorted()])
})

test.each([
  ['403', 'check the workspace slug "acme"'],
  ['500', 'nothing that needs it is written in this workspace'],
  ['reset before commit', 'the next run reads again'],
])(
  'a list of projects that cannot be read (%s) is a finding with the cure of its error, and the cycle is no success',
  async (fault, cure) => {
    const projectMappings = [{ idp_group_name: 'devs', project: 'ENG', role: 'guest' }]
    await using place = await openPlace({
      workspaces: { acme: { ...workspaces.acme, projectMappings } },
      declaration: declared(rules.slice(0, 1)),
      groups,
      sandbox: { faults: [`GET projects/: ${fault}`] },
    })
    for (const writes of [1, 1]) {
      const { code, err } = await place.run(['run', '--once', '--log-format', 'json'])
      expect(code, err).toBe(1)
      expect(err).toMatch(/acme reading-incomplete: acme: the list of projects could not be read/)
      expect(err).toContain('"outcome":"incomplete"')
      // The mapping shows that its project exists, so its role is still changed.
      expect(writesTo(place.sandbox)).toHaveLength(writes)
    }
    const { code, out } = await place.run(['plan'])
    expect([code, out.includes('in sync')]).toEqual([1, false])
    expect(out.replaceAll(/\s+/g, ' ')).toContain(cure)
    expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
  },
)

test('a journal that is lost while a project is renamed costs nobody a mapping', async () => {
  await using place = await open()
  const writes = await applied(place)
  rename(place, 'ENG', 'ENGX')
  await place.settings({ journal: 'none' })
  const { code, out } = await place.run(['apply', '--yes', '--no-wait'])
  expect(code, out).toBe(0)
  expect(out.replaceAll(/\s+/g, ' ')).toContain('this project may be ENG under a new name')
  expect(stateOf(place.sandbox)).toEqual(['ENGX devs → member', 'OPS ops → guest', 'WEB web → guest'])
  expect(writesTo(place.sandbox)).toHaveLength(writes)
})

test('an identifier that moves to another project during the first creates gets no more of them', async () => {
  const many = Array.from({ length: 40 }, (_, index) => `team-${index}`)
  await using place = await openPlace({
    workspaces: { acme: { projects: ['ENG', 'SECRET'] } },
    declaration: declared([{ group: many, project: 'ENG', role: 'member' }]),
    groups: many,
    settings: { guards: { creates: { count: 100 }, run: { creates: 100 }, day: { creates: 100 } } },
    sandbox: { faults: ['POST project-mappings: latency 50ms'] },
  })
  const running = place.run(['apply', '--yes'])
  await expect.poll(() => writesTo(place.sandbox).length, { interval: 5 }).toBe(10)
  rename(place, 'ENG', 'OLDENG')
  rename(place, 'SECRET', 'ENG')
  const { out } = await running
  expect(out.replaceAll(/\s+/g, ' ')).toContain('identifier ENG belongs to another project now')
  expect(stateOf(place.sandbox).filter((line) => line.startsWith('ENG ')).length).toBeLessThanOrEqual(1)
})
