import { describe, expect, test } from 'vitest'
import type { LdapEntry } from '../../../src/directories/ldap/ber.ts'
import { takeEntry } from '../../../src/directories/ldap/entry.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { members } from '../bounds.ts'
import { attributesOf } from './ldapAttribute.ts'

const place = 'cn=x,ou=groups'
const entry = (attributes: Readonly<Record<string, readonly (string | Buffer)[]>>): LdapEntry => ({
  dn: place,
  attributes: attributesOf({ objectClass: ['groupOfNames'], ...attributes }),
})
const wanted: LdapSettings['groups'] = { base: '', scope: 'sub', filter: '', name: 'cn', members: 'member' }
const { members: _, ...uncounted } = wanted

const take = (attributes: Parameters<typeof entry>[0], groups = wanted, membersMax = 100) =>
  takeEntry(entry(attributes), groups, membersMax)
const bytes = Buffer.from([0x61, 0xff])
const sid = (rid: number) => Buffer.from(Uint32Array.of(0x501, 0x0500_0000, 21, rid).buffer)
const long = 'n'.repeat(4_097)

describe('the name of an entry', () => {
  test.each([[[]], [['']]])('is unknown, so that the entry may be any group: %j', (cn) => {
    expect(take({ cn })).toEqual({ kind: 'nameless', place, isCrowded: false })
  })
  test.each([
    ['not UTF-8', [bytes]],
    ['longer than any name in a rule', [long]],
    ['both', [bytes, long]],
  ])('can be in no rule: %s', (_, cn) => expect(take({ cn })).toEqual({ kind: 'unusable', place, isCrowded: false }))
  test.each(['n'.repeat(4_096), '\ufffd', 'a\ufffd', '\ufeffa', ' '])('%j is one', (name) => {
    expect(take({ cn: [name] })).toMatchObject({ kind: 'group', groups: [{ name }] })
  })
})

describe('an entry with several names', () => {
  const groupsOf = (cn: readonly (string | Buffer)[]) => {
    const taken = take({ cn, member: ['a'] })
    return taken.kind === 'group' ? taken.groups : taken.kind
  }
  test('is a group under each of them, and each says all of them', () => {
    const same = { id: place, place, size: members(1), names: ['too', 'two'] }
    expect(groupsOf(['two', 'too'])).toStrictEqual([
      { name: 'two', ...same },
      { name: 'too', ...same },
    ])
  })
  test('has one if the same name comes twice', () => {
    expect(groupsOf(['x', 'x'])).toStrictEqual([{ name: 'x', id: place, place, size: members(1) }])
  })
  test.each([
    ['one that is not UTF-8', bytes, 'a\ufffd'],
    ['one that is too long', long, `${'n'.repeat(100)}…`],
    ['an empty one', '', ''],
  ])('still has several if there is %s beside it', (_, other, shown) => {
    expect(groupsOf(['x', other])).toMatchObject([{ name: 'x', names: [shown, 'x'].toSorted() }])
  })
  test('shows a hundred characters of each', () => {
    const [hundred, more] = ['m'.repeat(100), 'n'.repeat(101)]
    expect(groupsOf([hundred, more])[0]).toMatchObject({ names: [hundred, `${'n'.repeat(100)}…`] })
  })
  test('shows the first ten, so that thousands of names do not become a text for each of thousands of groups', () => {
    const all = groupsOf(Array.from({ length: 30 }, (_, n) => `n${String(n).padStart(2, '0')}`))
    expect(all).toHaveLength(30)
    expect(all[0]).toMatchObject({ names: [...Array.from({ length: 10 }, (_, n) => `n0${n}`), '20 more'] })
    const ten = Array.from({ length: 10 }, (_, n) => `n0${n}`)
    expect(groupsOf(ten)[0]).toMatchObject({ names: ten })
  })
})

test.each([
  [1_000, false],
  [1_001, true],
])('an entry with %d names is a group under 1,000 of them, and says whether there are more', (count, isCrowded) => {
  const taken = take({ cn: Array.from({ length: count }, (_, n) => `n${n}`) })
  expect(taken).toMatchObject({ kind: 'group', groups: { length: 1_000 }, isCrowded })
  expect(take({ cn: Array.from({ length: count }, () => bytes) })).toEqual({ kind: 'unusable', place, isCrowded })
})

