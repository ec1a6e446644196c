import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bundle, bundleParts, bundles } from '../../../src/render/bundle.ts'
import { changeEntry, holdEntries, type PlanEntry } from '../../../src/render/entry.ts'
import { foldByRule } from '../../../src/render/fold.ts'
import { about, at, create, held, patch, remove, settings, unsure, view } from './sample.ts'

const entryOf = (change: Parameters<typeof changeEntry>[0]) => changeEntry(change, about.roles)
const grant = (project: string, group: string, role: string, line: string, people = 3) =>
  entryOf(create(project, group, role, { people, ...at(line, { owner: 'team-a' }) }))
const rows = (entries: readonly PlanEntry[], rowsMax: number) =>
  bundles(foldByRule(entries), rowsMax).map((bundle) => {
    const { who, before, role, where, fact, place } = bundleParts(bundle)
    return [bundle[0][0].mark.symbol, who, before, `${role}  in ${where}`, fact, place]
      .filter((part) => part !== undefined && part !== '')
      .join(' | ')
  })

/** Two files of one folder with two rules each, and one file of another folder. */
const many = ['teams/a.yaml:1', 'teams/a.yaml:2', 'teams/b.yaml:1', 'teams/b.yaml:2', 'other/c.yaml:1'].flatMap((line) =>
  ['x', 'y'].map((group) => grant('ENG', `${group}-${line.slice(6, 7)}${line.slice(-1)}`, 'guest', line)),
)

test('rows that fit keep their order', () => {
  const mixed = ['guest', 'member', 'guest'].map((role, n) => grant('ENG', `g${n}`, role, `a.yaml:${n}`))
  expect(rows(mixed, 3).map((row) => /g\d/.exec(row)?.[0])).toEqual(['g0', 'g1', 'g2'])
})

