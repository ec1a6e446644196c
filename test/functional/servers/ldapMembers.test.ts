import { describe, expect, test } from 'vitest'
import { type Bounds, exactly } from '../../../src/core/bounds.ts'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { counted, members, type Numbers } from '../../unit/bounds.ts'
import { openPlace } from '../process/program.ts'
import { type Slapd, type SlapdOptions, startSlapd } from './slapd.ts'

const suffix = 'dc=example,dc=org'
const groups = `ou=groups,${suffix}`
const people = `ou=people,${suffix}`

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string) => entry(dn, 'objectClass: organizationalUnit', `ou: ${/=(.*?),/.exec(dn)?.[1]}`)
const person = (uid: string, ...more: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', ...more, `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`)
const group = (cn: string, ...members: readonly string[]) =>
  entry(`cn=${cn},${groups}`, 'objectClass: groupOfNames', `cn: ${cn}`, ...members.map((dn) => `member: ${dn}`))
const at = (uid: string) => `uid=${uid},${people}`
const team = (cn: string) => `cn=${cn},${groups}`

type Over = {
  readonly groups?: Partial<LdapSettings['groups']>
  readonly people?: Partial<LdapSettings['people']>
  readonly pageSize?: number
  readonly asOfMs?: number
}

/** The members of the groups of which all are known, by name; with the reading and its debug lines. */
async function membersIn(slapd: Slapd, over: Over = {}) {
  const settings: LdapSettings = {
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: () => Promise.resolve(slapd.reader.password) },
    pageSize: over.pageSize ?? 500,
    timeoutMs: 10_000,
    groupsMax: 1_000,
    membersMax: 1_000,
    referrals: 'fail',
    groups: { base: slapd.groupsBase, scope: 'sub', filter: '(cn=*)', name: 'cn', members: 'member', ...over.groups },
    people: { base: people, filter: '(objectClass=person)', identity: 'mail', nested: false, ...over.people },
  }
  const lines: string[] = []
  const capabilities = { now: () => performance.now(), log: (line: string) => void lines.push(line) }
  const { signal } = new AbortController()
  const found = await readLdap(settings, capabilities, signal)
  if (found.status === 'failed') throw new Error(found.why)
  const wanted: readonly Group[] = [...found.value.values()].flat()
  const reading = await readLdapMembers(settings, wanted, over.asOfMs ?? Date.now(), capabilities, signal)
  const value = reading.status === 'failed' ? new Map() : reading.value
  const of = (name: string) => value.get(found.value.get(name as GroupName)?.[0]?.id ?? '')
  const known = Object.fromEntries(
    wanted.flatMap(({ name }) => {
      const members = of(name)
      return members === undefined || members.more !== undefined
        ? []
        : [
            [
              name,
              members.people
                .map((text: string) => text.replace('@example.org', '').replace('\u0000', 'id '))
                .toSorted()
                .join(' '),
            ],
          ]
    }),
  )
  return {
    reading,
    known,
    notCounted: (name: string) => of(name)?.notCounted,
    doubtful: (name: string) => of(name)?.doubtful,
    more: (name: string) => of(name)?.more,
    lines,
  }
}

const withPeople = (ldif: readonly string[], options: Partial<SlapdOptions> = {}) =>
  startSlapd({ groups: 0, members: 0, ldif: [unit(people), ...ldif].join('\n'), ...options })

/** The numbers of members that the reading of the groups gives. */
async function countedIn(slapd: Slapd, groups: Partial<LdapSettings['groups']> = {}) {
  const settings: LdapSettings = {
    addresses: [slapd.ldap],
    bind: 'anonymous',
    pageSize: 500,
    timeoutMs: 10_000,
    groupsMax: 1_000,
    membersMax: 1_000,
    referrals: 'fail',
    groups: { base: slapd.groupsBase, scope: 'sub', filter: '(cn=*)', name: 'cn', members: 'member', ...groups },
  }
  const found = await readLdap(settings, { now: () => performance.now() }, new AbortController().signal)
  if (found.status === 'failed') throw new Error(found.why)
  return Object.fromEntries([...found.value].flatMap(([name, [only]]) => (only?.size === undefined ? [] : [[name, only.size]])))
}

const nis = 'include /etc/ldap/schema/nis.schema'

