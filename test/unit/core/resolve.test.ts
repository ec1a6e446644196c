import { describe, expect, test } from 'vitest'
import type { Desired, DesiredMapping } from '../../../src/core/desired.ts'
import type { GroupName, List, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import type { Unmatched } from '../../../src/core/matches.ts'
import { directoriesAsked, type ResolveInput } from '../../../src/core/resolve/desiredMapping.ts'
import { checkProjects } from '../../../src/core/resolve/projects.ts'
import { resolve } from '../../../src/core/resolve/resolve.ts'
import type { Rule, TargetSelector, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { people } from '../bounds.ts'
import {
  acme,
  complete,
  failed,
  groups,
  hash,
  lines,
  mapping,
  partial,
  pattern,
  planOf,
  projectsOf,
  rule,
  type SmallWorld,
} from './smallWorld.ts'

const holdOf = (world: SmallWorld) => planOf(world).holds[0]
const reasonOf = (world: SmallWorld) => holdOf(world)?.reason
const corp = { corp: ['devs', 'ops'] }
const expired = { expiresMs: 0 }
const noneKnown = { ids: {}, hash, isWaived: () => false }

describe('several rules for one key', () => {
  const both = { corp: ['eng-a'] }
  const table: readonly [string, SmallWorld, readonly string[]][] = [
    [
      'patterns that agree: their role',
      { rules: [pattern('eng-.*', 'ENG', 'member'), pattern('.*-a', 'ENG', 'member')], directories: both },
      ['create ENG eng-a = member'],
    ],
    [
      'patterns that differ: nobody can say which',
      { rules: [pattern('eng-.*', 'ENG', 'member'), pattern('.*-a', 'ENG', 'guest')], directories: both },
      ['hold acme/project/ENG/eng-a: conflict'],
    ],
    [
      'an exact rule beats a pattern, whichever is said first',
      { rules: [pattern('eng-.*', 'ENG', 'member'), rule('eng-a', 'ENG', 'guest')], directories: both },
      ['create ENG eng-a = guest'],
    ],
    [
      'an exact rule that is held holds the key: a pattern does not step in',
      {
        rules: [rule('eng-a', 'ENG', 'guest', { from: ['other'] }), pattern('eng-.*', 'ENG', 'member', { from: ['corp'] })],
        directories: { ...both, other: [] },
      },
      ['hold acme/project/ENG/eng-a: groupUnknown'],
    ],
    [
      'removed beats whatever grants it',
      { rules: [rule('devs', 'ENG', 'member')], removed: ['ENG devs'], directories: corp, existing: ['ENG devs member'] },
      ['delete ENG devs = member (removed)'],
    ],
    [
      'removed keeps no mapping under a former name',
      {
        rules: [rule('devs', 'ENG', 'member', { previously: 'old' as GroupName })],
        removed: ['ENG devs'],
        directories: corp,
        existing: ['ENG old guest'],
        policy: 'exclusive',
      },
      ['delete ENG old = guest (undeclared)'],
    ],
    [
      'removed beats expired, and says so',
      { rules: [rule('devs', 'ENG', 'member', expired)], removed: ['ENG devs'], directories: corp, existing: ['ENG devs member'] },
      ['delete ENG devs = member (removed)'],
    ],
    [
      'rules that are all expired: absent',
      {
        rules: [rule('eng-a', 'ENG', 'member', expired), pattern('eng-.*', 'ENG', 'guest', expired)],
        directories: both,
        existing: ['ENG eng-a member'],
      },
      ['delete ENG eng-a = member (expired)'],
    ],
    [
      'what one directory lacks, another may know',
      {
        rules: [rule('devs', 'ENG', 'member', { from: ['other'] }), rule('devs', 'ENG', 'member', { from: ['corp'] })],
        directories: { ...corp, other: [] },
      },
      ['create ENG devs = member'],
    ],
    [
      'an exact rule that can be read does not wait for one that cannot',
      {
        rules: [rule('devs', 'ENG', 'member', { from: ['other'] }), rule('devs', 'ENG', 'member', { from: ['corp'] })],
        directories: { ...corp, other: failed },
      },
      ['create ENG devs = member'],
    ],
    [
      'a pattern waits for one that cannot be read, and not for one whose directory lacks the name',
      {
        rules: [
          pattern('eng-.*', 'ENG', 'member', { from: ['corp'] }),
          pattern('eng-.*', 'ENG', 'member', { from: ['empty'] }),
          pattern('ops-.*', 'ENG', 'member', { from: ['corp'] }),
          pattern('ops-.*', 'ENG', 'guest', { from: ['torn'] }),
        ],
        directories: { corp: ['eng-a', 'ops-a'], empty: [], torn: failed },
      },
      ['create ENG eng-a = member', 'hold acme/project/ENG/ops-a: readingIncomplete'],
    ],
  ]
  test.each(table)('%s', (_name, world, expected) => expect(lines(planOf(world))).toEqual(expected))

  test('a conflict names the roles, sorted, and the rules, in the order of the file', () => {
    const [late, early] = [pattern('eng-.*', 'ENG', 'member'), pattern('.*-a', 'ENG', 'guest')].toReversed() as [Rule, Rule]
    expect(holdOf({ rules: [late, early], directories: { corp: ['eng-a'] } })).toMatchObject({
      because: early.because,
      reason: { kind: 'conflict', roles: ['guest', 'member'], rules: [early.because, late.because].map(({ at }) => ({ at })) },
    })
  })

  test('one of two exact rules may allow a protected role', () => {
    const [before, allowing, after] = [{}, { allowProtected: true }, {}].map((more) => rule('devs', 'ENG', 'admin', more)) as [
      Rule,
      Rule,
      Rule,
    ]
    for (const rules of [
      [before, allowing],
      [allowing, after],
    ]) {
      expect(planOf({ rules, directories: corp }).changes).toMatchObject([{ allowProtected: true, because: { at: allowing.because.at } }])
    }
    expect(planOf({ rules: [rule('devs', 'ENG', 'admin')], directories: corp }).changes).toMatchObject([{ allowProtected: false }])
  })

  test('a rule allows a protected role only if it gives the role: to a group that no directory has, by the words of the same rule', () => {
    const [allows, sends] = [{ allowProtected: true }, { unknownGroups: 'send' }] as const
    const allowed = (...words: readonly Partial<Rule>[]) => {
      const rules = words.map((more) => rule('devs', 'ENG', 'admin', more))
      return planOf({ rules, directories: { corp: ['others'] } }).changes.map((change) => 'role' in change && change.allowProtected)
    }
    expect(allowed(allows, sends)).toEqual([false])
    expect(allowed(sends, allows)).toEqual([false])
    expect(allowed(sends, { ...allows, ...sends })).toEqual([true])
  })

  test('that name no earlier name, and do not wait, give a wish without these two', () => {
    const rules = [rule('devs', 'ENG', 'member'), rule('devs', 'ENG', 'member')]
    const declared = { workspace: acme, owns: new Set<List>(), rules, removed: [], unmanaged: [] }
    const directories = new Map([['corp', complete(groups('devs'))]])
    const projects = complete(projectsOf('ENG'))
    const { mappings } = resolve(declared, {
      directories,
      existing: [],
      matches: new Map(),
      projects,
      check: checkProjects(projects, noneKnown),
      changedGroups: new Map(),
      isRemembered: () => false,
      lastId: () => undefined,
      hash,
      dates: { hereMs: 0, thereMs: undefined },
    })
    const { target, because } = rules[0] as Rule & { readonly target: { readonly kind: 'fixed' } }
    expect([...mappings.values()]).toStrictEqual([
      {
        group: 'devs',
        target: target.target,
        because: { ...because, directory: 'corp' },
        kind: 'role',
        role: 'member',
        allowProtected: false,
      },
    ])
  })

  test('of equal ones the first in the file stands behind the change', () => {
    const [first, second] = [rule('devs', 'ENG', 'member'), rule('devs', 'ENG', 'member')]
    expect(planOf({ rules: [second, first], directories: corp }).changes).toMatchObject([{ because: { at: first.because.at } }])
  })
})

describe('a name that no directory shows', () => {
  test('is held, with the directories that were asked and the name that was probably meant', () => {
    for (const directories of [
      { ...corp, other: ['staff'] },
      { other: ['staff'], ...corp },
    ]) {
      const held = reasonOf({ rules: [rule('dev', 'ENG', 'member')], directories })
      expect(held).toEqual({ kind: 'groupUnknown', directories: ['corp', 'other'], mapped: false, near: 'devs' })
    }
  })
  test('is held without a hint if one of its directories had it before', () => {
    const world = { rules: [rule('devz', 'ENG', 'member')], directories: { ...corp, lab: ['ops'] } }
    expect(reasonOf({ ...world, lastIds: { 'corp/devz': '7' } })).not.toHaveProperty('near')
    expect(reasonOf(world)).toMatchObject({ near: 'devs' })
  })
  test('is held without a hint where nothing is near', () => {
    expect(reasonOf({ rules: [rule('accounting', 'ENG', 'member')], directories: corp })).toStrictEqual({
      kind: 'groupUnknown',
      directories: ['corp'],
      mapped: false,
    })
  })
  test.each<[string, SmallWorld]>([
    ['it has a mapping, so it once was right', { existing: ['ENG dev guest'] }],
    ['it was in a directory before, so it was renamed or deleted', { lastIds: { 'corp/dev': 'id-1' } }],
    ['another rule declares the similar name for the same target', { rules: [rule('dev', 'ENG', 'member'), rule('devs', 'ENG', 'guest')] }],
    ['two names are equally near', { directories: { corp: ['devs', 'deva'] } }],
    ['only digits differ', { rules: [rule('dev1', 'ENG', 'member')], directories: { corp: ['dev2', 'dev', 'dev10'] } }],
  ])('has no hint if %s', (_, world) => {
    const reasons = planOf({ rules: [rule('dev', 'ENG', 'member')], directories: corp, ...world }).holds.map(({ reason }) => reason)
    expect(reasons).toEqual([expect.objectContaining({ kind: 'groupUnknown' })])
    expect(reasons[0]).not.toHaveProperty('near')
  })
  test('has a hint if the similar name is declared for another target only', () =>
    expect(reasonOf({ rules: [rule('dev', 'ENG', 'member'), rule('devs', 'OPS', 'guest')], directories: corp })).toMatchObject({
      near: 'devs',
    }))
  test('has a hint only twenty times: thousands only cost time', () => {
    const rules = Array.from({ length: 21 }, (_, n) => rule(`devs${String.fromCodePoint(97 + n)}`, 'ENG', 'member'))
    for (const said of [rules, rules.toReversed()]) {
      const near = planOf({ rules: said, directories: corp }).holds.map(({ reason }) => reason.kind === 'groupUnknown' && reason.near)
      expect(near).toEqual([...Array<string>(20).fill('devs'), undefined])
    }
  })
  test('and whose rule has a label is held, also where the settings send such names, and says that it has a label', () => {
    for (const unknownGroups of ['hold', 'send'] as const) {
      const rules = [rule('3f1c', 'ENG', 'member', { label: 'Sales', unknownGroups })]
      expect(reasonOf({ rules, directories: corp })).toEqual({ kind: 'groupUnknown', directories: ['corp'], mapped: false, hasLabel: true })
    }
  })
  test('and that is mapped is kept as dangling', () => {
    expect(reasonOf({ rules: [rule('gone', 'ENG', 'member')], directories: corp, existing: ['ENG gone guest'] })).toMatchObject({
      kind: 'groupUnknown',
      mapped: true,
    })
  })
  test('is sent where the rule says so, but not from half a reading: the name may be in two places', () => {
    const rules = [rule('later', 'ENG', 'member', { unknownGroups: 'send' })]
    expect(lines(planOf({ rules, directories: corp }))).toEqual(['create ENG later = member'])
    for (const reading of [failed, partial(groups('devs'))]) {
      expect(lines(planOf({ rules, directories: { corp: reading } }))).toEqual(['hold acme/project/ENG/later: readingIncomplete'])
    }
  })
  test('has the end of its rule, and no directory, if it is sent', () => {
    const sent = (more: Partial<Rule>) =>
      planOf({ rules: [rule('new', 'ENG', 'member', { unknownGroups: 'send', ...more })], directories: corp }).changes[0]?.because
    expect(sent({ expiresMs: 9 })).toMatchObject({ expiresMs: 9 })
    expect(sent({ expiresMs: 9 })).not.toHaveProperty('directory')
    expect(sent({})).not.toHaveProperty('expiresMs')
  })
  test('is sent where there is no directory at all', () => {
    expect(lines(planOf({ rules: [rule('devs', 'ENG', 'member')], directories: {} }))).toEqual(['create ENG devs = member'])
  })
  test('is not made by a pattern, whatever it says of unknown groups', () => {
    const world = { rules: [pattern('eng-.*', 'ENG', 'member', { unknownGroups: 'send' })], existing: ['ENG eng-x guest'] }
    expect(lines(planOf({ ...world, directories: corp }))).toEqual(['hold acme/project/ENG/eng-x: groupUnknown'])
    expect(lines(planOf({ ...world, directories: {} }))).toEqual(['hold acme/project/ENG/eng-x: groupUnknown'])
  })
})

describe('a name that a directory shows', () => {
  test('is known with its directory and how many people it has', () => {
    const [devs] = groups('devs').get('devs' as GroupName) ?? []
    const index = new Map([['devs' as GroupName, [{ ...devs, name: 'devs' as GroupName, id: 'd', place: 'd', size: people(7) }]]])
    const [change] = planOf({ rules: [rule('devs', 'ENG', 'member')], directories: { other: [], corp: complete(index) } }).changes
    expect(change).toMatchObject({ size: people(7), because: { directory: 'corp', at: { file: 'groups.yaml' } } })
  })
  test('without a number of people has none', () => {
    const [change] = planOf({ rules: [rule('devs', 'ENG', 'member')], directories: corp }).changes
    expect(change).not.toHaveProperty('size')
  })
  test.each([
    ['in two places of one directory', { corp: ['devs@ou=a', 'devs@ou=b'] }, {}, ['corp: ou=a', 'corp: ou=b']],
    ['in two directories', { corp: ['devs@a'], other: ['devs@b'] }, {}, ['corp: a', 'other: b']],
  ])('%s is ambiguous', (_name, directories, more, places) => {
    expect(reasonOf({ rules: [rule('devs', 'ENG', 'member', more)], directories })).toStrictEqual({ kind: 'ambiguous', places })
  })
  test('in two directories is not ambiguous where the rule says which', () => {
    const directories = { corp: ['devs@a'], other: ['devs@b'] }
    expect(lines(planOf({ rules: [rule('devs', 'ENG', 'member', { from: ['other'] })], directories }))).toEqual([
      'create ENG devs = member',
    ])
  })
  test('is held where it cannot be sent as it is, before anything else is asked of it', () => {
    expect(reasonOf({ rules: [rule(' devs', 'GONE', 'member')], directories: { corp: [' devs', ' devs@twice'] } })).toEqual({
      kind: 'unsafeName',
      what: 'it begins or ends with a blank, which the service would cut off',
    })
  })
  test('that cannot be sent expires like any other', () => {
    const name = 'de\u200bvs'
    for (const made of [rule(name, 'ENG', 'member', expired), pattern('de.*', 'ENG', 'member', expired)]) {
      const world: SmallWorld = { rules: [made], existing: [`ENG ${name} member`, 'OPS x guest'] }
      expect(lines({ ...planOf(world), holds: [] })).toEqual([`delete ENG ${name} = member (expired)`])
      expect(planOf({ ...world, existing: [] }).holds).toEqual([])
    }
  })
  test('in half a reading is held: it may be in a second place, too', () => {
    expect(reasonOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: partial(groups('devs')) } })).toEqual({
      kind: 'readingIncomplete',
      of: 'corp',
      why: 'page 3',
    })
    expect(reasonOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: failed } })).toMatchObject({ why: 'cannot connect' })
  })
  test('twice in half a reading is held for the reading: two groups may exchange their names at this moment', () => {
    const twice = { corp: partial(groups('devs@ou=a', 'devs@ou=b')) }
    expect(reasonOf({ rules: [rule('devs', 'ENG', 'member')], directories: twice })).toMatchObject({
      kind: 'readingIncomplete',
      of: 'corp',
    })
  })
  test('twice in half a reading keeps the old mapping that its new one replaces', () => {
    const world = { rules: [rule('devs', '*', 'member')], existing: ['ENG devs guest', 'OPS x guest'], policy: 'exclusive' } as const
    const held = { ...planOf({ ...world, directories: { corp: partial(groups('devs@ou=a', 'devs@ou=b')) } }), holds: [] }
    expect(lines(held)).toEqual(['delete OPS x = guest (undeclared)'])
  })
})

