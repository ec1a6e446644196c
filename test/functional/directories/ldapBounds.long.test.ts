import { describe, expect, test } from 'vitest'
import { indexSize } from '../../../src/core/group.ts'
import type { GroupName } from '../../../src/core/mapping.ts'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { members as size } from '../../unit/bounds.ts'
import { type FakeAnswer, type FakeEntry, type FakeSearch, startFakeLdap } from './fakeLdap.ts'
import { manyAttributes, manyValues, numbered, rawEntry } from './rawEntry.ts'

/** Entries and answers that a server, or a person who may write one entry, makes endless. */

const base = 'ou=groups,dc=x'
type Groups = Partial<LdapSettings['groups']>

const group = (cn: string, attributes: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `cn=${cn},${base}`,
  attributes: { objectClass: ['top'], cn: [cn], ...attributes },
})

async function readFrom(search: (search: FakeSearch, number: number) => FakeAnswer, groups: Groups = {}, over: Partial<LdapSettings> = {}) {
  await using server = await startFakeLdap({ search })
  const settings: LdapSettings = {
    addresses: [server.url],
    bind: 'anonymous',
    pageSize: 3,
    timeoutMs: 5_000,
    groupsMax: 2_000,
    membersMax: 100,
    referrals: 'fail',
    groups: { base, scope: 'sub', filter: '(objectClass=*)', name: 'cn', ...groups },
    ...over,
  }
  const reading = await readLdap(settings, { now: () => performance.now() }, new AbortController().signal)
  const value = reading.status === 'failed' ? new Map<GroupName, never>() : reading.value
  return {
    status: reading.status,
    why: reading.status === 'failed' ? reading.why : reading.status === 'partial' ? reading.missing : '',
    cure: reading.status === 'failed' ? reading.cure : undefined,
    notes: reading.status === 'failed' ? [] : (reading.notes ?? []),
    size: indexSize(value),
    groups: (name: string) => value.get(name as GroupName) ?? [],
    places: (name: string) => value.get(name as GroupName)?.map(({ place, names }) => [place, names]),
    searches: server.searches.length,
  }
}

const several = ['more than 1,000 names']
const crowdedDn = `cn=crowd,${base}`
const crowd = (count: number, type = 'cn') => [manyValues(type, count, numbered(6))]
const withRaw = (attributes: readonly Buffer[], ...entries: readonly FakeEntry[]) => ({
  entries,
  raw: (id: number) => rawEntry(id, crowdedDn, ...attributes),
  cookie: '',
})

