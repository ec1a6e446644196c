import { describe, expect, test } from 'vitest'
import type { Group } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import type { Deadline } from '../../../src/directories/deadline.ts'
import { firstThatWorks } from '../../../src/directories/ldap/firstServer.ts'
import { findPeople } from '../../../src/directories/ldap/people.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { type FakeAnswer, type FakeEntry, type FakeSearch, startFakeLdap } from './fakeLdap.ts'

/** Members of groups at a server that behaves like Active Directory: its kinds of entries, its SIDs, and values in parts. */

const domain = 'DC=ad,DC=example,DC=org'
const staff = `OU=staff,${domain}`
const teams = `OU=teams,${domain}`
const at = (cn: string) => `CN=${cn},${staff}`
const team = (cn: string) => `CN=${cn},${teams}`

/** A SID of the domain 1, or of another one, with this number at its end. */
function sid(rid: number, of = 1): Buffer {
  const bytes = Buffer.from('0105000000000005150000000000000000000000000000000000000000', 'hex').subarray(0, 28)
  bytes.writeUInt32LE(of, 12)
  bytes.writeUInt32LE(rid, 24)
  return bytes
}

const guid = (n: number) => Buffer.alloc(16, n)
let entries = 0
const entry = (dn: string, attributes: FakeEntry['attributes']): FakeEntry => ({
  dn,
  attributes: { objectGUID: [guid(++entries)], ...attributes },
})
const person = (cn: string, more: FakeEntry['attributes'] = {}): FakeEntry =>
  entry(at(cn), {
    objectClass: ['top', 'person', 'organizationalPerson', 'user'],
    mail: [`${cn}@example.org`],
    userAccountControl: ['512'],
    accountExpires: ['0'],
    primaryGroupID: ['600'],
    objectSid: [sid(1_000 + ++entries)],
    ...more,
  })
const group = (cn: string, members: readonly string[], more: FakeEntry['attributes'] = {}): FakeEntry =>
  entry(team(cn), {
    objectClass: ['top', 'group'],
    groupType: ['-2147483646'],
    objectSid: [sid(500)],
    ...(members.length === 0 ? {} : { member: members }),
    ...more,
  })

type World = {
  readonly people: readonly FakeEntry[]
  readonly groups?: readonly FakeEntry[]
  /** By lower-case DN; in the place of the entry. */
  readonly answers?: Readonly<Record<string, FakeAnswer | 'silence' | ((search: FakeSearch) => FakeAnswer | 'silence')>>
  readonly wanted?: readonly Group[]
  readonly nested?: boolean
  readonly over?: Partial<LdapSettings>
  readonly signal?: AbortSignal
  readonly deadline?: Deadline
}

const usualPeople = { base: staff, filter: '(objectClass=person)', identity: 'mail', nested: false }
const usualSettings = (url: string): LdapSettings => ({
  addresses: [url],
  bind: { dn: `CN=reader,${domain}`, password: () => Promise.resolve('secret') },
  pageSize: 500,
  timeoutMs: 1_000,
  groupsMax: 100,
  membersMax: 100,
  referrals: 'fail',
  groups: { base: teams, scope: 'sub', filter: '(objectClass=group)', name: 'cn', members: 'member' },
  people: usualPeople,
})

const wantedOf = ({ dn }: FakeEntry): Group => ({ name: dn as GroupName, id: dn, place: dn })