describe('what a pattern says of a name', () => {
  const eng = (more: Partial<Rule> = {}) => [pattern('eng-.*', 'ENG', 'member', more)]
  test('is nothing alone where it is expired, and no mapping is there', () => {
    expect(planOf({ rules: eng(expired), directories: { corp: ['eng-a'] } }).holds).toEqual([])
    expect(lines(planOf({ rules: eng(expired), directories: { corp: ['eng-a'] }, existing: ['ENG eng-a member'] }))).toEqual([
      'delete ENG eng-a = member (expired)',
    ])
  })
  test('is nothing of a name that only other directories show, not even that it cannot be sent', () => {
    expect(
      lines(planOf({ rules: [pattern('.*', 'ENG', 'member', { from: ['other'] })], directories: { corp: ['a', ' b'], other: [] } })),
    ).toEqual([])
    expect(lines(planOf({ rules: [pattern('.*', 'ENG', 'member')], directories: { corp: [' b'] } }))).toEqual([
      'hold acme/project/ENG/ b: unsafeName',
    ])
  })
  test('alone leaves no wish where it is expired: another pattern that cannot be read holds nothing then', () => {
    const torn = pattern('eng-.*', 'ENG', 'guest', { from: ['torn'] })
    expect(
      lines(planOf({ rules: [...eng({ ...expired, from: ['corp'] }), torn], directories: { corp: ['eng-a'], torn: failed } })),
    ).toEqual([])
  })
  test('is held where half a reading shows the name', () => {
    expect(lines(planOf({ rules: eng(), directories: { corp: partial(groups('eng-a')) } }))).toEqual([
      'hold acme/project/ENG/eng-a: readingIncomplete',
    ])
  })
  test('is nothing for a name that it excepts', () => {
    const groupsOf = { ...pattern('eng-.*', 'ENG', 'member').groups, except: new Set(['eng-b' as GroupName]) } as Rule['groups']
    expect(lines(planOf({ rules: eng({ groups: groupsOf }), directories: { corp: ['eng-a', 'eng-b', 'ops'] } }))).toEqual([
      'create ENG eng-a = member',
    ])
  })
  test('is nothing for a mapping to another target', () => {
    expect(lines(planOf({ rules: eng(), directories: { corp: ['eng-a'] }, existing: ['OPS eng-a member', 'ENG eng-a member'] }))).toEqual([
      'hold acme/project/OPS/eng-a: undeclared (delete OPS eng-a = member (undeclared))',
    ])
  })
})