describe('rows that stand for several groups', () => {
  test('are used only if there are more rows than fit', () => {
    expect(rows(many, 10)).toHaveLength(10)
    expect(rows(many, 9)).toHaveLength(3)
  })
  test('are a third of what fits, so that a long plan is short: they stand for the groups of a rule', () => {
    const lines = ['teams/a.yaml:1', 'teams/a.yaml:2', 'teams/b.yaml:1', 'teams/b.yaml:2', 'other/c.yaml:1']
    const four = lines.flatMap((line, n) => ['v', 'w', 'x', 'y'].map((group) => grant('ENG', `${group}${n}`, 'guest', line)))
    expect(rows(four, 15)).toEqual([
      '+ | 4 groups: v0, w0, x0, y0 | → guest  in ENG | 4 changes, 12 people | teams/a.yaml:1 · team-a',
      '+ | 4 groups: v1, w1, x1, y1 | → guest  in ENG | 4 changes, 12 people | teams/a.yaml:2 · team-a',
      '+ | 4 groups: v2, w2, x2, y2 | → guest  in ENG | 4 changes, 12 people | teams/b.yaml:1 · team-a',
      '+ | 4 groups: v3, w3, x3, y3 | → guest  in ENG | 4 changes, 12 people | teams/b.yaml:2 · team-a',
      '+ | 4 groups: v4, w4, x4, y4 | → guest  in ENG | 4 changes, 12 people | other/c.yaml:1 · team-a',
    ])
  })
  test('have one role each, the highest first; a role outside the order comes before all others', () => {
    const roles = ['guest', 'contributor', 'custom', 'member']
    const mixed = many.flatMap(({ group = '' }) => roles.map((role, n) => grant('ENG', `${group}-${n}`, role, `teams/f${n}.yaml:1`)))
    const shown = [10, 2].map((rowsMax) => rows(mixed, rowsMax).flatMap((row) => /→ (\w+) /.exec(row)?.[1] ?? []))
    expect(shown).toEqual([
      ['custom', 'member', 'contributor', 'guest'],
      ['custom', 'member', 'contributor', 'guest'],
    ])
    expect(rows(mixed, 1)).toEqual([
      expect.stringContaining('→ custom  in ENG'),
      expect.stringContaining('→ member, contributor, guest  in ENG'),
    ])
  })
  test('say why mappings are deleted, and when new ones end', () => {
    const deletes = (groups: string, why: 'removed' | 'undeclared') =>
      groups.split('').map((group) => entryOf(remove('ENG', group, 'guest', why)))
    expect(rows(deletes('abcd', 'undeclared'), 3)).toEqual(['- | 4 groups: a, b, c, d | = guest  in ENG | 4 changes, undeclared'])
    expect(rows([...deletes('abc', 'removed'), ...deletes('defgh', 'undeclared')], 3)).toEqual([
      '- | 8 groups: a, b, c, d, e, f … | = guest  in ENG | 8 changes, undeclared (5) and removed (3)',
    ])
    const { because } = at('a.yaml:1')
    const until = (day: number) => ({ because: { ...because, expiresMs: Date.UTC(2027, 0, day) } })
    const grants = (groups: string, day: number) => groups.split('').map((group) => entryOf(create('ENG', group, 'guest', until(day))))
    expect(rows(grants('abcd', 2), 3)).toEqual(['+ | 4 groups: a, b, c, d | → guest  in ENG | 4 changes, until 2027-01-01 | a.yaml:1'])
    const forever = entryOf(create('ENG', 'z', 'guest', at('a.yaml:1')))
    expect(rows([...grants('ab', 2), ...grants('cd', 3), ...grants('ef', 4), ...grants('gh', 5), forever], 3)).toEqual([
      '+ | 9 groups: a, b, c, d, e, f … | → guest  in ENG | 9 changes, until 2027-01-01 (2), until 2027-01-02 (2), until 2027-01-03 (2) and 1 more | a.yaml:1',
    ])
  })
  test('do not count the changes of one group, if the number of projects says it', () => {
    const of = (projects: readonly string[]) =>
      rows(
        projects.map((project, n) => grant(project, 'devs', 'guest', `a.yaml:${n}`)),
        1,
      )
    expect(of(['A', 'B'])).toEqual(['+ | devs | → guest  in 2 projects | 3 people | a.yaml · team-a'])
    expect(of(['A', 'workspace'])).toEqual(['+ | devs | → guest  in workspace, A | 2 changes, 3 people | a.yaml · team-a'])
    expect(of(['A', 'A', 'B'])).toEqual(['+ | devs | → guest  in 2 projects | 3 changes, 3 people | a.yaml · team-a'])
  })
  test('stand for the rules of a file, then for the files of a folder, then for all changes of a kind', () => {
    expect(rows(many, 9)).toEqual([
      '+ | 4 groups: x-a1, y-a1, x-a2 … | → guest  in ENG | 4 changes, 12 people | teams/a.yaml · team-a',
      '+ | 4 groups: x-b1, y-b1, x-b2 … | → guest  in ENG | 4 changes, 12 people | teams/b.yaml · team-a',
      '+ | 2 groups: x-c1, y-c1 | → guest  in ENG | 2 changes, 6 people | other/c.yaml:1 · team-a',
    ])
    expect(rows(many, 6)[0]).toBe('+ | 8 groups: x-a1, y-a1, x-a2 … | → guest  in ENG | 8 changes, 24 people | teams/ (2 files)')
    expect(rows(many, 1)).toEqual(['+ | 10 groups: x-a1, y-a1, x-a2 … | → guest  in ENG | 10 changes, 30 people | 3 files'])
  })
  test('name the roles and count the targets', () => {
    const targets = ['workspace', '*', 'ENG', 'OPS', 'WEB', 'API', 'PAY'].map((target, n) =>
      grant(target, `g${n}`, `role-${n}`, 'a.yaml:1'),
    )
    expect(rows(targets, 1)[0]).toContain(
      '→ role-0, role-1, role-2, role-3, role-4, role-5, 1 more role  in workspace, all projects, 5 projects',
    )
  })
  test('of deletes and changed roles come before new mappings, and are joined last', () => {
    const entries = [
      ...many,
      entryOf(patch('ENG', 'p', 'guest', 'member', at('teams/a.yaml:9'))),
      entryOf(patch('ENG', 'q', 'member', 'guest', at('teams/a.yaml:8'))),
      entryOf(remove('ENG', 'r', 'guest', 'removed', at('teams/a.yaml:7'))),
    ]
    expect(rows(entries, 12).map((row) => row.slice(0, 1))).toEqual(['-', '↓', '↑', '+'])
    expect(rows(entries, 12).slice(0, 3)).toEqual([
      '- | r | = guest  in ENG | 1 change, removed | teams/a.yaml:7',
      '↓ | q | member | → guest  in ENG | 1 change | teams/a.yaml:8',
      '↑ | p | guest | → member  in ENG | 1 change | teams/a.yaml:9',
    ])
  })
})