async function membersIn({ people, groups = [], answers = {}, wanted, nested = false, over, signal, deadline }: World) {
  const byDn = new Map([...people, ...groups].map((one) => [one.dn.toLowerCase(), one]))
  await using server = await startFakeLdap({
    search(search): FakeAnswer | 'silence' {
      const special = answers[search.base.toLowerCase()]
      if (special !== undefined) return typeof special === 'function' ? special(search) : special
      if (search.base === staff) return { entries: people, cookie: '' }
      const found = byDn.get(search.base.toLowerCase())
      if (found === undefined) return { result: 32 }
      // As each server does, it sends the entry only if the filter is true.
      return search.filter.startsWith('(!(member=*)') && found.attributes['member'] !== undefined ? {} : { entries: [found] }
    },
  })
  const lines: string[] = []
  const settings: LdapSettings = { ...usualSettings(server.url), people: { ...usualPeople, nested }, ...over }
  const capabilities = { now: () => performance.now(), log: (line: string) => void lines.push(line), ...(deadline && { deadline }) }
  const reading = await readLdapMembers(settings, wanted ?? groups.map(wantedOf), 0, capabilities, signal ?? new AbortController().signal)
  const value = reading.status === 'failed' ? new Map<string, never>() : reading.value
  const names = (texts: readonly string[]) =>
    texts
      .map((text) => text.replace('@example.org', ''))
      .toSorted()
      .join(' ')
  return {
    reading,
    known: Object.fromEntries([...value].map(([id, members]) => [/=(.*?),/.exec(id)?.[1] ?? id, names(members.people)])),
    notCounted: (cn: string) => value.get(team(cn))?.notCounted,
    doubtful: (cn: string) => value.get(team(cn))?.doubtful,
    more: (cn: string) => value.get(team(cn))?.more,
    searches: server.searches,
    connections: server.connections(),
    lines,
  }
}
const basesOf = (searches: readonly FakeSearch[]) => searches.map(({ base }) => base)

test('a group of which a proxy sends two entries is unknown: the members of the other one are not its own', async () => {
  const people = [person('ann'), person('ben')]
  const [devs, ops] = [group('devs', [at('ann')]), group('ops', [at('ben')])]
  for (const entries of [
    [devs, ops],
    [ops, devs],
  ]) {
    const { reading, known } = await membersIn({ people, groups: [devs, ops], answers: { [devs.dn.toLowerCase()]: { entries } } })
    expect(known).toEqual({ ops: 'ben' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('the server sent 2 entries for one DN') })
  }
})

describe('people of Active Directory', () => {
  const foreign = 'another directory has some of its members'
  test('are no computers, contacts or disabled accounts, and names of another forest are not asked for', async () => {
    const principal = `CN=S-1-5-21-1-2-3-1104,CN=ForeignSecurityPrincipals,${domain}`
    const people = [
      person('ann'),
      person('off', { userAccountControl: ['514'] }),
      person('pc', { objectClass: ['top', 'person', 'user', 'Computer'] }),
      person('fax', { objectClass: ['top', 'person', 'organizationalPerson', 'contact'] }),
    ]
    const devs = group('devs', [at('ann'), at('off'), at('pc'), at('fax'), principal])
    const { known, notCounted, doubtful, searches } = await membersIn({ people, groups: [devs] })
    expect(known).toEqual({ devs: 'ann' })
    expect(notCounted('devs')).toEqual({ disabled: 1, groups: 0 })
    expect(doubtful('devs')).toMatchObject({ members: [expect.any(String)], why: foreign })
    expect(basesOf(searches).slice(2).toSorted()).toEqual([at('fax'), at('fax'), at('pc'), at('pc')])
  })

  test('are in their primary group, although no value says so; the same number of another domain is another group', async () => {
    const elsewhere = person('eve', { objectSid: [sid(1_104, 2)], primaryGroupID: ['513'] })
    const people = [
      person('ann', { primaryGroupID: ['513'] }),
      person('off', { primaryGroupID: ['513'], userAccountControl: ['514'] }),
      person('bob'),
      elsewhere,
    ]
    const users = group('users', [], { objectSid: [sid(513)] })
    const both = group('both', [at('bob'), users.dn], { objectSid: [sid(514)] })
    const { known, notCounted } = await membersIn({ people, groups: [users, both], nested: true })
    expect(known).toEqual({ users: 'ann', both: 'ann bob' })
    expect(notCounted('users')).toEqual({ disabled: 1, groups: 0 })
    // A primary group inside is a group, also if it is none of the wanted ones and has no value.
    const alone = await membersIn({ people, groups: [users, both], wanted: [wantedOf(both)], nested: true })
    expect(alone.known).toEqual({ both: 'ann bob' })
  })

  test('of a group whose objectSid the account may not read are at least those that it lists', async () => {
    const users = group('users', [at('bob')], { objectSid: [] })
    // Without the right the filter is not true. It is the search that asks for no attribute.
    const answers = {
      [users.dn.toLowerCase()]: ({ attributes }: FakeSearch) => (attributes.includes('1.1') ? {} : { entries: [users] }),
    }
    const people = [person('ann', { primaryGroupID: ['513'] }), person('bob')]
    const { known, more } = await membersIn({ people, groups: [users], answers })
    expect(known).toEqual({ users: 'bob' })
    expect(more('users')).toBe(`no value of objectSid can be read: let CN=reader,${domain} read objectSid`)
  })

  test('of another domain, which another server has, are doubtful; with nested they may be groups', async () => {
    const devs = group('devs', [at('ann'), 'CN=eve,DC=other'])
    const world = { people: [person('ann')], groups: [devs], answers: { 'cn=eve,dc=other': { result: 10 } } }
    const { known, doubtful, more } = await membersIn(world)
    expect(known).toEqual({ devs: 'ann' })
    expect(doubtful('devs')).toMatchObject({ members: [expect.any(String)], why: foreign })
    expect(more('devs')).toBeUndefined()
    const nested = await membersIn({ ...world, nested: true })
    expect(nested.known).toEqual({ devs: 'ann' })
    expect([nested.doubtful('devs'), nested.more('devs')]).toEqual([undefined, foreign])
  })

  test('are read from all bases, each of which must have some', async () => {
    const people = { base: [staff, `OU=more,${domain}`], filter: '(objectClass=user)', identity: 'mail', nested: false }
    const guest: FakeEntry = { ...person('gus'), dn: `CN=gus,OU=more,${domain}` }
    const more = `OU=more,${domain}`.toLowerCase()
    const world = { people: [person('ann')], groups: [group('devs', [at('ann'), guest.dn])], over: { people } }
    const both = await membersIn({ ...world, answers: { [more]: { entries: [guest], cookie: '' } } })
    expect(both.known).toEqual({ devs: 'ann gus' })
    const none = await membersIn({ ...world, answers: { [more]: { cookie: '' } } })
    expect(none.reading).toMatchObject({ status: 'failed', why: expect.stringContaining(`people below "OU=more,${domain}"`) })
  })
})

