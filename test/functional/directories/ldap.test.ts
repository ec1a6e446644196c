import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../../src/core/mapping.ts'
import { openConnection } from '../../../src/directories/ldap/connection.ts'
import { nothingFound } from '../../../src/directories/ldap/found.ts'
import { type Capabilities, readLdap } from '../../../src/directories/ldap/read.ts'
import { openSeenEntries, readBase } from '../../../src/directories/ldap/search.ts'
import { type LdapSettings, type Search, searchesOf } from '../../../src/directories/ldap/settings.ts'
import { longTest } from '../../long.ts'
import { members } from '../../unit/bounds.ts'
import { type FakeAnswer, type FakeEntry, type FakeOptions, type FakeSearch, notice, startFakeLdap } from './fakeLdap.ts'

const account = 'cn=Reader, dc=example,dc=org'
const base = 'ou=groups,dc=example,dc=org'

type Over = Partial<Omit<LdapSettings, 'groups'>> & { groups?: Partial<LdapSettings['groups']> }

const settingsFor = (url: string, { groups, ...over }: Over = {}): LdapSettings => ({
  addresses: [url],
  bind: { dn: account, password: () => Promise.resolve('secret') },
  pageSize: 3,
  timeoutMs: 1_000,
  groupsMax: 100,
  membersMax: 100,
  referrals: 'fail',
  ...over,
  groups: { base, scope: 'sub', filter: '(objectClass=*)', name: 'cn', members: 'member', ...groups },
})

const group = (cn: string, attributes: FakeEntry['attributes'] = {}): FakeEntry => ({
  dn: `cn=${cn},${base}`,
  attributes: { objectClass: ['groupOfNames'], cn: [cn], member: ['uid=a'], ...attributes },
})

/** Reads from a server. `search` decides its answers to searches for groups. */
async function readFrom(options: FakeOptions | FakeOptions['search'], over?: Over, more?: Partial<Capabilities>, signal?: AbortSignal) {
  await using server = await startFakeLdap(typeof options === 'function' ? { search: options } : options)
  const log: string[] = []
  const capabilities = { now: () => performance.now(), log: (line: string) => log.push(line), ...more }
  const reading = await readLdap(settingsFor(server.url, over), capabilities, signal ?? new AbortController().signal)
  const why = reading.status === 'failed' ? reading.why : reading.status === 'partial' ? reading.missing : ''
  const groups = reading.status === 'failed' ? undefined : reading.value
  return {
    status: reading.status,
    why,
    cure: reading.status === 'failed' ? reading.cure : undefined,
    groups,
    names: groups && [...groups.keys()],
    notes: reading.status === 'failed' ? [] : (reading.notes ?? []),
    members: (name: string) => groups?.get(name as GroupName)?.map(({ size }) => size?.most),
    searches: server.searches,
    connections: server.connections(),
    log,
  }
}

const pages =
  (...answers: FakeAnswer[]) =>
  (_: FakeSearch, number: number): FakeAnswer =>
    answers[number - 1] ?? { result: 1 }

