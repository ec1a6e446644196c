import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeEntry, type PlanEntry } from '../../../src/render/entry.ts'
import { type Bundle, eachAlone, type Fold, foldByRule, folded, reviewOrder, within } from '../../../src/render/fold.ts'
import { people } from '../bounds.ts'
import { about, at, create, patch, remove, settings } from './sample.ts'

const entry = (where: string, group: string, role: string, place = 'a.yaml:1', n?: number): PlanEntry =>
  changeEntry(create(where, group, role, { ...at(place), ...(n === undefined ? {} : { size: people(n) }) }), about.roles)
/** `devs in A, B`: a fold, by the group of its first entry. */
const foldText = (fold: Fold) => `${fold[0].parts.who} in ${fold.map(({ parts }) => parts.target).join(', ')}`
const folds = (entries: readonly PlanEntry[]) => foldByRule(entries).map(foldText)
/** `devs`, `2 of b.yaml:1`: rows, of several folds with the place of the first. */
const rowText = (row: Bundle) => (row.length === 1 ? row[0][0].parts.who : `${row.length} from ${row[0][0].parts.who}`)
const rows = (entries: readonly PlanEntry[], max: number) => folded(entries, { max, cost: () => 1 }).map(rowText)
const many = <T>(n: number, make: (index: number) => T): readonly T[] => Array.from({ length: n }, (_, index) => make(index))

test('the first of some things have room, up to the last character', () => {
  const some = [1, 2, 3]
  const first = (room: number) => within(some, room, (number) => number)
  expect([0, 1, 2, 3, 5, 6, 7].map((room) => first(room).length)).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(within([], 0, () => 1)).toEqual([])
})

describe('one fold', () => {
  test('is what one rule does for one group in several projects, where the first of them stood', () => {
    expect(folds([entry('A', 'devs', 'guest'), entry('A', 'ops', 'guest'), entry('B', 'devs', 'guest')])).toEqual([
      'devs in A, B',
      'ops in A',
    ])
  })
  test.each<[string, PlanEntry]>([
    ['sign', changeEntry(remove('B', 'devs', 'guest', 'removed', at('a.yaml:1')), about.roles)],
    ['role', entry('B', 'devs', 'member')],
    ['role before', changeEntry(patch('B', 'devs', 'commenter', 'guest', at('a.yaml:1')), about.roles)],
    ['number of people', entry('B', 'devs', 'guest', 'a.yaml:1', 3)],
    ['place', entry('B', 'devs', 'guest', 'a.yaml:2')],
    ['reason', changeEntry(create('B', 'devs', 'guest', at('a.yaml:1', { reason: 'audit' })), about.roles)],
    ['result', { ...entry('B', 'devs', 'guest'), why: 'refused' }],
    ['cure', { ...entry('B', 'devs', 'guest'), sharedCure: 'wait' }],
    ['kind of target', entry('*', 'devs', 'guest')],
  ])('is not shared by another %s', (_what, other) => {
    expect(foldByRule([entry('A', 'devs', 'guest'), other])).toHaveLength(2)
  })
  test('is not shared by duplicates: of two in each of two projects there are two', () => {
    expect(folds(['A', 'A', 'B', 'B'].map((project) => entry(project, 'devs', 'guest')))).toEqual(['devs in A, B', 'devs in A, B'])
    expect(folds(['A', 'A', 'A', 'B'].map((project) => entry(project, 'devs', 'guest')))).toEqual([
      'devs in A, B',
      'devs in A',
      'devs in A',
    ])
    expect(folds(['*', '*'].map((where) => entry(where, 'devs', 'guest')))).toEqual(['devs in all projects', 'devs in all projects'])
  })
})

