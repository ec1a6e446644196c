import { describe, expect, test } from 'vitest'
import { canonical } from '../../../src/core/change.ts'
import type { GroupName, Key, Role } from '../../../src/core/mapping.ts'
import type { Rule } from '../../../src/core/rule.ts'
import { failed, lines, mapping, partial, pattern, planOf, rule, type SmallWorld } from './smallWorld.ts'

const devs = [rule('devs', 'ENG', 'member')]
const directories = { corp: ['devs', 'ops'] }
const because = { at: { file: 'g', line: 1, column: 1 } }
const linesOf = (world: SmallWorld) => lines(planOf({ directories, ...world }))

describe('what the guards measure against', () => {
  test('are the mappings of each owned list, without what is unmanaged, and the administrators among them', () => {
    const plan = planOf({
      existing: ['ENG devs guest', 'OPS legacy guest', 'workspace it admin', 'workspace boss owner', 'workspace devs member'],
      unmanaged: [{ groups: { kind: 'exact', name: 'legacy' as GroupName }, because }],
    })
    expect(plan).toMatchObject({ owned: { projectRoles: 1, workspaceRoles: 3 }, administrators: 2 })
  })
  test('are nothing where a list is not spoken of', () => {
    expect(planOf({ owns: ['projectRoles'] })).toMatchObject({ owned: { projectRoles: 0 }, administrators: 0 })
  })
})

test('unchanged are those that are as they should be, one by one', () => {
  const existing = ['ENG devs member', 'ENG devs member', 'ENG devs guest', 'ENG ops guest', 'OPS ops guest']
  const rules = [...devs, rule('ops', 'ENG', 'guest'), rule('ops', 'OPS', 'member')]
  expect(planOf({ rules, directories, existing }).unchanged).toBe(3)
})

test('holds are in the order of their keys', () => {
  const plan = planOf({
    existing: ['OPS b guest', 'ENG a guest', 'workspace c guest', 'ENG d guest'],
    owns: ['projectRoles', 'workspaceRoles'],
  })
  const keys = plan.holds.map(({ key }) => key)
  expect(keys).toHaveLength(4)
  expect(keys).toEqual(keys.toSorted())
})

describe('the identity of a change', () => {
  test('of settings does not hang on the order of their fields', () => {
    const [one, other] = [
      { autoRemove: true, enabled: false, offlineSync: true },
      { offlineSync: true, enabled: false, autoRemove: true },
    ]
    const settings = (before: object, after: object) => canonical({ action: 'settings', key: 'acme/groupSync' as Key, before, after })
    expect(settings(one, other)).toBe(settings(other, one))
    expect(settings(one, one)).not.toBe(settings(one, { ...one, enabled: true }))
    expect(settings(one, one)).not.toBe(settings({ ...one, enabled: true }, one))
  })
  test('covers what is there and what it becomes, not why', () => {
    const change = (role: string, has: string, more: Partial<Rule> = {}) =>
      planOf({ rules: [rule('devs', 'ENG', role, more)], directories, existing: [`ENG devs ${has}`] }).changes[0]?.id
    expect(change('member', 'guest')).toBe(change('member', 'guest', { allowProtected: true, because: { ...because, reason: 'x' } }))
    expect(change('member', 'guest')).not.toBe(change('member', 'admin'))
    expect(change('member', 'guest')).not.toBe(change('admin', 'guest'))
  })
})

describe('what is not owned', () => {
  test('is not touched by a rule', () => {
    expect(linesOf({ rules: devs, owns: ['workspaceRoles'] })).toEqual([])
    expect(linesOf({ rules: devs, owns: ['workspaceRoles'], existing: ['ENG devs guest'] })).toEqual([])
  })
  test('is what the declaration says is unmanaged, and nothing beside it', () => {
    const unmanaged = [{ groups: { kind: 'exact' as const, name: 'legacy' as GroupName }, because }]
    expect(linesOf({ unmanaged, existing: ['ENG legacy guest', 'ENG old guest'], policy: 'exclusive' })).toEqual([
      'delete ENG old = guest (undeclared)',
    ])
  })
  test('is an unmanaged name also if a pattern matches it, whether it has a mapping or not', () => {
    const unmanaged = [{ groups: { kind: 'exact' as const, name: 'ops' as GroupName }, because }]
    const rules = [pattern('.*', 'ENG', 'member'), pattern('.*', 'OPS', 'member')]
    expect(linesOf({ rules, unmanaged, existing: ['ENG ops guest'] })).toEqual(['create ENG devs = member', 'create OPS devs = member'])
  })
})