describe('captures', () => {
  const app: TargetSelector = { kind: 'captured', capture: 'app', map: new Map([['payments', ['PAYPLAT' as ProjectIdentifier]]]) }
  const level = {
    kind: 'captured',
    capture: 'level',
    map: new Map([
      ['rw', 'member' as Role],
      ['ro', 'guest' as Role],
    ]),
  } as const
  const world = (source: string, names: readonly string[], more: Partial<Rule>): SmallWorld => ({
    rules: [pattern(source, 'ENG', 'member', more)],
    directories: { corp: names },
    projects: ['PAYPLAT', 'SHOP'],
  })
  test('a project is what the map makes of it, else the text in upper case', () => {
    expect(lines(planOf(world('p-(?<app>[a-z]+)', ['p-payments', 'p-shop'], { target: app })))).toEqual([
      'create PAYPLAT p-payments = member',
      'create SHOP p-shop = member',
    ])
  })
  test('a captured text may stand for several projects', () => {
    const several = new Map([['payments', ['PAYPLAT', 'SHOP'] as readonly string[] as readonly ProjectIdentifier[]]])
    expect(lines(planOf(world('p-(?<app>[a-z]+)', ['p-payments'], { target: { ...app, map: several } })))).toEqual([
      'create PAYPLAT p-payments = member',
      'create SHOP p-payments = member',
    ])
  })
  test('a role is what the map makes of it, and nothing else', () => {
    const roles = world('p-(?<level>[a-z]+)', ['p-rw', 'p-ro', 'p-adm'], { role: level, unknownProjects: 'send' })
    expect(lines(planOf(roles))).toEqual([
      'create ENG p-ro = guest',
      'create ENG p-rw = member',
      'hold acme/project/ENG/p-adm: roleUnmapped',
    ])
    expect(reasonOf(roles)).toEqual({ kind: 'roleUnmapped', captured: 'adm', allowed: ['rw', 'ro'] })
  })
  test.each([
    ['a slash, which only a group may contain', 'p-a/b', 'A∕B'],
    ['a blank', 'p-a b', 'A B'],
    ['more characters than a project has', 'p-abcdefghijklm', 'ABCDEFGHIJKLM'],
    ['nothing', 'p-', ''],
    ['a letter that would become an ASCII letter in upper case', 'p-ſec', 'ſEC'],
  ])('a project with %s is held', (_name, group, project) => {
    for (const unknownProjects of ['hold', 'send'] as const) {
      expect(reasonOf(world('p-(?<app>.*)', [group], { target: app, unknownProjects }))).toEqual({
        kind: 'projectUnknown',
        project,
        captured: true,
      })
    }
  })
  test('a group of the pattern that took no part in the match counts as empty', () => {
    expect(reasonOf(world('p(?:-(?<level>rw))?', ['p'], { role: level, unknownProjects: 'send' }))).toMatchObject({ captured: '' })
    expect(reasonOf(world('p(?:-(?<app>a))?', ['p'], { target: app }))).toMatchObject({ project: '' })
  })
})