describe('people who are hard to tell apart', () => {
  const idsIn = (text: string | undefined) => text?.split(' ').map((one) => one.replace(/\0.*/, '+'))

  test('with one mail address are as many people as they have entries', async () => {
    const twin = person('twin', { mail: ['Ann@example.org'] })
    const groups = [group('devs', [at('ann'), twin.dn, at('bob')]), group('ops', [twin.dn])]
    const { known } = await membersIn({ people: [person('ann'), person('bob'), twin], groups })
    expect(idsIn(known['devs'])).toEqual(['ann+', 'ann+', 'bob'])
    expect(idsIn(known['ops'])).toEqual(['ann+'])
    expect(known['devs']).toContain(known['ops'])
  })

  test('with one DN, as this program compares DNs, all count', async () => {
    const people = [person('jo'), { ...person('jo2'), dn: `CN=JO,${staff}` }, { ...person('jo3'), dn: `cn=\\6ao,${staff}` }]
    const { known } = await membersIn({ people, groups: [group('devs', [at('jo')])] })
    expect(known).toEqual({ devs: 'jo jo2 jo3' })
  })

  test('with one uid all count, unless they are disabled', async () => {
    const uid = { uid: ['jo'] }
    const people = [person('jo', uid), person('jo2', uid), person('off', { ...uid, userAccountControl: ['514'] })]
    const over = { groups: { base: teams, scope: 'sub', filter: '(cn=*)', name: 'cn', members: 'memberUid' } } as const
    const { known, notCounted } = await membersIn({
      people,
      groups: [entry(team('devs'), { objectClass: ['top', 'group'], memberUid: ['jo'] })],
      over,
    })
    expect(known).toEqual({ devs: 'jo jo2' })
    expect(notCounted('devs')).toEqual({ disabled: 1, groups: 0 })
  })

  test('below two bases that overlap each entry counts once', async () => {
    const base = [staff, `OU=inner,${staff}`]
    const people = [person('ann'), person('off', { userAccountControl: ['514'] })]
    const answers = { [base[1]?.toLowerCase() ?? '']: { entries: people, cookie: '' } }
    const over = { people: { base, filter: '(objectClass=user)', identity: 'mail', nested: false } }
    const { known, notCounted } = await membersIn({ people, groups: [group('devs', [at('ann'), at('off')])], answers, over })
    expect(known).toEqual({ devs: 'ann' })
    expect(notCounted('devs')).toMatchObject({ disabled: 1 })
  })
})

