import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { members } from '../../unit/bounds.ts'
import { type Asked, groupsIn, membersIn, outcomeOf } from './ldapReadings.ts'
import { groupsText, numbersBy } from './numbers.ts'
import { administrator, domain, type SambaAd, serverName, startSambaAd, unicodePwd } from './sambaAd.ts'

/** A real domain controller of Samba: the rules of Active Directory for accounts, groups and references. */

const [groupsBase, teams, people, left] = [`OU=groups,${domain}`, `OU=teams,${domain}`, `OU=people,${domain}`, `OU=left,${domain}`]
const password = 'Passw0rd "pä$$" word'
const groupsTotal = 600

const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string) => entry(dn, 'objectClass: organizationalUnit')
const at = (name: string, base = people) => `CN=${name},${base}`
const person = (name: string, control: number, ...more: readonly string[]) => account(at(name), name, control, ...more)
const account = (dn: string, name: string, control: number, ...more: readonly string[]) =>
  entry(dn, 'objectClass: user', `sAMAccountName: ${name}`, `mail: ${name}@example.org`, `userAccountControl: ${control}`, ...more)
const team = (name: string) => `CN=${name},${teams}`
const group = (dn: string, name: string, ...members: readonly string[]) =>
  entry(dn, 'objectClass: group', `sAMAccountName: ${name}`, ...members.map((member) => `member: ${member}`))
const nameOf = (n: number) => `g${`${n}`.padStart(4, '0')}`
/** An account that works (NORMAL_ACCOUNT), and one that is also disabled (ACCOUNTDISABLE); a computer (WORKSTATION_TRUST_ACCOUNT). */
const [works, disabled, workstation] = [512, 514, 4_096]
/** `accountExpires`: intervals of 100 ns since 1601. 0 and 2^63 - 1 mean never. */
const expires = (date: string) => `accountExpires: ${BigInt(Date.parse(date) + 11_644_473_600_000) * 10_000n}`

/** sue's primary group is crew; that of all others is Domain Users, as usual. */
const world = [
  unit(groupsBase),
  unit(teams),
  unit(people),
  unit(left),
  account(at('past', left), 'past', works, unicodePwd(password), expires('2020-01-01')),
  entry(
    `CN=reader,${domain}`,
    'objectClass: user',
    'sAMAccountName: reader',
    'userPrincipalName: reader@ad.example.org',
    'userAccountControl: 512',
    unicodePwd(password),
  ),
  ...['ann', 'bob', 'cem', 'sue'].map((name) => person(name, works, unicodePwd(password))),
  person('off', disabled, unicodePwd(password)),
  person('later', works, unicodePwd(password), expires('2099-01-01')),
  person('zero', works, unicodePwd(password), 'accountExpires: 0'),
  person('never', works, unicodePwd(password), 'accountExpires: 9223372036854775807'),
  entry(at('pc1'), 'objectClass: computer', 'sAMAccountName: pc1$', `userAccountControl: ${workstation}`, 'mail: pc1@example.org'),
  entry(
    at('svc1'),
    'objectClass: msDS-GroupManagedServiceAccount',
    'sAMAccountName: svc1$',
    `userAccountControl: ${workstation}`,
    'msDS-ManagedPasswordInterval: 30',
    'mail: svc1@example.org',
  ),
  entry(at('printer'), 'objectClass: contact', 'mail: printer@example.org'),
  ...Array.from({ length: groupsTotal }, (_, n) => group(`CN=the ${nameOf(n)},${groupsBase}`, nameOf(n), at('ann'), at('bob'))),
  group(team('inner'), 'inner', at('bob'), at('off')),
  group(team('outer'), 'outer', at('ann'), team('inner')),
  group(team('outmost'), 'outmost', team('outer'), at('printer')),
  group(team('crew'), 'crew', at('cem'), at('sue')),
  group(team('empty'), 'empty'),
  group(team('kinds'), 'kinds', ...['ann', 'off', 'later', 'zero', 'never', 'pc1', 'svc1', 'printer'].map((name) => at(name))),
  group(team('expired'), 'expired', at('ann'), at('past', left)),
].join('\n')

