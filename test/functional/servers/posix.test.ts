import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupsText, numbersBy } from './numbers.ts'
import { rfc2307bis } from './rfc2307bis.ts'
import { type Slapd, startSlapd } from './slapd.ts'

/** Groups of POSIX on a real slapd. The people of whom a group is the primary group are members of it, and the group does not list them. */

const suffix = 'dc=example,dc=org'
const [groups, people] = [`ou=groups,${suffix}`, `ou=people,${suffix}`]
const at = (uid: string) => `uid=${uid},${people}`
const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const person = (uid: string, ...more: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', ...more, `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`)
const account = (uid: string, gid: string) =>
  person(uid, 'objectClass: posixAccount', 'uidNumber: 1', `gidNumber: ${gid}`, `homeDirectory: /home/${uid}`)
const posix = (cn: string, gid: number, ...uids: readonly string[]) =>
  entry(
    `cn=${cn},${groups}`,
    'objectClass: groupOfMembers',
    'objectClass: posixGroup',
    `cn: ${cn}`,
    `gidNumber: ${gid}`,
    ...uids.map((uid) => `memberUid: ${uid}`),
  )

const named = ['users', 'both', 'none', 'twin', 'devs', 'plain']
const world = [
  entry(people, 'objectClass: organizationalUnit', 'ou: people'),
  ...['ann', 'bob'].map((uid) => account(uid, '100')),
  account('cem', '200'),
  account('eve', '0300'),
  // Its primary group has no entry.
  account('fay', '999'),
  person('dee'),
  posix('users', 100),
  posix('both', 200, 'ann', 'cem', 'dee'),
  posix('none', 400),
  posix('twin', 200),
  entry(`cn=devs,${groups}`, 'objectClass: groupOfNames', 'objectClass: posixGroup', 'cn: devs', 'gidNumber: 300', `member: ${at('dee')}`),
  entry(`cn=plain,${groups}`, 'objectClass: groupOfNames', 'cn: plain', `member: ${at('dee')}`),
].join('\n')

const corp = ({ ldaps, caFile, reader }: Slapd, member: string) => ({
  kind: 'ldap',
  addresses: [ldaps],
  caFile,
  bind: { dn: reader.dn, password: { env: 'LDAP_PASSWORD' } },
  groups: { base: groups, filter: '(cn=*)', member },
  people: { base: people },
})
const envOf = ({ reader }: Slapd) => ({ LDAP_PASSWORD: reader.password })

describe('people by their primary group', () => {
  let slapd: Slapd
  beforeAll(async () => {
    slapd = await startSlapd({ groups: 0, members: 0, ldif: world, global: rfc2307bis })
  })
  afterAll(() => slapd?.[Symbol.asyncDispose]())

  test('are in the number of a plan, each once, with those of memberUid', async () => {
    const { groups, plan, text } = await numbersBy(corp(slapd, 'memberUid'), named, envOf(slapd))
    expect(plan).toEqual({ users: '2', both: '3', none: '0', twin: '1', devs: 'at least 1', plain: 'unknown' })
    // Without the people it is not known of whom it is the primary group, so `groups` shows no number.
    expect(groups).toEqual(Object.fromEntries(named.map((name) => [name, undefined])))
    expect(text).not.toMatch(/uid=|@example|\b(bob|cem|dee|eve|fay)\b/i)
  })

  test('and with those of member, where the class is auxiliary (RFC 2307bis)', async () => {
    const { groups, plan } = await numbersBy(corp(slapd, 'member'), named, envOf(slapd))
    expect(plan).toEqual({ users: '2', both: 'at least 1', none: '0', twin: '1', devs: '2', plain: '1' })
    expect(groups).toEqual({ ...Object.fromEntries(named.map((name) => [name, undefined])), plain: 1 })
  })

  test('a wrong password, as a person sees it', async () => {
    const text = await groupsText(corp(slapd, 'memberUid'), { LDAP_PASSWORD: 'wr0ng' })
    expect(text).toMatch(/^1: .*the name or the password is wrong \(result 49/)
    expect(text).toContain('check bind.dn and the password')
  })
})

test('without the right to read the gidNumber of people no group of POSIX has a number, and the message names the right', async () => {
  const access = `access to dn.children="${people}" attrs=gidNumber by * none\naccess to * by * read`
  await using slapd = await startSlapd({ groups: 0, members: 0, ldif: world, global: rfc2307bis, access })
  const { plan, text } = await numbersBy(corp(slapd, 'member'), named, envOf(slapd))
  expect(plan).toEqual({ users: 'unknown', both: 'unknown', none: 'unknown', twin: 'unknown', devs: 'unknown', plain: '1' })
  expect(text).toContain(`let ${slapd.reader.dn} read gidNumber of people`)
})
