import { describe, expect, test } from 'vitest'
import type { Desired } from '../../../src/core/desired.ts'
import type { GroupName, List } from '../../../src/core/mapping.ts'
import { withMeantIds } from '../../../src/core/memory/meantIds.ts'
import { checkProjects } from '../../../src/core/resolve/projects.ts'
import { resolve } from '../../../src/core/resolve/resolve.ts'
import { removalHash, ruleHash, unmanagedHash } from '../../../src/core/resolve/textName.ts'
import type { Rule, TargetSelector } from '../../../src/core/rule.ts'
import {
  acme,
  complete,
  desiredIn,
  failed,
  groups,
  hash,
  lines,
  partial,
  pattern,
  planOf,
  projectIdsIn,
  projectsOf,
  rule,
  type SmallWorld,
  seenOf,
  target,
} from './smallWorld.ts'

const corp = { corp: ['devs', 'ops'] }
const devs = (more: Partial<Rule> = {}) => rule('devs', 'ENG', 'member', more)
const desired = (world: SmallWorld): Desired => desiredIn(seenOf(world))
const reasons = (world: SmallWorld) =>
  [...desired(world).mappings].map(([key, wanted]) => `${key.slice(5)}: ${'reason' in wanted ? wanted.reason.kind : wanted.kind}`)
const told = (world: SmallWorld) => desired(world).changed.map(({ reason, because }) => `${reason.project} ${because.at.line}`)

/** A world whose texts meant project 1 by ENG, and project 2 by OPS. */
function known(world: SmallWorld): SmallWorld {
  const { ids } = projectIdsIn(seenOf({ directories: corp, ...world, projects: ['ENG=1', 'OPS=2'] }))
  return { directories: corp, ...world, known: withMeantIds({}, ids) }
}

test('it is known which texts name which project', () => {
  const captured: TargetSelector = { kind: 'captured', capture: 'app', map: new Map() }
  const rules = [
    devs(),
    devs({ expiresMs: 0 }),
    rule('devs', 'workspace', 'member'),
    rule('devs', '*', 'member'),
    pattern('(?<app>[A-Z]+)-team', 'X', 'guest', { target: captured }),
    pattern('nobody', 'OPS', 'guest'),
  ] as const
  const legacy = { groups: { kind: 'exact', name: 'legacy' as GroupName }, because: rules[0].because } as const
  const unmanaged = [legacy, { ...legacy, target: target('workspace') }, { ...legacy, target: target('OPS') }] as const
  const seen = seenOf({
    rules,
    removed: ['workspace gone', '* gone', 'ENG gone'],
    unmanaged,
    directories: { corp: ['devs', 'PAY-team', 'WEB-team'] },
  })
  const [, , removal] = seen.declared.removed
  const capturing = ruleHash(rules[4], hash)
  expect(desiredIn(seen).named).toEqual(
    new Map([
      ['OPS', new Set([unmanagedHash(unmanaged[2], hash), ruleHash(rules[5], hash)])],
      [
        'ENG',
        new Set([...(removal === undefined ? [] : [removalHash(removal, hash)]), ruleHash(rules[0], hash), ruleHash(rules[1], hash)]),
      ],
      ['PAY', new Set([capturing])],
      ['WEB', new Set([capturing])],
    ]),
  )
})

describe('a rule', () => {
  const renamed = ['ENGX=1', 'OPS=2']
  const notSeen = partial(projectsOf('OPS=2'))
  test.each<[string, Partial<Rule>, SmallWorld, string, string]>([
    ['that grants', {}, {}, 'projectChanged', 'readingIncomplete'],
    ['of an unknown group', {}, { directories: { corp: ['ops'] } }, 'projectChanged', 'groupUnknown'],
    ['that is expired', { expiresMs: 0 }, {}, 'projectChanged', 'readingIncomplete'],
  ])('%s waits where its project is another one, or is not confirmed', (_which, more, world, changed, unconfirmed) => {
    const whole = known({ rules: [devs(more)], existing: ['ENG devs member'], ...world })
    expect(reasons({ ...whole, projects: renamed })).toEqual([`project/ENG/devs: ${changed}`])
    expect(reasons({ ...whole, projects: notSeen })).toEqual([`project/ENG/devs: ${unconfirmed}`])
    expect(told({ ...whole, projects: notSeen })).toEqual([])
  })
  test('that waits for its project keeps the earlier name of its group, where it has one', () => {
    const desiredMappings = (more: Partial<Rule>) => [
      ...desired({ ...known({ rules: [devs(more)] }), projects: renamed }).mappings.values(),
    ]
    expect(desiredMappings({ previously: 'old' as GroupName })).toMatchObject([{ kind: 'unknown', previously: ['old'] }])
    expect(desiredMappings({}).map((wanted) => 'previously' in wanted)).toEqual([false])
  })
  test('has its own words behind what is held under the identifier of today', () => {
    const rules = [devs(), rule('ops', 'ENG', 'guest')]
    const world = known({ rules, existing: ['ENGX devs member', 'ENGX ops guest', 'ENGX web guest'] })
    const places = planOf({ ...world, projects: renamed }).holds.map(({ key, because }) => [key.slice(5), because?.at.line])
    const [first, second] = rules.map(({ because }) => because.at.line)
    expect(places).toEqual([
      ['project/ENG/devs', first],
      ['project/ENG/ops', second],
      ['project/ENGX/devs', first],
      ['project/ENGX/ops', second],
      ['project/ENGX/web', first],
    ])
  })
})

