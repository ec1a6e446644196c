import { expect, test } from 'vitest'
import { type Group, type GroupIndex, indexGroups } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { groupListText, transcribedText } from '../../../src/render/groupList.ts'
import { people } from '../bounds.ts'

const devs: Group = { name: 'devs' as GroupName, id: '1', place: 'cn=devs', size: people(63) }
const uncounted: Group = { name: 'o\u0007ps' as GroupName, id: '2', place: 'cn=ops\u0007' }
const times = { atMs: 0, tookMs: 12 }
const shown = (reading: Reading<GroupIndex>, groups: readonly Group[]) => groupListText({ name: 'corp', kind: 'ldap', reading, groups })

test('a whole answer: each group with its people and its place, and nothing that a terminal obeys', () => {
  const value = indexGroups([devs, uncounted])
  expect(shown({ status: 'complete', value, ...times }, [devs, uncounted])).toBe(
    'corp (ldap) complete · 2 groups · 12 ms\n  devs      63 people  cn=devs\n  o\\u{7}ps             cn=ops\\u{7}\n',
  )
})

test('a place that only repeats the name, or the id that is the name, is left out', () => {
  const rowOf = (group: Omit<Group, 'name'> & { readonly name: string }): string => {
    const one = { ...group, name: group.name as GroupName }
    return shown({ status: 'complete', value: indexGroups([one]), ...times }, [one]).split('\n')[1] ?? ''
  }
  expect(rowOf({ name: '3f1c', id: '3f1c', place: '/groups/3f1c', label: 'Sales' })).toBe('  3f1c  Sales')
  expect(rowOf({ name: '/eng/web', id: 'x', place: '/eng/web', size: people(12) })).toBe('  /eng/web  12 people')
  expect(rowOf({ name: 'Sales', id: '3f1c', place: '/groups/3f1c' })).toBe('  Sales    /groups/3f1c')
  expect(rowOf({ name: 'web', id: 'x', place: '/eng/web' })).toBe('  web    /eng/web')
  expect(rowOf({ name: 'a', id: 'x', place: 'a', names: ['a', 'b'] })).toBe('  a    (names: a, b)')
})

test('a choice says how many there are', () => {
  const value = indexGroups([devs, uncounted])
  expect(shown({ status: 'complete', value, ...times }, [devs])).toContain('corp (ldap) complete · 1 of 2 groups · 12 ms')
  expect(shown({ status: 'complete', value, ...times }, [])).toContain('0 of 2 groups')
})

test('a part says what is missing', () => {
  const value = indexGroups([devs])
  expect(shown({ status: 'partial', value, missing: 'one\u0007 entry', ...times }, [devs])).toBe(
    'corp (ldap) partial: one\\u{7} entry · 1 group · 12 ms\n  devs  63 people  cn=devs\n',
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
      '  o\\u{7}ps    cn=ops\\u{7} (names: mine, o\\u{7}ps)',
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
      `  devs${' '.repeat(56)}  63 people  cn=devs`,
      `  ${'w'.repeat(61)}             cn=w`,
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
    'corp (ldap) complete · 2 groups · 12 ms\n  id-1  De\\u{7}vs\n  id-2\n',
  )
})

test('a transcript says what was read of groups and of members, without the groups', () => {
  const reading = { status: 'complete', value: indexGroups([devs, uncounted]), ...times } as const
  const text = (members: Parameters<typeof transcribedText>[0]['members'], of: Reading<GroupIndex> = reading) =>
    transcribedText({ name: 'corp', kind: 'okta', reading: of, members, whyNone: 'no \u0007 people' })
  const failed = { status: 'failed', why: 'no answer', cure: 'wait\u0007', ...times } as const
  expect(text(undefined)).toBe('corp (okta) complete · 2 groups · 12 ms\n  no members: no \\u{7} people\n')
  expect(text({ groups: 1, reading })).toBe('corp (okta) complete · 2 groups · 12 ms\n  members of 1 group: complete\n')
  expect(text({ groups: 2, reading: failed })).toContain('\n  members of 2 groups: failed: no answer\n  wait\\u{7}\n')
  const { cure: _, ...withoutCure } = failed
  expect(text({ groups: 2, reading: withoutCure })).toMatch(/\n {2}members of 2 groups: failed: no answer\n$/)
  expect(text(undefined, failed)).toContain('failed: no answer · 0 groups')
})

test.each(['a\nb', 'a\r\u2028b', '\u202Ea', '\u001B[2Ja', 'n'.repeat(65_536), '\u0007'.repeat(65_536)])(
  'no name, label, place or sentence breaks its line or fills the screen: %#',
  (text) => {
    const one: Group = { name: text as GroupName, id: text, place: `cn=${text}`, label: text, names: [text, 'b'] }
    const notes = [{ code: 'members-unreadable', severity: 'warning', sentence: text, cure: text }] as const
    const lines = shown({ status: 'partial', value: indexGroups([one]), missing: text, notes, ...times }, [one]).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.join('').length).toBeLessThan(8_000)
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  },
)