describe('a list of the service that proves no absence', () => {
  const of = (list: string, why: string) => ({ kind: 'readingIncomplete', of: `the ${list} mappings`, why })
  test.each([
    ['partial', new Map([['projectRoles', partial([])]] as const), 'page 3'],
    ['failed', new Map([['projectRoles', failed]] as const), 'cannot connect'],
    ['not there', new Map(), 'they were not read'],
  ])('since it is %s holds what would be made in it', (_name, lists, why) => {
    const { holds, changes } = planOf({ rules: devs, directories, owns: ['projectRoles'], lists })
    expect(changes).toEqual([])
    expect(holds.map(({ reason }) => reason)).toEqual([of('project', why)])
  })

  const torn = (...rows: readonly string[]) => new Map([['projectRoles', partial(rows.map(mapping))]] as const)
  test('says which mappings it is about', () => {
    const lists = new Map([['workspaceRoles', partial([])]] as const)
    const { holds } = planOf({ rules: [rule('devs', 'workspace', 'member')], directories, owns: ['workspaceRoles'], lists })
    expect(holds.map(({ reason }) => reason)).toEqual([of('workspace', 'page 3')])
  })
  test('does not hold what should go and was not seen', () => {
    expect(linesOf({ removed: ['ENG old'], owns: ['projectRoles'], lists: torn() })).toEqual([])
  })
  test('does not delete a duplicate under sync: the one to keep may be on the page that is missing', () => {
    const world: SmallWorld = { rules: devs, owns: ['projectRoles'], policy: 'exclusive', lists: torn('ENG devs member', 'ENG devs guest') }
    expect(linesOf(world)).toEqual(['patch ENG devs: guest → member'])
  })
  test('holds what is undeclared under sync, with all that is known of it', () => {
    const { holds } = planOf({ owns: ['projectRoles'], policy: 'exclusive', lists: torn('ENG old guest') })
    const { key, group, target } = mapping('ENG old guest', 0)
    expect(holds).toEqual([{ key, group, target, reason: of('project', 'page 3'), would: { action: 'delete', before: 'guest' } }])
  })
  test('reports what is undeclared under the other policies: they would not delete it anyway', () => {
    expect(linesOf({ owns: ['projectRoles'], lists: torn('ENG old guest') })).toEqual([
      'hold acme/project/ENG/old: undeclared (delete ENG old = guest (undeclared))',
    ])
  })
})

describe("the workspace's own settings", () => {
  const wanted = { autoRemove: false }
  test.each<[string, SmallWorld]>([
    ['nothing is said of them', { existingSync: { autoRemove: true } }],
    ['they are so already', { groupSync: { wanted, because }, existingSync: { autoRemove: false } }],
    [
      'the service shows the default role by its own name',
      {
        groupSync: { wanted: { defaultWorkspaceRole: 'member' as Role }, because },
        existingSync: { defaultWorkspaceRole: 'contributor' as Role },
        roles: { aliases: { member: 'contributor' } },
      },
    ],
    ['they were not read', { groupSync: { wanted, because } }],
  ])('are left alone where %s', (_name, world) => expect(linesOf(world)).toEqual([]))

  test('change with the place that says so', () => {
    expect(planOf({ groupSync: { wanted, because }, existingSync: { autoRemove: true } }).changes).toMatchObject([
      { action: 'settings', key: 'acme/groupSync', before: { autoRemove: true }, after: { autoRemove: false }, because },
    ])
  })
})

test('a rule that names no earlier name takes over no mapping, whatever its group is called', () => {
  expect(linesOf({ rules: devs, existing: ['ENG undefined guest'] })).toEqual([
    'create ENG devs = member',
    'hold acme/project/ENG/undefined: undeclared (delete ENG undefined = guest (undeclared))',
  ])
})
