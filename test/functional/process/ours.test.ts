import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

const declared = (...groups: readonly string[]) =>
  `version: 1\nworkspaces:\n  acme:\n    projectRoles: ${JSON.stringify(groups.map((group) => ({ group, project: 'ENG', role: 'member' })))}\n`
const workspaces = {
  acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'by-hand', role: 'admin', project: 'ENG' }] },
}

test('a line that is gone takes back what it gave, and nothing that others gave', async () => {
  await using place = await openPlace({ workspaces, declaration: declared('devs', 'ops'), groups: ['devs', 'ops'] })
  const first = await place.run(['apply', '--yes'])
  expect(first.out).toContain('Undeclared (1, 1 protected), not ours: kept')
  expect(stateOf(place.sandbox)).toEqual(['ENG by-hand → admin', 'ENG devs → member', 'ENG ops → member'])

  await place.write('groups.yaml', declared('ops'))
  const plan = await place.run(['plan', '--fail-on', 'undeclared-protected'])
  expect(plan.code).toBe(2)
  expect(plan.out).toMatch(/- ENG {2}devs = member {2}undeclared/)
  expect(await place.run(['apply', '--yes'])).toMatchObject({ code: 0 })
  expect(stateOf(place.sandbox)).toEqual(['ENG by-hand → admin', 'ENG ops → member'])
})

test('without a journal nothing is ours, and a finding says so', async () => {
  await using place = await openPlace({
    workspaces,
    declaration: declared('devs'),
    groups: ['devs', 'ops'],
    settings: { journal: 'none', service: { unknownOutcomeWait: '1s' } },
  })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  await place.write('groups.yaml', declared())
  const after = await place.run(['apply', '--yes'])
  expect(after.out).toContain('sync-without-journal')
  expect(stateOf(place.sandbox)).toEqual(['ENG by-hand → admin', 'ENG devs → member'])
})
