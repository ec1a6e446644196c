import { expect, test } from 'vitest'
import { openPlace, stateOf } from './program.ts'

test('mappings without a role do not stop their workspace: each gets its role, goes, or stays', async () => {
  const projectMappings = [
    { idp_group_name: 'devs', project: 'ENG', role: null },
    { idp_group_name: 'gone', project: 'ENG', role: null },
    { idp_group_name: 'other', project: 'ENG', role: null },
  ]
  const declaration = {
    version: 1,
    workspaces: {
      acme: {
        projectRoles: [
          { group: 'devs', project: 'ENG', role: 'member' },
          { group: 'ops', project: 'OPS', role: 'guest' },
        ],
        removed: [{ group: 'gone', project: 'ENG' }],
      },
    },
  }
  await using place = await openPlace({
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings } },
    declaration,
    groups: ['devs', 'ops', 'other'],
  })
  const { out } = await place.run(['plan'])
  expect(out).toMatch(/↑ ENG\s+devs\s+no role → member/)
  const exported = await place.run(['export'])
  expect(exported.out).toContain('# "devs" in ENG has no role in Plane')
  await place.settings({ suspend: 'grants' })
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → null', 'ENG other → null'])
  await place.settings({ suspend: false })
  expect((await place.run(['plan', '--out', 'saved.json'])).code).toBe(0)
  const { code, out: applied } = await place.run(['apply', 'saved.json', '--yes'])
  expect(code, applied).toBe(0)
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → member', 'ENG other → null', 'OPS ops → guest'])
  expect((await place.run(['plan', '--detailed-exitcode'])).code).toBe(0)
})
