import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupsText, numbersBy } from './numbers.ts'
import { rfc2307bis } from './rfc2307bis.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/**
 * Not FreeIPA, which was not tried: a slapd with entries as FreeIPA's own page "FreeIPA LDAP users and groups for 3rd party clients" (2023) describes them,
 * and with the default object classes of users in Red Hat's guide to Identity Management. FreeIPA itself runs on 389-ds (dirsrv.test.ts).
 */

const suffix = 'dc=example,dc=org'
const accounts = `cn=accounts,${suffix}`
const [groups, people, services] = [`cn=groups,${accounts}`, `cn=users,${accounts}`, `cn=services,${accounts}`]
const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const container = (dn: string) => entry(dn, 'objectClass: organizationalRole', `cn: ${/=(.*?),/.exec(dn)?.[1]}`)
const at = (uid: string) => `uid=${uid},${people}`
const team = (cn: string) => `cn=${cn},${groups}`

const text = 'SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 EQUALITY caseIgnoreMatch'
const auxiliary = [
  'ipaSshUser',
  'inetUser',
  'krbPrincipalAux',
  'krbTicketPolicyAux',
  'mepOriginEntry',
  'ipaExternalGroup',
  'mepManagedEntry',
]
const schema = [
  rfc2307bis,
  `attributetype ( 1.3.9999.4.1 NAME 'ipaUniqueID' ${text} SINGLE-VALUE )`,
  `attributetype ( 1.3.9999.4.2 NAME 'nsAccountLock' ${text} SINGLE-VALUE )`,
  `attributetype ( 1.3.9999.4.3 NAME 'ipaExternalMember' ${text} )`,
  "attributetype ( 1.3.9999.4.4 NAME 'mepManagedBy' SUP distinguishedName )",
  "attributetype ( 1.3.9999.4.5 NAME 'memberOf' SUP distinguishedName )",
  "objectclass ( 1.3.9999.5.1 NAME 'ipaObject' SUP top AUXILIARY MUST ipaUniqueID )",
  "objectclass ( 1.3.9999.5.2 NAME 'nestedGroup' SUP groupOfNames STRUCTURAL MAY memberOf )",
  "objectclass ( 1.3.9999.5.3 NAME 'ipaUserGroup' SUP nestedGroup STRUCTURAL )",
  ...auxiliary.map(
    (name, n) =>
      `objectclass ( 1.3.9999.6.${n} NAME '${name}' SUP top AUXILIARY MAY ( nsAccountLock $ memberOf $ ipaExternalMember $ mepManagedBy ) )`,
  ),
].join('\n')

let made = 0
const unique = () => `ipaUniqueID: d7ff86cc-29fc-11ee-b4fa-${`${++made}`.padStart(12, '0')}`
/** Each user has a private group with the user's name and gidNumber. */
function user(uid: string, memberOf: readonly string[], ...more: readonly string[]): string {
  const gid = `gidNumber: ${5_000 + ++made}`
  const classes = [
    'inetOrgPerson',
    'inetUser',
    'posixAccount',
    'krbPrincipalAux',
    'krbTicketPolicyAux',
    'ipaObject',
    'ipaSshUser',
    'mepOriginEntry',
  ]
  const posix = ['uidNumber: 1', gid, `homeDirectory: /home/${uid}`]
  const groupsOf = [...memberOf.map(team), `cn=helpdesk,cn=roles,${accounts}`].map((dn) => `memberOf: ${dn}`)
  const own = [`uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`, unique(), ...posix, ...groupsOf, ...more]
  const group = ['objectClass: groupOfMembers', 'objectClass: posixGroup', 'objectClass: mepManagedEntry', 'objectClass: ipaObject']
  return [
    entry(at(uid), ...classes.map((name) => `objectClass: ${name}`), ...own),
    entry(team(uid), ...group, `cn: ${uid}`, gid, unique(), `mepManagedBy: ${at(uid)}`),
  ].join('\n')
}
const group = (cn: string, members: readonly string[], ...more: readonly string[]) =>
  entry(
    team(cn),
    ...['groupOfNames', 'nestedGroup', 'ipaUserGroup', 'ipaObject'].map((name) => `objectClass: ${name}`),
    ...more,
    `cn: ${cn}`,
    unique(),
    ...members.map((dn) => `member: ${dn}`),
  )

const world = [
  ...[accounts, groups, people, services].map(container),
  user('ann', ['ipausers', 'outer']),
  user('bob', ['ipausers', 'inner', 'outer']),
  user('off', ['ipausers', 'inner', 'outer'], 'nsAccountLock: TRUE'),
  user('on', ['ipausers'], 'nsAccountLock: FALSE'),
  entry(`cn=http,${services}`, 'objectClass: organizationalRole', 'cn: http'),
  group('ipausers', ['ann', 'bob', 'off', 'on'].map(at)),
  group('inner', [at('bob'), at('off'), `cn=http,${services}`], 'objectClass: posixGroup', 'gidNumber: 700'),
  group('outer', [at('ann'), team('inner')], 'objectClass: posixGroup', 'gidNumber: 701'),
  group('external', [at('ann')], 'objectClass: ipaExternalGroup', 'ipaExternalMember: S-1-5-21-1-2-3-500'),
].join('\n')

let slapd: Slapd
beforeAll(async () => {
  slapd = await startSlapd({ groups: 0, members: 0, ldif: world, global: schema })
})
afterAll(() => slapd?.[Symbol.asyncDispose]())

const corp = (filter: string, nested = false) => ({
  kind: 'ldap',
  addresses: [slapd.ldaps],
  caFile: slapd.caFile,
  bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
  groups: { base: groups, filter, member: 'member' },
  people: { base: people, filter: '(objectClass=posixAccount)', nested },
})
const env = () => ({ LDAP_PASSWORD: slapd.reader.password })

test('user groups have people whose account is not locked; a service is none, and an external group has more people than are known', async () => {
  const named = ['ipausers', 'inner', 'outer', 'external']
  const direct = await numbersBy(corp('(objectClass=ipaUserGroup)'), named, env())
  expect(Object.keys(direct.groups).toSorted()).toEqual(named.toSorted())
  expect(direct.plan).toEqual({ ipausers: '3', inner: '1', outer: '1', external: 'at least 1' })
  const nested = await numbersBy(corp('(objectClass=ipaUserGroup)', true), named, env())
  expect(nested.plan).toEqual({ ipausers: '3', inner: '1', outer: '2', external: 'at least 1' })
})

test('private groups of users, which a wider filter finds, have this user', async () => {
  const { groups: found, plan } = await numbersBy(corp('(cn=*)'), ['ann', 'off'], env())
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['ann', 'bob', 'off', 'on', 'inner']))
  expect(plan).toEqual({ ann: '1', off: '0' })
})

test('a filter without a group: the program does not believe that there is none', async () => {
  expect(await groupsText(corp('(objectClass=ipaHostGroup)'), env())).toMatch(/^1: .*found no group, which proves nothing/)
})
