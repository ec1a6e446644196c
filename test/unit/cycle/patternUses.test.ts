import { describe, expect, test } from 'vitest'
import type { GroupName, ProjectIdentifier } from '../../../src/core/mapping.ts'
import type { GroupSelector, Rule, Unmanaged, WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { insideOf, mayDeclare, patternUses, withoutPatternsOf } from '../../../src/cycle/matchNames.ts'
import { acme, complete, groups, matchesIn, pattern, rule, target } from '../core/smallWorld.ts'

const declaredBy = (
  rules: readonly Rule[],
  unmanaged: readonly Unmanaged[] = [],
  more: Partial<WorkspaceDeclaration> = {},
): WorkspaceDeclaration => ({ workspace: acme, owns: new Set(), rules, removed: [], unmanaged, ...more })

const selectorOf = (source: string): GroupSelector => pattern(source, 'ENG', 'guest').groups
const exact = (name: string): GroupSelector => ({ kind: 'exact', name: name as GroupName })
const because = (line: number, owner?: string): Rule['because'] => ({
  at: { file: 'a.yaml', line, column: 1 },
  ...(owner === undefined ? {} : { owner }),
})
/** A rule with a pattern in a file inside a fence. */
function fenced(owner: string, source: string, where: string, line: number, within: readonly GroupSelector[] = [selectorOf(`${owner}.*`)]) {
  const one = pattern(source, where, 'guest', { because: because(line, owner), fenced: true })
  if (one.groups.kind === 'exact') throw new Error('a pattern is none')
  return { ...one, groups: { ...one.groups, within, fence: `${owner}/**` } } satisfies Rule
}
/** The same rule in a file of another fence of its owner. */
const inFence = (one: ReturnType<typeof fenced>, fence: string, within: readonly GroupSelector[]): Rule => ({
  ...one,
  groups: { ...one.groups, fence, within },
})
const captured = (map: Readonly<Record<string, readonly string[]>>, only?: readonly string[]): Rule['target'] => ({
  kind: 'captured',
  capture: 'p',
  map: new Map(Object.entries(map) as [string, ProjectIdentifier[]][]),
  ...(only === undefined ? {} : { only: { named: new Set(only as ProjectIdentifier[]) } }),
})

describe('the patterns of a workspace', () => {
  /** `source: uses, several`, for files without limits and for each owner. */
  const usesIn = (declared: WorkspaceDeclaration) => {
    const { open, owners } = patternUses(declared)
    const text = ({ pattern: one, uses, several }: (typeof open)[number]) => `${one.source}: ${uses}, ${several.length}`
    return [open.map(text), Object.fromEntries([...owners].map(([owner, all]) => [owner, all.map(text)]))]
  }

  test('are counted with each entry that uses them, in the order of their places', () => {
    const rules = [
      pattern('b.*', 'ENG', 'guest', { because: because(3) }),
      pattern('a.*', 'ENG', 'guest', { because: because(2) }),
      rule('exact', 'ENG', 'guest'),
      pattern('b.*', 'OPS', 'guest', { because: because(4) }),
    ]
    expect(usesIn(declaredBy(rules, [{ groups: selectorOf('a.*'), because: because(1) }]))).toEqual([['a.*: 2, 0', 'b.*: 2, 0'], {}])
  })

  test('have the entries whose captured text stands for several projects', () => {
    const targets = [{ x: ['A'] }, { x: ['A', 'B'], y: ['C'] }, {}].map((map) => captured(map))
    expect(usesIn(declaredBy(targets.map((of, line) => pattern('a', '', 'guest', { target: of, because: because(line) }))))).toEqual([
      ['a: 3, 1'],
      {},
    ])
  })

  test('of files inside fences count for each owner and each list, and those of the fences themselves have no entry', () => {
    const rules = [
      fenced('pay', '.*', 'ENG', 4),
      fenced('pay', '.*', 'OPS', 3),
      fenced('pay', '.*', 'workspace', 5),
      fenced('ops', '.*', 'ENG', 1, [exact('all-staff'), selectorOf('ops.*')]),
    ]
    expect(usesIn(declaredBy(rules))).toEqual([['ops.*: 0, 0', 'pay.*: 0, 0'], { pay: ['.*: 2, 0', '.*: 1, 0'], ops: ['.*: 1, 0'] }])
  })

  test('of one owner are those of the list of projects also where the project is captured, or an entry has no target', () => {
    const one = fenced('pay', '.*', 'ENG', 1)
    const all = [one, { ...one, target: captured({}) }]
    expect(usesIn(declaredBy(all, [{ groups: one.groups, because: one.because }]))[1]).toEqual({ pay: ['.*: 3, 0'] })
    const workspace = { ...one, target: { kind: 'fixed', target: target('workspace') } } as const
    const unmanaged = { groups: one.groups, because: one.because, target: target('workspace') }
    expect(usesIn(declaredBy([workspace], [unmanaged]))[1]).toEqual({ pay: ['.*: 2, 0'] })
    expect(usesIn(declaredBy([one], [unmanaged]))[1]).toEqual({ pay: ['.*: 1, 0', '.*: 1, 0'] })
  })

  test('of one owner with several fences count for each fence, with its groups', () => {
    const rules = [fenced('pay', '.*', 'ENG', 1), inFence(fenced('pay', '.*', 'ENG', 2), 'ops/**', [exact('ops-a')])]
    const uses = patternUses(declaredBy(rules)).owners.get('pay') ?? []
    expect(uses.map(({ within }) => within.map((groups) => (groups.kind === 'exact' ? groups.name : groups.pattern.source)))).toEqual([
      ['pay.*'],
      ['ops-a'],
    ])
  })

  test('of files without an owner inside fences are together', () => {
    const one = fenced('pay', '.*', 'ENG', 1)
    expect(usesIn(declaredBy([{ ...one, because: because(1) }]))[1]).toEqual({ '': ['.*: 1, 0'] })
  })

  test('include those of the keys that a fence owns', () => {
    const keys = {
      list: 'projectRoles',
      groups: [exact('a'), selectorOf('own.*')],
      projects: { named: new Set<never>() },
      allProjects: false,
    } as const
    expect(usesIn(declaredBy([], [], { ownsKeys: [{ ...keys, because: because(1) }] }))).toEqual([['own.*: 0, 0'], {}])
  })
})

const names = ['pay-a', 'pay-b', 'ops-a', 'exact']
const matchesOf = (declared: WorkspaceDeclaration) => matchesIn(declared, new Map([['corp', complete(groups(...names))]]), [])

test('a use selects what its pattern and its fence contain', () => {
  const one = fenced('pay', '(?<all>.*)', 'ENG', 1)
  const declared = declaredBy([one])
  const { pattern: of, within } = one.groups
  expect([...insideOf({ pattern: of, within }, matchesOf(declared))]).toEqual([{ all: 'pay-a' }, { all: 'pay-b' }])
  expect([...insideOf({ pattern: of, within }, new Map())]).toEqual([])
})

test('without the patterns of owners, only these select no name', () => {
  const first: Rule = fenced('pay', '.*', 'ENG', 1)
  const open = pattern('.*', 'ENG', 'guest', { because: because(3, 'pay') })
  const rules = [first, fenced('ops', '.*', 'ENG', 2), open]
  const named = rule('exact', 'ENG', 'guest', { because: because(4, 'pay') })
  const unmanaged = [{ groups: first.groups, because: because(5, 'pay') }]
  const declared = declaredBy([...rules, named], unmanaged)
  const left = withoutPatternsOf(declared, new Set(['pay']))
  const emptied = ({ groups: of }: Rule | Unmanaged) => of.kind === 'pattern' && of.within?.length === 0
  expect([left.rules.map(emptied), left.unmanaged.map(emptied)]).toEqual([[true, false, false, false], [true]])
  expect([left.rules.slice(1), left.rules[3]]).toEqual([declared.rules.slice(1), named])
  const unowned = { ...first, because: because(1) }
  expect(withoutPatternsOf(declaredBy([unowned]), new Set([''])).rules.map(emptied)).toEqual([true])
})

describe('patterns that are left out may be about', () => {
  const placesOf = (rules: readonly Rule[], unmanaged: readonly Unmanaged[] = []) => {
    const declared = declaredBy(rules, unmanaged)
    const may = mayDeclare(declared, new Set(['pay', 'ops']), matchesOf(declared))
    const places = ['ENG', 'OPS', 'WEB', '*', 'workspace']
    return names.flatMap((name) => places.filter((place) => may(name as GroupName, target(place))).map((place) => `${place} ${name}`))
  }
  const one = fenced('pay', 'x', 'ENG', 1)

  test.each<readonly [what: string, rules: readonly Rule[], unmanaged: readonly Unmanaged[], places: readonly string[]]>([
    ['the groups of their fence on their target', [one], [], ['ENG pay-a', 'ENG pay-b']],
    ['all targets of one owner', [one, fenced('pay', 'y', 'OPS', 2)], [], ['ENG pay-a', 'OPS pay-a', 'ENG pay-b', 'OPS pay-b']],
    ['the groups and targets of each owner', [one, fenced('ops', 'x', 'WEB', 2)], [], ['ENG pay-a', 'ENG pay-b', 'WEB ops-a']],
    [
      'the groups of each fence of one owner, on its targets',
      [one, inFence(fenced('pay', 'x', 'OPS', 2), 'ops/**', [selectorOf('ops.*')])],
      [],
      ['ENG pay-a', 'ENG pay-b', 'OPS ops-a'],
    ],
    ['the workspace', [fenced('pay', 'x', 'workspace', 1)], [], ['workspace pay-a', 'workspace pay-b']],
    ['all projects', [fenced('ops', 'x', '*', 1)], [], ['* ops-a']],
    [
      'the projects of the fence, if the project is captured',
      [{ ...one, target: captured({}, ['ENG', 'WEB']) }],
      [],
      ['ENG pay-a', 'WEB pay-a', 'ENG pay-b', 'WEB pay-b'],
    ],
    ['no project, if the fence has none', [{ ...one, target: captured({}) }], [], []],
    ['unmanaged mappings', [], [{ groups: one.groups, because: because(1, 'pay'), target: target('OPS') }], ['OPS pay-a', 'OPS pay-b']],
    ['no unmanaged entry without a target', [], [{ groups: one.groups, because: because(1, 'pay') }], []],
    ['nothing of other owners', [{ ...one, because: because(1, 'web') }], [], []],
    ['nothing of files without limits', [pattern('.*', 'ENG', 'guest', { because: because(1, 'pay') })], [], []],
    ['nothing of exact rules', [rule('exact', 'ENG', 'guest', { because: because(1, 'pay') })], [], []],
  ])('%s', (_what, rules, unmanaged, places) => {
    expect(placesOf(rules, unmanaged)).toEqual(places)
  })
})