let server: SambaAd
const run = promisify(execFile)
const login = () => ['-x', '-H', server.ldaps, '-D', administrator.dn, '-w', administrator.password]
const trusting = () => ({ ...process.env, LDAPTLS_CACERT: server.caFile, LDAPTLS_REQCERT: 'allow' })
const search = async (...args: readonly string[]) =>
  (await run('ldapsearch', ['-LLL', '-o', 'ldif-wrap=no', ...login(), ...args], { env: trusting() })).stdout

beforeAll(async () => {
  server = await startSambaAd(world)
  const token = /^primaryGroupToken: (\d+)$/m.exec(await search('-b', team('crew'), '-s', 'base', 'primaryGroupToken'))?.[1]
  const modify = run('ldapmodify', login(), { env: trusting() })
  modify.child.stdin?.end(`dn: ${at('sue')}\nchangetype: modify\nreplace: primaryGroupID\nprimaryGroupID: ${token}\n`)
  await modify
  // A circle, which an entry that is added cannot have.
  const circle = run('ldapmodify', login(), { env: trusting() })
  circle.child.stdin?.end(`dn: ${team('inner')}\nchangetype: modify\nadd: member\nmember: ${team('outer')}\n`)
  await circle
})
afterAll(() => server?.[Symbol.asyncDispose]())

type Over = Omit<Partial<Asked>, 'groups' | 'people'> & {
  readonly groups?: Partial<Asked['groups']>
  readonly people?: Partial<NonNullable<Asked['people']>>
}
const asked = ({ groups, people: over, ...more }: Over = {}): Asked => ({
  addresses: [server.ldaps],
  ca: server.ca,
  serverName,
  bind: { dn: 'reader@ad.example.org', password: async () => password },
  ...more,
  groups: { base: groupsBase, filter: '(objectClass=group)', name: 'sAMAccountName', ...groups },
  ...(over && { people: { base: people, filter: '(&(objectCategory=person)(objectClass=user))', ...over } }),
})
const whole = { status: 'complete', groups: groupsTotal }