/** OpenLDAP does not have this attribute of 389-ds. */
const lockAttribute = "attributetype ( 1.1.1 NAME 'nsAccountLock' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )"
const locked = ['objectClass: extensibleObject', 'nsAccountLock: TRUE']

const gone = { members: [expect.any(String)], why: expect.stringContaining('do not exist') as string }

describe('the members of groups', () => {
  test('are people by their mail, however their DNs are written; a disabled account, a lost name and a device are none of them', async () => {
    const comma = String.raw`cn=Zoë\, Q,${people}`
    const zoe = `dn:: ${Buffer.from(comma).toString('base64')}\nobjectClass: inetOrgPerson\ncn:: ${Buffer.from('Zoë, Q').toString('base64')}\nsn: x\nmail: zoe@example.org\n`
    await using slapd = await withPeople(
      [
        person('ann'),
        person('bob'),
        person('off', ...locked),
        zoe,
        entry(`cn=printer,${people}`, 'objectClass: device', 'cn: printer'),
        group('devs', at('ann'), `UID=Bob , OU=People,${suffix}`, at('off'), at('gone'), `cn=printer,${people}`),
        group('ops', at('ann'), String.raw`cn=zo\C3\AB\2c q,${people}`),
        group('none', ''),
      ],
      { global: lockAttribute },
    )
    const { reading, known, notCounted, doubtful } = await membersIn(slapd)
    expect(reading.status).toBe('complete')
    expect(known).toEqual({ devs: 'ann bob', ops: 'ann zoe', none: '' })
    expect(notCounted('devs')).toEqual({ disabled: 1, groups: 0 })
    expect(doubtful('devs')).toMatchObject(gone)
    expect(notCounted('ops')).toBeUndefined()
  })

  test('are read in pages, and no debug line names a person', async () => {
    const many = Array.from({ length: 50 }, (_, n) => `u${n}`)
    await using slapd = await withPeople([
      ...many.map((uid) => person(uid)),
      group('all', ...many.map(at)),
      group('gone', at('left.person'), at('u1')),
    ])
    const { known, lines } = await membersIn(slapd, { pageSize: 7 })
    expect(known['all']?.split(' ')).toHaveLength(50)
    expect(known['gone']).toBe('u1')
    expect(lines.join('\n')).not.toMatch(/u\d+|left|@/)
    expect(lines).toContainEqual(expect.stringMatching(/ -b ou=people,dc=example,dc=org -s sub -E pr=7\/noprompt/))
  })

  test('are those of groups inside only with nested; a circle ends', async () => {
    await using slapd = await withPeople([
      person('ann'),
      person('bob'),
      person('cem'),
      unit(`ou=hidden,${suffix}`),
      group('outer', at('ann'), team('inner')),
      group('inner', at('bob'), at('ann'), team('outer'), `cn=elsewhere,ou=hidden,${suffix}`),
      entry(`cn=elsewhere,ou=hidden,${suffix}`, 'objectClass: groupOfNames', 'cn: elsewhere', `member: ${at('cem')}`),
    ])
    const direct = await membersIn(slapd)
    expect(direct.known).toEqual({ outer: 'ann', inner: 'ann bob' })
    expect(direct.notCounted('inner')).toEqual({ disabled: 0, groups: 2 })
    const nested = await membersIn(slapd, { people: { nested: true } })
    expect(nested.known).toEqual({ outer: 'ann bob cem', inner: 'ann bob cem' })
    expect(nested.notCounted('inner')).toBeUndefined()
  })

  test('of groupOfUniqueNames, also with a bit string', async () => {
    const unique = (cn: string, ...members: readonly string[]) =>
      entry(team(cn), 'objectClass: groupOfUniqueNames', `cn: ${cn}`, ...members.map((dn) => `uniqueMember: ${dn}`))
    await using slapd = await withPeople([person('ann'), person('bob'), unique('devs', `${at('ann')}#'0101'B`, at('bob'))])
    expect((await membersIn(slapd, { groups: { members: 'uniqueMember' } })).known).toEqual({ devs: 'ann bob' })
  })

  test('in another attribute than the settings name, the group is not known', async () => {
    const unique = entry(team('unique'), 'objectClass: groupOfUniqueNames', 'cn: unique', `uniqueMember: ${at('ann')}`)
    await using slapd = await withPeople([person('ann'), group('devs', at('ann')), unique])
    const { known, more } = await membersIn(slapd)
    expect(known).toEqual({ devs: 'ann' })
    expect(more('unique')).toBe('uniqueMember may give it members, and this program reads only member')
  })

  test('of posixGroup are found by their uid', async () => {
    const posix = entry(team('devs'), 'objectClass: posixGroup', 'cn: devs', 'gidNumber: 7', 'memberUid: ann', 'memberUid: gone')
    const empty = entry(team('empty'), 'objectClass: posixGroup', 'cn: empty', 'gidNumber: 8')
    await using slapd = await withPeople([person('ann'), person('bob'), posix, empty], { global: 'include /etc/ldap/schema/nis.schema' })
    const { reading, known, doubtful } = await membersIn(slapd, { groups: { members: 'memberUid' } })
    expect(reading.status).toBe('complete')
    expect(known).toEqual({ devs: 'ann', empty: '' })
    expect(doubtful('devs')).toMatchObject(gone)
  })

  test('are also those whose primary group a posixGroup is, whatever attribute the settings name', async () => {
    const account = (uid: string, gid: number) =>
      person(uid, 'objectClass: posixAccount', 'uidNumber: 1', `gidNumber: ${gid}`, `homeDirectory: /home/${uid}`)
    const posix = (cn: string, gid: number, ...more: readonly string[]) =>
      entry(team(cn), 'objectClass: posixGroup', `cn: ${cn}`, `gidNumber: ${gid}`, ...more)
    const ldif = [account('ann', 100), account('bob', 100), account('cem', 200), person('dee')]
    const all = [...ldif, posix('users', 100), posix('both', 200, 'memberUid: ann', 'memberUid: cem'), posix('none', 300)]
    await using slapd = await withPeople(all, { global: nis })
    const people = { users: 'ann bob', both: 'ann cem', none: '' }
    expect((await membersIn(slapd, { groups: { members: 'memberUid' } })).known).toEqual(people)
    expect((await membersIn(slapd)).known).toEqual({ users: 'ann bob', none: '' })

    await using hidden = await withPeople(all, {
      global: nis,
      access: 'access to dn.children="ou=people,dc=example,dc=org" attrs=gidNumber by * none\naccess to * by * read',
    })
    const { reading, known } = await membersIn(hidden, { groups: { members: 'memberUid' } })
    expect(known).toEqual({})
    expect(reading).toMatchObject({ missing: expect.stringContaining(`let ${slapd.reader.dn} read gidNumber of people`) })
  })

  test('are not known of a group that has members by an attribute that is not read', async () => {
    const both = (cn: string, ...lines: readonly string[]) =>
      entry(team(cn), 'objectClass: groupOfNames', 'objectClass: extensibleObject', `cn: ${cn}`, ...lines)
    const dynamic = entry(team('url'), 'objectClass: groupOfURLs', 'cn: url', `memberURL: ldap:///${people}??sub?(uid=*)`)
    const roles = "attributetype ( 1.1.2 NAME 'isMemberOf' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )"
    await using slapd = await withPeople(
      [
        person('ann'),
        person('bob', 'objectClass: extensibleObject', `isMemberOf: ${team('onPeople')}`),
        dynamic,
        both('placeholder', 'member:', 'memberUid: ann'),
        both('one', `member: ${at('ann')}`, 'memberUid: bob'),
        both('search', `member: ${at('ann')}`, 'memberURL: ldap:///??sub?(uid=*)'),
        both('role', 'member:', `roleOccupant: ${at('ann')}`),
        group('onPeople', ''),
        group('none', ''),
        group('plain', at('ann')),
      ],
      { global: `${nis}\ninclude /etc/ldap/schema/dyngroup.schema\n${roles}` },
    )
    const { known, more } = await membersIn(slapd)
    expect(known).toEqual({ none: '', plain: 'ann' })
    expect(more('one')).toBe('memberUid may give it members, and this program reads only member')
    const counted = await countedIn(slapd)
    expect(counted).toEqual({ onPeople: members(0), none: members(0), plain: members(1) })
  })

  test('are known by another attribute, and by the id of the entry without one', async () => {
    const plain = entry(at('cem'), 'objectClass: inetOrgPerson', 'uid: cem', 'cn: cem', 'sn: x')
    await using slapd = await withPeople([person('ann'), plain, group('devs', at('ann'), at('cem'))])
    expect((await membersIn(slapd, { people: { identity: 'uid' } })).known).toEqual({ devs: 'ann cem' })
    expect((await membersIn(slapd)).known['devs']).toMatch(/^ann id [0-9a-f-]{36}$/)
  })
})

