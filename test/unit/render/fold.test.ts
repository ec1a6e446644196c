import { describe, expect, test } from 'vitest'
import type { CountedEffect } from '../../../src/core/peopleEffect.ts'
import { changeEntry, type PlanEntry, protectedFirst } from '../../../src/render/entry.ts'
import { type Fold, factOf, foldByRule, namesWithin, packed, type RoomCost, totalsWithin, within } from '../../../src/render/fold.ts'
import type { Total } from '../../../src/render/totals.ts'
import { about, at, create, patch, remove } from './sample.ts'

const entry = (where: string, group: string, role: string, place = 'a.yaml:1', people?: number): PlanEntry =>
  changeEntry(create(where, group, role, { ...at(place), ...(people === undefined ? {} : { people }) }), about.roles)
/** `devs in A, B`: a row, by the group of its first entry. */
const rowText = (fold: Fold) => `${fold[0].parts.who} in ${fold.map(({ parts }) => parts.target).join(', ')}`
const rows = (entries: readonly PlanEntry[]) => foldByRule(entries).map(rowText)
const one: RoomCost = { fold: () => 1, total: () => 1 }

test('the first of some things have room, up to the last character', () => {
  const some = [1, 2, 3]
  const first = (room: number) => within(some, room, (number) => number)
  expect([0, 1, 2, 3, 5, 6, 7].map((room) => first(room).length)).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(within([], 0, () => 1)).toEqual([])
})

test('names have room, up to the last character', () => {
  const names = (charactersMax: number) => namesWithin(['API', 'PAY', 'WEB'], charactersMax)
  expect([0, 7, 8, 12, 13].map(names)).toEqual(['API …', 'API …', 'API, PAY …', 'API, PAY …', 'API, PAY, WEB'])
})

describe('one row', () => {
  test('is what one rule does for one group in several projects, where the first of them stood', () => {
    expect(rows([entry('A', 'devs', 'guest'), entry('A', 'ops', 'guest'), entry('B', 'devs', 'guest')])).toEqual([
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
  test('is not shared by duplicates: of two in each of two projects there are two rows', () => {
    expect(rows(['A', 'A', 'B', 'B'].map((project) => entry(project, 'devs', 'guest')))).toEqual(['devs in A, B', 'devs in A, B'])
    expect(rows(['A', 'A', 'A', 'B'].map((project) => entry(project, 'devs', 'guest')))).toEqual(['devs in A, B', 'devs in A', 'devs in A'])
    expect(rows(['*', '*'].map((where) => entry(where, 'devs', 'guest')))).toEqual(['devs in all projects', 'devs in all projects'])
  })
})

describe('rows of which none may be absent', () => {
  const entries = [1, 2, 3, 4].map((line) => entry('A', `g${line}`, 'guest', `a.yaml:${line}`))
  const fit = (room: number, cost = one) => {
    const { folds, totals } = packed(entries, room, cost)
    return `${folds.map(([{ parts }]) => parts.who).join(' ')} + ${totals.map(({ changes }) => changes).join(' ')}`
  }
  test('are all shown where they have room', () => {
    expect(fit(4)).toBe('g1 g2 g3 g4 + ')
    expect(fit(Number.POSITIVE_INFINITY)).toBe('g1 g2 g3 g4 + ')
  })
  test('leave room for the total of the others', () => {
    expect(fit(3)).toBe('g1 g2 + 2')
    expect(fit(2)).toBe('g1 + 3')
  })
  test('take at least half of the room', () => {
    expect(fit(3.9, { fold: () => 1, total: () => 100 })).toBe('g1 + 3')
    expect(fit(3, { fold: () => 0.75, total: () => 100 })).toBe('g1 g2 g3 g4 + ')
    expect(fit(2, { fold: () => 0.5, total: () => 1 })).toBe('g1 g2 g3 g4 + ')
  })
  test('are passed over where they are long, and the next one is shown', () => {
    const long: (fold: Fold) => number = ([{ parts }]) => (parts.who === 'g2' ? 10 : 1)
    expect(fit(4, { fold: long, total: () => 1 })).toBe('g1 g3 g4 + 1')
  })
})

test('totals by role have room, or half as many, or a quarter; the others share one', () => {
  const entries = ['guest', 'member', 'member', 'commenter', 'contributor'].map((role, n) => entry('A', `g${n}`, role))
  const roles = (room: number, cost: (total: Total) => number = () => 1) =>
    totalsWithin(entries, room, cost).map(({ role, changes }) => `${role} ${changes}`)
  expect(roles(4)).toEqual(['→ member 2', '→ guest 1', '→ commenter 1', '→ contributor 1'])
  expect(roles(3)).toEqual(['→ member 2', '→ guest 1', '→ 2 other roles 2'])
  expect(roles(2)).toEqual(['→ member 2', '→ 3 other roles 3'])
  expect(roles(1)).toEqual(['→ 4 other roles 5'])
  expect(roles(0)).toEqual(['→ 4 other roles 5'])
})

test('protected grants of one reach stay in their order, before all else', () => {
  const order = (...entries: readonly PlanEntry[]) => protectedFirst(entries).map(({ parts }) => parts.who)
  const grants = ['a', 'b', 'c', 'd'].map((group) => entry('A', group, 'admin', 'a.yaml:1', 3))
  expect(order(entry('A', 'x', 'guest'), ...grants, entry('A', 'y', 'guest'))).toEqual(['a', 'b', 'c', 'd', 'x', 'y'])
  expect(order(entry('A', 'a', 'admin'), entry('A', 'b', 'admin'), entry('*', 'c', 'admin'), entry('workspace', 'd', 'admin'))).toEqual([
    'd',
    'c',
    'a',
    'b',
  ])
})

describe('the effect of changes on people', () => {
  const counted = { kind: 'counted', newly: 0, raised: 0, lowered: 0, lost: 0, raise: 0, gainProtected: 0, lose: 0 } as const
  const row = (...effects: readonly (Partial<CountedEffect> | undefined)[]) =>
    factOf(
      foldByRule(
        effects.map((effect, index) => {
          const more = effect === undefined ? {} : { effect: { ...counted, ...effect } }
          return changeEntry(create(`P${index}`, 'devs', 'guest', { ...at('a.yaml:1'), people: 1_600, ...more }), about.roles)
        }),
      )[0] as Fold,
    )
  test('stands beside the number of people of the group', () => {
    expect(row({ newly: 1_580, raised: 2 })).toBe('1,600 people, 1,580 newly, 2 raised')
    expect(row({ lowered: 3, lost: 1 })).toBe('1,600 people, 3 lowered, 1 lose it')
    expect(row({})).toBe('1,600 people, no change for them')
    expect(row(undefined)).toBe('1,600 people')
  })
  test('says "at least" if the directory does not know all people of the group', () => {
    expect(row({ newly: 12, raised: 2, atLeast: true })).toBe('1,600 people, at least 12 newly, 2 raised')
    expect(row({ atLeast: true })).toBe('1,600 people, no change for those who are known')
  })
  test('stands in a row of several projects only if it is the same in all of them', () => {
    expect(row({ newly: 4 }, { newly: 4 })).toBe('1,600 people, 4 newly')
    expect(row({ newly: 4 }, { newly: 5 })).toBe('1,600 people')
  })
})