describe('600 groups', () => {
  test('are read whole in pages by sAMAccountName, each with its objectGUID', async () => {
    const { reading, pages } = await groupsIn(asked())
    expect(pages).toEqual([500, 600])
    if (reading.status !== 'complete') throw new Error(JSON.stringify(reading))
    expect(reading.value.get('g0599' as GroupName)).toEqual([
      {
        name: 'g0599',
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        place: `CN=the g0599,${groupsBase}`,
        size: members(2),
      },
    ])
    expect(new Set([...reading.value.values()].flat().map(({ id }) => id)).size).toBe(groupsTotal)
  })

  test('have the name that a template makes, as a domain writes it', async () => {
    const { reading } = await groupsIn(asked({ groups: { name: String.raw`AD\{sAMAccountName}` } }))
    expect(reading.status === 'complete' && [...reading.value.keys()].toSorted()).toEqual(
      Array.from({ length: groupsTotal }, (_, n) => `AD\\${nameOf(n)}`),
    )
  })

  test.each([
    ['a name of the domain', 'reader@ad.example.org'],
    ['a name as Windows writes it', String.raw`AD\reader`],
    ['its DN', `CN=reader,${domain}`],
  ])('are read by an account that binds with %s, although the server does not answer "Who am I?"', async (_, dn) => {
    const whoAmI = run('ldapwhoami', ['-x', '-H', server.ldaps, '-D', dn, '-w', password], { env: trusting() })
    await expect(whoAmI).rejects.toMatchObject({ stderr: expect.stringMatching(/Protocol error \(2\)/) })
    expect(await outcomeOf(asked({ bind: { dn, password: async () => password } }))).toEqual(whole)
  })

  test('are read over StartTLS', async () => {
    expect(await outcomeOf(asked({ addresses: [server.ldap], startTls: true }))).toEqual(whole)
  })

  test('are not read without TLS: the server wants it, and the cure says so', async () => {
    expect(await outcomeOf(asked({ addresses: [server.ldap] }))).toEqual({
      status: 'failed',
      why: expect.stringMatching(/result 8/),
      cure: expect.stringMatching(/ldaps:\/\/.*startTls/),
    })
  })

  test('are not read by an anonymous account', async () => {
    expect(await outcomeOf(asked({ bind: 'anonymous' }))).toMatchObject({ status: 'failed', why: expect.stringContaining('(result 1') })
  })

  test('and those of Windows are read from the root of the domain; its references to its own partitions do not matter', async () => {
    const { stdout } = await run('ldapsearch', [...login(), '-b', domain, '(objectClass=group)', '1.1'], { env: trusting() })
    expect(stdout).toMatch(/^ref: ldaps?:\/\/ad\.example\.org\/CN=Configuration,/m)
    const { reading } = await groupsIn(asked({ groups: { base: domain } }))
    if (reading.status !== 'complete') throw new Error(JSON.stringify(reading))
    expect(reading.value.size).toBe(Number(/^# numEntries: (\d+)$/m.exec(stdout)?.[1]))
    for (const name of ['g0000', 'g0599', 'outmost', 'Domain Users', 'Schema Admins'])
      expect(reading.value.has(name as GroupName), name).toBe(true)
    // All people but sue are in it, by their primaryGroupID. sue is a value of its members.
    expect(reading.value.get('Domain Users' as GroupName)?.[0]).not.toHaveProperty('people')
  })

  test('a base that does not exist, and a wrong password', async () => {
    expect(await outcomeOf(asked({ groups: { base: `OU=nowhere,${domain}` } }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(`"OU=nowhere,${domain}": there is no such entry`),
    })
    expect(await outcomeOf(asked({ bind: { dn: 'reader@ad.example.org', password: async () => 'wr0ng' } }))).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/the name or the password is wrong \(result 49: .*data 52e/),
    })
  })

  test('a disabled account is refused, and the reason is said; so is one that does not exist', async () => {
    const outcome = (dn: string) => outcomeOf(asked({ bind: { dn, password: async () => password } }))
    expect(await outcome(at('off'))).toMatchObject({ status: 'failed', why: expect.stringContaining('the account is disabled (result 49') })
    expect(await outcome(at('nobody'))).toMatchObject({ status: 'failed', why: expect.stringContaining('(result 49') })
  })
})

describe('members', () => {
  const mails = (...names: readonly string[]) => names.map((name) => `${name}@example.org`)
  const inTeams = (nested: boolean, { people: over, ...more }: Over = {}) =>
    membersIn(asked({ groups: { base: teams }, people: { nested, ...over }, ...more }))

  test('are enabled people, with those whose primary group it is; a contact is none', async () => {
    const { reading, known, notCounted } = await inTeams(false)
    expect(reading.status).toBe('complete')
    expect(known).toMatchObject({
      inner: mails('bob'),
      outer: mails('ann'),
      outmost: [],
      crew: mails('cem', 'sue'),
      empty: [],
    })
    expect(notCounted('inner')).toEqual({ disabled: 1, groups: 1 })
    expect(notCounted('outmost')).toEqual({ disabled: 0, groups: 1 })
  })

  test('of Domain Users are all people by their primaryGroupID, and sue by her membership', async () => {
    const base = `CN=Users,${domain}`
    const { known, notCounted } = await membersIn(asked({ groups: { base, filter: '(sAMAccountName=Domain Users)' }, people: {} }))
    expect(known).toEqual({ 'Domain Users': mails('ann', 'bob', 'cem', 'later', 'never', 'sue', 'zero') })
    expect(notCounted('Domain Users')).toMatchObject({ disabled: 1 })
  })

  test('are no computers, managed service accounts, contacts and disabled accounts, whatever people.filter says; expiry may be never', async () => {
    const expected = mails('ann', 'later', 'never', 'zero')
    for (const filter of ['(&(objectCategory=person)(objectClass=user))', '(objectClass=person)', '(objectClass=*)']) {
      const { reading, known, notCounted } = await inTeams(false, { people: { filter } })
      expect(reading.status, filter).toBe('complete')
      expect(known['kinds'], filter).toEqual(expected)
      expect(notCounted('kinds'), filter).toEqual({ disabled: 1, groups: 0 })
    }
  })

  test('an account that has expired is no person (accountExpires)', async () => {
    const { known } = await inTeams(false, { people: { base: [people, left] } })
    expect(known['expired']).toEqual(mails('ann'))
  })

  test('nested are those of whom the server itself says that they are in the group (LDAP_MATCHING_RULE_IN_CHAIN)', async () => {
    const { reading, known, lines } = await inTeams(true)
    expect(reading.status).toBe('complete')
    for (const name of ['inner', 'outer', 'outmost', 'empty']) {
      const inChain = `(memberOf:1.2.840.113556.1.4.1941:=${team(name)})`
      const enabled = '(!(userAccountControl:1.2.840.113556.1.4.803:=2))'
      const found = await search('-b', people, `(&(objectClass=user)${inChain}${enabled})`, 'mail')
      expect(known[name], name).toEqual([...found.matchAll(/^mail: (.*)$/gm)].map(([, mail = '']) => mail).toSorted())
    }
    expect(known).toMatchObject({ inner: mails('ann', 'bob'), outmost: mails('ann', 'bob'), crew: mails('cem', 'sue') })
    expect(lines.join('\n')).not.toMatch(/CN=(ann|bob|cem|sue|off|printer)|@example/)
  })

  test('by the port of the global catalogue: the groups are read, and a group without a value is unknown', async () => {
    const catalogue: Over = { addresses: [server.catalogue], startTls: true }
    expect(await outcomeOf(asked(catalogue))).toEqual(whole)
    const { reading, known } = await inTeams(false, catalogue)
    expect(known).toMatchObject({ inner: mails('bob'), crew: mails('cem', 'sue') })
    expect(known).not.toHaveProperty('empty')
    expect(reading).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('a global catalogue has the members of universal groups only'),
    })
  })
})