test.each([
  ['people', ['top', 'person', 'user']],
  ['computers', ['top', 'person', 'user', 'computer']],
])('a page of %s that comes again and again ends the reading at its second time', async (_, objectClass) => {
  const again = { entries: [person('ann', { objectClass }), person('bob', { objectClass })], cookie: 'again' }
  const { reading, searches } = await membersIn({
    people: [],
    groups: [group('a', [at('ann')])],
    answers: { [staff.toLowerCase()]: again },
    signal: AbortSignal.timeout(2_000),
  })
  expect(reading).toMatchObject({
    status: 'failed',
    why: expect.stringMatching(
      /: people below "OU=staff,[^"]+": the server repeats a page, or the list changed while it was read, on page 2 after /,
    ),
    cure: 'wait for the next reading, and if it is so at each one, set pageSize: 0',
  })
  expect(searches).toHaveLength(2)
})

test('a virtual static group without a value is unknown, whatever the server says of its attribute, and with values exact', async () => {
  const virtual = { objectClass: ['top', 'groupOfNames', 'ds-virtual-static-group'], objectSid: [], groupType: [] }
  const people = [person('ann', { objectClass: ['person'], objectSid: [] })]
  const groups = [
    group('hidden', [], virtual),
    group('shown', [at('ann')], virtual),
    group('plain', [at('ann')], { ...virtual, objectClass: ['groupOfNames'] }),
  ]
  const { reading, known, more } = await membersIn({ people, groups })
  expect(known).toEqual({ shown: 'ann', plain: 'ann' })
  expect(more('shown')).toBeUndefined()
  expect(reading).toMatchObject({
    status: 'partial',
    missing: expect.stringContaining(`members of "${team('hidden')}": the server computes the members of a virtual static group`),
  })
})

test('people are counted over all pages and bases, and more than a bound make the reading fail', async () => {
  const bases = [staff, `OU=more,${domain}`]
  const pages = ['a', 'b', 'c', 'd'].map((one) => [person(`${one}1`), person(`${one}2`)])
  await using server = await startFakeLdap({
    search: ({ base, page: asked }) => {
      const page = (base === staff ? 0 : 2) + (asked?.cookie === '' ? 0 : 1)
      return { entries: pages[page] ?? [], cookie: page % 2 === 0 ? 'next' : '' }
    },
  })
  const settings: LdapSettings = { ...usualSettings(server.url), people: { ...usualPeople, base: bases } }
  const find = async (max: number) => {
    const connection = await firstThatWorks(settings, { now: () => performance.now(), log: () => undefined }, new AbortController().signal)
    try {
      return (await findPeople(connection, settings, { ...usualPeople, base: bases }, { form: 'dn', asOfMs: 0 }, () => undefined, max))
        .byKey.size
    } finally {
      connection.destroy()
    }
  }
  expect(await find(8)).toBe(8)
  await expect(find(7)).rejects.toMatchObject({ message: expect.stringContaining('more than 7 people'), cure: 'narrow people.filter' })
  expect(server.searches).toHaveLength(8)
})