describe('a project that nobody knows', () => {
  const devs = (more: Partial<Rule> = {}) => [rule('devs', 'ENG', 'member', more)]
  const seen = (names: readonly string[]) => projectsOf(...names)
  test('is held, with the one that was probably meant', () => {
    expect(reasonOf({ rules: devs(), directories: corp, projects: ['EN', 'OPS'] })).toEqual({
      kind: 'projectUnknown',
      project: 'ENG',
      near: 'EN',
    })
    expect(reasonOf({ rules: devs(), directories: corp, projects: ['OPS'] })).toEqual({ kind: 'projectUnknown', project: 'ENG' })
  })
  test.each<[string, readonly string[]]>([
    ['another rule of the group names it', ['EN']],
    ['only digits differ', ['ENG1', 'ENG22']],
  ])('has no hint if %s', (_, projects) => {
    const rules = [...devs(), rule('devs', 'EN', 'guest', { unknownProjects: 'send' })]
    const [hold] = planOf({ rules, directories: corp, projects }).holds
    expect(hold?.reason).toMatchObject({ kind: 'projectUnknown', project: 'ENG' })
    expect(hold?.reason).not.toHaveProperty('near')
  })
  test('is held where only one of two patterns would send it', () => {
    const rules = [pattern('d.*', 'ENG', 'member', { unknownProjects: 'send' }), pattern('.*s', 'ENG', 'member')]
    expect(lines(planOf({ rules, directories: { corp: ['devs'] }, projects: [] }))).toEqual(['hold acme/project/ENG/devs: projectUnknown'])
  })
  test('has a hint only twenty times', () => {
    const rules = Array.from({ length: 21 }, (_, n) => rule('devs', `EN${String.fromCodePoint(65 + n)}`, 'member'))
    const holds = planOf({ rules, directories: corp, projects: ['EN'] }).holds.filter(({ reason }) => 'near' in reason)
    expect(holds).toHaveLength(20)
  })
  test.each<[string, SmallWorld, boolean]>([
    ['that nobody declares', { existing: ['ENG ops guest'] }, true],
    ['that is its own', { existing: ['ENG devs guest'] }, true],
    ['of another rule', { rules: [rule('ops', 'ENG', 'guest')], existing: ['ENG ops guest'] }, true],
    ['that dangles', { rules: [rule('gone', 'ENG', 'guest')], existing: ['ENG gone guest'] }, true],
    ['that goes for it', { existing: ['ENG ops guest'], policy: 'exclusive' }, true],
    ['that is removed', { existing: ['ENG ops guest', 'OPS x guest'], removed: ['ENG ops'] }, true],
    ['that is sent', { existing: ['ENG ops guest'], rules: [rule('ops', 'ENG', 'guest', { unknownProjects: 'send' })] }, false],
    [
      'that a pattern would send, and an exact rule does not',
      { existing: ['ENG ops guest'], rules: [rule('ops', 'ENG', 'guest'), pattern('ops', 'ENG', 'guest', { unknownProjects: 'send' })] },
      true,
    ],
    [
      'that was sent until it expired',
      { existing: ['ENG ops guest'], rules: [rule('ops', 'ENG', 'guest', { ...expired, unknownProjects: 'send' })] },
      false,
    ],
  ])('is known by a mapping %s: %s', (_name, { rules = [], ...world }, known) => {
    const { changes, holds } = planOf({ ...world, rules: [...devs(), ...rules], directories: corp, projects: ['OPS'] })
    const key = 'acme/project/ENG/devs'
    expect([changes.some((change) => change.key === key), holds.some((hold) => hold.key === key)]).toEqual([known, !known])
  })
  test('is sent where the rule says so, or where a mapping names it already', () => {
    expect(lines(planOf({ rules: devs({ unknownProjects: 'send' }), directories: corp, projects: [] }))).toEqual([
      'create ENG devs = member',
    ])
    expect(lines(planOf({ rules: devs(), directories: corp, projects: [], existing: ['ENG ops guest'] }))).toContain(
      'create ENG devs = member',
    )
    expect(lines(planOf({ rules: devs(), directories: corp, projects: [], existing: ['workspace ops guest', '* ops guest'] }))).toContain(
      'hold acme/project/ENG/devs: projectUnknown',
    )
  })
  test.each([
    ['failed', failed, 'cannot connect'],
    ['partial', partial(seen(['OPS'])), 'page 3'],
  ] as const)('is held otherwise where the reading of projects is %s', (_name, projects, why) => {
    expect(reasonOf({ rules: devs(), directories: corp, projects })).toEqual({ kind: 'readingIncomplete', of: 'projects', why })
  })
  test('is held where nobody read the projects', () => {
    const declared = { workspace: acme, owns: new Set<List>(['projectRoles']), rules: devs(), removed: [], unmanaged: [] }
    const directories = new Map([['corp', complete(groups('devs'))]])
    const check = checkProjects(undefined, noneKnown)
    const { mappings } = resolve(declared, {
      directories,
      existing: [],
      matches: new Map(),
      check,
      changedGroups: new Map(),
      isRemembered: () => false,
      lastId: () => undefined,
      hash,
      dates: { hereMs: 0, thereMs: undefined },
    })
    expect([...mappings.values()]).toMatchObject([
      { kind: 'unknown', reason: { kind: 'readingIncomplete', of: 'projects', why: 'they were not read' } },
    ])
  })
  test('is known from half a reading that shows it', () => {
    expect(lines(planOf({ rules: devs(), directories: corp, projects: partial(seen(['ENG'])) }))).toEqual(['create ENG devs = member'])
  })
  test('is no question for the workspace or all projects', () => {
    const rules = [rule('devs', 'workspace', 'member'), rule('devs', '*', 'member')]
    expect(lines(planOf({ rules, directories: corp, projects: failed }))).toEqual([
      'create all projects devs = member',
      'create workspace devs = member',
    ])
  })
})

