import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/core/judge/guards.ts'
import type { RoleSettings } from '../../../src/core/roles.ts'
import { changeLine, judging, lines, planOf, rule, type SmallWorld } from './smallWorld.ts'

/** The plan for the group `devs` in `ENG`, which should have `role` there and has these mappings. Every order of the mappings gives the same plan. */
function planned(role: string, has: readonly string[], more: SmallWorld = {}): readonly string[] {
  const rules = [rule('devs', 'ENG', role)]
  const existing = has.map((one) => `ENG devs ${one}`)
  const world: SmallWorld = { rules, directories: { corp: ['devs'] }, policy: 'exclusive', ...more }
  const [one, two] = [existing, existing.toReversed()].map((rows) => lines(planOf({ ...world, existing: rows })))
  expect(two?.toSorted()).toEqual(one?.toSorted())
  return one ?? []
}

describe('of several mappings of one key, sync keeps the one with most access until the patch is written', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['a raise', 'member', ['guest', 'commenter'], ['delete ENG devs = guest (duplicate)', 'patch ENG devs: commenter → member']],
    ['a lowering', 'guest', ['member', 'admin'], ['delete ENG devs = member (duplicate)', 'patch ENG devs: admin → guest']],
    ['one above and one below', 'member', ['guest', 'admin'], ['delete ENG devs = guest (duplicate)', 'patch ENG devs: admin → member']],
    ['one without a role', 'member', ['-', 'guest'], ['delete ENG devs = null (duplicate)', 'patch ENG devs: guest → member']],
    ['the declared one', 'member', ['admin', 'member'], ['delete ENG devs = admin (duplicate)']],
  ])('%s', (_what, role, has, expected) => expect(planned(role, has).toSorted()).toEqual(expected))

  test('one whose role is not in the order goes after the patch: it may give more', () => {
    expect(planned('member', ['auditor', 'guest'])).toEqual(['patch ENG devs: guest → member', 'delete ENG devs = auditor (duplicate)'])
    expect(planned('auditor', ['guest', 'member'])).toEqual(['delete ENG devs = guest (duplicate)', 'patch ENG devs: member → auditor'])
  })

  test('so a raise that needs approval takes no access away meanwhile', () => {
    const rules = [rule('devs', 'ENG', 'admin')]
    const existing = ['ENG devs guest', 'ENG devs member', 'ENG ops guest', 'OPS ops guest']
    const { plan } = judge(
      planOf({ rules, directories: { corp: ['devs'] }, policy: 'exclusive', existing, owns: ['projectRoles'] }),
      judging,
    )
    expect(plan.changes.map(changeLine)).not.toContain('delete ENG devs = member (duplicate)')
    expect(plan.changes.map(changeLine)).toContain('delete ENG devs = guest (duplicate)')
  })

  test('one with the declared role goes before one with a role that Plane answered instead of it', () => {
    const echoes = { member: 'admin', contributor: 'guest' }
    expect(planned('member', ['admin', 'member'], { echoes })).toEqual(['delete ENG devs = admin (duplicate)'])
    expect(planned('contributor', ['guest', 'contributor'], { echoes })).toEqual(['delete ENG devs = guest (duplicate)'])
    expect(planned('contributor', ['guest', 'member'], { echoes })).toEqual(['delete ENG devs = member (duplicate)'])
    expect(planned('member', ['admin', 'guest'], { echoes })).toEqual([
      'delete ENG devs = guest (duplicate)',
      'hold acme/project/ENG/devs: roleEchoed',
    ])
    // An answered role that is not in the order has no place, so it is not the highest one.
    expect(planned('guest', ['auditor', 'contributor'], { echoes: { guest: 'auditor' } })).toEqual([
      'delete ENG devs = contributor (duplicate)',
      'hold acme/project/ENG/devs: roleEchoed',
    ])
  })

  test('an alias has the place of its role', () => {
    const roles: Partial<RoleSettings> = { order: ['guest', 'member', 'admin'], aliases: { member: 'editor' } }
    expect(planned('admin', ['guest', 'editor'], { roles }).toSorted()).toEqual([
      'delete ENG devs = guest (duplicate)',
      'patch ENG devs: editor → admin',
    ])
  })
})