describe('values', () => {
  const many = Array.from({ length: 7 }, (_, n) => person(`u${n}`))
  const split = (from: number, to: number | '*') => ({
    [`member;range=${from}-${to}`]: many.slice(from, to === '*' ? undefined : to + 1).map(({ dn }) => dn),
  })
  const big = entry(team('big'), { objectClass: ['top', 'group'], objectSid: [sid(700)] })

  test('that come in parts are all asked for', async () => {
    const parts: Record<string, FakeEntry['attributes']> = { 'member;range=3-*': split(3, 5), 'member;range=6-*': split(6, '*') }
    const answer = ({ attributes: [asked = ''] }: FakeSearch): FakeAnswer => ({
      entries: [{ ...big, attributes: { ...big.attributes, ...(parts[asked] ?? split(0, 2)) } }],
    })
    const { reading, known } = await membersIn({ people: many, groups: [big], answers: { [big.dn.toLowerCase()]: answer } })
    expect(known).toEqual({ big: 'u0 u1 u2 u3 u4 u5 u6' })
    expect(reading.status).toBe('complete')
  })

  test.each([
    ['a part is missing', () => split(0, 2), /the server did not send all values/],
    [
      'they are more than membersMax',
      () => ({ member: Array.from({ length: 101 }, (_, n) => at(`x${n}`)) }),
      /or they are more than membersMax/,
    ],
    ['one is no DN', () => ({ member: [at('u1'), 'u2'] }), /a value of member is not a DN/],
  ])('make the group unknown if %s; the others are known', async (_, attributes, missing) => {
    const answer = () => ({ entries: [{ ...big, attributes: { objectClass: ['group'], ...attributes() } }] })
    const groups = [big, group('devs', [at('u1')])]
    const { reading, known } = await membersIn({ people: many, groups, answers: { [big.dn.toLowerCase()]: answer } })
    expect(known).toEqual({ devs: 'u1' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringMatching(missing) })
    expect(reading).toMatchObject({ missing: expect.stringContaining(`members of "${big.dn}"`) })
  })

  test('whose parts pass membersMax only together make the group unknown; as many as membersMax are all counted', async () => {
    const parts: Record<string, FakeEntry['attributes']> = { 'member;range=3-*': split(3, 5), 'member;range=6-*': split(6, '*') }
    const answer = ({ attributes: [asked = ''] }: FakeSearch): FakeAnswer => ({
      entries: [{ ...big, attributes: { ...big.attributes, ...(parts[asked] ?? split(0, 2)) } }],
    })
    const world = { people: many, groups: [big, group('devs', [at('u1')])], answers: { [big.dn.toLowerCase()]: answer } }
    expect((await membersIn({ ...world, over: { membersMax: 7 } })).known).toEqual({ big: 'u0 u1 u2 u3 u4 u5 u6', devs: 'u1' })
    const { reading, known } = await membersIn({ ...world, over: { membersMax: 6 } })
    expect(known).toEqual({ devs: 'u1' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('or they are more than membersMax') })
  })

  test('that make an entry too large to be read leave out this group only, over the same connection', async () => {
    const large = group('large', [])
    const raw = (id: number) => {
      const bytes = Buffer.alloc(17 * 1024 * 1024)
      // The head of a message with the number `id` and, in it, of an entry.
      bytes.write('308400000000020400000000648400000000', 'hex')
      for (const [offset, value] of Object.entries({ 2: bytes.length - 6, 8: id, 14: bytes.length - 18 }))
        bytes.writeUInt32BE(value, Number(offset))
      return bytes
    }
    const groups = [group('devs', [at('u1')]), group('ops', [at('u2')]), large]
    const world = { people: many, groups, answers: { [large.dn.toLowerCase()]: { raw } } }
    const { reading, known, connections } = await membersIn({ ...world, over: { timeoutMs: 20_000 } })
    expect(known).toEqual({ devs: 'u1', ops: 'u2' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('the entry is too large to be read') })
    expect(connections).toBe(1)
  })
})