describe('one row for all of these changes', () => {
  const row = (entries: readonly PlanEntry[]) => bundleParts(foldByRule(entries) as unknown as Bundle)
  const grantOf = (project: string, group: string, role: string, line: string, owner?: string) =>
    entryOf(create(project, group, role, at(line, owner === undefined ? {} : { owner })))

  test('has the reason that they share', () => {
    const because = (line: string, reason: string) => entryOf(create('ENG', `g${line}`, 'guest', at(`a.yaml:${line}`, { reason })))
    expect(row([because('1', 'audit'), because('2', 'audit')]).reason).toBe('"audit"')
    expect(row([because('1', 'audit'), because('2', 'on-call')]).reason).toBe('')
  })
  test('has the former role that they share, and otherwise none', () => {
    const patches = (before: string) => entryOf(patch('ENG', `g-${before}`, before, 'member', at('a.yaml:1')))
    expect(row([patches('guest'), patches('guest')]).before).toBe('guest')
    expect(row([patches('guest'), patches('commenter')])).not.toHaveProperty('before')
  })
  test('counts the changes of one group that has different roles', () => {
    expect(row([grantOf('A', 'devs', 'guest', 'a.yaml:1'), grantOf('B', 'devs', 'member', 'a.yaml:1')])).toMatchObject({
      who: 'devs',
      role: '→ member, guest',
      where: '2 projects',
      fact: '2 changes',
    })
  })
  test('counts the changes of two groups, also if each is in a project of its own', () => {
    expect(row([grantOf('A', 'x', 'guest', 'a.yaml:1'), grantOf('B', 'y', 'guest', 'a.yaml:1')])).toMatchObject({
      who: '2 groups: x, y',
      where: '2 projects',
      fact: '2 changes',
    })
  })
  test('names up to six roles', () => {
    const roles = Array.from({ length: 6 }, (_, n) => grantOf('A', `g${n}`, `r${n}`, 'a.yaml:1'))
    expect(row(roles).role).toBe('→ r0, r1, r2, r3, r4, r5')
  })
  test('leaves out a role that is not known', () => {
    const holds = [
      unsure('A', 'x', { kind: 'patternsUnmatched', why: 'too many' }),
      held(create('A', 'y', 'guest'), { kind: 'suspended', what: 'all' }),
    ]
    expect(row(holdEntries(holds, { symbol: '?', style: 'yellow' }, view()))).toMatchObject({
      short: '2 groups',
      role: '→ guest',
      place: '',
    })
  })
  test('of the settings has no role and no target', () => {
    expect(row([entryOf(settings)])).toMatchObject({ role: '', where: '', fact: '1 change', place: 'platform/acme.yaml:30' })
  })
  test.each<[string, readonly string[], string]>([
    ['one file with two owners', ['t/a.yaml:1 a', 't/a.yaml:2 b'], 't/a.yaml'],
    ['one file with one owner', ['t/a.yaml:1 a', 't/a.yaml:2 a'], 't/a.yaml · a'],
    ['files of one folder', ['t/a.yaml:1', 't/b.yaml:1'], 't/ (2 files)'],
    ['files of no folder', ['a.yaml:1', 'b.yaml:1'], '2 files'],
    ['files of two folders', ['t/a.yaml:1', 'u/b.yaml:1', 'b.yaml:1'], '3 files'],
  ])('has the place of %s', (_what, lines, place) => {
    const grants = lines.map((text, n) => {
      const [line = '', owner] = text.split(' ')
      return grantOf('ENG', `g${n}`, 'guest', line, owner)
    })
    expect(row(grants).place).toBe(place)
  })
  test('counts no file for a mapping that no rule declares', () => {
    const deletes = [remove('ENG', 'r', 'guest', 'removed', at('teams/a.yaml:7')), remove('ENG', 'u', 'guest', 'undeclared')]
    expect(row(deletes.map(entryOf)).place).toBe('teams/a.yaml')
    expect(row([...deletes, remove('ENG', 's', 'guest', 'removed', at('teams/b.yaml:1'))].map(entryOf)).place).toBe('teams/ (2 files)')
  })
})