describe('a revocation whose project changed is told where there is something to revoke', () => {
  const revoking: readonly [string, SmallWorld][] = [
    ['removed', { removed: ['ENG devs'] }],
    [
      'expired',
      { rules: [rule('devs', 'ENG', 'member', { expiresMs: 0, because: { at: { file: 'groups.yaml', line: 99, column: 5 } } })] },
    ],
  ]
  describe.each(revoking)('%s', (_which, world) => {
    test.each<[string, readonly string[], readonly string[], readonly string[]]>([
      ['nowhere', [], ['ENGX=1'], []],
      ['under another identifier than that of today', ['OPS devs member'], ['ENGX=1'], []],
      ['under the identifier of today', ['ENGX devs member'], ['ENGX=1'], ['ENG 99']],
      ['under its own', ['ENG devs member'], ['ENGX=1'], ['ENG 99']],
      ['nowhere, while the project is gone', [], ['OPS=2'], []],
      ['under its own, while the project is gone', ['ENG devs member'], ['OPS=2'], ['ENG 99']],
    ])('%s', (_where, existing, projects, expected) => {
      expect(told({ ...known({ ...world, existing }), projects })).toEqual(expected)
    })
    test('and not where the project is not confirmed', () => {
      const whole = known({ ...world, existing: ['ENG devs member'] })
      expect(told({ ...whole, projects: partial(projectsOf('OPS=2')) })).toEqual([])
      expect(told({ ...whole, projects: failed })).toEqual([])
    })
  })
})

describe('a project is lost', () => {
  const lost = (world: SmallWorld) => [
    ...desired({ rules: [devs()], directories: corp, ...world })
      .lost()
      .keys(),
  ]
  test('where the whole list does not show it', () => {
    expect(lost({ projects: ['OPS'] })).toEqual(['devs'])
    expect(lost({ projects: ['ENG'] })).toEqual([])
    expect(lost({ projects: partial(projectsOf('OPS')) })).toEqual([])
    expect(lost({ projects: failed })).toEqual([])
  })
  test('and not where nobody read the projects', () => {
    const declared = { workspace: acme, owns: new Set<List>(['projectRoles']), rules: [devs()], removed: [], unmanaged: [] }
    const directories = new Map([['corp', complete(groups('devs'))]])
    const check = checkProjects(undefined, { ids: {}, hash, isWaived: () => false })
    expect(
      resolve(declared, {
        directories,
        existing: [],
        matches: new Map(),
        check,
        isRemembered: () => false,
        changedGroups: new Map(),
        lastId: () => undefined,
        hash,
        dates: { hereMs: 0, thereMs: undefined },
      }).lost().size,
    ).toBe(0)
  })
  test('only for what is to be there: not for what is removed or expired', () => {
    const gone: SmallWorld = { existing: ['ENGX devs member'], projects: ['ENGX'], policy: 'exclusive', directories: corp }
    const deleted = ['delete ENGX devs = member (undeclared)']
    expect(lines(planOf({ ...gone, rules: [devs({ expiresMs: 0 })] }))).toEqual(deleted)
    expect(lines(planOf({ ...gone, removed: ['ENG devs'] }))).toEqual(deleted)
    expect(lines(planOf({ ...gone, rules: [devs()] }))).not.toContain(deleted[0])
  })
})

test('a captured name that no project can have is told without a list of projects, too', () => {
  const captured: TargetSelector = { kind: 'captured', capture: 'app', map: new Map() }
  const rules = [pattern('(?<app>.*)-team', 'X', 'guest', { target: captured })]
  expect(reasons({ rules, directories: { corp: ['far too long a name-team'] }, projects: failed })).toEqual([
    'project/FAR TOO LONG A NAME/far too long a name-team: projectUnknown',
  ])
})

test('an unmanaged mapping is not deleted under the new identifier of its project either, whatever `removed` says there', () => {
  const legacy = { groups: { kind: 'exact', name: 'legacy' as GroupName }, because: rule('legacy', 'ENG', 'guest').because } as const
  const world: SmallWorld = { removed: ['ENGX legacy', 'ENGX old'], existing: ['ENGX legacy guest', 'ENGX old guest'] }
  const unmanaged = [{ ...legacy, target: target('ENG') }]
  const plan = planOf({ ...known({ ...world, unmanaged }), projects: ['ENGX=1', 'OPS=2'] })
  expect(lines(plan)).toEqual(['delete ENGX old = guest (removed)'])
})