describe('without the rights', () => {
  const world = [person('ann'), person('bob'), group('devs', at('ann')), group('ops', at('ann'), at('bob'))]
  const rights = (line: string) => ({ access: `${line}\naccess to * by * read` })

  test('to read people, the reading fails and says what to do', async () => {
    await using slapd = await withPeople(world, rights(`access to dn.children="${people}" by anonymous auth by * none`))
    const { reading } = await membersIn(slapd)
    expect(reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`people below "${people}": the search succeeded and found no people`),
      cure: expect.stringContaining(`let ${slapd.reader.dn} read people there`),
    })
  })

  test('to see the base of the people, the cure names it', async () => {
    await using slapd = await withPeople(world, rights(`access to dn.subtree="${people}" by * none`))
    expect((await membersIn(slapd)).reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('there is no such entry, or the account may not see it'),
      cure: expect.stringContaining('check people.base'),
    })
  })

  test('to read the attribute by which people are known, the reading fails and says what to do', async () => {
    await using slapd = await withPeople(world, rights('access to attrs=mail by * none'))
    const { reading } = await membersIn(slapd)
    expect(reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('none of 2 people has a value of mail'),
      cure: expect.stringContaining(`let ${slapd.reader.dn} read mail`),
    })
  })

  test('to read members, no group is known', async () => {
    await using slapd = await withPeople(world, rights('access to attrs=member by * none'))
    const { reading, known } = await membersIn(slapd)
    expect(known).toEqual({})
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining(`let ${slapd.reader.dn} read member`) as string })
  })

  test('to read the members of one group, the others are known', async () => {
    const empty = entry(team('empty'), 'objectClass: organizationalRole', 'cn: empty')
    await using slapd = await withPeople([...world, empty], rights(`access to dn.exact="${team('ops')}" attrs=member by * search`))
    const { reading, known } = await membersIn(slapd)
    expect(known).toEqual({ devs: 'ann', empty: '' })
    expect(reading).toMatchObject({
      status: 'partial',
      missing: `${slapd.ldap}: members of "${team('ops')}": no value of member can be read: let ${slapd.reader.dn} read member`,
    })
  })

  test('to read the members of a group inside, the outer group is not known with nested', async () => {
    await using slapd = await withPeople(
      [...world, group('outer', team('ops'))],
      rights(`access to dn.exact="${team('ops')}" attrs=member by * none`),
    )
    expect((await membersIn(slapd)).known).toEqual({ devs: 'ann', outer: '' })
    // The group inside is none of those that the settings select.
    const filter = '(|(cn=devs)(cn=outer))'
    const { reading, known } = await membersIn(slapd, { groups: { filter }, people: { nested: true } })
    expect(known).toEqual({ devs: 'ann' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('no value of member can be read') })
  })

  describe('to read an attribute by which a class of a group makes members, beside the one that the settings name:', () => {
    const rules = [
      nis,
      "objectclass ( 1.3.9999.4.1 NAME 'groupOfMembers' SUP top STRUCTURAL MUST cn MAY ( member $ memberUid ) )",
      "ditcontentrule ( 2.5.6.9 NAME 'names' MAY ( memberUid $ roleOccupant ) )",
      "ditcontentrule ( 2.5.6.17 NAME 'uniqueNames' MAY ( memberUid $ member ) )",
      "ditcontentrule ( 2.5.6.8 NAME 'role' MAY ( memberUid $ member ) )",
      "ditcontentrule ( 1.3.6.1.1.1.2.2 NAME 'posix' MAY ( member $ roleOccupant ) )",
    ].join('\n')
    const of = (objectClass: string, cn: string, ...lines: readonly string[]) =>
      entry(team(cn), `objectClass: ${objectClass}`, `cn: ${cn}`, ...lines)
    const listed = { member: at('ann'), memberUid: 'ann', roleOccupant: at('ann') } as const

    test.each<[objectClass: string, hidden: string, read: keyof typeof listed, ...lines: readonly string[]]>([
      ['groupOfNames', 'member', 'memberUid', `member: ${at('bob')}`],
      ['groupOfNames', 'member', 'roleOccupant', `member: ${at('bob')}`],
      ['groupOfUniqueNames', 'uniqueMember', 'member', `uniqueMember: ${at('bob')}`],
      ['groupOfUniqueNames', 'uniqueMember', 'memberUid', `uniqueMember: ${at('bob')}`],
      ['groupOfMembers', 'member', 'memberUid', `member: ${at('bob')}`],
      ['organizationalRole', 'roleOccupant', 'member', `roleOccupant: ${at('bob')}`],
      ['posixGroup', 'memberUid', 'member', 'gidNumber: 7', 'memberUid: bob'],
      ['posixGroup', 'memberUid', 'roleOccupant', 'gidNumber: 7', 'memberUid: bob'],
      ['posixGroup', 'gidNumber', 'memberUid', 'gidNumber: 7'],
    ])('%s and %s, %s', async (objectClass, hidden, read, ...lines) => {
      const all = [
        person('ann'),
        person('bob'),
        of(objectClass, 'none', ...lines),
        of(objectClass, 'ann', `${read}: ${listed[read]}`, ...lines),
      ]
      await using slapd = await withPeople(all, { ...rights(`access to attrs=${hidden} by * none`), global: rules })
      const { known, more } = await membersIn(slapd, { groups: { members: read } })
      expect(known).toEqual({})
      const why = `no value of ${hidden} can be read: let ${slapd.reader.dn} read ${hidden}`
      expect([more('none'), more('ann')]).toEqual([why, why])
      expect(await countedIn(slapd, { members: read })).toEqual({})
    })

    test('a group without such a value has an exact number if the account may read it', async () => {
      const all = [
        person('ann'),
        of('posixGroup', 'none', 'gidNumber: 7'),
        of('posixGroup', 'posix', 'gidNumber: 8', `member: ${at('ann')}`),
        of('organizationalRole', 'role', `member: ${at('ann')}`),
      ]
      await using slapd = await withPeople(all, { global: rules })
      expect((await membersIn(slapd)).known).toEqual({ none: '', posix: 'ann', role: 'ann' })
    })

    test('objectClass itself', async () => {
      await using slapd = await withPeople(world, rights('access to attrs=objectClass by * search'))
      const { known, more } = await membersIn(slapd)
      expect(known).toEqual({})
      expect(more('devs')).toBe(`no value of objectClass can be read: let ${slapd.reader.dn} read objectClass`)
      expect(await countedIn(slapd)).toEqual({})
    })
  })

  test('to know of a group inside, it is a name that no longer exists', async () => {
    await using slapd = await withPeople([...world, group('outer', team('ops'))], rights(`access to dn.exact="${team('ops')}" by * none`))
    const { known, more } = await membersIn(slapd, { people: { nested: true } })
    expect(known).toEqual({ devs: 'ann' })
    expect(more('outer')).toContain('do not exist')
  })

  test('to see a member whose existence shows, the member is doubtful, and no text names it', async () => {
    await using slapd = await withPeople(world, rights(`access to dn.exact="${at('bob')}" by * disclose`))
    const { reading, known, doubtful } = await membersIn(slapd)
    expect(reading.status).toBe('complete')
    expect(known).toEqual({ devs: 'ann', ops: 'ann' })
    const why = 'the account may not see one of them, which may be a person or a group'
    expect(doubtful('ops')).toMatchObject({ members: [expect.any(String)], why })
    expect(doubtful('ops')?.why).not.toContain('bob')
  })
})