describe('the kind with the most rows is joined first', () => {
  const deletes = (count: number) =>
    Array.from({ length: count }, (_, n) => entryOf(remove('ENG', `d${n}`, 'guest', 'removed', at('a.yaml:1'))))
  const creates = (count: number) => Array.from({ length: count }, (_, n) => grant('ENG', `c${n}`, 'guest', 'a.yaml:2'))
  test.each([
    [2, 8, ['- d0', '- d1', '+ 8 groups']],
    [8, 2, ['- 8 groups', '+ c0', '+ c1']],
  ])('%i deletes and %i creates', (some, others, expected) => {
    const shown = rows([...deletes(some), ...creates(others)], 9).map((text) => /^(.) \| (\w+(?: groups)?)/.exec(text)?.slice(1).join(' '))
    expect(shown).toEqual(expected)
  })
})

test('settings and mappings that no rule declares have rows at every width', () => {
  const undeclared = ['u', 'v'].map((group) => entryOf(remove('ENG', group, 'guest', 'undeclared')))
  expect(rows([entryOf(settings), ...undeclared, ...many], 1)).toEqual([
    expect.stringContaining('⚙ | '),
    '- | 2 groups: u, v | = guest  in ENG | 2 changes, undeclared',
    expect.stringContaining('+ | 10 groups'),
  ])
})

test('each change is in exactly one row, and there are at most as many rows as fit or as there are kinds', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const place = fc.constantFrom('t/a.yaml:1', 't/a.yaml:2', 't/b.yaml:1', 'c.yaml:1')
  const grants = fc.record({ project: name, group: name, role: fc.constantFrom('guest', 'member'), place, kind: fc.nat(3) })
  fc.assert(
    fc.property(fc.array(grants, { maxLength: 40 }), fc.nat(12), (some, rowsMax) => {
      const entries = some.map(({ project, group, role, place: line, kind }) => {
        if (kind === 0) return entryOf(remove(project, group, role, 'removed', at(line)))
        return kind === 1 ? entryOf(patch(project, group, 'commenter', role, at(line))) : grant(project, group, role, line)
      })
      const made = bundles(foldByRule(entries), rowsMax)
      expect(new Set(made.flat(2))).toEqual(new Set(entries))
      expect(made.flat(2)).toHaveLength(entries.length)
      const fits = foldByRule(entries).length <= rowsMax
      const kinds = new Set(entries.map(({ mark }) => mark.symbol)).size
      const roles = new Set(entries.map(({ mark, parts }) => `${mark.symbol} ${parts.role}`)).size
      expect(made.length).toBeLessThanOrEqual(Math.max(fits ? rowsMax : rowsMax * 0.35, Math.min(roles, 2 * rowsMax), kinds))
    }),
  )
})
