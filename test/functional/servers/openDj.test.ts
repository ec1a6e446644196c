import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { members } from '../../unit/bounds.ts'
import { type Asked, groupsIn, membersIn, outcomeOf } from './ldapReadings.ts'
import { groupsText, numbersBy } from './numbers.ts'
import { type OpenDj, root, startOpenDj, suffix } from './openDj.ts'

/** A real OpenDJ: static, dynamic and virtual static groups, `isMemberOf`, and states of accounts that an account may read only with a right of its own. */

const [groupsBase, teams, people, hidden] = [`ou=groups,${suffix}`, `ou=teams,${suffix}`, `ou=people,${suffix}`, `ou=hidden,${suffix}`]
const password = 'reader "pä$$" word'
const groupsTotal = 1_200
/** Above the number of groups, and below that of all entries. By default it is 4,000. */
const indexEntryLimit = 1_210

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string, ...lines: readonly string[]) =>
  entry(dn, 'objectClass: organizationalUnit', `ou: ${/=(.*?),/.exec(dn)?.[1]}`, ...lines)
const account = (name: string, ...more: readonly string[]) =>
  entry(
    `cn=${name},${suffix}`,
    'objectClass: applicationProcess',
    'objectClass: simpleSecurityObject',
    `cn: ${name}`,
    `userPassword:: ${Buffer.from(password).toString('base64')}`,
    ...more,
  )