describe('the program as a process', () => {
  const corp = () => ({
    kind: 'ldap',
    addresses: [server.ldaps],
    caFile: server.caFile,
    serverName,
    bind: { dn: 'reader@ad.example.org', password: { env: 'LDAP_PASSWORD' } },
    groups: { base: teams, filter: '(objectClass=group)', name: 'sAMAccountName', member: 'member' },
    people: { base: people, filter: '(&(objectCategory=person)(objectClass=user))' },
  })

  test('lists all groups, and a plan has the number of people of each; no output names a person', async () => {
    const { groups, plan, text } = await numbersBy(corp(), ['crew', 'empty', 'kinds', 'outmost'], { LDAP_PASSWORD: password })
    expect(Object.keys(groups).toSorted()).toEqual(['crew', 'empty', 'expired', 'inner', 'kinds', 'outer', 'outmost'])
    expect(plan).toEqual({ crew: '2', empty: '0', kinds: '4', outmost: '0' })
    expect(text).not.toMatch(/CN=(ann|cem|sue|off|pc1|svc1|printer|later)|@example\.org"/)
  })

  test('says that the password is wrong, with the code of the server', async () => {
    const text = await groupsText(corp(), { LDAP_PASSWORD: 'wr0ng' })
    expect(text).toMatch(/^1: .*bind as "reader@ad\.example\.org": the name or the password is wrong \(result 49: .*data 52e/)
    expect(text).toContain('check bind.dn and the password')
    expect(text).not.toContain('wr0ng')
  })
})
