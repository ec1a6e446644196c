import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/core/judge/guards.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { changeLine, complete, judging, planOf, rule, type SmallWorld } from './smallWorld.ts'

const directories = { corp: ['a', 'b', 'c', 'x', 'y'] }
const free = { unknownProjects: 'send' } as const
const change = (where: string, role: string) => rule('x', where, role, free)

/** The plan's changes in their order, each with how many others it waits for. */
const order = (world: SmallWorld) =>
  planOf({ directories, ...world }).changes.map(
    (one) => `${changeLine(one)}${one.requires.length === 0 ? '' : ` after ${one.requires.length}`}`,
  )

test('what takes away · settings · what gives to who is there · what is new · what is replaced; each by key', () => {
  const settings = { autoRemove: true }
  expect(
    order({
      rules: [
        rule('a', 'ENG', 'guest'),
        rule('b', 'ENG', 'admin'),
        rule('c', 'OPS', 'auditor'),
        rule('b', 'OPS', 'guest', { previously: 'old' as GroupName }),
        rule('a', 'OPS', 'guest', { previously: 'older' as GroupName }),
        change('*', 'guest'),
        rule('y', 'workspace', 'guest'),
        rule('y', '*', 'admin'),
      ],
      removed: ['OPS gone', 'ENG x'],
      existing: [
        'ENG a member',
        'ENG b member',
        'OPS c guest',
        'OPS old guest',
        'OPS older guest',
        'OPS gone guest',
        'ENG x guest',
        '* y guest',
      ],
      groupSync: { wanted: settings, because: { at: { file: 'g', line: 1, column: 1 } } },
      existingSync: { autoRemove: false },
    }),
  ).toEqual([
    'patch ENG a: member → guest',
    'delete OPS gone = guest (removed)',
    'settings {"autoRemove":false} → {"autoRemove":true}',
    'patch all projects y: guest → admin',
    'patch ENG b: member → admin',
    'rename OPS older → a: guest → guest',
    'rename OPS old → b: guest → guest',
    'patch OPS c: guest → auditor',
    'create all projects x = guest',
    'create workspace y = guest',
    'delete ENG x = guest (removed) after 1',
  ])
})