describe('patterns that were not matched', () => {
  const unmatched = { why: 'too many names', because: { at: { file: 'groups.yaml', line: 1, column: 5 } } }
  const existing = [mapping('ENG eng-a guest', 1), mapping('ENG devs guest', 2), mapping('OPS old guest', 3), mapping('OPS mine guest', 4)]
  const unmanaged = [{ groups: rule('mine', 'OPS', 'guest').groups, because: unmatched.because }]
  const directories = new Map([['corp', complete(groups('devs', 'eng-a', 'eng-b', 'new'))]])
  const projects = complete(projectsOf('ENG', 'OPS'))

  const textOf = (wanted: DesiredMapping) => (wanted.kind === 'unknown' ? wanted.reason.kind : wanted.kind)
  const held = (...given: Parameters<typeof resolved>) =>
    [...resolved(...given).mappings].map(([key, wanted]) => `${key}: ${textOf(wanted)}`).toSorted()

  function resolved(
    more: readonly Rule[],
    removed: readonly string[] = [],
    limited: Partial<Unmatched> = {},
    owner = 'platform',
    { frozen, givenOf }: Pick<WorkspaceDeclaration, 'frozen'> & Pick<ResolveInput, 'givenOf'> = {},
  ): Desired {
    const declared = {
      workspace: acme,
      owns: new Set<List>(['projectRoles']),
      rules: [pattern('eng-.*', 'ENG', 'member'), ...more],
      removed: removed.map((text, line) => ({
        ...mapping(`${text} x`, 0),
        because: { at: { file: 'groups.yaml', line, column: 1 }, owner },
      })),
      unmanaged: removed.length > 0 ? [] : unmanaged,
      ...(frozen && { frozen }),
    }
    const dates = { hereMs: 0, thereMs: undefined }
    const check = checkProjects(projects, noneKnown)
    const seen = {
      ...(givenOf && { givenOf }),
      directories,
      existing,
      matches: new Map(),
      unmatched: { ...unmatched, ...limited },
      projects,
      check,
      isRemembered: () => false,
      changedGroups: new Map(),
      lastId: () => undefined,
      hash,
      dates,
    }
    return resolve(declared, seen)
  }

  test('hold at a date, too, what would end then, and not what is unmanaged or starts', () => {
    const [to5, from5] = [{ expiresMs: 5 }, { startsMs: 5 }]
    const rules = [rule('devs', 'ENG', 'member', to5), rule('mine', 'OPS', 'guest', to5), rule('new', 'OPS', 'guest', from5)]
    const turns = [...resolved(rules, ['ENG none']).turns()]
    expect(turns.map(([key, all]) => `${key}: ${all.map(({ wanted }) => textOf(wanted)).join()}`)).toEqual([
      'acme/project/ENG/devs: patternsUnmatched',
      'acme/project/OPS/mine: patternsUnmatched',
      'acme/project/OPS/new: role',
    ])
    expect([...resolved(rules).turns()].map(([key]) => key)).not.toContain('acme/project/OPS/mine')
  })
  test('say no date of what a file gave that is gone, also beside an invalid one: nothing else names it', () => {
    const invalid = {
      because: unmatched.because,
      why: 'no YAML',
      paths: ['new.yaml'],
      names: [],
      isWhole: true,
      rights: 'unlimited',
    } as const
    const gone = { file: 'gone.yaml', isGone: true, isMade: true, role: 'member' as Role, endMs: 5 }
    const desired = resolved([], [], {}, undefined, {
      frozen: [invalid],
      givenOf: ({ group }) => (group === 'old' ? gone : undefined),
    })
    expect([...desired.turns()]).toEqual([['acme/project/OPS/old', []]])
  })
  test('of one owner hold only mappings inside of its fence, and none that another file removes', () => {
    const limited: Partial<Unmatched> = {
      owners: new Set(['team-ops']),
      mayDeclare: (_group, at) => at.kind === 'project' && at.project === 'OPS',
    }
    expect(held([rule('devs', 'ENG', 'member', { expiresMs: 0 })], [], limited)).toEqual([
      'acme/project/ENG/devs: absent',
      'acme/project/OPS/old: patternsUnmatched',
    ])
    expect(held([], ['OPS old'], limited)).toEqual(['acme/project/OPS/mine: patternsUnmatched', 'acme/project/OPS/old: absent'])
    expect(held([], ['OPS old'], limited, 'team-ops')).toContain('acme/project/OPS/old: patternsUnmatched')
    expect(held([rule('old', 'OPS', 'guest', { expiresMs: 0 })], [], limited)).toEqual(['acme/project/OPS/old: patternsUnmatched'])
    const renamed = (where: string, previously: string) =>
      held([rule('new', where, 'guest', { previously: previously as GroupName })], [], limited).find((one) => one.includes('/new'))
    expect(renamed('OPS', 'old')).toBe('acme/project/OPS/new: patternsUnmatched')
    expect(renamed('ENG', 'eng-a')).toBe('acme/project/ENG/new: role')
  })
  test('hold what an expired rule or a removal would delete, and what a rule would rename: a pattern may want it', () => {
    const kinds = held(
      [rule('devs', 'ENG', 'member', { expiresMs: 0 }), rule('new', 'OPS', 'guest', { previously: 'old' as GroupName })],
      ['OPS mine'],
    )
    expect(kinds).toEqual([
      'acme/project/ENG/devs: patternsUnmatched',
      'acme/project/ENG/eng-a: patternsUnmatched',
      'acme/project/OPS/mine: patternsUnmatched',
      'acme/project/OPS/new: patternsUnmatched',
      'acme/project/OPS/old: patternsUnmatched',
    ])
  })
  test.each([
    ['a create', rule('new', 'OPS', 'guest'), 'OPS/new: role'],
    ['a create under a former name that no mapping has', rule('new', 'OPS', 'guest', { previously: 'none' as GroupName }), 'OPS/new: role'],
    [
      'a change of a mapping that has the new name already',
      rule('devs', 'ENG', 'member', { previously: 'eng-a' as GroupName }),
      'ENG/devs: role',
    ],
    ['what waits for another reason', rule('nobody', 'OPS', 'guest', { previously: 'old' as GroupName }), 'OPS/nobody: groupUnknown'],
  ])('do not hold %s', (_what, one, expected) => expect(held([one])).toContain(`acme/project/${expected}`))
  test('hold each mapping that no other text is about, and nothing else', () => {
    expect(held([rule('devs', 'ENG', 'member')])).toEqual([
      'acme/project/ENG/devs: role',
      'acme/project/ENG/eng-a: patternsUnmatched',
      'acme/project/OPS/old: patternsUnmatched',
    ])
  })
})

