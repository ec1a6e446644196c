import { expect, test } from 'vitest'
import { type Group, type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { groupListText } from '../../../src/render/groupList.ts'

const devs: Group = { name: 'devs' as GroupName, id: '1', place: 'cn=devs', people: 63 }
const uncounted: Group = { name: 'o\u0007ps' as GroupName, id: '2', place: 'cn=ops\u0007' }
const times = { atMs: 0, tookMs: 12 }
const shown = (reading: Reading<GroupIndex>, groups: readonly Group[]) => groupListText({ name: 'corp', kind: 'ldap', reading, groups })

test('a whole answer: each group with its people and its place, and nothing that a terminal obeys', () => {
  const value = indexGroups([devs, uncounted])
  expect(shown({ status: 'complete', value, ...times }, [devs, uncounted])).toBe(
    'corp (ldap) complete · 2 groups · 12 ms\n  devs          63  cn=devs\n  o\\u{7}ps          cn=ops\\u{7}\n',
  )
})

test('a choice says how many there are', () => {
  const value = indexGroups([devs, uncounted])
  expect(shown({ status: 'complete', value, ...times }, [devs])).toContain('corp (ldap) complete · 1 of 2 groups · 12 ms')
  expect(shown({ status: 'complete', value, ...times }, [])).toContain('0 of 2 groups')
})

test('a part says what is missing', () => {
  const value = indexGroups([devs])
  expect(shown({ status: 'partial', value, missing: 'one\u0007 entry', ...times }, [devs])).toBe(
    'corp (ldap) partial: one\\u{7} entry · 1 group · 12 ms\n  devs      63  cn=devs\n',
  )
})

test('a failure says why, and what to do where that is known', () => {
  expect(shown({ status: 'failed', why: 'no\u0007 answer', cure: 'start\u0007 it', ...times }, [])).toBe(
    'corp (ldap) failed: no\\u{7} answer · 0 groups · 12 ms\n  start\\u{7} it\n',
  )
  expect(shown({ status: 'failed', why: 'no answer', ...times }, [])).toBe('corp (ldap) failed: no answer · 0 groups · 12 ms\n')
})

test('findings of a reading, and the names of an entry that has several', () => {
  const names = ['mine', 'o\u0007ps']
  const two = { ...uncounted, names }
  const notes = [{ code: 'members-unreadable', severity: 'warning', sentence: 'no\u0007 member', cure: 'let it\u0007 read' }] as const
  expect(shown({ status: 'complete', value: indexGroups([two]), notes, ...times }, [two])).toBe(
    [
      'corp (ldap) complete · 1 group · 12 ms',
      '  warning members-unreadable: no\\u{7} member; let it\\u{7} read',
      '  o\\u{7}ps          cn=ops\\u{7} (names: mine, o\\u{7}ps)',
      '',
    ].join('\n'),
  )
})

test('findings without a cure, names that are wider than the column of names, and an entry without a count', () => {
  const wide = { ...uncounted, name: 'w'.repeat(61) as GroupName, place: 'cn=w' }
  const note = { code: 'members-unreadable', severity: 'warning', sentence: 'no member' } as const
  const notes = [note, note]
  expect(shown({ status: 'complete', value: indexGroups([devs, wide]), notes, ...times }, [devs, wide])).toBe(
    [
      'corp (ldap) complete · 2 groups · 12 ms',
      '  warning members-unreadable: no member',
      '  warning members-unreadable: no member',
      `  devs${' '.repeat(56)}      63  cn=devs`,
      `  ${'w'.repeat(61)}          cn=w`,
      '',
    ].join('\n'),
  )
})

test('groups whose names are ids have a column with what people call them', () => {
  const groups: readonly Group[] = [
    { name: 'id-1' as GroupName, id: 'id-1', place: '/groups/id-1', label: 'De\u0007vs' },
    { name: 'id-2' as GroupName, id: 'id-2', place: '/groups/id-2' },
  ]
  expect(shown({ status: 'complete', value: indexGroups(groups), ...times }, groups)).toBe(
    'corp (ldap) complete · 2 groups · 12 ms\n  id-1  De\\u{7}vs          /groups/id-1\n  id-2                     /groups/id-2\n',
  )
})