describe('paging', () => {
  test('an empty page with a cookie is not the end', async () => {
    const read = await readFrom(
      pages({ cookie: 'a' }, { entries: [group('x')], cookie: 'b\xff' }, { cookie: 'c' }, { entries: [group('y')], cookie: '' }),
    )
    expect(read).toMatchObject({ status: 'complete', names: ['x', 'y'] })
    expect(read.searches.map(({ page }) => page?.cookie)).toEqual(['', 'a', 'b\xff', 'c'])
  })

  test('an entry on two pages shows that the list moved, or that a page came again: another entry may be missing', async () => {
    const page = { entries: [group('x'), group('y')] }
    const read = await readFrom(pages({ ...page, cookie: 'a' }, { entries: [...page.entries, group('z')], cookie: '' }))
    expect(read).toMatchObject({ status: 'partial', names: ['x', 'y', 'z'] })
    expect(read.why).toBe(
      'on two pages came "cn=x,ou=groups,dc=example,dc=org" and "cn=y,ou=groups,dc=example,dc=org": the list changed while it was read, or the server repeats a page; wait for the next reading, and if it is so at each one, set pageSize: 0',
    )
  })

  test('an entry may come twice if it is below two bases, or if there are no pages', async () => {
    const twice = { entries: [group('x'), group('x')], cookie: '' }
    expect(await readFrom(pages(twice), { pageSize: 0 })).toMatchObject({ status: 'complete', names: ['x'] })
    const one = { entries: [group('x')], cookie: '' }
    const bases = { groups: { base: [base, 'dc=example,dc=org'] } }
    expect(await readFrom(pages(one, one), bases)).toMatchObject({ status: 'complete', names: ['x'] })
  })

  test('every page is asked for with its values, by a critical control and without a size limit', async () => {
    const read = await readFrom(pages({ entries: [group('x')], cookie: 'a' }, { cookie: '' }))
    expect(read.searches.map(({ page, sizeLimit, typesOnly }) => [page?.size, page?.critical, sizeLimit, typesOnly])).toEqual([
      [3, true, 0, false],
      [3, true, 0, false],
    ])
  })

  test('the server is told after how many whole seconds nobody waits any more', async () => {
    const read = await readFrom(pages({ entries: [group('x')], cookie: '' }), { timeoutMs: 1_200 })
    expect(read.searches.map(({ timeLimitS }) => timeLimitS)).toEqual([2])
  })

  test('each page is told with the groups so far', async () => {
    const told: unknown[] = []
    const onPage = (page: unknown) => void told.push(page)
    await readFrom(pages({ entries: [group('x'), group('y')], cookie: 'a' }, { entries: [group('z')], cookie: '' }), {}, { onPage })
    expect(told).toEqual([
      { number: 1, groups: 2 },
      { number: 2, groups: 3 },
    ])
  })

  test('the size limit of the server is never success', async () => {
    const read = await readFrom(pages({ entries: [group('x')], cookie: 'a' }, { entries: [group('y')], result: 4, cookie: '' }))
    expect(read.status).toBe('failed')
    expect(read.why).toContain('size limit was reached, so the rest is unknown (result 4), on page 2 after 2 groups')
    expect(read.cure).toMatch(/^lift it on the server .*size\.prtotal=unlimited/)
    const unpaged = await readFrom(pages({ entries: [group('x')], result: 4 }), { pageSize: 0 })
    expect(unpaged).toMatchObject({ status: 'failed', cure: expect.stringMatching(/^set pageSize, for example 500; or lift it/) })
  })

  test.each([
    ['without the paging control', {}],
    ['with a paging control that says nothing', { cookie: 'no value' }],
  ])('an answer %s proves no end', async (_, more) => {
    const read = await readFrom(pages({ entries: [group('x')], ...more }))
    expect(read).toMatchObject({ status: 'failed', cure: 'if the server cannot page, set pageSize: 0' })
    expect(read.why).toMatch(/: groups below "ou=groups,dc=example,dc=org": the answer does not say whether more pages follow$/)
  })

  test('an answer without entries and without the paging control: the base may not exist, as 389-ds says it', async () => {
    const read = await readFrom(pages({ entries: [] }))
    expect(read).toMatchObject({
      status: 'failed',
      cure: 'check that groups.base exists (389-ds answers like this if it does not); if the server cannot page, set pageSize: 0',
    })
    const second = await readFrom(pages({ entries: [], cookie: 'a' }, { entries: [] }))
    expect(second).toMatchObject({ status: 'failed', cure: 'if the server cannot page, set pageSize: 0' })
  })

  test('where nobody knows what to do, nothing is said to be done', async () => {
    await using server = await startFakeLdap({ search: () => ({ result: 1 }) })
    const reading = await readLdap(settingsFor(server.url), { now: () => 0 }, new AbortController().signal)
    expect(reading).toStrictEqual({
      status: 'failed',
      why: expect.stringContaining('(result 1)') as string,
      cure: "look for the reason in the server's log",
      atMs: 0,
      tookMs: 0,
    })
  })

  test('what fails on the first page is not said to be on it', async () => {
    const read = await readFrom(pages({ result: 32, cookie: '' }))
    expect(read.why).toMatch(/may not see it \(result 32\)$/)
  })

  test('pageSize 0 asks once, without the control', async () => {
    const read = await readFrom(pages({ entries: [group('x')] }), { pageSize: 0 })
    expect(read).toMatchObject({ status: 'complete', names: ['x'] })
    expect(read.searches.map(({ page }) => page)).toEqual([undefined])
  })

  test('a cookie that never ends does end', async () => {
    const read = await readFrom(() => ({ cookie: 'again' }))
    expect(read.status).toBe('failed')
    expect(read.why).toContain('more than 1000 empty pages one after another, on page 1001 after 0 groups')
    expect(read.cure).toBe('narrow groups.base to what the account may read')
    expect(read.searches.length).toBe(1_001)
  })

  test('empty pages are counted only where they follow each other', async () => {
    const answer = (_: FakeSearch, number: number) =>
      number > 1_600 ? { cookie: '' } : number === 800 ? { entries: [group('x')], cookie: 'a' } : { cookie: 'a' }
    expect(await readFrom(answer)).toMatchObject({ status: 'complete', names: ['x'] })
  })

  test('groups that never end do end, within a page and over pages', async () => {
    const endless = await readFrom((_, number) => ({ entries: [group(`g${number}`)], cookie: 'more' }))
    const page = await readFrom(pages({ entries: Array.from({ length: 1_000 }, (_, n) => group(`g${n}`)), cookie: '' }))
    for (const read of [endless, page]) {
      expect(read).toMatchObject({ status: 'failed', cure: 'narrow groups.filter, or raise groupsMax' })
      expect(read.why).toContain('more than 100 groups')
    }
  })

  test('as many groups as are allowed are not too many, and those that cannot be taken count, too', async () => {
    const entries = [group('x'), group('y'), group('none', { cn: [] })]
    expect((await readFrom(pages({ entries, cookie: '' }), { groupsMax: 3 })).status).toBe('partial')
    expect((await readFrom(pages({ entries, cookie: '' }), { groupsMax: 2 })).why).toContain('more than 2 groups')
  })

  test('among a thousand of one name doubles are not looked for: nobody can tell them apart anyway', async () => {
    const same = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ dn: `ou=${n}`, attributes: { cn: ['x'], member: ['uid=a'] } }))
    const found = async (count: number) => {
      const read = await readFrom(pages({ entries: [...same(count), ...same(1)], cookie: '' }), { groupsMax: 2_000 })
      return read.groups?.get('x' as GroupName)?.length
    }
    expect([await found(999), await found(1_000)]).toEqual([999, 1_001])
  })

  test('the same entry on two pages is one group', async () => {
    const read = await readFrom(pages({ entries: [group('x')], cookie: 'a' }, { entries: [group('x')], cookie: '' }))
    expect(read.groups?.get('x' as GroupName)).toHaveLength(1)
  })

  test('one name in two places is two groups', async () => {
    const twin = { ...group('x'), dn: `cn=x,ou=other,${base}` }
    const read = await readFrom(pages({ entries: [group('x'), twin], cookie: '' }))
    expect(read.groups?.get('x' as GroupName)?.map(({ place }) => place)).toEqual([`cn=x,${base}`, `cn=x,ou=other,${base}`])
  })

  test('nothing is complete, and the log says why it may be', async () => {
    const read = await readFrom(pages({ cookie: '' }, { cookie: '' }), { groups: { base: ['ou=a', 'ou=b'] } })
    expect(read).toMatchObject({ status: 'complete', names: [] })
    expect(read.log.at(-1)).toBe(
      `no group below "ou=a · ou=b": ${account} may lack the right to read groups there (many servers then answer success), the base may not exist (389-ds then answers success), or "(objectClass=*)" matches nothing`,
    )
    const one = await readFrom(pages({ entries: [group('x')], cookie: '' }))
    expect(one.log.filter((line) => line.startsWith('no group'))).toEqual([])
  })

  test('the reading says when it was, and how long it took', async () => {
    for (const answer of [{ entries: [group('x')], cookie: '' }, { entries: [group('none', { cn: [] })], cookie: '' }, { result: 1 }]) {
      await using server = await startFakeLdap({ search: () => answer })
      const times = [1_000, 5_000, 5_000]
      const reading = await readLdap(settingsFor(server.url), { now: () => times.shift() ?? 0 }, new AbortController().signal)
      expect(reading).toMatchObject({ atMs: 5_000, tookMs: 4_000 })
    }
  })
})