describe('a delete of a group waits for what replaces it, where their targets overlap', () => {
  test.each([
    ['* x', '*', 'ENG', true],
    ['ENG x', 'ENG', '*', true],
    ['ENG x', 'ENG', 'OPS', false],
    ['ENG x', 'ENG', 'workspace', false],
    ['* x', '*', 'workspace', false],
    ['workspace x', 'workspace', 'ENG', false],
    ['workspace x', 'workspace', '*', false],
  ])('%s goes from %s, and comes to %s: %s', (removed, _from, to, waits) => {
    // The role is another one, so that the change is not a swap.
    const lines = order({
      rules: [change(to, 'member')],
      removed: [removed],
      existing: [`${removed} guest`, 'OPS y guest', 'workspace y guest'],
    })
    expect(lines.filter((line) => line.endsWith('after 1'))).toHaveLength(Number(waits))
  })

  test('of every target that replaces it', () => {
    const lines = order({ rules: [change('ENG', 'member'), change('OPS', 'member')], removed: ['* x'], existing: ['* x guest'] })
    expect(lines.at(-1)).toBe('delete all projects x = guest (removed) after 2')
  })

  test('but not for a stranger on an overlapping target', () => {
    const lines = order({ rules: [rule('y', 'ENG', 'member')], removed: ['* x'], existing: ['* x guest'] })
    expect(lines[0]).toBe('delete all projects x = guest (removed)')
  })

  test.each([
    ['is raised, and has as much as what goes', 'member', ['* x guest', 'ENG x guest'], false],
    ['is raised, and has more than what goes', 'member', ['* x guest', 'ENG x commenter'], false],
    ['is raised, and has less than what goes', 'member', ['* x member', 'ENG x guest'], true],
    ['is raised, and has no role', 'member', ['* x guest', 'ENG x -'], true],
    ['is raised, and what goes has no role', 'member', ['* x -', 'ENG x guest'], false],
    ['changes to a role that is not in the order', 'auditor', ['* x member', 'ENG x guest'], true],
    ['is raised, and the role of what goes is not in the order', 'member', ['* x auditor', 'ENG x guest'], true],
    ['is lowered', 'guest', ['* x owner', 'ENG x member'], false],
  ])('a mapping that is there already and %s', (_what, role, existing, waits) => {
    const lines = order({ rules: [change('ENG', role)], removed: ['* x'], existing: [...existing, 'OPS y guest'] })
    expect(lines.filter((line) => line.startsWith('delete') && line.endsWith('after 1'))).toHaveLength(Number(waits))
  })

  test('but not for a delete of the same group', () => {
    const existing = ['* x member', 'ENG x guest', 'OPS y guest']
    expect(order({ rules: [], removed: ['* x', 'ENG x'], existing })).toEqual([
      'delete all projects x = member (removed)',
      'delete ENG x = guest (removed)',
    ])
  })

  test('a rename that gives more is waited for once', () => {
    const rules = [rule('x', 'ENG', 'member', { ...free, previously: 'old' as GroupName })]
    const lines = order({ rules, removed: ['* x'], existing: ['* x member', 'ENG old guest', 'OPS y guest'] })
    expect(lines.at(-1)).toBe('delete all projects x = member (removed) after 1')
  })

  test('a duplicate waits for the patch of its own key alone, by id', () => {
    const rules = [change('ENG', 'auditor'), change('*', 'auditor')]
    const existing = ['ENG x member', 'ENG x guest', '* x guest']
    const { changes } = planOf({ directories, rules, existing, policy: 'exclusive' })
    const patch = changes.find((one) => one.action === 'patch' && one.target.kind === 'project')
    const duplicate = changes.find((one) => one.action === 'delete')
    expect(patch).toMatchObject({ before: 'member' })
    expect(duplicate).toMatchObject({ before: 'guest', requires: [] })
    const other = planOf({ directories, rules, existing: ['ENG x boss', 'ENG x guest', '* x guest'], policy: 'exclusive' }).changes
    expect(other.find((one) => one.action === 'delete')).toMatchObject({
      before: 'boss',
      requires: [other.find((one) => one.action === 'patch' && one.target.kind === 'project')?.id],
    })
  })

  test('but not for another group that is raised there, and not for the group in another project', () => {
    const rules = [rule('y', '*', 'member'), change('OPS', 'member')]
    expect(order({ rules, removed: ['ENG x'], existing: ['ENG x member', '* y guest', 'OPS x guest'] })[0]).toBe(
      'delete ENG x = member (removed)',
    )
  })

  test('so a group keeps its role in a project while a person decides about a protected role there', () => {
    const plan = planOf({
      directories,
      rules: [change('ENG', 'admin')],
      removed: ['* x'],
      existing: ['* x member', 'ENG x guest', 'OPS y guest'],
    })
    expect(judge(plan, judging).plan.changes).toEqual([])
  })

  test('but not a duplicate: its twin stays', () => {
    const existing = ['ENG x admin', 'ENG x guest']
    expect(order({ rules: [change('ENG', 'guest'), change('*', 'guest')], existing, policy: 'exclusive' })).toEqual([
      'delete ENG x = admin (duplicate)',
      'create all projects x = guest',
    ])
  })
})

describe('a delete waits for the one other group that gets the same role on the same target', () => {
  test.each([
    ['one for one', [rule('a', 'ENG', 'guest')], ['ENG x'], true],
    ['another role', [rule('a', 'ENG', 'member')], ['ENG x'], false],
    ['another target', [rule('a', 'OPS', 'guest')], ['ENG x'], false],
    ['two for one', [rule('a', 'ENG', 'guest'), rule('b', 'ENG', 'guest')], ['ENG x'], false],
    ['one for two', [rule('a', 'ENG', 'guest')], ['ENG x', 'ENG y'], false],
    ['one for two, of which one loses another role', [rule('a', 'ENG', 'guest')], ['ENG x', 'ENG z'], true],
  ])('%s', (_name, rules, removed, waits) => {
    const existing = removed.map((where) => `${where} ${where.endsWith('z') ? 'member' : 'guest'}`)
    const lines = order({ rules, removed, existing: [...existing, 'OPS y guest'] })
    expect(lines.filter((line) => line.startsWith('delete ENG x') && line.endsWith('after 1'))).toHaveLength(Number(waits))
  })
})

