import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPlace, stateOf, writesTo } from '../process/program.ts'
import { membersIn } from './ldapReadings.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/**
 * A real slapd whose groups have members by what other servers have: attributes of eDirectory, IBM, FreeIPA, Oracle, Exchange and AD, and attributes of
 * people. A content rule allows them at a plain groupOfNames, so that no object class tells them.
 */

const suffix = 'dc=example,dc=org'
const [groups, people] = [`ou=groups,${suffix}`, `ou=people,${suffix}`]
const at = (uid: string) => `uid=${uid},${people}`
const team = (cn: string) => `cn=${cn},${groups}`
const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const group = (cn: string, ...lines: readonly string[]) => entry(team(cn), 'objectClass: groupOfNames', `cn: ${cn}`, ...lines)
const person = (uid: string, ...lines: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`, ...lines)

/** Each with a value by which it makes members. */
const ofGroups = {
  memberQueryURL: `ldap:///${people}??sub?(uid=*)`,
  'ibm-memberGroup': team('plain'),
  ipaExternalMember: 'S-1-5-21-1-2-3-500',
  mgrpRFC822MailMember: 'ann@example.org',
  memberUser: at('ann'),
  'msDS-MembersForAzRole': at('ann'),
  msExchDynamicDLFilter: '(mail=*)',
  zimbraMailForwardingAddress: 'ann@example.org',
  inventedMember: at('ann'),
} as const
const ofPeople = ['isMemberOf', 'ibm-allGroups'] as const

const text = 'SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 EQUALITY caseIgnoreMatch'
const schema = [
  ...Object.keys(ofGroups).map((name, n) => `attributetype ( 1.3.9999.1.${n} NAME '${name}' ${text} )`),
  ...ofPeople.map((name, n) => `attributetype ( 1.3.9999.2.${n} NAME '${name}' SUP distinguishedName )`),
  `attributetype ( 1.3.9999.2.9 NAME 'groupMembership' ${text} )`,
  "objectclass ( 1.3.9999.3.1 NAME 'ownGroup' SUP groupOfNames STRUCTURAL MAY info )",
  "objectclass ( 1.3.9999.3.2 NAME 'ownUrls' SUP top STRUCTURAL MUST ( cn $ memberQueryURL ) )",
  `ditcontentrule ( 2.5.6.9 NAME 'groupRule' MAY ( ${Object.keys(ofGroups).join(' $ ')} $ labeledURI ) )`,
  `ditcontentrule ( 2.16.840.1.113730.3.2.2 NAME 'personRule' MAY ( ${ofPeople.join(' $ ')} $ groupMembership ) )`,
].join('\n')

const naming = Array.from({ length: 20 }, (_, n) => `n${n}`)
const world = [
  entry(people, 'objectClass: organizationalUnit', 'ou: people'),
  person('ann', `isMemberOf: ${team('listed')}`),
  person('bob', `isMemberOf: ${team('inner')}`, `isMemberOf: ${team('outer')}`),
  person('cem', 'groupMembership: byName'),
  person('dee', 'isMemberOf;lang-de: cn=elsewhere', `isMemberOf;lang-en: ${team('byOption')}`),
  ...naming.map((uid) => person(uid, `isMemberOf: ${team('mixed')}`, `ibm-allGroups: ${team('ibmAll')}`)),
  group('plain', `member: ${at('ann')}`),
  group('empty', 'member:'),
  group('optioned', `member: ${at('ann')}`, `member;lang-en: ${at('bob')}`),
  group('onlyOptioned', 'member:', `member;lang-de: ${at('ann')}`, `member;lang-en: ${at('bob')}`),
  group('otherOption', `member: ${at('ann')}`, 'cn;lang-de: otherOption', 'description;lang-en: x'),
  group('listed', `member: ${at('ann')}`),
  group('inner', `member: ${at('bob')}`),
  group('outer', `member: ${at('ann')}`, `member: ${team('inner')}`),
  group('mixed', `member: ${at('ann')}`),
  group('ibmAll', 'member:'),
  group('byName', 'member:'),
  group('byOption', 'member:'),
  group('withUrls', `member: ${at('ann')}`, `member: cn=urls,${suffix}`),
  entry(`cn=urls,${suffix}`, 'objectClass: ownUrls', 'cn: urls', 'memberQueryURL: ldap:///'),
  entry(team('own'), 'objectClass: ownGroup', 'cn: own', `member: ${at('ann')}`),
  group('labeledURI', 'member:', `labeledURI: ldap:///${people}??sub?(uid=*)`),
  ...Object.entries(ofGroups).flatMap(([name, value]) => [
    group(name, 'member:', `${name}: ${value}`),
    group(`${name}-beside`, `member: ${at('ann')}`, `${name}: ${value}`),
  ]),
].join('\n')

