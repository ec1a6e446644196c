import { describe, expect, test } from 'vitest'
import type { GroupName, Target } from '../../../src/core/mapping.ts'
import { selected, unmanagedEntries } from '../../../src/core/matches.ts'
import type { Unmanaged } from '../../../src/core/rule.ts'
import { matchesOf, pattern, rule, target } from './smallWorld.ts'

const entry = (groups: Unmanaged['groups'], where?: string): Unmanaged => ({
  groups,
  because: { at: { file: 'g', line: 1, column: 1 } },
  ...(where === undefined ? {} : { target: target(where) }),
})
const exact = rule('legacy', 'ENG', 'guest').groups
const globbed = { ...pattern('old-.*', 'ENG', 'guest').groups, except: new Set(['old-b' as GroupName]) } as Unmanaged['groups']

const isUnmanaged = (entries: readonly Unmanaged[], group: GroupName, at: Target): boolean =>
  unmanagedEntries(entries, matchesOf(entries, [group]))(group, at) !== undefined

describe('a mapping that the declaration says is never touched', () => {
  test.each([
    ['legacy', 'ENG', true],
    ['legacy', 'workspace', true],
    ['legacy2', 'ENG', false],
    ['old-a', '*', true],
    ['old-b', '*', false],
    ['older', '*', false],
  ])('%s at %s: %s', (group, where, expected) => {
    expect(isUnmanaged([entry(exact), entry(globbed)], group as GroupName, target(where))).toBe(expected)
  })

  const places = ['workspace', '*', 'ENG', 'OPS']
  test.each(places.flatMap((said) => places.map((here) => [said, here] as const)))('said of %s, and found at %s', (said, here) => {
    expect(isUnmanaged([entry(exact, said)], 'legacy' as GroupName, target(here))).toBe(said === here)
  })

  test('none is, where nothing is said', () => expect(isUnmanaged([], 'legacy' as GroupName, target('ENG'))).toBe(false))

  test('is shown with the first entry for its target, or else with the first entry for every target', () => {
    const entries = [entry(exact), entry(exact, 'ENG'), entry(exact), entry(exact, 'ENG')]
    const entryOf = unmanagedEntries(entries, new Map())
    const placeOf = (where: string) => entries.findIndex((one) => one === entryOf('legacy' as GroupName, target(where)))
    expect({ ENG: placeOf('ENG'), OPS: placeOf('OPS') }).toEqual({ ENG: 1, OPS: 0 })
  })
})

test('a pattern that was not matched with the names selects none of them', () => {
  expect([...selected(globbed, new Map())]).toEqual([])
})