describe('rows', () => {
  test('are one for each fold, if all fit', () => {
    const six = many(6, (n) => entry('ENG', `g${n}`, n % 2 === 0 ? 'guest' : 'member'))
    expect(rows(six, 6)).toEqual(['g0', 'g1', 'g2', 'g3', 'g4', 'g5'])
  })
  test('are folded no more than they have to be', () => {
    const seven = many(7, (n) => entry('ENG', `g${n}`, 'guest', `a.yaml:${n}`))
    expect(rows(seven, 7)).toHaveLength(7)
    expect(rows(seven, 6)).toEqual(['g0', 'g1', 'g2', 'g3', 'g4', '2 from g5'])
    expect(rows(seven, 2)).toEqual(['g0', '6 from g1'])
    expect(rows(seven, 1)).toEqual(['7 from g0'])
    expect(rows(seven, 0)).toEqual(['7 from g0'])
  })
  test.each<[string, PlanEntry]>([
    ['people', entry('ENG', 'zz', 'member', 'a.yaml:99', 900)],
    ['people of unknown number, beside known numbers', entry('ENG', 'zz', 'member', 'a.yaml:99')],
    ['target', entry('OPS', 'zz', 'member', 'a.yaml:99', 5)],
    ['role', entry('ENG', 'zz', 'commenter', 'a.yaml:99', 5)],
    ['role before', changeEntry(patch('ENG', 'zz', 'guest', 'member', { size: people(5), ...at('a.yaml:99') }), about.roles)],
    ['kind of change', changeEntry(remove('ENG', 'zz', 'member', 'removed', { size: people(5), ...at('a.yaml:99') }), about.roles)],
    ['kind of target', entry('workspace', 'zz', 'member', 'a.yaml:99', 5)],
    ['all projects', entry('*', 'zz', 'member', 'a.yaml:99', 5)],
    ['protected role', entry('ENG', 'zz', 'admin', 'a.yaml:99', 5)],
    ['settings', changeEntry(settings, about.roles)],
  ])('an outlier has a row of its own: %s', (_what, outlier) => {
    const crowd = many(100, (n) => entry('ENG', `g${n}`, 'member', `a.yaml:${n}`, 20 + (n % 7)))
    const who = outlier.parts.who
    for (const max of [2, 3, 10, 60]) expect(rows([...crowd.slice(0, 50), outlier, ...crowd.slice(50)], max)).toContain(who)
  })
  test('an outlier in people has one also where most numbers are unknown', () => {
    const crowd = many(100, (n) => entry('ENG', `g${n}`, 'member', `a.yaml:${n}`, n < 20 ? n : undefined))
    expect(rows([entry('ENG', 'zz', 'member', 'a.yaml:1', 900), ...crowd], 3)).toContain('zz')
  })
  test('several outliers share the room between people, target and role', () => {
    const crowd = many(200, (n) => entry('ENG', `g${n}`, 'member', `a.yaml:${n}`, 20))
    const outliers = [
      ...many(3, (n) => entry('ENG', `people${n}`, 'member', 'a.yaml:1', 500 + n)),
      ...many(3, (n) => entry('OPS', `target${n}`, 'member', `a.yaml:${n}`, 20)),
      ...many(3, (n) => entry('ENG', `role${n}`, 'guest', `a.yaml:${n}`, 20)),
    ]
    const shown = rows([...crowd, ...outliers], 20)
    for (const { parts } of outliers) expect(shown).toContain(parts.who)
  })
  test('among protected roles, too', () => {
    const crowd = many(100, (n) => entry('ENG', `g${n}`, 'admin', `a.yaml:${n}`, 20))
    expect(rows([...crowd, entry('OPS', 'zz', 'admin', 'a.yaml:999', 5)], 4)).toContain('zz')
    expect(rows([...crowd, entry('ENG', 'zz', 'admin', 'a.yaml:999', 900)], 4)).toContain('zz')
    expect(rows([...crowd, entry('ENG', 'zz', 'owner', 'a.yaml:999', 5)], 4)).toContain('zz')
    expect(rows([...crowd, entry('workspace', 'zz', 'admin', 'a.yaml:999', 5)], 4)).toContain('zz')
  })
  test('are shared by the groups of a rule, of a file, of a folder, of the same roles: as narrow as half of the room allows', () => {
    const places = ['t/a.yaml:1', 't/a.yaml:2', 't/b.yaml:1', 'u/c.yaml:1']
    const all = places.flatMap((place) => many(10, (n) => entry('ENG', `${place} ${n}`, 'member', place, 7)))
    const shared = (max: number) => rows(all, max).flatMap((row) => /^\d+ from/.exec(row)?.[0] ?? [])
    expect(shared(8)).toHaveLength(4)
    expect(shared(7)).toHaveLength(3)
    expect(shared(5)).toHaveLength(2)
    expect(shared(3)).toHaveLength(1)
  })
  test('of the same roles only, before roles share a row', () => {
    const roles = ['member', 'guest', 'commenter']
    const all = roles.flatMap((role) => many(10, (n) => entry('ENG', `${role}${n}`, role, `${role}/a.yaml:1`, 7)))
    expect(rows(all, 6).filter((row) => row.includes('from'))).toHaveLength(3)
    expect(rows(all, 1)).toEqual(['30 from member0'])
  })
})