let slapd: Slapd
beforeAll(async () => {
  slapd = await startSlapd({ groups: 0, members: 0, ldif: world, global: schema })
})
afterAll(() => slapd?.[Symbol.asyncDispose]())

const read = (nested: boolean) => membersIn({ addresses: [slapd.ldap], groups: { base: groups }, people: { base: people, nested } })

const mails = (...uids: readonly string[]) => uids.map((uid) => `${uid}@example.org`)

describe.each([false, true])('nested: %s', (nested) => {
  test('the people of a group that lists them are all known, also if they name it, or a group around it, themselves', async () => {
    const { known, more } = await read(nested)
    expect(known).toMatchObject({ plain: mails('ann'), otherOption: mails('ann'), empty: [], listed: mails('ann'), inner: mails('bob') })
    expect(known['outer']).toEqual(nested ? mails('ann', 'bob') : mails('ann'))
    expect(['plain', 'empty', 'listed', 'inner', 'outer'].map(more)).toEqual(Array.from({ length: 5 }))
  })

  test.each([...Object.keys(ofGroups), 'labeledURI'])('%s makes members, alone and beside a member', async (name) => {
    const { more } = await read(nested)
    const why = `${name} may give it members, and this program reads only member`
    expect(more(name)).toBe(why)
    if (name !== 'labeledURI') expect(more(`${name}-beside`)).toBe(why)
  })

  test.each([
    ['optioned', 'member;lang-en'],
    ['onlyOptioned', 'member;lang-de'],
  ])('%s has members in values with an option, which some applications count', async (name, type) => {
    expect((await read(nested)).more(name)).toBe(`${type} may give it members, and this program reads only member`)
  })

  test('an object class that is not known is named', async () => {
    expect((await read(nested)).more('own')).toBe('this program does not know how its object class ownGroup makes members')
  })

  test.each(['mixed', 'ibmAll', 'byName', 'byOption'])(
    'people name %s in an attribute of their own, and its member does not list them',
    async (name) => {
      expect((await read(nested)).more(name)).toBe(
        'memberOf or a similar attribute of people names it, and member does not list these people',
      )
    },
  )

  test('a group inside that makes members by a search is no device', async () => {
    const { more, notCounted } = await read(nested)
    if (nested) expect(more('withUrls')).toContain('memberQueryURL may give it members')
    else expect(notCounted('withUrls')).toMatchObject({ groups: 1 })
  })
})

test('a limit on people stops what such groups would get, and lets the others pass; a plan shows no number as exact', async () => {
  const corp = {
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
    groups: { base: groups, filter: '(objectClass=groupOfNames)', member: 'member' },
    people: { base: people },
  }
  const names = ['plain', 'optioned', 'mixed', 'ibmAll', 'own', 'memberQueryURL', 'memberQueryURL-beside', 'labeledURI', 'ibm-memberGroup']
  const projectRoles = names.map((name) => ({ group: name, project: 'ENG', role: 'admin', allowProtected: true }))
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { projectRoles } } },
    groups: [],
    settings: { directories: { corp }, guards: { people: { raise: 1, gainProtected: 1 } } },
  })
  const env = { LDAP_PASSWORD: slapd.reader.password }
  const shown = (await place.run(['plan', '--all'], { env })).out.replaceAll(/\s+/g, ' ')
  expect(shown).not.toMatch(/no change for them|[^t] 1 person,(?! 1 new)/)
  const { code, out, err } = await place.run(['apply', '--yes'], { env })
  expect(code, out + err).toBe(3)
  const text = out.replaceAll(/\s+/g, ' ')
  expect(text).toContain('object class ownGroup')
  expect(writesTo(place.sandbox)).toHaveLength(1)
  expect(stateOf(place.sandbox)).toEqual(['ENG plain → admin'])
})
