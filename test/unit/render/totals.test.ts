import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import type { Key } from '../../../src/core/mapping.ts'
import { changeEntry, holdEntries, type Mark, type PlanEntry } from '../../../src/render/entry.ts'
import { waitingMark } from '../../../src/render/marks.ts'
import { moreChanges, totalsOf } from '../../../src/render/totals.ts'
import type { View } from '../../../src/render/view.ts'
import { about, create, held, remove, rename, settings, unsure, view } from './sample.ts'

const entryOfHold = (hold: Hold, mark: Mark, of: View) => holdEntries([hold], mark, of)[0] as PlanEntry

const entry = (where: string, group: string, role: string, people?: number): PlanEntry =>
  changeEntry(create(where, group, role, people === undefined ? {} : { people }), about.roles)
const totals = (entries: readonly PlanEntry[], rolesMax?: number) =>
  totalsOf(entries, rolesMax).map(({ mark, target, role, changes, groups, people, label, cure }) =>
    [mark.symbol, target, role, changes, groups, people, label, cure].filter((part) => part !== '').join(' · '),
  )

test('a total has the number of projects, changes, groups and people; each is counted once', () => {
  expect(totals([entry('A', 'devs', 'guest', 3), entry('B', 'devs', 'guest', 3), entry('A', 'ops', 'guest', 4)])).toEqual([
    '+ · 2 projects · → guest · 3 · 2 groups · 7 people',
  ])
  expect(totals([entry('A', 'devs', 'guest', 1)])).toEqual(['+ · 1 project · → guest · 1 · 1 group · 1 person'])
  expect(totals([])).toEqual([])
})

test('people that a directory counted at one place are known at another', () => {
  const [known, unknown] = [entry('A', 'devs', 'guest', 3), entry('B', 'devs', 'guest')]
  expect(totals([known, unknown])).toEqual(['+ · 2 projects · → guest · 2 · 1 group · 3 people'])
  expect(totals([unknown, known])).toEqual(['+ · 2 projects · → guest · 2 · 1 group · 3 people'])
  expect(totals([known, entry('A', 'ops', 'guest')])).toEqual([
    '+ · 1 project · → guest · 2 · 2 groups · 3 people and 1 group of unknown size',
  ])
  expect(totals([known, entry('A', 'ops', 'guest'), entry('A', 'web', 'guest')])).toEqual([
    '+ · 1 project · → guest · 3 · 3 groups · 3 people and 2 groups of unknown size',
  ])
  expect(totals([unknown])).toEqual(['+ · 1 project · → guest · 1 · 1 group'])
})

test('a group is one whatever it was called before; a key without a group counts as one', () => {
  const renamed = (where: string, from: string, people?: number) =>
    changeEntry(rename(where, from, 'devs', 'guest', 'guest', people === undefined ? {} : { people }), about.roles)
  expect(totals([renamed('A', 'old', 3), renamed('B', 'older')])).toEqual([
    expect.stringMatching(/ · 2 projects · .* · 2 · 1 group · 3 people$/),
  ])
  const ofKey = (key: string) =>
    entryOfHold({ key: key as Key, reason: { kind: 'readingIncomplete', of: 'corp', why: 'no' } }, waitingMark, view())
  expect(totals([ofKey('acme/a'), ofKey('acme/b')])).toEqual([`${waitingMark.symbol} · 2 · 2 groups`])
})

test('each role, kind of target, sign and label has its own total: protected ones first, then the largest', () => {
  const labelled = { ...entry('A', 'a', 'guest'), label: 'held', sharedCure: 'wait' }
  expect(
    totals([
      entry('A', 'a', 'guest'),
      entry('A', 'a', 'member'),
      entry('B', 'b', 'member'),
      entry('*', 'a', 'guest'),
      entry('workspace', 'a', 'guest'),
      entry('A', 'a', 'admin'),
      labelled,
      changeEntry(remove('A', 'a', 'guest', 'removed'), about.roles),
      changeEntry(settings, about.roles),
    ]),
  ).toEqual([
    '‼ · 1 project · → admin · 1 · 1 group',
    '+ · 2 projects · → member · 2 · 2 groups',
    '+ · 1 project · → guest · 1 · 1 group',
    '+ · all projects · → guest · 1 · 1 group',
    '+ · workspace · → guest · 1 · 1 group',
    '+ · 1 project · → guest · 1 · 1 group · held · wait',
    '- · 1 project · = guest · 1 · 1 group',
    expect.stringMatching(/^⚙ · settings · /),
  ])
})

test('beyond the largest the roles share a total for each kind of target', () => {
  const entries = [
    ...['a', 'b', 'c'].map((group) => entry('A', group, 'guest')),
    entry('A', 'a', 'member'),
    entry('B', 'a', 'commenter'),
    entry('*', 'a', 'guest'),
  ]
  expect(totals(entries, 1)).toEqual([
    '+ · 1 project · → guest · 3 · 3 groups',
    '+ · 2 projects · → 2 other roles · 2 · 1 group',
    '+ · all projects · → 1 other role · 1 · 1 group',
  ])
  expect(totals(entries, 0)).toEqual(['+ · 2 projects · → 3 other roles · 5 · 3 groups', '+ · all projects · → 1 other role · 1 · 1 group'])
})

test('entries without a role share a total that speaks of none', () => {
  const unread = ['a', 'b'].map((group) =>
    entryOfHold(unsure('A', group, { kind: 'readingIncomplete', of: 'corp', why: 'no' }), waitingMark, view()),
  )
  expect(totals(unread, 0)).toEqual([`${waitingMark.symbol} · 1 project · 2 · 2 groups`])
  expect(totals(unread)).toEqual([`${waitingMark.symbol} · 1 project · 2 · 2 groups`])
  const suspended = entryOfHold(held(create('A', 'c', 'guest'), { kind: 'suspended', what: 'all' }), waitingMark, view())
  expect(totals([...unread, suspended], 0)).toEqual([`${waitingMark.symbol} · 1 project · → 2 other roles · 3 · 3 groups`])
})

test('a total says the cure that its changes share, where it says why they wait', () => {
  const holds = ['a', 'b'].map((group) =>
    entryOfHold(held(create('A', group, 'admin'), { kind: 'approval', why: 'protectedRole' }), waitingMark, view()),
  )
  const [{ sharedCure }] = holds as [PlanEntry]
  expect(sharedCure).not.toBe('')
  expect(totals(holds)).toEqual([`‼ · 1 project · → admin · 2 · 2 groups · protected role · ${sharedCure}`])
  expect(totals(holds.map((one) => ({ ...one, label: '' })))).toEqual(['‼ · 1 project · → admin · 2 · 2 groups'])
})

test('changes beside those that have rows', () => {
  expect([moreChanges(1), moreChanges(2_000)]).toEqual(['1 more change', '2,000 more changes'])
})
