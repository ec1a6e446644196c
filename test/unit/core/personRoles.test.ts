import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { targetText } from '../../../src/core/mapping.ts'
import { type HighestRole, type PersonRole, rolesOfPerson } from '../../../src/core/people/personRoles.ts'
import { holds } from '../properties/runs.ts'
import { acme, mapping, planOf, roles, rule, type SmallWorld } from './smallWorld.ts'

const word = (role: HighestRole): string => (role === undefined ? '-' : role.kind === 'role' ? role.role : `?${role.roles.join('/')}`)
const line = ({ target, before, after, mappings }: PersonRole): string =>
  `${targetText(target)}: ${word(before)} → ${word(after)} by ${mappings.map(({ group }) => group).join(' ')}`

function rolesIn(world: SmallWorld, groups: string): readonly string[] {
  const plan = planOf({ directories: {}, ...world })
  const own = new Set(groups.split(' ') as GroupName[])
  return rolesOfPerson(acme, own, (world.existing ?? []).map(mapping), plan.changes, roles).map(line)
}

describe('the roles of a person', () => {
  test('the highest role of all groups counts, and mappings for all projects count in each project', () => {
    const world: SmallWorld = {
      rules: [rule('devs', 'ENG', 'member'), rule('staff', '*', 'guest'), rule('leads', 'ENG', 'contributor')],
      existing: ['* staff guest', 'ENG leads contributor'],
    }
    expect(rolesIn(world, 'devs staff leads')).toEqual([
      'all projects: guest → guest by staff',
      'ENG: contributor → member by devs leads staff',
    ])
    expect(rolesIn(world, 'staff')).toEqual(['all projects: guest → guest by staff'])
    expect(rolesIn(world, 'others')).toEqual([])
  })
  test('a delete takes the role, and a rename moves it to the people of the other group', () => {
    const world: SmallWorld = {
      removed: ['OPS devs'],
      rules: [rule('new', 'ENG', 'member', { previously: 'old' as GroupName })],
      existing: ['ENG old member', 'OPS devs guest'],
    }
    expect(rolesIn(world, 'devs')).toEqual(['OPS: guest → - by devs'])
    expect(rolesIn(world, 'old')).toEqual(['ENG: member → - by old'])
    expect(rolesIn(world, 'new')).toEqual(['ENG: - → member by new'])
  })
  test('a role that has no place in the order is comparable with no other role', () => {
    const world: SmallWorld = { rules: [rule('devs', 'ENG', 'member')], existing: ['ENG staff reviewer'] }
    expect(rolesIn(world, 'devs staff')).toEqual(['ENG: reviewer → ?member/reviewer by devs staff'])
    const [unclear] = rolesOfPerson(
      acme,
      new Set(['devs', 'staff'] as GroupName[]),
      ['ENG devs member', 'ENG staff reviewer'].map(mapping),
      [],
      roles,
    )
    expect(unclear?.after).toEqual({ kind: 'unclear', roles: ['member', 'reviewer'] })
  })
  test('the workspace comes first, then all projects, then each project by its name', () => {
    const existing = ['OPS devs guest', 'ENG devs guest', '* devs guest', 'APP devs guest', 'workspace devs guest']
    expect(rolesIn({ existing }, 'devs').map((text) => text.split(':')[0])).toEqual(['workspace', 'all projects', 'APP', 'ENG', 'OPS'])
  })
  test('a mapping without a role gives none', () => {
    expect(rolesIn({ rules: [rule('devs', 'ENG', 'guest')], existing: ['ENG devs -'] }, 'devs')).toEqual(['ENG: - → guest by devs'])
  })
})

describe('any plan', () => {
  const groups = ['a', 'b', 'c'] as const
  const order = ['guest', 'contributor', 'member', 'admin'] as const
  const row = fc.record({
    place: fc.constantFrom('ENG', 'OPS', '*', 'workspace'),
    group: fc.constantFrom(...groups),
    role: fc.constantFrom(...order),
  })
  const rows = fc.uniqueArray(row, { maxLength: 6, selector: ({ place, group }) => `${place} ${group}` })
  holds(
    'the roles are those of a walk over all mappings',
    200,
    fc.property(rows, rows, fc.uniqueArray(fc.constantFrom(...groups)), (declared, existing, own) => {
      const world: SmallWorld = {
        rules: declared.map(({ place, group, role }) => rule(group, place, role, { allowProtected: true })),
        existing: existing.map(({ place, group, role }) => `${place} ${group} ${role}`),
        policy: 'exclusive',
        owns: ['workspaceRoles', 'projectRoles'],
      }
      const plan = planOf({ directories: {}, ...world })
      const found = rolesOfPerson(acme, new Set(own as string[] as GroupName[]), (world.existing ?? []).map(mapping), plan.changes, roles)
      // With `sync` and both lists owned, what is declared is what exists after the plan.
      const highest = (all: typeof declared, place: string) => {
        const here = all.filter((one) => (own as readonly string[]).includes(one.group))
        const counts = here.filter((one) => one.place === place || (one.place === '*' && ['ENG', 'OPS'].includes(place)))
        return counts.map(({ role }) => role).toSorted((a, b) => order.indexOf(b) - order.indexOf(a))[0] ?? '-'
      }
      for (const { target, before, after } of found) {
        const place = target.kind === 'allProjects' ? '*' : targetText(target)
        expect([place, word(before), word(after)]).toEqual([place, highest(existing, place), highest(declared, place)])
      }
    }),
  )
})