type PlanJson = {
  readonly changes: readonly { readonly action: string; readonly group: string; readonly effect: unknown }[]
  readonly findings: readonly { readonly code: string }[]
}

test('a plan of the whole program says how many people get a role, or a higher one, by all their groups, and names none of them', async () => {
  await using slapd = await withPeople(
    [
      person('kim'),
      person('lee'),
      person('max'),
      person('off', ...locked),
      group('devs', at('kim'), at('lee'), at('off'), team('trainees')),
      group('leads', at('lee'), at('max')),
      group('trainees', at('kim'), at('max')),
    ],
    { global: lockAttribute },
  )
  const corp = {
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
    groups: { base: slapd.groupsBase, filter: '(objectClass=groupOfNames)', member: 'member' },
    people: { base: people },
  }
  const declared = (...roles: readonly (readonly [group: string, role: string])[]) => ({
    version: 1,
    workspaces: { acme: { projectRoles: roles.map(([name, role]) => ({ group: name, project: 'ENG', role })) } },
  })
  const declaration = declared(['devs', 'guest'])
  await using place = await openPlace({ declaration, groups: [], settings: { directories: { corp }, log: { level: 'debug' } } })
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await place.run(args, { env: { LDAP_PASSWORD: slapd.reader.password } })
    expect(code, out + err).toBe(0)
    expect(out + err).not.toMatch(/uid=|kim|lee|@example/)
    return out
  }
  const plan = async () => {
    const { workspaces } = JSON.parse(await run('plan', '--format', 'json')) as { readonly workspaces: readonly [PlanJson] }
    const [{ changes, findings }] = workspaces
    return {
      effects: changes.map(({ action, group, effect }) => ({ [`${action} ${group}`]: effect })),
      codes: findings.map(({ code }) => code),
    }
  }
  const numbers = (given: Numbers) => {
    const { kind: _, ...effect } = counted(given)
    return effect
  }

  const direct = await plan()
  expect(direct.effects).toEqual([{ 'create devs': numbers({ newly: 2 }) }])
  expect(direct.codes).toContain('people-inside')
  await place.settings({ directories: { corp: { ...corp, people: { base: people, nested: true } } } })
  const nested = await plan()
  expect(nested.effects).toEqual([{ 'create devs': numbers({ newly: 3 }) }])
  expect(nested.codes).not.toContain('people-inside')

  await run('apply', '--yes')
  await place.write('groups.yaml', declared(['devs', 'guest'], ['leads', 'member']))
  expect((await plan()).effects).toEqual([{ 'create leads': numbers({ raised: 2 }) }])
})