describe('the connection', () => {
  test('a dropped socket is not opened again as nobody', async () => {
    const read = await readFrom((_, number) => (number === 2 ? { cut: true } : { entries: [group(`g${number}`)], cookie: 'a' }))
    expect(read.status).toBe('failed')
    expect(read.why).toContain('the connection ended before the answer was complete, on page 2 after 1 group')
    expect(read.connections).toBe(1)
  })

  test('a notice of disconnection gives its reason, and nothing after it counts', async () => {
    for (const cut of [true, false]) {
      const read = await readFrom(() => ({ entries: [group('x')], raw: notice(52, 'maintenance at ten'), cookie: '', cut }))
      expect(read.status).toBe('failed')
      expect(read.why).toMatch(/: groups below ".*": the server is busy or going down \(result 52: maintenance at ten\)$/)
    }
    const [encrypted, other] = await Promise.all([
      readFrom(() => ({ raw: notice(8, 'TLS first'), cut: true })),
      // Of an extension that this program does not know.
      readFrom(() => ({ entries: [group('x')], raw: notice(0, '', '1.3.6.1.1.21.4'), cookie: '' })),
    ])
    expect(encrypted.why).toContain('the server requires encryption (result 8: TLS first)')
    expect(other.status).toBe('complete')
  })

  test('a server that ends it before the bind is left for the next address', async () => {
    await using first = await startFakeLdap({ search: () => ({ cookie: '' }), bind: () => notice(52, 'maintenance') })
    await using second = await startFakeLdap({ search: () => ({ entries: [group('x')], cookie: '' }) })
    const lines: string[] = []
    const settings = { ...settingsFor(first.url), addresses: [first.url, second.url] }
    const reading = await readLdap(settings, { now: Date.now, log: (line) => lines.push(line) }, new AbortController().signal)
    expect(reading.status).toBe('complete')
    expect(lines.join('\n')).toContain('the server is busy or going down (result 52: maintenance)')
  })

  test('a socket dropped between two pages is not opened again as nobody', async () => {
    await using server = await startFakeLdap({ search: () => ({ entries: [group('x')], cookie: 'a' }) })
    const onPage = async () => {
      server.drop()
      await sleep(20)
    }
    const reading = await readLdap(settingsFor(server.url), { now: Date.now, onPage }, new AbortController().signal)
    expect(reading.status).toBe('failed')
    expect(server.connections()).toBe(1)
  })

  test('is closed after a reading, whatever came of it', async () => {
    for (const answer of [{ entries: [group('x')], cookie: '' }, { result: 1 }]) {
      await using server = await startFakeLdap({ search: () => answer })
      await readLdap(settingsFor(server.url), { now: Date.now }, new AbortController().signal)
      await expect.poll(() => server.open()).toBe(0)
    }
  })

  test('that was lost is not opened again, whoever asks', async () => {
    await using server = await startFakeLdap({ search: () => ({ cookie: '' }) })
    const { client } = await openConnection(server.url, 1, settingsFor(server.url), { now: Date.now }, new AbortController().signal)
    await client.bind(account, 'secret')
    server.drop()
    await sleep(20)
    await expect(client.search(base)).rejects.toThrow('it is not opened again')
    expect(server.connections()).toBe(1)
  })

  test('on which nobody was bound is not read from', async () => {
    await using server = await startFakeLdap({ search: () => ({ entries: [group('x')], cookie: '' }) })
    const settings = settingsFor(server.url)
    const connection = await openConnection(server.url, 1, settings, { now: Date.now }, new AbortController().signal)
    const foundGroups = nothingFound()
    const [search] = searchesOf(settings) as [Search]
    const reading = readBase({
      connection,
      settings,
      search,
      foundGroups,
      seen: openSeenEntries()(),
      log: () => undefined,
      onPage: undefined,
    })
    await expect(reading).rejects.toThrow('the connection ended before the answer was complete')
    expect([server.searches, foundGroups.size]).toEqual([[], 0])
    connection.destroy()
  })

  test.each(['bind', 'search'] as const)('a server that is silent after %s meets the timeout', async (where) => {
    const silence = () => 'silence' as const
    const read = await readFrom(where === 'bind' ? { bind: silence, search: () => ({}) } : silence, { timeoutMs: 100 })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('no answer within 0.1 s') })
  })

  test('a StartTLS handshake that never comes meets the timeout', async () => {
    const read = await readFrom({ startTls: 'silence', search: () => ({}) }, { startTls: true, timeoutMs: 100 })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('no answer within 0.1 s') })
  })

  test.each([
    ['ends', undefined],
    ['is answered by something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('a StartTLS handshake that %s fails', async (_, startTls) => {
    const read = await readFrom({ startTls: startTls ?? 'end', search: () => ({}) }, { startTls: true })
    expect(read).toMatchObject({ status: 'failed', searches: [] })
  })

  test('StartTLS that is refused is not done without', async () => {
    const read = await readFrom(() => ({ cookie: '' }), { startTls: true })
    expect(read).toMatchObject({ status: 'failed', cure: expect.stringContaining('use ldaps://') })
    expect(read.searches).toEqual([])
  })

  test('the signal ends a search that waits', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const read = await readFrom(() => 'silence', { timeoutMs: 10_000 }, {}, controller.signal)
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('given up before the end') })
  })

  test('the signal ends a bind that waits, and no other address is asked', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const read = await readFrom({ bind: () => 'silence', search: () => ({}) }, { timeoutMs: 10_000 }, {}, controller.signal)
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('given up before') })
  })

  test('an entry without end does not fill the memory', async () => {
    const header = Buffer.from('3084400000000201036484', 'hex')
    const read = await readFrom(() => ({ raw: Buffer.concat([header, Buffer.alloc(20 * 1024 * 1024)]), cut: true }), { timeoutMs: 5_000 })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('larger than 16 MiB') })
  })

  test('an entry that is too large with its members costs the numbers, not the reading', async () => {
    const header = Buffer.from('3084400000000201036484', 'hex')
    const answer = ({ attributes }: FakeSearch): FakeAnswer =>
      attributes.includes('member')
        ? { entries: [group('x')], raw: Buffer.concat([header, Buffer.alloc(20 * 1024 * 1024)]), cut: true }
        : { entries: [group('x'), group('big')], cookie: '' }
    const read = await readFrom(answer, { timeoutMs: 10_000 })
    expect(read).toMatchObject({ status: 'complete', names: ['x', 'big'], connections: 2 })
    expect(read.searches.map(({ attributes }) => attributes.includes('member'))).toEqual([true, false])
    expect([read.members('x'), read.members('big')]).toEqual([[undefined], [undefined]])
    expect(read.notes).toMatchObject([{ code: 'members-unreadable', sentence: expect.stringContaining('too large') as string }])
  })

  test.each([
    ['an entry', (id: string) => `302402010${id}641f04026d62301930170402636e3111 0484fffffffa 6161616161616161616161`.replaceAll(' ', '')],
    ['a reference', (id: string) => `301302010${id}730e 0484fffffffa 6161616161616161`.replaceAll(' ', '')],
  ])('a length in %s that ldapts takes for negative does not keep us in a loop', async (_, hex) => {
    const raw = (id: number) => Buffer.from(hex(String(id)), 'hex')
    const read = await readFrom(() => ({ raw, cut: true }), { timeoutMs: 5_000 })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('not encoded as LDAP requires') })
  })

  longTest('references without end do not fill the memory', async () => {
    const references = Array.from({ length: 1_000 }, () => 'ldap://h/dc=x')
    const read = await readFrom((_, number) => ({ entries: [group(`g${number}`)], references, cookie: 'a' }), {
      referrals: 'ignore',
      groupsMax: 1_000,
    })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('more than 100000 references') })
  })

  test('names without end do not fill the memory', async () => {
    const long = 'n'.repeat(5_000)
    const entries = [group('x'), group('long', { cn: [long] }), { dn: `cn=${long}`, attributes: { cn: ['far'], member: ['uid=a'] } }]
    const read = await readFrom(pages({ entries, cookie: '' }))
    expect(read).toMatchObject({ status: 'complete', names: ['x', 'far'] })
    expect(JSON.stringify([...(read.groups ?? [])]).length).toBeLessThan(1_000)
    const type = await readFrom(pages({ entries: [group('x', { [long]: [] })], cookie: '' }))
    expect(type).toMatchObject({ status: 'failed', why: expect.stringContaining('the name of an attribute is longer than 4096 bytes') })
  })

  test.each([
    ['not LDAP', 'HTTP/1.1 400 Bad Request'],
    ['no message of LDAP', Buffer.from('30060201639900', 'hex').toString('latin1') + '\0'],
  ])('what is %s fails', async (_, raw) => {
    const read = await readFrom(() => ({ raw: Buffer.from(raw, 'latin1') }), { timeoutMs: 200 })
    expect(read.status).toBe('failed')
  })
})