describe('a group', () => {
  const people = [person('ann'), person('bob')]

  test.each([
    ['is gone', {}, 'there is no such entry, or the account may not see it (result 32)'],
    ['is hidden', { [team('ops').toLowerCase()]: {} }, `CN=reader,${domain} may not see it`],
    ['is refused', { [team('ops').toLowerCase()]: { result: 50 } }, 'the account may not do this (result 50)'],
  ] as const)('that %s is left out', async (_, answers, why) => {
    const devs = group('devs', [at('ann')])
    const wanted = [wantedOf(devs), wantedOf({ dn: team('ops'), attributes: {} })]
    const { reading, known } = await membersIn({ people, groups: [devs], wanted, answers })
    expect(known).toEqual({ devs: 'ann' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining(`members of "${team('ops')}": ${why}`) })
  })

  test('that is never answered is left out, and the others are read over the same connection', async () => {
    const groups = ['a', 'slow', 'b'].map((cn) => group(cn, [at('ann')]))
    const world = { people, groups, answers: { [team('slow').toLowerCase()]: 'silence' } } as const
    const { reading, known, connections } = await membersIn({ ...world, over: { timeoutMs: 300 } })
    expect(known).toEqual({ a: 'ann', b: 'ann' })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('no answer within 0.3 s') })
    expect(reading.unread?.get(team('slow'))).toEqual({
      why: expect.any(String),
      cure: 'check the server and the network, or raise timeout',
    })
    expect(connections).toBe(1)
  })

  test('that needs more than its share of the time is left out', async () => {
    const groups = ['a', 'slow', ...Array.from({ length: 20 }, (_, n) => `b${n}`)].map((cn) => group(cn, [at('ann')]))
    const untilMs = performance.now() + 1_000
    const deadline = { leftMs: () => untilMs - performance.now(), setting: 'directories.corp.readingTimeout' }
    const world = { people, groups, answers: { [team('slow').toLowerCase()]: 'silence' } } as const
    const { reading, known } = await membersIn({ ...world, over: { timeoutMs: 20_000 }, deadline })
    expect(Object.keys(known)).toHaveLength(21)
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('its share of the time') })
    expect(reading.unread?.get(team('slow'))?.cure).toContain('directories.corp.readingTimeout')
  })

  test('at which the connection ends: the groups before it are kept, and no further one is asked for', async () => {
    const groups = Array.from({ length: 30 }, (_, n) => group(`g${n}`, [at('ann')]))
    const world = { people, groups, answers: { [team('g9').toLowerCase()]: { cut: true } } }
    const { reading, known, searches } = await membersIn(world)
    expect(Object.keys(known)).toEqual(expect.arrayContaining(['g0', 'g1']))
    expect(known).not.toHaveProperty('g9')
    expect(reading).toMatchObject({
      status: 'partial',
      missing: expect.stringContaining('the connection ended before the answer was complete'),
    })
    expect(reading.unread?.get(team('g29'))?.notAsked).toBe(true)
    expect(basesOf(searches)).not.toContain(team('g29'))
  })

  test('whose DN another group has now is left out', async () => {
    const devs = group('devs', [at('ann')], { objectGUID: [guid(1)] })
    const of = (n: number) => ({
      ...wantedOf(devs),
      id: guid(n)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    })
    expect((await membersIn({ people, groups: [devs], wanted: [of(1)] })).reading.status).toBe('complete')
    const { reading } = await membersIn({ people, groups: [devs], wanted: [of(2)] })
    expect(reading).toMatchObject({ status: 'partial', missing: expect.stringContaining('the DN belongs to another group now') })
  })

  test('whose id another group has, too, is left out, and so is that one', async () => {
    const groups = [group('devs', [at('ann')]), group('ops', [at('bob')]), group('web', [at('ann')])]
    const wanted = groups.map((one, n) => ({ ...wantedOf(one), id: n < 2 ? 'shared' : one.dn }))
    const over = { groups: { ...usualSettings('').groups, id: 'businessCategory' } }
    const shown = groups.map((one, n) => (n < 2 ? { ...one, attributes: { ...one.attributes, businessCategory: ['shared'] } } : one))
    const { reading, known } = await membersIn({ people, groups: shown, wanted, over })
    expect(known).toEqual({ web: 'ann' })
    expect(reading).toMatchObject({
      status: 'partial',
      missing: `"${team('devs')}" and "${team('ops')}" have one id: name an attribute in groups.id that each group has once`,
    })
    // The second name of one entry is the same group.
    const [devs] = wanted
    const names = devs === undefined ? [] : [devs, { ...devs, name: 'developers' as GroupName }]
    expect((await membersIn({ people, groups: shown, wanted: names, over })).reading.status).toBe('complete')
  })

  test('with a hidden member has at least the others: it may be a person or, with nested, a group', async () => {
    const world = { people, groups: [group('devs', [at('ann'), at('hidden')]), group('ops', [at('bob'), 'CN=hidden,DC=other'])] }
    const hidden = expect.stringContaining('the account may not see one of them') as string
    const answers = { [at('hidden').toLowerCase()]: {}, 'cn=hidden,dc=other': {} }
    const direct = await membersIn({ ...world, answers })
    expect(direct.known).toEqual({ devs: 'ann', ops: 'bob' })
    expect(direct.doubtful('devs')).toMatchObject({ members: [expect.any(String)], why: hidden })
    const nested = await membersIn({ ...world, answers, nested: true })
    expect(nested.known).toEqual({ devs: 'ann', ops: 'bob' })
    expect([nested.more('devs'), nested.more('ops')]).toEqual([hidden, hidden])
    for (const { reading, lines } of [direct, nested]) {
      expect(reading.status).toBe('complete')
      expect(JSON.stringify([reading, lines])).not.toContain('CN=hidden')
    }
  })

  test('is one of eight that are read at the same time', async () => {
    const groups = Array.from({ length: 20 }, (_, n) => group(`g${n}`, [at('ann')]))
    const silent = Object.fromEntries(groups.map(({ dn }) => [dn.toLowerCase(), 'silence' as const]))
    const { reading, searches } = await membersIn({ people, groups, answers: silent, over: { timeoutMs: 300 } })
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('no answer within 0.3 s') })
    expect(basesOf(searches).slice(1)).toEqual(groups.slice(0, 8).map(({ dn }) => dn))
  })

  test('whose members are no people is asked about each of them once, with the names of attributes only', async () => {
    const pcs = Array.from({ length: 30 }, (_, n) => `CN=pc${n},OU=pcs,${domain}`)
    const groups = [group('one', pcs), group('two', pcs)]
    const others = pcs.map((dn) => entry(dn, { cn: ['pc'] }))
    const { known, searches } = await membersIn({ people, groups: [...groups, ...others], wanted: groups.map(wantedOf) })
    expect(known).toEqual({ one: '', two: '' })
    const asked = searches.filter(({ base }) => pcs.includes(base))
    expect(asked).toHaveLength(30)
    expect(asked.every(({ typesOnly, scope }) => typesOnly && scope === 'base')).toBe(true)
  })
})