describe('an entry with more than 1,000 names', () => {
  test('is said with its DN, and the other groups go on', async () => {
    const read = await readFrom(() => withRaw(crowd(200_001), group('devs')))
    expect(read).toMatchObject({ status: 'complete', size: 2 })
    expect(read.notes).toEqual([
      {
        code: 'group-name-unusable',
        severity: 'warning',
        sentence: `more than 1,000 names are in "${crowdedDn}": rules for any of these names are held`,
        cure: 'find out who added the names. Leave the entry one name, or exclude it with groups.filter',
      },
    ])
    expect(read.places('devs')).toEqual([[`cn=devs,${base}`, undefined]])
    expect(read.places(numbered(6)(999))).toMatchObject([[crowdedDn, { length: 11 }]])
    expect(read.places(numbered(6)(1_000))).toBeUndefined()
  })

  test('hides no name of another group behind them, whichever of the two comes first', async () => {
    const last = numbered(6)(4_999)
    for (const name of ['cn', 'AD\\{cn}@x']) {
      const read = await readFrom(() => withRaw(crowd(5_000), group(last), group('devs')), { name })
      const made = name.replace('{cn}', last).replace(/^cn$/, last)
      expect(read.places(made)).toEqual([
        [`cn=${last},${base}`, undefined],
        [crowdedDn, several],
      ])
      expect(read.status).toBe('complete')
    }
  })

  test('hides none either if the first names are ones that no rule can have', async () => {
    const long = manyValues('cn', 1_000, () => Buffer.from([0xff]))
    const hidden = manyValues('cn', 1, () => 'devs')
    const read = await readFrom(() => withRaw([long, hidden], group('devs')))
    expect(read.places('devs')).toHaveLength(2)
    const bytes = manyValues('cn', 1_001, (index) => (index === 1_000 ? 'devs' : 'same'))
    expect((await readFrom(() => withRaw([bytes], group('devs')))).places('devs')).toHaveLength(2)
  })

  test('has 1,000 names that are usual, and those count towards groupsMax', async () => {
    const read = await readFrom(() => withRaw(crowd(1_000)), {}, { groupsMax: 1_000 })
    expect(read).toMatchObject({ status: 'complete', notes: [] })
    expect(await readFrom(() => withRaw(crowd(1_001)), {}, { groupsMax: 999 })).toMatchObject({ status: 'failed' })
  })

  test('may be any group if a template joins several attributes, or if all such entries together are larger than 16 MiB', async () => {
    const joined = await readFrom(() => withRaw([...crowd(40), ...crowd(40, 'ou')], group('devs')), { name: '{cn}{ou}' })
    const raw = (id: number) =>
      Buffer.concat(
        ['a', 'b'].map((cn) =>
          rawEntry(
            id,
            `cn=${cn},${base}`,
            manyValues('cn', 90_000, (index) => numbered(100)(index)),
          ),
        ),
      )
    const large = await readFrom(() => ({ raw, cookie: '' }))
    expect([joined.status, large.status]).toEqual(['partial', 'partial'])
    expect(joined.why).toBe(
      `more than 1,000 names, too many to be compared, are in "${crowdedDn}": correct the entry, or exclude it with groups.filter`,
    )
    expect(large.why).toContain(`are in "cn=b,${base}":`)
  })
})

describe('the attributes of an entry', () => {
  const named = manyValues('cn', 1, () => 'devs')
  test('with options that nothing reads are passed over, since a person may add any number of them', async () => {
    const options = manyAttributes(50_000, (index) => `cn;lang-${numbered(5)(index)}`)
    const read = await readFrom(() => withRaw([options, named]))
    expect(read).toMatchObject({ status: 'complete', notes: [] })
    expect(read.places('devs')).toHaveLength(1)
  })
  test('with options that nothing reads make the number of members unknown, and names of any length are none', async () => {
    const members = [manyValues('objectClass', 1, () => 'groupOfNames'), manyValues('member', 1, () => 'uid=ann')]
    const people = async (...options: readonly Buffer[]) =>
      (await readFrom(() => withRaw([...options, ...members, named]), { members: 'member' })).groups('devs').map(({ size }) => size?.most)
    const one = (type: string) => manyValues(type, 1, () => 'uid=bob')
    const many = (type: string) => manyAttributes(50_000, (index) => `${type};lang-${numbered(5)(index)}`)
    const long = `x-${'x'.repeat(5_000)}`
    expect(await people(many('cn'), one('cn;lang-de'), one(`cn;${long}`))).toEqual([1])
    expect(await people(many('cn'), many('member'))).toEqual([1])
    expect(await people(many('cn'), many('member'), one('member;lang-de'))).toEqual([undefined])
    expect(await people(one(`member;${long}`))).toEqual([undefined])
  })
  test('with options that the settings name are read, in any case', async () => {
    const entry = group('devs', { 'cn;lang-DE': ['Entwicklung'], 'cn;lang-fr': ['développement'], 'member;x-a': ['uid=ann', 'uid=bob'] })
    const read = (name: string) => readFrom(() => ({ entries: [entry], cookie: '' }), { name, members: 'member;x-a', id: 'uid;x-b' })
    expect(await read('cn;lang-de')).toMatchObject({ status: 'complete', notes: [] })
    expect((await read('cn;lang-de')).places('Entwicklung')).toHaveLength(1)
    expect((await read('{cn;lang-de}/{cn}')).places('Entwicklung/devs')).toHaveLength(1)
    const [counted] = (await read('cn')).groups('devs')
    expect(counted).toMatchObject({ size: size(2) })
  })
  test('are at most 1,000: a server that sends more is not understood', async () => {
    const types = (count: number) => manyAttributes(count, numbered(5))
    expect((await readFrom(() => withRaw([types(999), named]))).status).toBe('complete')
    const read = await readFrom(() => withRaw([types(1_000), named]))
    expect(read).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/: the entry "cn=crowd,ou=groups,dc=x" has more than 1,000 attributes$/) as string,
      cure: 'exclude it with the filter; the server sends attributes that were not requested',
    })
  })
})