describe('the account', () => {
  const nothing = () => ({ cookie: '' })

  test('is compared as a DN: blanks, case and escapes do not count', async () => {
    const read = await readFrom({ search: nothing, whoAmI: 'dn: CN=r\\65ader,DC=example,  dc=org' })
    expect(read.status).toBe('complete')
  })

  test.each(['', 'dn:', 'dn: ', 'u:'])('that the server takes for nobody (%j) is refused', async (whoAmI) => {
    const read = await readFrom({ search: nothing, whoAmI })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('as anonymous'), searches: [] })
  })

  test('that the server takes for another is refused', async () => {
    const read = await readFrom({ search: nothing, whoAmI: 'dn:cn=other,dc=example,dc=org' })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('"cn=other,dc=example,dc=org"'), searches: [] })
  })

  test('of Active Directory may be a name of another form', async () => {
    const bind = { dn: 'reader@example.org', password: () => Promise.resolve('secret') }
    const read = await readFrom({ search: nothing, whoAmI: 'u:EXAMPLE\\reader' }, { bind })
    expect(read.status).toBe('complete')
  })

  const users = Buffer.from('01010000000000050b000000', 'hex')
  const anonymous = Buffer.from('010100000000000507000000', 'hex')
  test.each([
    ['its groups', [users], { status: 'complete' }],
    ['no groups', [], { status: 'failed', why: expect.stringContaining('it is not known which account the server sees') }],
    [
      'the groups of anonymous',
      [users, anonymous],
      { status: 'failed', why: expect.stringContaining('as anonymous, in spite of the bind') },
    ],
  ])('is proved by %s where "Who am I?" is not known', async (_, tokenGroups, reading) => {
    const root = { dn: '', attributes: { TokenGroups: tokenGroups } }
    const search = ({ base }: FakeSearch) => (base === '' ? { entries: [root] } : nothing())
    expect(await readFrom({ whoAmI: 2, search })).toMatchObject(reading)
  })

  test('with an empty password is refused before anybody is asked', async () => {
    const read = await readFrom(nothing, { bind: { dn: account, password: () => Promise.resolve('') } })
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('is empty'), connections: 0 })
  })

  test('whose password is wrong is tried on one server only, and the reason is said', async () => {
    await using second = await startFakeLdap({ search: nothing })
    const text = '80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data 775, v2580'
    await using first = await startFakeLdap({ search: nothing, bind: () => ({ code: 49, text }) })
    const settings = { ...settingsFor(first.url), addresses: [first.url, second.url] }
    const reading = await readLdap(settings, { now: Date.now }, new AbortController().signal)
    expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('the account is locked (result 49') })
    expect(second.connections()).toBe(0)
  })

  test.each([2, 12])('a server that refuses the control of password policies (result %i) is asked once more, without it', async (code) => {
    const binds: string[] = []
    const bind = (_: string, password: string) => {
      binds.push(password)
      return { code: binds.length === 1 ? code : 0 }
    }
    await using server = await startFakeLdap({ search: () => ({ entries: [group('a')], cookie: '' }), bind })
    const reading = await readLdap(settingsFor(server.url), { now: Date.now }, new AbortController().signal)
    expect(reading.status).toBe('complete')
    expect(binds).toHaveLength(2)
  })

  test('a wrong password is sent once', async () => {
    let binds = 0
    await using server = await startFakeLdap({
      search: nothing,
      bind() {
        binds++
        return { code: 49 }
      },
    })
    await readLdap(settingsFor(server.url), { now: Date.now }, new AbortController().signal)
    expect(binds).toBe(1)
  })

  test('anonymous sends no name and asks for no proof', async () => {
    const read = await readFrom({ search: () => ({ entries: [group('x')], cookie: '' }), whoAmI: 2 }, { bind: 'anonymous' })
    expect(read).toMatchObject({ status: 'complete', names: ['x'] })
  })

  test('is neither sent nor answered in plain text to another machine', async () => {
    const reading = await readLdap(settingsFor('ldap://ldap.example.com'), { now: Date.now }, new AbortController().signal)
    expect(reading).toMatchObject({ status: 'failed', cure: expect.stringContaining('allowPlaintext') })
  })
})