test('each entry is in exactly one row, no row mixes kinds, and rows fit unless there are more kinds than rows', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const place = fc.constantFrom('t/a.yaml:1', 't/a.yaml:2', 't/b.yaml:1', 'c.yaml:1')
  const target = fc.constantFrom('a', 'b', 'c', 'workspace', '*')
  const grants = fc.record({
    target,
    group: name,
    role: fc.constantFrom('guest', 'member', 'admin'),
    place,
    kind: fc.nat(3),
    size: fc.option(fc.nat(50), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(grants, { maxLength: 60 }), fc.nat(30), (some, max) => {
      const entries = some.map(({ target: where, group, role, place: line, kind, size }) => {
        if (kind === 0) return changeEntry(remove(where, group, role, 'removed', at(line)), about.roles)
        return kind === 1
          ? changeEntry(patch(where, group, 'commenter', role, at(line)), about.roles)
          : entry(where, group, role, line, size)
      })
      const made = folded(entries, { max, cost: () => 1 })
      expect(made.flat(2)).toHaveLength(entries.length)
      expect(new Set(made.flat(2))).toEqual(new Set(entries))
      const kindOf = ({ mark, target: of }: PlanEntry) => `${mark.symbol} ${of?.kind}`
      for (const row of made) expect(new Set(row.flat().map(kindOf)).size).toBe(1)
      expect(made.length).toBeLessThanOrEqual(Math.max(max, new Set(entries.map(kindOf)).size))
      if (foldByRule(reviewOrder(entries)).length <= max) expect(made.every(({ length }) => length === 1)).toBe(true)
    }),
  )
})

describe('the order of rows', () => {
  const order = (...entries: readonly PlanEntry[]) => reviewOrder(entries).map(({ parts }) => parts.who)
  test('protected grants come first, of one reach in their order', () => {
    const grants = ['a', 'b', 'c', 'd'].map((group) => entry('A', group, 'admin', 'a.yaml:1', 3))
    expect(order(entry('A', 'x', 'guest'), ...grants, entry('A', 'y', 'guest'))).toEqual(['a', 'b', 'c', 'd', 'x', 'y'])
    expect(order(entry('A', 'a', 'admin'), entry('A', 'b', 'admin'), entry('*', 'c', 'admin'), entry('workspace', 'd', 'admin'))).toEqual([
      'd',
      'c',
      'a',
      'b',
    ])
  })
  test('what takes rights away comes before what only adds some', () => {
    const entries = [
      entry('A', 'create', 'guest'),
      changeEntry(patch('A', 'raise', 'guest', 'member'), about.roles),
      changeEntry(patch('A', 'lower', 'member', 'guest'), about.roles),
      changeEntry(remove('A', 'delete', 'guest', 'removed'), about.roles),
    ]
    expect(order(...entries)).toEqual(['delete', 'lower', 'raise', 'create'])
  })
  test('within each date and kind, the workspace and all projects come before single projects', () => {
    const entries = [entry('A', 'a', 'guest'), entry('*', 'b', 'guest'), entry('B', 'c', 'guest'), entry('workspace', 'd', 'guest')]
    expect(order(...entries)).toEqual(['b', 'd', 'a', 'c'])
    expect(order(...entries.map((one, n) => ({ ...one, atMs: 10 - n })))).toEqual(['d', 'c', 'b', 'a'])
  })
  test('is the same where each entry has a row of its own', () => {
    const two = [entry('A', 'devs', 'guest'), entry('B', 'devs', 'guest'), entry('A', 'leads', 'admin')]
    expect(eachAlone(two).map(rowText)).toEqual(['leads', 'devs', 'devs'])
  })
})
