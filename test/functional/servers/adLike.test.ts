import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { members } from '../../unit/bounds.ts'
import { type AdLike, adReader, adSuffix, startAdLike } from './adLike.ts'
import { type Asked, groupsIn, membersIn, outcomeOf } from './ldapReadings.ts'

/** The rules by which Active Directory cuts lists: parts of 1,500 values, pages of 1,000 entries, and empty pages with a cookie. */

const [archive, groupsBase, people] = [`ou=archive,${adSuffix}`, `ou=groups,${adSuffix}`, `ou=people,${adSuffix}`]
const [archived, small, big] = [1_500, 600, 5_000]
const entry = (dn: string, ...lines: readonly string[]) => `dn: ${dn}\n${lines.join('\n')}\n`
const unit = (dn: string) => entry(dn, 'objectClass: organizationalUnit', `ou: ${/=(.*?),/.exec(dn)?.[1]}`)
const at = (n: number) => `cn=u${n},${people}`
const team = (cn: string) => `cn=${cn},${groupsBase}`
const group = (dn: string, ...members: readonly string[]) =>
  entry(dn, 'objectClass: group', `cn: ${/=(.*?),/.exec(dn)?.[1]}`, `objectSid:: ${sid}`, ...members.map((member) => `member: ${member}`))
const sid = Buffer.from(Uint32Array.of(0x501, 0x0500_0000, 21, 1_104).buffer).toString('base64')
const account = (n: number) =>
  entry(
    at(n),
    'objectClass: user',
    `cn: u${n}`,
    `mail: u${n}@example.org`,
    `objectSid:: ${sid}`,
    'primaryGroupID: 513',
    'userAccountControl: 512',
    'accountExpires: 0',
  )
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)

/** wide has 3,000 people of its own, and then big in its third part; tail has a part of one value. */
const world = [
  entry(adSuffix, 'objectClass: domain', 'dc: example'),
  unit(archive),
  ...numbers(0, archived).map((n) => group(`cn=old${n},${archive}`, at(n))),
  unit(groupsBase),
  ...numbers(0, small).map((n) => group(team(`g${`${n}`.padStart(4, '0')}`), at(n))),
  group(team('big'), ...numbers(0, big).map(at)),
  group(team('tail'), ...numbers(0, 1_501).map(at)),
  group(team('full'), ...numbers(0, 1_500).map(at)),
  group(team('wide'), ...numbers(4_000, 3_000).map(at), team('big')),
  unit(people),
  ...numbers(0, 7_000).map(account),
].join('\n')

let server: AdLike
beforeAll(async () => {
  server = await startAdLike(world)
})
afterAll(() => server?.[Symbol.asyncDispose]())

type Over = Omit<Partial<Asked>, 'groups'> & { readonly groups?: Partial<Asked['groups']> }
const asked = ({ groups, ...over }: Over = {}): Asked => ({
  addresses: [server.ldap],
  bind: { dn: adReader.dn, password: async () => adReader.password },
  ...over,
  groups: { base: groupsBase, filter: '(objectClass=group)', ...groups },
})
const total = small + 4
const everything: Over = { groups: { base: adSuffix } }

test('pages that are empty with a cookie do not end the list', async () => {
  const { reading, pages } = await groupsIn(asked(everything))
  expect(reading.status === 'complete' && reading.value.size).toBe(total)
  // The archive comes first: three pages of 500 entries, of which the account sees none.
  expect(pages).toEqual([0, 0, 0, 500, total])
})

test('a page that is larger than the server allows is cut, and the list is whole; a search without pages is not', async () => {
  const { reading, pages } = await groupsIn(asked({ ...everything, pageSize: 5_000 }))
  expect(pages).toEqual([0, 500, total])
  expect(reading.status === 'complete' && reading.value.size).toBe(total)
  expect(await outcomeOf(asked({ ...everything, pageSize: 0 }))).toMatchObject({
    status: 'failed',
    why: expect.stringContaining('result 4'),
  })
})

test('members in parts of 1,500 are counted whole; a group in a group is one of them', async () => {
  const { reading, lines } = await groupsIn(asked())
  if (reading.status !== 'complete') throw new Error(reading.status)
  const count = (name: string) => reading.value.get(name as GroupName)?.[0]?.size?.most
  expect([count('big'), count('tail'), count('full'), count('wide'), count('g0001')]).toEqual([big, 1_501, 1_500, 3_001, 1])
  expect(lines.filter((line) => /'?member;range=\d+-\*/.test(line))).toHaveLength(3 + 1 + 2)
})

test('more members than membersMax are not counted', async () => {
  const { reading } = await groupsIn(asked({ membersMax: big - 1 }))
  if (reading.status !== 'complete') throw new Error(reading.status)
  expect(reading.value.get('big' as GroupName)?.[0]).not.toHaveProperty('size')
  expect(reading.value.get('tail' as GroupName)).toMatchObject([{ size: members(1_501) }])
})

test('a group of 5,000 people in parts is known whole, also inside a group whose third part names it', async () => {
  const filter = '(|(cn=big)(cn=tail)(cn=wide))'
  const ask = (nested: boolean) =>
    membersIn(asked({ groups: { filter }, people: { base: people, filter: '(objectClass=user)', identity: 'mail', nested } }))
  const mails = (from: number, count: number) =>
    numbers(from, count)
      .map((n) => `u${n}@example.org`)
      .toSorted()
  const direct = await ask(false)
  expect(direct.reading.status).toBe('complete')
  expect(direct.known).toEqual({ big: mails(0, big), tail: mails(0, 1_501), wide: mails(4_000, 3_000) })
  expect(direct.notCounted('wide')).toMatchObject({ groups: 1 })
  const nested = await ask(true)
  expect(nested.known['wide']).toEqual(mails(0, 7_000))
  expect(nested.notCounted('wide')).toBeUndefined()
})