describe('an id', () => {
  const twins = [group('old', { entryUUID: ['7'] }), group('new', { entryUUID: ['7'] })]
  test.each<[string, Groups, readonly FakeEntry[]]>([
    ['of the server', {}, twins],
    ['that the settings name', { id: 'gid' }, twins.map(({ dn, attributes }) => ({ dn, attributes: { ...attributes, gid: ['1'] } }))],
  ])('%s under two DNs shows that the list changed while it was read', async (_, groups, [old, renamed] = []) => {
    const pages = (_: FakeSearch, number: number): FakeAnswer =>
      number === 1 ? { entries: [old as FakeEntry], cookie: 'a' } : { entries: [renamed as FakeEntry], cookie: '' }
    const read = await readFrom(pages, groups)
    expect(read).toMatchObject({
      status: 'partial',
      why: `with one id came twice "cn=new,${base}": the list changed while it was read; wait for the next reading, and if it is so at each one, name an attribute in groups.id that each group has once`,
    })
    const bases = await readFrom((search, number) => ({ ...pages(search, number), cookie: '' }), { ...groups, base: [base, 'dc=x'] })
    expect(bases.status).toBe('partial')
  })

  test('may come again with its DN below a second base, and entries without an id have none together', async () => {
    const entries = [group('a', { entryUUID: ['1'] }), group('b', { entryUUID: ['2'] }), group('c'), group('d')]
    const read = await readFrom(() => ({ entries, cookie: '' }), { base: [base, 'dc=x'] })
    expect(read).toMatchObject({ status: 'complete', size: 4 })
  })
})

test('a page that comes again and again ends the reading at its second time', async () => {
  const read = await readFrom(() => ({ entries: [group('x')], cookie: 'same' }))
  expect(read).toMatchObject({ status: 'partial', searches: 2 })
  expect(read.why).toMatch(/^on two pages came "cn=x,ou=groups,dc=x": the list changed while it was read, or the server repeats a page/)
})

describe('an answer that LDAP does not have', () => {
  const element = (id: number, tag: number, code: number) => Buffer.from([0x30, 12, 2, 1, id, tag, 7, 0x0a, 1, code, 4, 0, 4, 0])
  test('to a search, such as that to a bind, is said', async () => {
    const read = await readFrom(() => ({ raw: (id) => element(id, 0x61, 0), cookie: '' }))
    expect(read).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(
        /: groups below "ou=groups,dc=x": the server answered the search with the answer to another kind of request$/,
      ),
    })
  })
  test('an entry to no request ends the reading, because it may be one of its groups', async () => {
    const raw = (id: number) =>
      rawEntry(
        id + 1,
        crowdedDn,
        manyValues('cn', 1, () => 'crowd'),
      )
    const read = await readFrom(() => ({ entries: [group('devs')], raw, cookie: '' }))
    expect(read).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/: groups below "ou=groups,dc=x": the server sent an entry to no search of this connection$/),
    })
  })
  test('with a negative result is said', async () => {
    const read = await readFrom(() => ({ raw: (id) => element(id, 0x65, 0xff) }))
    expect(read).toMatchObject({ status: 'failed', why: expect.stringMatching(/: LDAP has no such result \(result -1\)$/) })
  })
})