test('the same create is waited for once, and what is waited for is sorted', () => {
  const plan = planOf({
    rules: [change('ENG', 'guest'), change('OPS', 'guest'), rule('a', '*', 'guest')],
    removed: ['* x'],
    directories,
    existing: ['* x guest', 'OPS y guest'],
  })
  const gone = plan.changes.at(-1)
  expect(gone?.requires).toHaveLength(3)
  expect(gone?.requires).toEqual(gone?.requires.toSorted())
})

test('of two changes to one key the order does not hang on that of the list', () => {
  const existing = ['ENG x admin', 'ENG x owner', 'ENG x member', 'ENG x auditor', 'ENG x contributor', 'ENG x guest']
  const world: SmallWorld = { rules: [change('ENG', 'guest')], directories, policy: 'exclusive' }
  const ids = (rows: readonly string[]) => planOf({ ...world, existing: rows }).changes.map(({ id }) => id)
  expect(ids(existing)).toEqual(ids(existing).toSorted())
})

describe('a delete of a group waits for what a group with another name gets that a directory knows by its id', () => {
  const directory = (...names: readonly string[]) => ({
    corp: complete(new Map(names.map((name) => [name as GroupName, [{ name: name as GroupName, id: `id-${name}`, place: `cn=${name}` }]]))),
  })
  const renamedTo = (rules: readonly ReturnType<typeof rule>[], more: SmallWorld = {}) =>
    planOf({
      directories: directory('a', 'b', 'c'),
      lastIds: { 'corp/old-a': 'id-a', 'corp/old-b': 'id-b', 'corp/old-c': 'other' },
      existing: ['ENG old-a member', 'ENG old-b member', 'ENG old-c member'],
      policy: 'exclusive',
      rules,
      ...more,
    }).changes.filter((change) => change.action === 'delete')
  const waiting = (...how: Parameters<typeof renamedTo>) => renamedTo(...how).map(({ group, requires }) => `${group} ${requires.length}`)
  test('the same target, several groups at once', () => {
    expect(waiting([rule('a', 'ENG', 'member'), rule('b', 'ENG', 'guest'), rule('c', 'ENG', 'member')]).toSorted()).toEqual([
      'old-a 1',
      'old-b 1',
      'old-c 0',
    ])
  })
  test('a raise, if the group has less there now; an overlapping target; and nothing elsewhere', () => {
    const raised = (before: string) => waiting([rule('a', 'ENG', 'admin')], { existing: ['ENG old-a member', `ENG a ${before}`] })
    expect([raised('guest'), raised('member')]).toEqual([['old-a 1'], ['old-a 0']])
    expect(waiting([rule('a', '*', 'guest')], { existing: ['ENG old-a member'] })).toEqual(['old-a 1'])
    expect(waiting([rule('a', 'OPS', 'guest')], { existing: ['ENG old-a member'] })).toEqual(['old-a 0'])
  })
  test('so people keep their access until a grant that waits for an approval is written', () => {
    const plan = planOf({
      directories: directory('a', 'b'),
      lastIds: { 'corp/old-a': 'id-a', 'corp/old-b': 'id-b' },
      existing: ['ENG old-a admin', 'ENG old-b admin'],
      policy: 'exclusive',
      rules: [rule('a', 'ENG', 'admin'), rule('b', 'ENG', 'admin')],
    })
    expect(judge(plan, judging).plan.changes).toEqual([])
  })
  test('not where a file removes the old name, nor where a directory has it again: it belongs to other people', () => {
    expect(waiting([rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')], { removed: ['ENG old-a'] })).toEqual([
      'old-a 0',
      'old-c 0',
      'old-b 1',
    ])
    for (const again of [directory('a', 'b', 'c', 'old-a'), { ...directory('a', 'b', 'c'), ldap: directory('old-a').corp }])
      expect(waiting([rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')], { directories: again })).toEqual([
        'old-a 0',
        'old-c 0',
        'old-b 1',
      ])
  })
})