describe('references to other servers', () => {
  const own = [
    'ldap://ad.example.org/CN=Configuration,DC=example,DC=org',
    'ldap://DomainDnsZones.x/DC=DomainDnsZones,DC=example,DC=org??base',
  ]
  const child = 'ldap://child.example.org/DC=child,DC=example,DC=org'
  const answer = (references: readonly string[]) => pages({ entries: [group('x')], references, cookie: '' })

  test("to Active Directory's own partitions do not count", async () => {
    expect(await readFrom(answer(own))).toMatchObject({ status: 'complete', names: ['x'] })
  })

  test('mean that a part is missing', async () => {
    const read = await readFrom(answer([...own, child]))
    expect(read).toMatchObject({ status: 'failed', cure: expect.stringContaining('referrals: ignore') })
    expect(read.why).toMatch(/: a part of it is on another server: "ldap:\/\/child\.example\.org\/DC=child,DC=example,DC=org"$/)
    const several = await readFrom(answer([child, ...own, `${child},DC=x`, `${child},DC=y`]))
    expect(several.why).toMatch(/DC=child,DC=example,DC=org" and 2 more$/)
  })

  test('are ignored where that is said', async () => {
    expect((await readFrom(answer([child]), { referrals: 'ignore' })).status).toBe('complete')
  })

  test('in place of an answer always fail', async () => {
    expect(await readFrom(pages({ result: 10, cookie: '' }), { referrals: 'ignore' })).toMatchObject({ status: 'failed' })
  })
})

describe('entries', () => {
  const split = (from: number, to: number | '*', count: number) => ({
    [`Member;Range=${from}-${to}`]: Array.from({ length: count }, (_, n) => `uid=${from + n}`),
  })
  const readSplit = (answers: Record<string, FakeEntry['attributes']>) =>
    readFrom(({ base: asked, attributes }) =>
      asked === base
        ? { entries: [group('big', { member: [], ...split(0, 2, 3) }), group('small')], cookie: '' }
        : { entries: [{ dn: asked, attributes: answers[attributes[0] ?? ''] ?? {} }] },
    )

  test('split members are followed to the end and counted', async () => {
    const read = await readSplit({ 'member;range=3-*': { member: [], ...split(3, 5, 3) }, 'member;range=6-*': split(6, '*', 1) })
    expect(read.status).toBe('complete')
    expect([read.members('big'), read.members('small')]).toEqual([[7], [1]])
    expect(read.searches.slice(1).map(({ base, scope }) => [base, scope])).toEqual([
      [`cn=big,${base}`, 'base'],
      [`cn=big,${base}`, 'base'],
    ])
    expect(read.log.at(-1)).toMatch(/ -b cn=big,ou=groups,dc=example,dc=org -s base '\(objectClass=\*\)' 'member;range=6-\*'$/)
  })

  test('a first part that begins elsewhere is no answer either', async () => {
    const read = await readFrom(pages({ entries: [group('x', split(5, '*', 3)), group('y')], cookie: '' }))
    expect(read).toMatchObject({ status: 'complete', names: ['x', 'y'], notes: [] })
    expect([read.members('x'), read.members('y')]).toEqual([[undefined], [1]])
    expect(read.log.at(-1)).toContain(`it is unknown how many members "cn=x,${base}" has`)
  })

  test('of many entries without a name the first three are said, and how many more there are', async () => {
    const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ ...group('x'), dn: `cn=g${n}`, attributes: {} }))
    const said = async (count: number) => (await readFrom(pages({ entries: entries(count), cookie: '' }))).why
    expect(await said(3)).toContain('the attribute cn has no value in "cn=g0", "cn=g1" and "cn=g2": ')
    expect(await said(5)).toContain('the attribute cn has no value in "cn=g0", "cn=g1", "cn=g2" and 2 more: ')
  })

  test.each([
    ['an empty range', { 'member;range=3-*': { 'member;range=3-*': [] } }],
    ['no range', { 'member;range=3-*': {} }],
    ['a range that begins elsewhere', { 'member;range=3-*': split(0, '*', 3) }],
    ['a range that lacks values', { 'member;range=3-*': split(3, 5, 2) }],
  ])('%s is not an answer: the group is known, its people are not', async (_, answers) => {
    const read = await readSplit(answers)
    expect(read).toMatchObject({ status: 'complete', names: ['big', 'small'] })
    expect([read.members('big'), read.members('small')]).toEqual([[undefined], [1]])
    expect(read.log.at(-1)).toContain(`it is unknown how many members "cn=big,${base}" has`)
  })

  test('a part that never comes fails the reading, as the timeout of a page does', async () => {
    const read = await readFrom(
      ({ base: asked }) => (asked === base ? { entries: [group('big', split(0, 2, 3))], cookie: '' } : 'silence'),
      { timeoutMs: 100 },
    )
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('no answer within 0.1 s') })
  })

  test('members that never end do end', async () => {
    const read = await readFrom(({ base: asked, attributes }) => {
      const from = Number(/range=(\d+)/.exec(attributes[0] ?? '')?.[1] ?? 0)
      return asked === base
        ? { entries: [group('big', split(0, 2, 3))], cookie: '' }
        : { entries: [{ dn: asked, attributes: split(from, from + 9, 10) }] }
    })
    expect(read.status).toBe('complete')
    expect(read.members('big')).toEqual([undefined])
    expect(read.searches.length).toBeLessThan(20)
  })

  test('as many members as are allowed are not too many', async () => {
    const read = (membersMax: number) =>
      readFrom(
        ({ base: asked }) =>
          asked === base
            ? { entries: [group('big', split(0, 2, 3))], cookie: '' }
            : { entries: [{ dn: asked, attributes: split(3, '*', 4) }] },
        { membersMax },
      )
    expect((await read(7)).members('big')).toEqual([7])
    expect((await read(6)).members('big')).toEqual([undefined])
  })

  test('nor are they in an entry that carries all of them', async () => {
    const members = { member: ['uid=a', 'uid=b', 'uid=c'] }
    const read = (membersMax: number) => readFrom(pages({ entries: [group('x', members)], cookie: '' }), { membersMax })
    expect((await read(3)).members('x')).toEqual([3])
    expect(await read(2)).toMatchObject({ status: 'complete', notes: [] })
    expect((await read(2)).members('x')).toEqual([undefined])
  })

  longTest('members that come one by one do not keep us for days', async () => {
    const answer = ({ base: asked, attributes }: FakeSearch) => {
      const from = Number(/range=(\d+)/.exec(attributes[0] ?? '')?.[1] ?? 0)
      return asked === base
        ? { entries: [group('big', split(0, 0, 1))], cookie: '' }
        : { entries: [{ dn: asked, attributes: split(from, from, 1) }] }
    }
    const read = await readFrom(answer, { membersMax: 1_000_000 })
    expect(read.members('big')).toEqual([undefined])
    expect(read.searches.length).toBe(10_001)
  })

  test.each<[string, FakeAnswer]>([
    ['refuses', { result: 50 }],
    ['no longer has', {}],
    ['sends and then refuses', { entries: [{ dn: `cn=big,${base}`, attributes: split(3, '*', 1) }], result: 50 }],
  ])('a part that the server %s costs the number, not the reading', async (_, part) => {
    const read = await readFrom(({ base: asked }) =>
      asked === base ? { entries: [group('big', split(0, 2, 3)), group('small')], cookie: '' } : part,
    )
    expect(read).toMatchObject({ status: 'complete', names: ['big', 'small'] })
    expect([read.members('big'), read.members('small')]).toEqual([[undefined], [1]])
  })

  test('attribute names have no case, one and many values count alike, an empty value is a placeholder, and none is unknown', async () => {
    const entries = [
      { dn: 'a', attributes: { OBJECTCLASS: ['top'], CN: ['a'], MEMBER: ['uid=1', 'uid=2'] } },
      { dn: 'b', attributes: { ObjectClass: ['top'], Cn: ['b'], Member: ['uid=1'] } },
      { dn: 'c', attributes: { objectClass: ['top'], cn: ['c'], member: [''] } },
      { dn: 'd', attributes: { objectClass: ['top'], cn: ['d'] } },
    ]
    const read = await readFrom(pages({ entries, cookie: '' }))
    expect(['a', 'b', 'c', 'd'].map((name) => read.members(name))).toEqual([[2], [1], [0], [undefined]])
    expect(read.notes).toEqual([])
  })

  test('members that no entry has are unreadable: no numbers, and that is said', async () => {
    const withoutMembers = [group('a', { member: [] }), { dn: 'b', attributes: { cn: ['b'], uniqueMember: ['uid=a'] } }]
    const read = await readFrom(pages({ entries: withoutMembers, cookie: '' }))
    expect(read.status).toBe('complete')
    expect([read.members('a'), read.members('b')]).toEqual([[undefined], [undefined]])
    expect(read.notes).toEqual([
      {
        code: 'members-unreadable',
        severity: 'warning',
        sentence: `no group has a value of member, so it is unknown how many members they have: ${account} may lack the right to read it, or the groups use another attribute`,
        cure: expect.stringContaining('uniqueMember') as string,
      },
    ])
    expect((await readFrom(pages({ entries: [], cookie: '' }))).notes).toEqual([])
  })

  test('a group among the members is a member like each other, on whichever page it comes, and in further parts', async () => {
    const inParts = { member: [], ...split(0, 2, 3) }
    const read = await readFrom(({ base: asked, page }) =>
      asked !== base
        ? { entries: [{ dn: asked, attributes: { 'member;range=3-*': ['uid=z', `CN=leaf, ${base}`] } }] }
        : page?.cookie === ''
          ? { entries: [group('outer', { member: ['uid=a', `cn=leaf,${base}`] }), group('parts', inParts)], cookie: 'a' }
          : { entries: [group('leaf', { member: ['uid=a', `uid=b,${base}`] })], cookie: '' },
    )
    expect(['outer', 'parts', 'leaf'].map((name) => read.members(name))).toEqual([[2], [5], [2]])
  })

  test('a group that another attribute names is no member', async () => {
    const entries = [group('inner', { memberOf: [`cn=outer,${base}`] }), group('outer')]
    const read = await readFrom(pages({ entries, cookie: '' }))
    expect([read.members('inner'), read.members('outer')]).toEqual([[1], [1]])
  })

  test("the number of Active Directory's primary groups is unknown", async () => {
    const sid = (rid: number) => Buffer.from(Uint32Array.of(0x501, 0x0500_0000, 21, rid).buffer)
    const entries = [group('Domain Users', { objectSid: [sid(513)] }), group('devs', { objectSid: [sid(1_104)] })]

    const read = await readFrom(pages({ entries, cookie: '' }))
    expect([read.members('Domain Users'), read.members('devs')]).toEqual([[undefined], [1]])
  })

  test('nobody is counted where no attribute is named', async () => {
    const { members: _, ...groups } = settingsFor('ldap://localhost').groups
    await using server = await startFakeLdap({ search: pages({ entries: [group('x')], cookie: '' }) })
    const reading = await readLdap({ ...settingsFor(server.url), groups }, { now: Date.now }, new AbortController().signal)
    if (reading.status !== 'complete') throw new Error(reading.status)
    expect(reading.value.get('x' as GroupName)).toStrictEqual([{ name: 'x', id: `cn=x,${base}`, place: `cn=x,${base}` }])
    expect(server.searches[0]?.attributes).not.toContain('member')
  })

  test('the id is what survives a rename, binary or not; else the place', async () => {
    const objectGUID = [Buffer.from('00112233445566778899aabbccddeeff', 'hex')]
    const entries = [
      group('ad', { objectGUID }),
      group('ol', { entryUUID: ['37d08366-79e4'] }),
      group('ds', { nsuniqueid: ['f7a-1'] }),
      group('none'),
    ]
    const read = await readFrom(pages({ entries: entries.slice(0, 2), cookie: 'a' }, { entries: entries.slice(2), cookie: '' }))
    const ids = [...(read.groups?.values() ?? [])].flat().map(({ id }) => id)
    expect(ids).toEqual(['33221100-5544-7766-8899-aabbccddeeff', '37d08366-79e4', 'f7a-1', `cn=none,${base}`])
  })

  test('an id without a character is none: groups must not have it together', async () => {
    const entries = [group('a', { gid: [''] }), group('b', { gid: ['', '7'] })]
    const read = await readFrom(pages({ entries, cookie: '' }), { groups: { id: 'gid' } })
    expect([...(read.groups?.values() ?? [])].flat().map(({ id }) => id)).toEqual([`cn=a,${base}`, '7'])
  })

  test('an entry without a name may be any group, so the reading is not complete', async () => {
    const read = await readFrom(pages({ entries: [group('x')], cookie: 'a' }, { entries: [group('none', { cn: [] })], cookie: '' }))
    expect(read).toMatchObject({
      status: 'partial',
      names: ['x'],
      why: `the attribute cn has no value in "cn=none,${base}": correct the entry, exclude it with groups.filter, or let the account read the attribute`,
    })
  })

  test('a name that no rule can have is said, and the reading is complete', async () => {
    const entries = [group('x'), group('bytes', { cn: [Buffer.from([0xff, 0xfe])] }), group('long', { cn: ['n'.repeat(4_097)] })]
    const read = await readFrom(pages({ entries, cookie: '' }))
    expect(read).toMatchObject({ status: 'complete', names: ['x'] })
    expect(read.notes).toMatchObject([
      { code: 'group-name-unusable', sentence: expect.stringContaining(`in "cn=bytes,${base}" and "cn=long,${base}"`) as string },
    ])
  })

  test('an entry with several names is under each of them', async () => {
    const read = await readFrom(pages({ entries: [group('x'), group('two', { cn: ['two', 'too'] })], cookie: '' }))
    expect(read).toMatchObject({ status: 'complete', names: ['x', 'two', 'too'], notes: [] })
    const [two, too] = ['two', 'too'].map((name) => read.groups?.get(name as GroupName)?.[0])
    expect(two).toEqual({ ...too, name: 'two' })
    expect(too).toMatchObject({ place: `cn=two,${base}`, size: members(1), names: ['too', 'two'] })
    expect(read.groups?.get('x' as GroupName)?.[0]).not.toHaveProperty('names')
  })

  test('names of one entry count towards groupsMax', async () => {
    const cn = Array.from({ length: 200 }, (_, n) => `n${n}`)
    expect(await readFrom(pages({ entries: [group('x', { cn })], cookie: '' }))).toMatchObject({ status: 'failed' })
  })

  test('names come as they are: any script, blanks, quotes, a byte order mark', async () => {
    const names = ['Ω-team', ' blank ', 'a/b\\c,"d"', '\ufeffmark', '\ufffd']
    const read = await readFrom(pages({ entries: names.map((cn, n) => ({ dn: `cn=${n}`, attributes: { cn: [cn] } })), cookie: '' }), {
      pageSize: 5,
    })
    expect(read.names).toEqual(names)
  })
})

test('each search is logged as a command without the password', async () => {
  const read = await readFrom(pages({ cookie: '' }, { cookie: '' }), { groups: { base: [base, "ou=o'b $HOME,dc=x"], filter: '(cn=a*)' } })
  const [first, second] = read.log
  expect(first).toMatch(
    /^ldapsearch -LLL -x -H ldap:\/\/127\.0\.0\.1:\d+ -D 'cn=Reader, dc=example,dc=org' -W -b ou=groups,dc=example,dc=org -s sub -E pr=3\/noprompt '\(cn=a\*\)' cn member objectSid gidNumber [\w -]+ entryUUID objectGUID nsUniqueId$/,
  )
  expect(second).toContain(` -b 'ou=o'\\''b $HOME,dc=x' `)
  expect(read.log.join('\n')).not.toContain('secret')
})

test('several bases are read over one connection', async () => {
  const answer = ({ base: asked }: FakeSearch) => ({ entries: [{ dn: `cn=x,${asked}`, attributes: { cn: [asked] } }], cookie: '' })
  const read = await readFrom(answer, { groups: { base: ['ou=a', 'ou=b'] } })
  expect(read).toMatchObject({ status: 'complete', names: ['ou=a', 'ou=b'], connections: 1 })
})
