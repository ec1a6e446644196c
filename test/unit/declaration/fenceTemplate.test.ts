import { describe, expect, test } from 'vitest'
import { isLike, isProjectIn } from '../../../src/core/fencedProjects.ts'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import { isOwner, isTeamName } from '../../../src/core/team.ts'
import { type FenceText, type FenceTexts, openAdmission, openFences } from '../../../src/declaration/fence.ts'
import { openOwners } from '../../../src/declaration/fenceOwner.ts'
import { canBeOnePath, concreteFences } from '../../../src/declaration/fenceTemplate.ts'
import { load } from './declare.ts'

const template: FenceText = {
  owner: 'team-{team}',
  workspace: 'acme',
  projectRoles: {
    projects: ['{TEAM}', '{TEAM}-*', 'SHARED'],
    allProjects: false,
    roles: ['member'],
    groups: ['{team}-*', 'all-staff'],
  },
  may: [],
  demand: { reason: false, expires: {} },
}
const explicit: FenceText = {
  ...template,
  owner: 'special',
  projectRoles: { ...template.projectRoles!, projects: ['OPS'], groups: ['ops'] },
}
const fences: FenceTexts = { 'platform/**': 'everything', 'teams/{team}/**': template }
const files = ['a', 'a-b', 'a-b-c', 'alpha', 'pay'].map((team) => `teams/${team}/x.yaml`)

test.each<readonly [name: string, isName: boolean]>([
  ['pay', true],
  ['pay-web', true],
  ['a_b', true],
  ['7', true],
  ...[
    '',
    'Pay',
    'PAY',
    'pay.web',
    'pay--web',
    '-pay',
    'pay-',
    'pay web',
    '*',
    '?',
    'é',
    'ß',
    'ı',
    'K',
    'pay\u200b',
    '{team}',
    '..',
    'x'.repeat(61),
  ].map((name) => [name, false] as const),
])('the name of a team: %j: %s', (name, isName) => {
  expect(isTeamName(name)).toBe(isName)
})

test('a template stands for a fence for each team that has a file, also in a folder below, and for no other file', () => {
  const paths = [
    'teams/pay/x.yaml',
    'teams/ops/deep/down/x.yaml',
    'teams/lone.yaml',
    'teams/Pay/x.yaml',
    'teams/x.y/x.yaml',
    'other/z/x.yaml',
    'platform/p.yaml',
  ]
  expect(Object.keys(concreteFences(fences, paths))).toEqual(['teams/ops/**', 'teams/pay/**', 'platform/**'])
  const fenceOf = openFences(concreteFences(fences, paths))
  expect(paths.map((path) => fenceOf(path))).toMatchObject([
    { path: 'teams/pay/**', owner: 'team-pay' },
    { path: 'teams/ops/**', owner: 'team-ops' },
    [],
    [],
    [],
    [],
    'everything',
  ])
})

test('a fence for exactly the path of a team stands in place of the template; any other fence that matches, too, is one too many', () => {
  const made = concreteFences({ ...fences, 'teams/pay/**': explicit, 'teams/**/own.yaml': explicit }, files)
  expect(made['teams/pay/**']).toBe(explicit)
  const fenceOf = openFences(made)
  expect(fenceOf('teams/pay/x.yaml')).toMatchObject({ owner: 'special' })
  expect(fenceOf('teams/a/own.yaml')).toEqual(['teams/a/**', 'teams/**/own.yaml'])
})

const isInside = (team: string, kind: 'groups' | 'projects', name: string, among = files): boolean => {
  const fence = openFences(concreteFences(fences, among))(`teams/${team}/x.yaml`)
  if (typeof fence === 'string' || !('lists' in fence)) throw new Error(team)
  const list = fence.lists.get('projectRoles')!
  if (kind === 'projects') return isProjectIn(list.projects, name as ProjectIdentifier)
  return list.groups.some((selector) => {
    if (selector.kind === 'exact') return selector.name === name
    const isExcluded = selector.without?.some((other) =>
      other.kind === 'exact' ? other.name === name : other.pattern.compile()(name) !== undefined,
    )
    return selector.pattern.compile()(name) !== undefined && isExcluded !== true
  })
}