const at = (uid: string) => `uid=${uid},${people}`
const person = (uid: string, ...more: readonly string[]) =>
  entry(at(uid), 'objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, 'sn: x', `mail: ${uid}@example.org`, ...more)
const team = (cn: string) => `cn=${cn},${teams}`
const group = (dn: string, ...members: readonly string[]) =>
  entry(dn, 'objectClass: groupOfNames', `cn: ${/=(.*?),/.exec(dn)?.[1]}`, ...members.map((member) => `member: ${member}`))
const other = (cn: string, ...lines: readonly string[]) => entry(team(cn), `cn: ${cn}`, ...lines)
const nameOf = (n: number) => `g${`${n}`.padStart(4, '0')}`
const states = 'ds-pwp-account-disabled || ds-pwp-account-expiration-time'
const aci = (target: string, rule: string, who: string) =>
  `aci: (targetattr="${target}")(version 3.0; acl "${who}"; ${rule} userdn="ldap:///cn=${who},${suffix}";)`

/**
 * By default each account may read all but `userPassword` and operational attributes. `judge` may also read the states of accounts; `shy` may not read
 * `member`; `seeker` may search without an index; nobody but the root may read what is below the hidden unit.
 */
const world = [
  ...['reader', 'judge', 'shy'].map((name) => account(name)),
  account('stopped', 'ds-pwp-account-disabled: true'),
  account('seeker', 'ds-privilege-name: unindexed-search'),
  unit(groupsBase),
  ...Array.from({ length: groupsTotal }, (_, n) => group(`cn=${nameOf(n)},${groupsBase}`, at('ann'), at('bob'), at('cem'))),
  unit(people, aci(states, 'allow (read, search, compare)', 'judge')),
  ...['ann', 'bob', 'cem'].map((uid) => person(uid)),
  person('off', 'ds-pwp-account-disabled: true'),
  person('past', 'ds-pwp-account-expiration-time: 20200101000000Z'),
  person('soon', 'ds-pwp-account-expiration-time: 20990101000000Z'),
  unit(teams, aci('member', 'deny (read, search, compare)', 'shy')),
  group(team('inner'), `UID=Bob , OU=People,${suffix}`, at('soon'), at('gone')),
  group(team('outer'), at('ann'), team('inner')),
  group(team('empty')),
  group(team('states'), at('ann'), at('off'), at('past'), at('soon')),
  other('entries', 'objectClass: groupOfEntries', `member: ${at('ann')}`),
  other('unique', 'objectClass: groupOfUniqueNames', `uniqueMember: ${at('bob')}`, `uniqueMember: ${at('cem')}`),
  other('dynamic', 'objectClass: groupOfURLs', `memberURL: ldap:///${people}??sub?(uid=b*)`),
  other('virtual', 'objectClass: groupOfNames', 'objectClass: ds-virtual-static-group', `ds-target-group-dn: ${team('dynamic')}`),
  unit(hidden, aci('*', 'deny (all)', 'reader')),
  group(`cn=secret,${hidden}`, at('ann')),
].join('\n')

let server: OpenDj
const run = promisify(execFile)
/** The DNs of the people who are in a group, as the server itself says. */
async function inGroup(dn: string): Promise<readonly string[]> {
  const login = ['-x', '-H', server.ldap, '-D', root.dn, '-w', root.password]
  const { stdout } = await run('ldapsearch', ['-LLL', '-o', 'ldif-wrap=no', ...login, '-b', people, `(isMemberOf=${dn})`, 'mail'])
  return [...stdout.matchAll(/^mail: (.*)$/gm)].map(([, mail = '']) => mail).toSorted()
}

beforeAll(async () => {
  server = await startOpenDj(world, indexEntryLimit)
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
  test('are read whole over three pages, and counted, each with its entryUUID', async () => {
    const { reading, pages } = await groupsIn(asked())
    expect(pages).toEqual([500, 1_000, 1_200])
    if (reading.status !== 'complete') throw new Error(JSON.stringify(reading))
    expect(reading.value.get('g1199' as GroupName)).toEqual([
      {
        name: 'g1199',
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        place: `cn=g1199,${groupsBase}`,
        size: members(3),
      },
    ])
    const all = [...reading.value.values()].flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(groupsTotal)
    expect(new Set(all.map(({ size }) => size?.least))).toEqual(new Set([3]))
  })

  test.each([
    ['ldaps://', (): Over => ({ addresses: [server.ldaps] })],
    ['StartTLS', (): Over => ({ startTls: true })],
  ])('are read over %s with the certificate of the server, and refused without it', async (_, how) => {
    const trusting = { ca: server.ca, serverName: 'localhost' }
    expect(await outcomeOf(asked({ ...how(), ...trusting }))).toEqual(whole)
    expect(await outcomeOf(asked({ ...how(), serverName: 'localhost' }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the certificate is refused'),
    })
  })

  test('are more than one search without pages may have, and the cure names pageSize', async () => {
    expect(await outcomeOf(asked({ pageSize: 0 }))).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/size limit was reached.*result 4: .*maximum of 1000 entries/),
      cure: expect.stringContaining('set pageSize'),
    })
  })

  test('are not read by an anonymous account: it may not page, and the cure names the ACI', async () => {
    expect(await outcomeOf({ ...asked(), bind: 'anonymous' })).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the server cannot page, or the account may not (result 12'),
      cure: expect.stringContaining('OpenDJ: an ACI with targetcontrol'),
    })
    // It may see 1,000 of them, so it does not get the others either.
    expect(await outcomeOf({ ...asked({ pageSize: 0 }), bind: 'anonymous' })).toMatchObject({ status: 'failed' })
  })

  test('without the right to a part of the tree the search succeeds and has nothing, which proves nothing', async () => {
    expect(await outcomeOf(asked({ groups: { base: hidden } }))).toEqual({ status: 'complete', groups: 0 })
    expect(await outcomeOf(asked({ groups: { base: hidden }, account: 'judge' }))).toEqual({ status: 'complete', groups: 1 })
    expect(await groupsText({ ...corp(), groups: { base: hidden, member: 'member' } }, env)).toMatch(
      /^1: .*found no group, which proves nothing/,
    )
  })
})