describe('the people of a group', () => {
  const peopleOf = (...of: Parameters<typeof take>) => {
    const taken = take(...of)
    return taken.kind === 'group' ? { ...taken.members, sizes: taken.groups.map(({ size }) => size) } : taken
  }
  test('are as many as the entry has members', () => {
    expect(peopleOf({ cn: ['x'], member: ['a', 'b', ''] })).toEqual({ kind: 'counted', count: 2, sizes: [members(2)] })
  })
  test('are none if the only value is a placeholder', () => {
    expect(peopleOf({ cn: ['x'], member: [''] })).toEqual({ kind: 'counted', count: 0, sizes: [members(0)] })
  })
  test.each([[{}], [{ member: [] }], [{ uniqueMember: ['a'] }]])('are unknown if the entry has no value: %j', (more) => {
    expect(peopleOf({ cn: ['x'], ...more })).toEqual({ kind: 'absent', sizes: [undefined] })
  })
  test('are unknown as long as a part is missing', () => {
    expect(peopleOf({ cn: ['x'], 'member;range=0-1': ['a', 'b'] })).toEqual({ kind: 'counted', count: 2, next: 2, sizes: [undefined] })
  })
  test.each([
    ['it is unclear which part came', { 'member;range=5-6': ['a', 'b'] }, 100],
    ['they are more than the settings count', { member: ['a', 'b'] }, 1],
    ['it does not show an attribute of its class', { member: ['a'], objectClass: ['groupOfUniqueNames'] }, 100],
    ['it does not show its class', { member: ['a'], objectClass: [] }, 100],
    ["it is the primary group of Active Directory's accounts", { member: ['a'], objectSid: [sid(513)] }, 100],
    ['it does not show its id, which Active Directory has', { member: ['a'], objectClass: ['top', 'group'] }, 100],
  ])('are unknown if %s', (_, more, membersMax) => {
    expect(peopleOf({ cn: ['x'], ...more }, wanted, membersMax)).toEqual({ kind: 'unclear', sizes: [undefined] })
  })
  test('are counted up to the maximum, and in other groups of Active Directory', () => {
    expect(peopleOf({ cn: ['x'], member: ['a', 'b'], objectSid: [sid(1_107)] }, wanted, 2)).toMatchObject({ sizes: [members(2)] })
    expect(peopleOf({ cn: ['x'], member: ['a'], objectSid: ['x'] })).toMatchObject({ sizes: [members(1)] })
  })
  test('are not counted where the settings name no attribute', () => {
    expect(peopleOf({ cn: ['x'], member: ['a'] }, uncounted)).toEqual({ kind: 'unwanted', sizes: [undefined] })
  })
})

describe('what identifies a group for good', () => {
  const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  const text = Buffer.from('sixteen letters!')
  const idOf = (attributes: Parameters<typeof entry>[0], id?: string) => {
    const taken = take({ cn: ['x'], ...attributes }, { ...wanted, ...(id === undefined ? {} : { id }) })
    return taken.kind === 'group' ? taken.groups[0].id : taken
  }
  test.each<[string, Parameters<typeof entry>[0], string | undefined, string]>([
    ['the first that the server has', { nsUniqueId: ['n'], objectGUID: [bytes], entryUUID: ['e'] }, undefined, 'e'],
    ['Active Directory prints its own so', { objectGUID: [bytes] }, undefined, '33221100-5544-7766-8899-aabbccddeeff'],
    ['whatever case it has', { OBJECTGUID: [bytes] }, undefined, '33221100-5544-7766-8899-aabbccddeeff'],
    ['but only its own', { entryUUID: [text] }, undefined, 'sixteen letters!'],
    ['and only if it is one', { objectGUID: ['short'] }, undefined, 'short'],
    ['bytes that are no text', { entryUUID: [Buffer.from([0xff, 0x01])] }, undefined, 'ff01'],
    ['what the settings name', { gid: ['7'], entryUUID: ['e'] }, 'gid', '7'],
    ['nothing else then', { entryUUID: ['e'] }, 'gid', place],
    ['as long as any', { entryUUID: ['i'.repeat(4_096)] }, undefined, 'i'.repeat(4_096)],
    ['not one that is longer: the next', { entryUUID: ['i'.repeat(4_097)], nsUniqueId: ['n'] }, undefined, 'n'],
    ['else the place', {}, undefined, place],
  ])('%s', (_name, attributes, id, expected) => expect(idOf(attributes, id)).toBe(expected))
})
