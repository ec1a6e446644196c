import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Group, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { expectText } from '../../../src/render/groupList.ts'
import { people } from '../bounds.ts'
import { complete } from '../core/smallWorld.ts'

const group = (name: string, more: Partial<Group> = {}): Group => ({ name: name as GroupName, id: name, place: name, ...more })
const named = (count: number) => Array.from({ length: count }, (_, n) => group(`g${String(n).padStart(3, '0')}`))
const proposed = (groups: readonly Group[]) => expectText('corp', complete(indexGroups(groups)))
const expectOf = (groups: readonly Group[]) => (parse(`directories:\n${proposed(groups)}`) as Proposal).directories.corp.expect
type Proposal = { directories: { corp: { expect: { atLeast: number; names: readonly string[] } } } }

test('four fifths of the groups, and all names if they are few', () => {
  expect(proposed(named(2))).toBe(
    '  "corp":\n    expect:\n      atLeast: 1 # four fifths of 2 groups\n      names: # keep only those that must always exist\n        - "g000"\n        - "g001"\n',
  )
  expect(expectOf(named(1))).toEqual({ atLeast: 1, names: ['g000'] })
})

test('of many names, the ones with the most people, or else some from the first to the last', () => {
  const some = named(30).map((one, n) => ({ ...one, ...(n % 2 === 0 ? { size: people(n) } : {}) }))
  expect(expectOf(some)).toEqual({ atLeast: 24, names: [28, 26, 24, 22, 20, 18, 16, 14, 12, 10].map((n) => `g0${n}`) })
  const unsorted = [5, 30, 10, 20].map((count) => group(`n${count}`, { size: people(count) }))
  expect(expectOf(unsorted).names).toEqual(['n30', 'n20', 'n10', 'n5'])
  expect(expectOf(named(500)).names).toEqual(Array.from({ length: 10 }, (_, n) => `g${String(n * 50).padStart(3, '0')}`))
})

test('a name that two groups have, or that is one of several of a group, is not proposed; any name is quoted', () => {
  const names = ['a', 'b']
  const several = names.map((name) => group(name, { names }))
  const groups = [group('twin'), group('twin', { id: 'other' }), ...several, group('no')]
  expect(expectOf(groups)).toEqual({ atLeast: 2, names: ['no'] })
})

test('a name that no rule can have, or that would look like another one, is not proposed', () => {
  const more = { size: people(9) }
  const unsafe = ['\u202Eevil', 'a\u009b31m', ' blank ', 'soft\u00ADhyphen', 'x'.repeat(300)].map((name) => group(name, more))
  expect(expectOf([...unsafe, group('devs', { size: people(1) })])).toEqual({ atLeast: 4, names: ['devs'] })
})

test('without a name to propose there is no list of names, which would be null', () => {
  const twins = [group('twin'), group('twin', { id: 'other' }), group('\u202Eevil')]
  expect(expectOf(twins)).toEqual({ atLeast: 1 })
})

test('an id has its label beside it, on the same line whatever the label is', () => {
  const labelled = [group('3f1c', { label: 'Sales EMEA' }), group('9ab2', { label: 'a\n# b\u0085c' })]
  expect(proposed(labelled)).toContain('        - "3f1c" # Sales EMEA\n        - "9ab2" # a\\u{a}# b\\u{85}c\n')
  expect(expectOf(labelled).names).toEqual(['3f1c', '9ab2'])
})

test('an incomplete reading proposes nothing', () => {
  expect(expectText('corp', { status: 'partial', value: indexGroups(named(5)), missing: 'page\u0007 two', atMs: 0, tookMs: 0 })).toBe(
    '  "corp":\n    # no proposal: page\\u{7} two\n',
  )
})