describe('what the server refuses', () => {
  test('a base that does not exist', async () => {
    expect(await outcomeOf(asked({ groups: { base: `ou=nowhere,${suffix}` } }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('there is no such entry, or the account may not see it (result 32'),
      cure: expect.stringContaining('check groups.base'),
    })
  })

  // Also a search by objectClass is one if it may match more entries than ds-cfg-index-entry-limit.
  describe('a search for which it has no index', () => {
    const groups = { base: suffix, filter: '(|(description=x)(cn=g*))' }

    test('is refused, unless the account has the privilege for it', async () => {
      expect(await outcomeOf(asked({ groups }))).toMatchObject({
        status: 'failed',
        why: expect.stringMatching(/result 50: .*sufficient privileges to perform an unindexed search/),
      })
      expect(await outcomeOf(asked({ groups, account: 'seeker' }))).toEqual(whole)
    })

    test('the cure names the privilege', async () => {
      expect(await outcomeOf(asked({ groups }))).toMatchObject({ cure: expect.stringContaining('unindexed-search') })
    })
  })

  // By default OpenDJ does not say why a bind is refused (ds-cfg-return-bind-error-messages).
  test.each([
    ['a wrong password', 'reader', 'wr0ng'],
    ['an account that does not exist', 'nobody', password],
    ['a disabled account', 'stopped', password],
  ])('%s, as a person sees it', async (_, name, secret) => {
    const text = await groupsText(corp(name), { LDAP_PASSWORD: secret })
    expect(text).toMatch(/^1: /)
    expect(text).toContain(`bind as "cn=${name},${suffix}": the name or the password is wrong (result 49)`)
    expect(text).toContain('check bind.dn and the password')
    expect(text).not.toContain(secret)
  })
})

describe('members', () => {
  const mails = (...uids: readonly string[]) => uids.map((uid) => `${uid}@example.org`)
  const inTeams = (over: Over & { readonly nested?: boolean } = {}) => {
    const { nested = false, groups, ...rest } = over
    const filter = '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=groupOfEntries)(objectClass=groupOfURLs))'
    return membersIn(asked({ groups: { base: teams, filter, ...groups }, people: { base: people, nested }, ...rest }))
  }

  test('of static groups are known, however their DNs are written; the server itself says the same (isMemberOf)', async () => {
    const { known, notCounted } = await inTeams({ account: 'judge' })
    expect(known).toMatchObject({ inner: mails('bob', 'soon'), outer: mails('ann'), empty: [], entries: mails('ann') })
    expect(notCounted('inner')).toBeUndefined()
    expect(notCounted('outer')).toEqual({ disabled: 0, groups: 1 })
    const nested = await inTeams({ account: 'judge', nested: true })
    for (const name of ['inner', 'outer', 'empty', 'entries']) expect(nested.leastOf(name), name).toEqual(await inGroup(team(name)))
    expect(nested.leastOf('outer')).toEqual(mails('ann', 'bob', 'soon'))
    expect(nested.more('inner')).toContain('do not exist')
    expect(nested.lines.join('\n')).not.toMatch(/uid=(ann|bob|off|gone)|@example/i)
  })

  test('of groupOfUniqueNames are known by their own attribute, and otherwise the number is at least', async () => {
    expect((await inTeams({ groups: { members: 'uniqueMember' } })).known).toMatchObject({ unique: mails('bob', 'cem') })
    expect((await inTeams()).more('unique')).toBe('uniqueMember may give it members, and this program reads only member')
  })

  test('of a dynamic group are more than it lists, and never a number', async () => {
    const { known, more } = await inTeams()
    expect(known).not.toHaveProperty('dynamic')
    expect(more('dynamic')).toBe('memberURL may give it members, and this program reads only member')
    expect(await inGroup(team('dynamic'))).toEqual(mails('bob'))
  })

  test('of a virtual static group are not shown by the server, and the message says which of its settings shows them', async () => {
    const { known, reading } = await inTeams()
    expect(known).not.toHaveProperty('virtual')
    expect(reading).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining(
        `members of "${team('virtual')}": the server computes the members of a virtual static group, and does not show them: set allow-retrieving-membership for its virtual attribute member on the server`,
      ),
    })
    const { groups } = await numbersBy(corp(), ['inner'], env)
    expect(groups).not.toHaveProperty('virtual', 0)
    await using _ = await showingVirtualMembers()
    const shown = await inTeams()
    expect(shown.reading.status).toBe('complete')
    expect(shown.known['virtual']).toEqual(await inGroup(team('virtual')))
    expect(shown.known['virtual']).toEqual(mails('bob'))
  })

  test('are not known without the right to read member', async () => {
    const { known, reading } = await inTeams({ account: 'shy' })
    expect(known).toEqual({})
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining(`let cn=shy,${suffix} read member`) })
  })

  test('whose state the account may not read are people: OpenDJ does not show it without an ACI', async () => {
    expect((await inTeams()).known['states']).toEqual(mails('ann', 'off', 'past', 'soon'))
  })

  test('are only those whom people.filter takes, also by a state; an account without the right to the state sees nobody, and is told so', async () => {
    const enabled = { base: people, filter: '(&(objectClass=person)(!(ds-pwp-account-disabled=true)))' }
    const inStates = (account: string) => membersIn(asked({ account, groups: { base: teams, filter: '(cn=states)' }, people: enabled }))
    const { known } = await inStates('judge')
    expect(known['states']).toEqual(expect.arrayContaining(mails('ann', 'soon')))
    expect(known['states']).not.toContain('off@example.org')
    expect((await inStates('reader')).reading).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('the search succeeded and found no people'),
      cure: expect.stringContaining('or correct people.base or people.filter'),
    })
  })

  // These wait for the states of accounts (ds-pwp-account-disabled, ds-pwp-account-expiration-time).
  test('a disabled account is no person (ds-pwp-account-disabled)', async () => {
    expect((await inTeams({ account: 'judge' })).known['states']).not.toContain('off@example.org')
  })
  test('an expired account is no person (ds-pwp-account-expiration-time), one that expires later is', async () => {
    const known = (await inTeams({ account: 'judge' })).known['states']
    expect(known).not.toContain('past@example.org')
    expect(known).toContain('soon@example.org')
  })

  test('give groups and plan their numbers, and no output names a person', async () => {
    const named = ['outer', 'empty', 'entries', 'unique', 'dynamic', 'virtual']
    const { groups, plan, text } = await numbersBy(corp('judge'), named, env)
    expect(groups).toMatchObject({ inner: 3, entries: 1 })
    expect(plan).toEqual({
      outer: '1',
      empty: '0',
      entries: '1',
      unique: 'unknown',
      dynamic: 'unknown',
      virtual: 'unknown',
    })
    expect(text).not.toMatch(/uid=|@example/i)
  })
})

const env = { LDAP_PASSWORD: password }
const corp = (account = 'reader') => ({
  kind: 'ldap',
  addresses: [server.ldaps],
  caFile: server.caFile,
  serverName: 'localhost',
  bind: { dn: `cn=${account},${suffix}`, password: { env: 'LDAP_PASSWORD' } },
  groups: { base: teams, filter: '(cn=*)', member: 'member' },
  people: { base: people },
})

/** Lets the server show the members of virtual static groups until the end of the block. */
async function showingVirtualMembers(): Promise<AsyncDisposable> {
  const set = async (shown: boolean) => {
    const login = ['-x', '-H', server.ldap, '-D', root.dn, '-w', root.password]
    const modify = run('ldapmodify', login)
    const dn = 'cn=Virtual Static member,cn=Virtual Attributes,cn=config'
    const attribute = 'ds-cfg-allow-retrieving-membership'
    modify.child.stdin?.end(`dn: ${dn}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${shown}\n`)
    await modify
  }
  await set(true)
  return { [Symbol.asyncDispose]: () => set(false) }
}