test('a directory is asked if a rule names it, or if a rule names none', () => {
  const from = (...names: readonly string[]) => rule('devs', 'ENG', 'member', { from: names })
  const asked = (...rules: readonly Rule[]) => directoriesAsked(rules, ['lab', 'hr', 'corp'])
  expect(asked(from('lab'), from('corp', 'none'))).toEqual(['corp', 'lab'])
  expect(asked(from('lab'), rule('devs', 'ENG', 'member'))).toEqual(['corp', 'hr', 'lab'])
  expect(asked()).toEqual([])
})

describe('a directory of a rule that the settings do not have', () => {
  test.each([
    ['the only one', {}, ['lab']],
    ['beside others that the rule does not ask', { corp: ['ops'] }, ['lab']],
    ['beside another one that has the group', { corp: ['devs'] }, ['corp', 'lab']],
  ] as const)('holds its groups, also those that would be sent unseen: %s', (_what, directories, from) => {
    for (const unknownGroups of ['hold', 'send'] as const) {
      for (const existing of [[], ['ENG devs guest']]) {
        const rules = [rule('devs', 'ENG', 'member', { from: [...from], unknownGroups })]
        const plan = planOf({ rules, directories, existing, policy: 'exclusive' })
        expect(plan.changes).toEqual([])
        expect(plan.holds.map(({ reason }) => reason)).toEqual([
          { kind: 'readingIncomplete', of: 'lab', why: 'the settings have no directory with this name' },
        ])
      }
    }
  })
  test('holds what its patterns match', () => {
    const plan = planOf({
      rules: [pattern('dev.*', 'ENG', 'member', { from: ['corp', 'lab'] })],
      directories: { corp: ['devs'] },
      existing: ['ENG devs guest', 'ENG dev2 guest'],
      policy: 'exclusive',
    })
    expect(plan.changes).toEqual([])
    expect(plan.holds.map(({ reason }) => reason.kind)).toEqual(['readingIncomplete', 'readingIncomplete'])
  })
})
