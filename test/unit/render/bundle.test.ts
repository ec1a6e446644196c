import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bundleParts, bundles } from '../../../src/render/bundle.ts'
import { changeEntry, type PlanEntry } from '../../../src/render/entry.ts'
import { foldByRule } from '../../../src/render/fold.ts'
import { about, at, create, patch, remove } from './sample.ts'

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
      '- | r | = guest  in ENG | 1 change | teams/a.yaml:7',
      '↓ | q | member | → guest  in ENG | 1 change | teams/a.yaml:8',
      '↑ | p | guest | → member  in ENG | 1 change | teams/a.yaml:9',
    ])
  })
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
