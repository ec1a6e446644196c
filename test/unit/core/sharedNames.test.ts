import { describe, expect, test } from 'vitest'
import { type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName, WorkspaceName } from '../../../src/core/mapping.ts'
import { withLearned } from '../../../src/core/memory/meantIds.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { looksExchanged } from '../../../src/core/memory/sharedNames.ts'

/** Groups as `name#id`. */
const groups = (...all: readonly string[]): GroupIndex =>
  indexGroups(
    all.map((text) => {
      const [name = '', id = ''] = text.split('#')
      return { name: name as GroupName, id, place: `at ${id}` }
    }),
  )

const ids = { 'corp/devs': { '1': ['rule'] }, 'corp/ops': { '2': ['rule'] } }
const memory = { meantGroups: withLearned(emptyMemory.meantGroups, { workspace: 'acme' as WorkspaceName, ids }) }
const looks = (...all: readonly string[]) => looksExchanged('corp', groups(...all), memory)

describe('a list looks as if two groups exchanged their names while it was read', () => {
  test('if a group has the name of another one, and its own name is gone', () => {
    expect(looks('devs#1', 'devs#2')).toBe(true)
    expect(looks('ops#1', 'ops#2', 'more#3')).toBe(true)
  })
  test('also if rules meant several groups by the name that is gone, and one of them shares a name', () => {
    const several = { 'corp/ops': { '2': ['rule'], '9': ['another rule'] } }
    const known = { meantGroups: withLearned(emptyMemory.meantGroups, { workspace: 'acme' as WorkspaceName, ids: several }) }
    expect(looksExchanged('corp', groups('devs#1', 'devs#2'), known)).toBe(true)
  })
  test('not by groups that have no ids of their own', () => {
    const byPlace = { 'corp/ops': { 'at x': ['rule'], '': ['rule'] } }
    const known = { meantGroups: withLearned(emptyMemory.meantGroups, { workspace: 'acme' as WorkspaceName, ids: byPlace }) }
    const named = (place: string) => ({ name: 'devs' as GroupName, id: place, place })
    expect(looksExchanged('corp', indexGroups([named('at x'), named('at y')]), known)).toBe(false)
  })
  test.each([
    ['both names are there', ['devs#1', 'ops#2']],
    ['they were exchanged before', ['devs#2', 'ops#1']],
    ['a group got a name that is free', ['devs#1', 'new#2']],
    ['a group is gone', ['devs#1']],
    ['a group was made that has the name of another one', ['devs#1', 'ops#2', 'ops#3']],
    ['two other groups have one name', ['devs#1', 'more#3', 'more#4']],
  ])('not if %s', (_, all) => {
    expect(looks(...all)).toBe(false)
  })
  test('not by the groups of another directory, or without a memory', () => {
    expect(looksExchanged('lab', groups('devs#1', 'devs#2'), memory)).toBe(false)
    expect(looksExchanged('corp', groups('devs#1', 'devs#2'), emptyMemory)).toBe(false)
  })
})
