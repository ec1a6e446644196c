import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LdapEntry } from '../../../src/directories/ldap/ber.ts'
import { dnKey, sameDn } from '../../../src/directories/ldap/dn.ts'
import { memberAttributes, memberSources, plainClasses } from '../../../src/directories/ldap/memberSources.ts'
import { isGlobalCatalogue } from '../../../src/directories/ldap/otherSources.ts'
import { gidKey, memberForm, memberKey, memberName, personKeys, takePerson } from '../../../src/directories/ldap/people.ts'
import { attributesOf } from './ldapAttribute.ts'

type Values = Readonly<Record<string, readonly (string | Buffer)[]>>

const entry = (attributes: Values, dn = 'uid=ann,ou=people'): LdapEntry => ({ dn, attributes: attributesOf(attributes) })
const usual = { identity: 'mail', form: 'dn', asOfMs: Date.UTC(2026, 10, 29) } as const
const take = (attributes: Values) => takePerson(entry({ mail: ['Ann@Example.org'], ...attributes }), usual)

describe('the key of a DN', () => {
  test.each([
    ['cn=ann abel,ou=a', 'CN=Ann  Abel , OU=a'],
    ['cn=ann,ou=a', String.raw`cn=\41nn,ou=a`],
    ['cn=größe', String.raw`CN=GR\c3\b6SSE`.replace('SSE', String.raw`\c3\9fe`)],
    [String.raw`cn=a\,b,ou=a`, String.raw`cn=a\2Cb;ou=a`],
    ['cn=a+uid=b', 'UID=b+cn=a'],
  ])('%s is that of %s', (one, other) => {
    expect(dnKey(one)).toBe(dnKey(other))
    expect(dnKey(one)).toBeDefined()
  })

  test.each([
    // People whose names differ only in a blank are often in one place.
    ['cn=jo anne smith', 'cn=joanne smith'],
    [String.raw`cn=a\,ou=b`, 'cn=a,ou=b'],
    [String.raw`cn=a\2b`, 'cn=a'],
    [String.raw`cn=\22a\22`, 'cn=a'],
  ])('%s is not that of %s', (one, other) => {
    expect(dnKey(one)).not.toBe(dnKey(other))
  })

  test.each(['ann', 'cn', 'cn=a,', String.raw`cn=a\zz`])('%s has none', (text) => {
    expect(dnKey(text)).toBeUndefined()
  })

  test('is equal exactly if the DNs name the same entry', () => {
    const value = fc.oneof(
      fc.constantFrom('ann', 'Ann', 'a b', 'a  b', ' a', 'a,b', 'a\\', 'ä', 'Ä', 'a+b', '#a', '"a"'),
      fc.string({ maxLength: 3 }),
    )
    const hex = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
    const short = (text: string) => text.replaceAll(/[ "#+,;<=>\\]/g, '\\$&')
    const dn = fc
      .array(
        fc.tuple(
          fc.constantFrom('cn', 'OU'),
          value,
          fc.constantFrom(hex, short, (text: string) => text),
        ),
        { minLength: 1, maxLength: 2 },
      )
      .map((parts) => parts.map(([type, text, write]) => `${type}=${write(text)}`).join(','))
    fc.assert(
      fc.property(dn, dn, (one, other) => {
        const [key, otherKey] = [dnKey(one), dnKey(other)]
        expect(key !== undefined && key === otherKey).toBe(sameDn(one, other))
      }),
    )
  })
})

describe('a person', () => {
  test.each([['computer'], ['Contact']])('is no %s of Active Directory', (kind) => {
    expect(take({ objectClass: ['top', 'person', kind] })).toBeUndefined()
  })

  test('is known by the id of the entry without the attribute, and by its DN without an id', () => {
    expect(takePerson(entry({ entryUUID: ['7'] }), usual)).toMatchObject({ person: { id: '7', key: '' }, hasIdentity: false })
    expect(takePerson(entry({ mail: [' '] }), usual)).toMatchObject({
      person: { id: 'uid=ann,ou=people', key: '' },
      hasIdentity: false,
    })
    expect(takePerson(entry({ objectGUID: [Buffer.alloc(16, 1)] }), { ...usual, identity: 'objectGUID' })?.person.key).toBe(
      '01010101-0101-0101-0101-010101010101',
    )
  })

  test('has the primary group that its SID and a number say', () => {
    const sid = (rid: number) => Buffer.concat([Buffer.alloc(24, 1), Buffer.from(new Uint32Array([rid]).buffer)])
    const of = (objectSid: Buffer, ...primaryGroupID: readonly string[]) => take({ objectSid: [objectSid], primaryGroupID })?.primaryGroup
    expect(of(sid(1_104), '513')).toBe(sid(513).toString('latin1'))
    expect(of(sid(1_104))).toBeUndefined()
    expect(of(sid(1_104), 'x')).toBeUndefined()
    expect(of(Buffer.alloc(8), '513')).toBeUndefined()
  })
})

describe('the name of a member', () => {
  test('is a DN, with a bit string after it in uniqueMember, or the uid in memberUid', () => {
    expect([memberForm('member'), memberForm('uniqueMember'), memberForm('MemberUID')]).toEqual(['dn', 'dn', 'uid'])
    expect(memberName('dn', "cn=a#'0101'B")).toBe('cn=a')
    expect(memberName('dn', 'cn=#a')).toBe('cn=#a')
    expect(memberKey('uid', ' Ann ')).toBe('ann')
    expect(personKeys(entry({ uid: ['ann', 'a'] }), 'uid')).toEqual(['ann', 'a'])
    expect(personKeys(entry({ uid: ['ann', 'a'] }), 'dn')).toEqual(['uid=ann,ou=people'])
  })
})

test('a global catalogue is known by its ports', () => {
  const addresses = ['ldap://dc:3268', 'ldaps://dc:3269', 'ldaps://dc', 'ldap://dc:389', 'ldap://[::1]:3268']
  expect(addresses.map(isGlobalCatalogue)).toEqual([true, true, false, false, true])
})

describe('what else than groups.member makes members', () => {
  const source = (attributes: Values, member = 'member') =>
    memberSources(attributesOf({ objectClass: ['top', 'groupOfNames'], ...attributes }), member).more

  test.each([...memberAttributes.slice(1), 'MEMBERUID', 'memberUid;range=0-0', 'labeledURI;lang-en', 'member;x-own', 'inventedMembers'])(
    'a value of %s does, whatever values member has',
    (attribute) => {
      for (const member of [[], [''], ['cn=a']])
        expect(source({ member, [attribute]: ['x'] })).toBe(`${attribute} may give it members, and this program reads only member`)
      expect(source({ member: ['cn=a'], [attribute]: [''] })).toBeUndefined()
    },
  )

  test.each([
    'member',
    'member;range=0-1',
    'memberOf',
    'memberManager',
    'msExchGroupMemberCount',
    'msDS-MembersForAzRoleBL',
    'description',
  ])('a value of %s does not', (attribute) => expect(source({ [attribute]: ['x'] })).toBeUndefined())

  test('however many other attributes were seen before', () => {
    for (let n = 0; n < 300; n++) expect(source({ [`invented${n}`]: ['x'] })).toBeUndefined()
    for (const attribute of ['lateMembers', 'LateMembers', 'lateMembers'])
      expect(source({ [attribute]: ['x'] })).toBe(`${attribute} may give it members, and this program reads only member`)
  })

  test('the attribute of the settings does not, unless it holds a search', () => {
    expect(source({ memberUid: ['ann'] }, 'MemberUid')).toBeUndefined()
    for (const search of ['memberURL', 'memberQueryURL', 'msDS-AzLDAPQuery', 'msExchDynamicDLFilter'])
      expect(source({ [search]: ['ldap:///'] }, search)).toBe(
        `${search} says by a search who is a member, and this program does not make that search`,
      )
  })

  test('an object class that is not known may, and is named', () => {
    for (const name of [...Object.keys(plainClasses), 'GROUPOFNAMES']) expect(source({ objectClass: ['top', name] })).toBeUndefined()
    for (const name of ['groupOfURLs', 'nsRoleDefinition', 'dynamicGroup', 'extensibleObject', 'ownGroup'])
      expect(source({ objectClass: ['top', name, 'groupOfNames'] })).toBe(
        `this program does not know how its object class ${name} makes members`,
      )
  })

  test.each<[attributes: Values, member: string, expected: readonly string[]]>([
    [{ objectClass: ['top', 'groupOfNames'] }, 'MEMBER', []],
    [{ objectClass: ['top', 'GroupOfNames', 'ipaUserGroup'] }, 'memberUid', ['member']],
    [{ objectClass: ['groupOfNames'], member: [''] }, 'memberUid', []],
    [{ objectClass: ['groupOfNames'], member: [] }, 'memberUid', ['member']],
    [{ objectClass: ['group'], member: [], 'Member;range=0-1': ['cn=a', 'cn=b'] }, 'memberUid', ['objectSid']],
    [{ objectClass: ['groupOfUniqueNames', 'posixGroup'], GIDNUMBER: ['7'] }, 'member', ['uniqueMember', 'memberUid']],
    [{ objectClass: ['ownGroup', 'inetUser'] }, 'member', []],
    [{}, 'member', ['objectClass']],
  ])('%j with %s shows no value of %j', (attributes, member, expected) => {
    expect(memberSources(attributesOf(attributes), member).unshown).toEqual(expected)
  })

  test('a person has a gidNumber, or may have one that is hidden', () => {
    const gid = (attributes: Values) => take({ objectClass: ['person'], ...attributes })?.gid
    expect([gid({}), gid({ gidNumber: ['0100'] }), gid({ objectClass: ['posixAccount'] }), gid({ objectClass: [] })]).toEqual([
      '',
      '100',
      'hidden',
      'hidden',
    ])
    expect([undefined, '', '0', '007', ' 7 '].map(gidKey)).toEqual(['', '', '0', '7', '7'])
  })
})
