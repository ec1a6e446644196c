import { describe, expect, test } from 'vitest'
import type { LdapEntry } from '../../../src/directories/ldap/ber.ts'
import { takeEntry } from '../../../src/directories/ldap/entry.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'

const place = 'cn=x,ou=groups'
const entry = (attributes: Readonly<Record<string, readonly (string | Buffer)[]>>): LdapEntry => ({
  dn: place,
  attributes: Object.entries(attributes).map(([type, values]) => ({
    type,
    count: values.length,
    emptyCount: values.filter(({ length }) => length === 0).length,
    values: () => values.map((value) => Buffer.from(value)),
  })),
})
const wanted: LdapSettings['groups'] = { base: '', scope: 'sub', filter: '', name: 'cn', members: 'member' }
const { members: _, ...uncounted } = wanted

describe('an entry without one clear name', () => {
  test.each([
    ['no value', []],
    ['no value', ['']],
    ['several values', ['x', 'y']],
    ['several values', ['x', 'x']],
    ['too long a value', ['n'.repeat(4_097)]],
    ['a value that is not UTF-8', [Buffer.from([0x61, 0xff])]],
  ])('has %s: %#', (why, cn) => {
    expect(takeEntry(entry({ cn }), wanted)).toEqual({ kind: 'nameless', place, why })
  })
  test.each(['n'.repeat(4_096), '\ufffd', 'a\ufffd', '\ufeffa', ' '])('%j is one', (name) => {
    expect(takeEntry(entry({ cn: [name] }), wanted)).toMatchObject({ kind: 'group', group: { name } })
  })
})

describe('a group', () => {
  test('has as many people as the entry has members', () => {
    expect(takeEntry(entry({ cn: ['x'], member: ['a', 'b', ''] }), wanted)).toStrictEqual({
      kind: 'group',
      group: { name: 'x', id: place, place, people: 2 },
      counted: { count: 2 },
    })
  })
  test('whose members are split has none yet', () => {
    expect(takeEntry(entry({ cn: ['x'], 'member;range=0-1': ['a', 'b'] }), wanted)).toStrictEqual({
      kind: 'group',
      group: { name: 'x', id: place, place },
      counted: { count: 2, next: 2 },
    })
  })
  test('is not counted where nobody asked', () => {
    expect(takeEntry(entry({ cn: ['x'], member: ['a'] }), uncounted)).toStrictEqual({
      kind: 'group',
      group: { name: 'x', id: place, place },
      counted: undefined,
    })
  })
})

describe('what identifies a group for good', () => {
  const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  const text = Buffer.from('sixteen letters!')
  const idOf = (attributes: Parameters<typeof entry>[0], id?: string) => {
    const taken = takeEntry(entry({ cn: ['x'], ...attributes }), { ...wanted, ...(id === undefined ? {} : { id }) })
    return taken.kind === 'group' ? taken.group.id : taken
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
