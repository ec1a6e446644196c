import { mkdir, rm } from 'node:fs/promises'
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

test('a flood of deletes because files are gone waits as one set; the files come back, or one of them goes within the limits', async () => {
  const teams = ['a', 'b', 'c', 'd']
  const groupsOf = (name: string) => ['1', '2', '3', '4'].map((n) => `${name}${n}`)
  await using place = await openPlace({
    workspaces: { acme: { projects: ['ENG'] } },
    settings: { declaration: 'groups' },
    declaration: '',
    groups: teams.flatMap(groupsOf),
  })
  await mkdir(place.path('groups'))
  const restore = async () => {
    for (const name of teams) await place.write(`groups/${name}.yaml`, declared(...groupsOf(name)))
  }
  const remove = (...names: readonly string[]) => Promise.all(names.map((name) => rm(place.path(`groups/${name}.yaml`))))
  await restore()
  expect(await place.run(['apply', '--yes'])).toMatchObject({ code: 0 })
  const whole = stateOf(place.sandbox)
  expect(whole).toHaveLength(16)

  await remove('a', 'b', 'c')
  const flood = await place.run(['apply', '--yes'])
  expect(flood.code).toBe(3)
  expect(flood.out.replace(/\s+/g, ' ')).toContain(
    'limit fileGone: 3 of 4 files are gone, so 12 mappings are undeclared; 12 deletes (75 % of 16 owned mappings); guards.deletes.minExisting allows 5, which is more than 20 % of 16 owned mappings if a file is gone by mistake, put it back · or, if the limit is wrong, change guards.deletes.minExisting to approve exactly these 12 changes: --allow',
  )
  expect(stateOf(place.sandbox)).toEqual(whole)
  await restore()
  expect((await place.run(['apply', '--yes'])).out).toContain('in sync: 16 unchanged')

  await remove('d')
  expect(await place.run(['apply', '--yes'])).toMatchObject({ code: 0 })
  expect(stateOf(place.sandbox)).toEqual(whole.filter((row) => !row.startsWith('ENG d')))
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
