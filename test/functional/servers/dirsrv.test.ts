import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { members } from '../../unit/bounds.ts'
import { openPlace, stateOf, writesTo } from '../process/program.ts'
import { type Dirsrv, startDirsrv } from './dirsrv.ts'
import { type Asked, groupsIn, membersIn, outcomeOf } from './ldapReadings.ts'

/** A real 389-ds. It answers success without entries where an account has no right, also below a base that does not exist. */

const suffix = 'dc=example,dc=org'
const groupsBase = `ou=groups,${suffix}`
const [teams, people, others] = [`ou=teams,${suffix}`, `ou=people,${suffix}`, `ou=others,${suffix}`]
const password = 'reader "pä$$" word'
const groupsTotal = 1_200

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string, ...lines: readonly string[]) =>
  entry(dn, 'objectClass: organizationalUnit', `ou: ${/=(.*?),/.exec(dn)?.[1]}`, ...lines)
const account = (name: string) =>
  entry(
    `cn=${name},${suffix}`,
    'objectClass: applicationProcess',
    'objectClass: simpleSecurityObject',
    `cn: ${name}`,
    `userPassword:: ${Buffer.from(password).toString('base64')}`,
  )
const at = (uid: string) => `uid=${uid},${people}`
const person = (uid: string, ...more: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`, ...more)
const team = (cn: string) => `cn=${cn},${teams}`
const group = (dn: string, ...members: readonly string[]) =>
  entry(dn, 'objectClass: groupOfNames', `cn: ${/=(.*?),/.exec(dn)?.[1]}`, ...members.map((member) => `member: ${member}`))
const other = (cn: string, ...lines: readonly string[]) =>
  entry(`cn=${cn},${others}`, 'objectClass: groupOfNames', 'objectClass: posixGroup', `cn: ${cn}`, 'gidNumber: 7', ...lines)
const allow = (who: string, target: string) =>
  `aci: ${target}(version 3.0; acl "${who}"; allow (read, search, compare) userdn="ldap:///cn=${who},${suffix}";)`

/** The accounts: `reader` may read all; `partial` the groups g0000 to g0999; `shy` all but members; `blind` nothing. */
const world = [
  entry(
    suffix,
    'objectClass: domain',
    'dc: example',
    allow('reader', '(targetattr="*")'),
    allow('partial', '(targetattr="*")(targetfilter="(|(objectClass=organizationalUnit)(cn=g0*))")'),
    allow('shy', '(targetattr!="member")'),
  ),
  ...['reader', 'partial', 'shy', 'blind'].map(account),
  unit(groupsBase),
  ...Array.from({ length: groupsTotal }, (_, n) => group(`cn=g${`${n}`.padStart(4, '0')},${groupsBase}`, at('ann'), at('bob'), at('cem'))),
  unit(people),
  // As the MemberOf plugin writes it: also the groups around a group.
  ...['ann', 'bob'].map((uid) => person(uid, 'objectClass: nsMemberOf', ...['inner', 'outer'].map((name) => `memberOf: ${team(name)}`))),
  person('cem'),
  person('off', 'nsAccountLock: TRUE'),
  unit(teams),
  group(team('outer'), at('ann'), team('inner')),
  group(team('inner'), `UID=Bob , OU=People,${suffix}`, at('off'), team('outer'), at('gone')),
  group(team('empty')),
  unit(others),
  other('unlisted', 'memberUid: ann'),
  other('optioned', `member: ${at('ann')}`, `member;lang-en: ${at('bob')}`),
].join('\n')

let server: Dirsrv
beforeAll(async () => {
  server = await startDirsrv(suffix, world)
})
afterAll(() => server?.[Symbol.asyncDispose]())

type Over = Omit<Partial<Asked>, 'groups' | 'bind'> & { readonly groups?: Partial<Asked['groups']>; readonly account?: string }
const asked = ({ groups, account = 'reader', ...over }: Over = {}): Asked => ({
  addresses: [server.ldap],
  bind: { dn: `cn=${account},${suffix}`, password: async () => password },
  ...over,
  groups: { base: groupsBase, ...groups },
})
const whole = { status: 'complete', groups: groupsTotal }

describe('1,200 groups of three', () => {
  test('are read whole over three pages, and counted, each with its own id', async () => {
    const { reading, pages } = await groupsIn(asked())
    expect(pages).toEqual([500, 1_000, 1_200])
    if (reading.status !== 'complete') throw new Error(JSON.stringify(reading))
    expect(reading.value.get('g1199' as GroupName)).toEqual([
      { name: 'g1199', id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/), place: `cn=g1199,${groupsBase}`, size: members(3) },
    ])
    const all = [...reading.value.values()].flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(groupsTotal)
    expect(new Set(all.map(({ size }) => size?.most))).toEqual(new Set([3]))
  })

  test.each([
    ['ldaps://', (): Over => ({ addresses: [server.ldaps] })],
    ['StartTLS', (): Over => ({ startTls: true })],
  ])('are read over %s with the CA of the instance, and refused without it', async (_, how) => {
    const trusting = { ca: server.ca, serverName: 'localhost' }
    expect(await outcomeOf(asked({ ...how(), ...trusting }))).toEqual(whole)
    expect(await outcomeOf(asked({ ...how(), serverName: 'localhost' }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the certificate is refused'),
    })
    expect(await outcomeOf(asked({ ...how(), ca: server.ca }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the certificate is for another name'),
    })
  })

  test('in one search without pages', async () => {
    expect(await outcomeOf(asked({ pageSize: 0 }))).toEqual(whole)
  })

  test('the logged command finds the same, pasted into a shell', async () => {
    const { lines } = await groupsIn(asked({ startTls: true, ca: server.ca, caFile: server.caFile, serverName: 'localhost' }))
    const env = { ...process.env, PASSWORD: password }
    // ldapsearch knows no name of the certificate but the host of the address.
    const command = lines[0]?.replace(' -W ', ' -w "$PASSWORD" ').replace('LDAPTLS_CACERT', 'LDAPTLS_REQCERT=allow LDAPTLS_CACERT') ?? ''
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, maxBuffer: 10_000_000 })
    expect(stdout.match(/^dn: /gm)).toHaveLength(groupsTotal)
  })

  test('a wrong password, and a base that does not exist', async () => {
    const bind = { dn: `cn=reader,${suffix}`, password: async () => 'wr0ng' }
    expect(await outcomeOf({ ...asked(), bind })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the name or the password is wrong (result 49)'),
    })
    const base = `ou=nowhere,${suffix}`
    expect(await outcomeOf(asked({ pageSize: 0, groups: { base } }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`"${base}": there is no such entry`),
    })
    expect(await outcomeOf(asked({ groups: { base } }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`"${base}": the answer does not say whether more pages follow`),
      cure: expect.stringContaining('check that groups.base exists'),
    })
  })
})

describe('an account without rights', () => {
  /** The directory in the settings of the whole program. */
  const corp = (name: string, more: object = {}, base = groupsBase) => ({
    kind: 'ldap',
    addresses: [server.ldap],
    bind: { dn: `cn=${name},${suffix}`, password: { env: 'LDAP_PASSWORD' } },
    groups: { base, filter: '(objectClass=groupOfNames)', member: 'member' },
    ...more,
  })
  const declaration = {
    version: 1,
    workspaces: { acme: { projectRoles: [{ groupRegex: 'g(?<n>0001|1100)', project: 'ENG', role: 'member' }] } },
  }
  const mapped = ['g0001', 'g1100'].map((name) => ({ idp_group_name: name, project: 'ENG', role: 'guest' }))
  const unchanged = ['ENG g0001 → guest', 'ENG g1100 → guest']

  /** The policy deletes what no rule declares, and no guard stops it: only the reading can. */
  async function appliedBy(directory: object) {
    const guards = {
      raises: { count: 1_000, share: '100%' },
      lowers: { count: 1_000, share: '100%' },
      deletes: { count: 1_000, share: '100%' },
    }
    await using place = await openPlace({
      workspaces: { acme: { projects: ['ENG'], projectMappings: mapped } },
      declaration,
      groups: [],
      settings: { directories: { corp: directory }, guards, policy: 'exclusive' },
    })
    const { code, out, err } = await place.run(['apply', '--yes'], { env: { LDAP_PASSWORD: password } })
    const text = (out + err).replaceAll(/\s+/g, ' ')
    return { code, text, writes: writesTo(place.sandbox).length, state: stateOf(place.sandbox).toSorted() }
  }

  test('gets success and no entries, and who it is; nothing is written', async () => {
    const { reading, lines } = await groupsIn(asked({ account: 'blind' }))
    expect(reading).toMatchObject({ status: 'complete', value: new Map() })
    expect(lines.at(-1)).toContain('may lack the right')
    expect(await appliedBy(corp('blind'))).toMatchObject({
      code: 1,
      text: expect.stringContaining('the read succeeded but found no group, which proves nothing'),
      writes: 0,
      state: unchanged,
    })
  })

  test('gets success below a base that does not exist, too; nothing is written', async () => {
    const base = `ou=nowhere,${suffix}`
    expect(await outcomeOf(asked({ account: 'blind', pageSize: 0, groups: { base } }))).toEqual({ status: 'complete', groups: 0 })
    for (const pageSize of [0, 500])
      expect(await appliedBy(corp('blind', { pageSize }, base))).toMatchObject({ code: 1, writes: 0, state: unchanged })
  })

  test('to a part gets the other groups, and they look whole; only expect finds it', async () => {
    expect(await outcomeOf(asked({ account: 'partial' }))).toEqual({ status: 'complete', groups: 1_000 })
    const held = { code: 1, writes: 0, state: unchanged }
    expect(await appliedBy(corp('partial'))).toMatchObject({ code: 0, state: ['ENG g0001 → member', 'ENG g1100 → guest'] })
    for (const [expecting, said] of [
      [{ atLeast: groupsTotal }, 'it has 1,000 groups, and directories.corp.expect.atLeast is 1200'],
      [{ names: ['g0001', 'g1100'] }, 'it lacks g1100, and directories.corp.expect.names requires this group'],
    ] as const)
      expect(await appliedBy(corp('partial', { expect: expecting }))).toMatchObject({ ...held, text: expect.stringContaining(said) })
    expect(await appliedBy(corp('reader', { expect: { atLeast: groupsTotal } }))).toMatchObject({
      code: 0,
      state: ['ENG g0001 → member', 'ENG g1100 → member'],
    })
  })

  test('to members: no group has a number, and a note says so', async () => {
    const { reading } = await groupsIn(asked({ account: 'shy' }))
    if (reading.status !== 'complete') throw new Error(JSON.stringify(reading))
    expect(reading.notes).toMatchObject([{ code: 'members-unreadable', sentence: expect.stringContaining(`cn=shy,${suffix}`) }])
    expect(new Set([...reading.value.values()].flat().map(({ size }) => size?.most))).toEqual(new Set([undefined]))
  })
})

describe('members', () => {
  const inTeams = (over: Over & { readonly nested?: boolean } = {}): Asked => {
    const { nested = false, ...rest } = over
    return asked({ groups: { base: teams }, people: { base: people, nested }, ...rest })
  }
  const mails = (...uids: readonly string[]) => uids.map((uid) => `${uid}@example.org`)

  test('are people by their mail, however their DNs are written; a locked account (nsAccountLock) is counted apart', async () => {
    const { reading, known, notCounted, doubtful } = await membersIn(inTeams())
    expect(reading.status).toBe('complete')
    expect(known).toEqual({ outer: mails('ann'), inner: mails('bob'), empty: [] })
    expect(notCounted('inner')).toEqual({ disabled: 1, groups: 1 })
    expect(doubtful('inner')).toMatchObject({ members: [expect.any(String)], why: expect.stringContaining('do not exist') })
    expect(notCounted('outer')).toEqual({ disabled: 0, groups: 1 })
  })

  test('of groups inside each other, in a circle, with nested', async () => {
    const { reading, known, leastOf, more, lines } = await membersIn(inTeams({ nested: true }))
    expect(reading.status).toBe('complete')
    expect(known).toEqual({ empty: [] })
    expect([leastOf('outer'), leastOf('inner')]).toEqual([mails('ann', 'bob'), mails('ann', 'bob')])
    expect(more('inner')).toContain('do not exist')
    expect(lines.join('\n')).not.toMatch(/uid=(ann|bob|off|gone)|@example/i)
  })

  test('by another attribute are exact if member is allowed to be absent, and it can be read; a value with an option makes them at least', async () => {
    const by = (members: string, account: string) =>
      membersIn(asked({ account, groups: { base: others, members }, people: { base: people, nested: false } }))
    const byUid = await by('memberUid', 'reader')
    expect(byUid.known).toEqual({ unlisted: mails('ann') })
    expect(byUid.more('optioned')).toBe('member may give it members, and this program reads only memberUid')
    const shy = await by('memberUid', 'shy')
    expect(shy.more('unlisted')).toBe(`no value of member can be read: let cn=shy,${suffix} read member`)
    const byDn = await by('member', 'reader')
    expect(byDn.more('optioned')).toBe('member;lang-en may give it members, and this program reads only member')
  })

  test('an account that may not read them knows no group, and one that sees no people fails', async () => {
    const shy = await membersIn(inTeams({ account: 'shy' }))
    expect(shy.known).toEqual({})
    expect(shy.reading).toMatchObject({ status: 'partial', missing: expect.stringContaining(`let cn=shy,${suffix} read member`) })
    // It sees the groups of its ACI, and no people.
    const partial = await membersIn(
      asked({ account: 'partial', groups: { base: groupsBase, filter: '(cn=g000*)' }, people: { base: people } }),
    )
    expect(partial.reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`people below "${people}": the search succeeded and found no people`),
    })
  })
})