test('a limit on people holds a grant to a group that has members by something else than groups.member', async () => {
  const account = (uid: string) => person(uid, 'objectClass: posixAccount', 'uidNumber: 1', 'gidNumber: 100', `homeDirectory: /home/${uid}`)
  const dynamic = entry(team('url'), 'objectClass: groupOfURLs', 'cn: url', `memberURL: ldap:///${people}??sub?(uid=*)`)
  const posix = entry(team('users'), 'objectClass: posixGroup', 'cn: users', 'gidNumber: 100')
  const small = entry(team('small'), 'objectClass: posixGroup', 'cn: small', 'gidNumber: 200', 'memberUid: ann')
  await using slapd = await withPeople([...['ann', 'bob', 'cem'].map(account), dynamic, posix, small], {
    global: `${nis}\ninclude /etc/ldap/schema/dyngroup.schema`,
  })
  const corp = {
    kind: 'ldap',
    addresses: [slapd.ldap],
    bind: { dn: slapd.reader.dn, password: { env: 'LDAP_PASSWORD' } },
    groups: { base: slapd.groupsBase, filter: '(cn=*)', member: 'memberUid' },
    people: { base: people },
  }
  const projectRoles = ['url', 'users', 'small'].map((group) => ({ group, project: 'ENG', role: 'guest' }))
  await using place = await openPlace({
    declaration: { version: 1, workspaces: { acme: { projectRoles: projectRoles.slice(1) } } },
    groups: [],
    settings: { directories: { corp }, guards: { people: { raise: 2 } } },
  })
  const held = async () => {
    const { out } = await place.run(['plan', '--format', 'json'], { env: { LDAP_PASSWORD: slapd.reader.password } })
    const { workspaces } = JSON.parse(out) as {
      workspaces: readonly [{ holds: readonly { group: string; reason: { people?: Bounds } }[] }]
    }
    return workspaces[0].holds.map(({ group, reason }) => [group, reason.people])
  }
  expect(await held()).toEqual([['users', exactly(3)]])
  await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: projectRoles.slice(0, 1) } } })
  expect(await held()).toEqual([['url', { least: 0 }]])
})