describe('a name that the words of two teams contain belongs to the longer name', () => {
  test.each([
    ['A', 'a'],
    ['A-X', 'a'],
    ['A-B', 'a-b'],
    ['A-B-X', 'a-b'],
    ['A-B-C', 'a-b-c'],
    ['A-B-C-D', 'a-b-c'],
    ['ALPHA', 'alpha'],
  ])('the project %s: %s', (project, owner) => {
    expect(['a', 'a-b', 'a-b-c', 'alpha', 'pay'].filter((team) => isInside(team, 'projects', project))).toEqual([owner])
  })
  test.each([
    ['a-devs', ['a']],
    ['a-b-devs', ['a-b']],
    ['a-b-c-devs', ['a-b-c']],
    ['A-devs', []],
    ['all-staff', ['a', 'a-b', 'a-b-c', 'alpha', 'pay']],
  ])('the group %s: %s', (group, owners) => {
    expect(['a', 'a-b', 'a-b-c', 'alpha', 'pay'].filter((team) => isInside(team, 'groups', group))).toEqual(owners)
  })
  test('without files of the other team, the words stand for its names, too', () => {
    expect(isInside('a', 'projects', 'A-B', ['teams/a/x.yaml'])).toBe(true)
    expect(isInside('a', 'projects', 'A-B', ['teams/a/x.yaml', 'teams/a-b'])).toBe(false)
  })
})

describe('two templates: a name that words of two teams contain belongs to the longer name, too', () => {
  const short = 'group: a-b-x, project: A-B, role: member'
  const own = 'group: a-x, project: A-X, role: member'
  const words = (groups: readonly string[], projects: readonly string[], workspace = 'acme'): FenceText => ({
    ...template,
    workspace,
    projectRoles: { ...template.projectRoles!, groups, projects },
  })
  /** The words of teams/a that are outside, with files of `a` and of another team. */
  const outside = (other: string, text: FenceText, file: string, rule = short) => {
    const declared = `version: 1\nworkspaces: { acme: { projectRoles: [ { ${rule} } ] } }\n`
    const files = { [file]: declared, [other]: 'version: 1\nworkspaces: {}\n' }
    const both = { 'teams/{team}.yaml': template, 'teams/{team}/**': template, 'squads/{team}/**': text }
    const read = load(files, { fences: both })
    const problems = read.valid ? (read.invalid?.problems ?? []) : read.problems
    return problems.flatMap(({ at, message }) => (at.file === file ? [message.split(' is outside')[0]] : []))
  }
  test.each([
    ['teams/a.yaml', 'teams/a-b/x.yaml'],
    ['teams/a/x.yaml', 'teams/a-b.yaml'],
    ['teams/a/x.yaml', 'squads/a-b/x.yaml'],
    ['teams/a.yaml', 'squads/a-b/x.yaml'],
  ])('%s beside %s', (file, other) => {
    expect(outside(other, template, file)).toEqual(['the group "a-b-x"', 'the project "A-B"'])
    expect(outside(other, template, file, own)).toEqual([])
    expect(outside('squads/a/x.yaml', template, file)).toEqual([])
  })
  test.each<readonly [string, FenceText, readonly string[]]>([
    ['only the words that stand for the longer name count', words(['sq-{team}-*'], ['{TEAM}']), ['the project "A-B"']],
    ['words without a team belong to each', words(['{team}-leads', 'a-b-x'], ['SQ-{TEAM}', 'A-B']), []],
    ['a project is a name of one workspace, a group of all', words(['{team}-*'], ['{TEAM}'], 'other'), ['the group "a-b-x"']],
    [
      'a group of the workspace itself',
      { ...words([], []), projectRoles: undefined, workspaceRoles: { groups: ['{team}-*'], roles: ['member'] } },
      ['the group "a-b-x"'],
    ],
  ])('%s', (_what, text, wrong) => {
    expect(outside('squads/a-b/x.yaml', text, 'teams/a/x.yaml')).toEqual(wrong)
  })
  test('an exact word of a shorter name, too', () => {
    const [lone, squad] = [words(['{team}-b', '{team}'], ['{TEAM}']), words(['{team}'], ['{TEAM}'])]
    const made = concreteFences({ 'teams/{team}/**': lone, 'squads/{team}/**': squad }, ['teams/a/x.yaml', 'squads/a-b/x.yaml'])
    expect(made['teams/a/**']).toMatchObject({ projectRoles: { groups: ['a'] } })
    expect(made['squads/a-b/**']).toMatchObject({ projectRoles: { groups: ['a-b'] } })
  })
})