describe('nothing is asked for', () => {
  const people = [person('ann', { uid: ['ann'] })]

  test('if a value is empty, which is the placeholder of a group without members', async () => {
    const { known, searches } = await membersIn({ people, groups: [group('devs', [''])] })
    expect(known).toEqual({ devs: '' })
    expect(basesOf(searches)).toEqual([staff, team('devs')])
  })

  test('if a member is one of the groups that are read, also in a circle', async () => {
    const groups = [group('devs', [team('ops'), at('ann')]), group('ops', [team('devs')])]
    const { known, searches } = await membersIn({ people, groups, nested: true })
    expect(known).toEqual({ devs: 'ann', ops: 'ann' })
    expect(basesOf(searches)).toEqual([staff, team('devs'), team('ops')])
  })

  test('if no person has the uid of a memberUid', async () => {
    const devs = entry(team('devs'), { objectClass: ['top', 'posixGroup'], gidNumber: ['7'], memberUid: ['ann', 'gone'] })
    const over = { groups: { base: teams, scope: 'sub', filter: '(cn=*)', name: 'cn', members: 'memberUid' } } as const
    const { known, doubtful, searches } = await membersIn({ people, groups: [devs], over })
    expect(known).toEqual({ devs: 'ann' })
    expect(doubtful('devs')).toMatchObject({ members: [expect.any(String)], why: expect.stringContaining('do not exist') })
    // The last one reads which groups people name.
    expect(basesOf(searches)).toEqual([staff, team('devs'), staff])
  })
})

test('a signal ends the reading, and the connection with it', async () => {
  const signal = AbortSignal.timeout(100)
  const { reading } = await membersIn({ people: [], answers: { [staff.toLowerCase()]: 'silence' }, signal, over: { timeoutMs: 5_000 } })
  expect(reading).toMatchObject({ status: 'failed', why: 'given up while it was read' })
  expect(reading.tookMs).toBeLessThan(3_000)
})

test('a part of the people on another server makes the reading fail, unless the settings ignore it', async () => {
  const world = { people: [person('ann')], groups: [group('devs', [at('ann')])] }
  const answers = { [staff.toLowerCase()]: { entries: world.people, cookie: '', references: ['ldap://other.example.org/OU=x'] } }
  expect((await membersIn({ ...world, answers })).reading).toMatchObject({
    status: 'failed',
    cure: 'narrow people.base, or set referrals: ignore',
  })
  expect((await membersIn({ ...world, answers, over: { referrals: 'ignore' } })).known).toEqual({ devs: 'ann' })
})

test('a wrong filter fails before a search', async () => {
  const people = { base: staff, filter: '(cn=', identity: 'mail', nested: false }
  const { reading, searches } = await membersIn({ people: [], over: { people } })
  expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('people.filter "(cn=" is not an LDAP filter') })
  expect(searches).toEqual([])
})