test('words of the declaration: the sentence says whose a name is', () => {
  const text = (rule: string) => `version: 1\nworkspaces: { acme: { projectRoles: [ { ${rule} } ] } }\n`
  const problems = (rule: string) => {
    const read = load({ 'teams/a/x.yaml': text(rule), 'teams/a-b/x.yaml': text('group: a-b-x, project: A-B, role: member') }, { fences })
    return (read.valid ? (read.invalid?.problems ?? []) : read.problems).map(({ message, cure }) => `${message}; ${cure}`)
  }
  expect(problems('group: a-x, project: A-X, role: member')).toEqual([])
  expect(problems('group: a-b-devs, project: A, role: member')).toEqual([
    'the group "a-b-devs" is outside (fence "teams/a/**"); it belongs to the team with the longer name, whose files may name: a-b-*',
  ])
  expect(problems('group: a-x, project: a-b-web, role: member')).toEqual([
    'the project "a-b-web" is outside (fence "teams/a/**"); it belongs to the team with the longer name, whose files may name: A-B-*',
  ])
  expect(problems('group: b-x, project: B, role: member')).toEqual([
    'the group "b-x" is outside (fence "teams/a/**"); these files may name: a-*, all-staff',
    'the project "B" is outside (fence "teams/a/**"); these files may name: A, SHARED, A-*',
  ])
})

test('the owner of a file or folder, before all files are known', () => {
  const ownerOf = openOwners({ ...fences, 'teams/pay/**': explicit })
  expect(
    ['teams/a/x.yaml', 'teams/a', 'teams/a/deep', 'teams/pay/x.yaml', 'teams/pay', 'teams', '', 'teams/Up/x.yaml'].map((path) =>
      ownerOf(path),
    ),
  ).toEqual(['team-a', 'team-a', 'team-a', 'special', 'special', undefined, undefined, undefined])
})

test('a recording has each group that a file of some team may name', () => {
  const isAdmitted = openAdmission({ 'teams/{team}/**': template })
  expect(['new-devs', 'all-staff', 'New-devs', 'staff', 'a.b'].map((name) => isAdmitted(name as GroupName))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('the owner that a template gives', () => {
  expect(['team-pay', 'team-pay-web', 'team-', 'team-PAY', 'pay', 'team-a.b'].map((owner) => isOwner('team-{team}', owner))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('two templates that can stand for one path', () => {
  expect(canBeOnePath('teams/{team}/**', '{team}/a/**')).toBe(true)
  expect(canBeOnePath('teams/{team}/**', 'squads/{team}/**')).toBe(false)
  expect(canBeOnePath('teams/{team}/**', 'teams/{team}.yaml')).toBe(false)
})

test.each([
  ['A-*', 'A-', true],
  ['A-*', 'A', false],
  ['*', '', true],
  ['A?C', 'ABC', true],
  ['A?C', 'AC', false],
  ['*A*B*', 'xxAyyBzz', true],
  ['*A*B', 'AxBxB', true],
  ['A*B', 'ABA', false],
  ['?', '😀', true],
])('isLike(%j, %j): %s', (glob, text, isSo) => {
  expect(isLike(glob, text)).toBe(isSo)
})
