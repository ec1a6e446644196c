import { describe, expect, test } from 'vitest'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { type FakeAnswer, type FakeEntry, type FakeOptions, type FakeSearch, startFakeLdap } from './fakeLdap.ts'

/** Which proof of the account is made, and what an anonymous connection must see for it. */

const account = 'cn=reader,dc=x'
const base = 'ou=groups,dc=x'
type Proof = 'whoAmI' | 'tokenGroups' | 'anonymousSeesLess' | 'none'
type Over = {
  readonly proof?: Proof
  readonly pageSize?: number
  readonly base?: readonly string[]
  readonly referrals?: 'fail' | 'ignore'
}

const entry = (cn: string, below = base): FakeEntry => ({ dn: `cn=${cn},${below}`, attributes: { cn: [cn] } })
const entries = (...names: readonly string[]) => names.map((cn) => entry(cn))
const whole = (...names: readonly string[]): FakeAnswer => ({ entries: entries(...names), cookie: '' })

async function readFrom(options: FakeOptions, { proof, pageSize = 3, base: bases = [base], referrals = 'fail' }: Over = {}) {
  const binds: string[] = []
  const bind: FakeOptions['bind'] = (dn, password) => {
    binds.push(dn)
    return options.bind?.(dn, password) ?? { code: 0 }
  }
  await using server = await startFakeLdap({ ...options, bind })
  const settings: LdapSettings = {
    addresses: [server.url],
    bind: { dn: account, password: () => Promise.resolve('secret'), ...(proof === undefined ? {} : { proof }) },
    pageSize,
    timeoutMs: 2_000,
    groupsMax: 100,
    membersMax: 100,
    referrals,
    groups: { base: bases, scope: 'sub', filter: '(objectClass=*)', name: 'cn' },
  }
  const log: string[] = []
  const reading = await readLdap(settings, { now: Date.now, log: (line) => log.push(line) }, new AbortController().signal)
  await expect.poll(() => server.open()).toBe(0)
  return {
    status: reading.status,
    names: reading.status === 'failed' ? [] : [...reading.value.keys()],
    why: reading.status === 'failed' ? reading.why.replace(server.url, 'ldap://x') : '',
    cure: reading.status === 'failed' ? reading.cure : undefined,
    binds,
    log,
    asked: server.searches.map(({ base, boundAs }) => `${boundAs === '' ? 'anonymous' : 'account'} ${base === '' ? 'root' : base}`),
  }
}

/** A server that knows neither "Who am I?" nor `tokenGroups`. */
const without = (
  own: (search: FakeSearch, number: number) => FakeAnswer,
  others: (search: FakeSearch, number: number) => FakeAnswer | 'silence',
  more: Partial<FakeOptions> = {},
): FakeOptions => ({
  whoAmI: 2,
  search: (search, number) => (search.base === '' ? { result: 0 } : search.boundAs === '' ? others(search, number) : own(search, number)),
  ...more,
})
const two = () => whole('devs', 'ops')

describe('the default takes the first proof that the server offers', () => {
  test('"Who am I?", and nothing else is asked', async () => {
    const read = await readFrom({ search: two })
    expect(read).toMatchObject({ status: 'complete', names: ['devs', 'ops'], binds: [account], asked: [`account ${base}`] })
  })

  test.each([1, 2, 12, 50, 52, 53, 80])('tokenGroups, if "Who am I?" is refused with result %i', async (whoAmI) => {
    const root = { dn: '', attributes: { tokenGroups: [Buffer.from('01010000000000050b000000', 'hex')] } }
    const read = await readFrom({ whoAmI, search: ({ base }) => (base === '' ? { entries: [root] } : two()) })
    expect(read).toMatchObject({ status: 'complete', binds: [account], asked: ['account root', `account ${base}`] })
  })

  test.each([
    ['an empty answer', { result: 0 }],
    ['a root entry without it', { entries: [{ dn: '', attributes: {} }] }],
    ['result 50', { result: 50 }],
    ['result 53', { result: 53 }],
  ])('anonymousSeesLess, if there is no tokenGroups: %s', async (_, root) => {
    const read = await readFrom(
      without(two, () => whole(), {
        search: ({ base, boundAs }) => (base === '' ? root : boundAs === '' ? whole() : two()),
      }),
    )
    expect(read).toMatchObject({ status: 'complete', names: ['devs', 'ops'], binds: [account, ''] })
  })

  test('and never none', async () => {
    const read = await readFrom(without(two, two))
    expect(read).toMatchObject({
      status: 'failed',
      why: 'ldap://x: proof of identity: the server answers neither "Who am I?" nor a request for tokenGroups, and an anonymous connection sees 2 groups, and "cn=reader,dc=x" sees 2, so it is not known which account the server sees',
      cure: 'if everybody may read these groups, write bind: anonymous; if not, let only cn=reader,dc=x read them; or set bind.proof: none together with expect, which names groups that the account sees',
    })
  })
})

describe('a proof that the settings name is the only one', () => {
  test.each<[Proof, number, string]>([
    ['whoAmI', 2, 'the server does not answer "Who am I?"'],
    ['tokenGroups', 0, 'the server does not answer a request for tokenGroups'],
  ])('%s', async (proof, whoAmI, why) => {
    const read = await readFrom(
      without(two, () => whole(), { whoAmI }),
      { proof },
    )
    expect(read).toMatchObject({
      status: 'failed',
      why: expect.stringContaining(why),
      cure: expect.stringContaining(`remove bind.proof: ${proof}`),
    })
    expect(read.binds).toEqual([account])
  })

  test('anonymousSeesLess asks neither "Who am I?" nor for tokenGroups', async () => {
    const read = await readFrom(
      without(two, () => whole('devs'), { whoAmI: 'end' }),
      { proof: 'anonymousSeesLess' },
    )
    expect(read).toMatchObject({ status: 'complete', names: ['devs', 'ops'] })
    expect(read.asked).not.toContain('account root')
  })

  test('none asks nothing', async () => {
    const read = await readFrom(without(two, two, { whoAmI: 'end' }), { proof: 'none' })
    expect(read).toMatchObject({ status: 'complete', binds: [account], asked: [`account ${base}`] })
  })

  test('a server that ends the connection at "Who am I?" is named with the setting that leaves it out', async () => {
    const read = await readFrom(without(two, () => whole(), { whoAmI: 'end' }))
    expect(read).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('after it was asked "Who am I?"'),
      cure: expect.stringContaining('set bind.proof: anonymousSeesLess'),
    })
  })
})

describe('an anonymous connection sees less', () => {
  const proved = { status: 'complete' }
  test.each<[string, FakeOptions, Over?]>([
    ['no group', without(two, () => whole())],
    ['one group less', without(two, () => whole('devs'))],
    ['no such base', without(two, () => ({ result: 32 }))],
    ...[1, 8, 12, 13, 48, 49, 50, 53].map((result): [string, FakeOptions] => [
      `a refused search: ${result}`,
      without(two, () => ({ result })),
    ]),
    ['a refused bind and a refused search', without(two, () => ({ result: 1 }), { bind: (dn) => ({ code: dn === '' ? 48 : 0 }) })],
    [
      'a refused search, and the account sees no group',
      without(
        () => whole(),
        () => ({ result: 50 }),
      ),
    ],
    [
      'less below the second base only',
      without(
        ({ base: b }) => (b === base ? two() : { entries: [entry('x', b)], cookie: '' }),
        ({ base: b }) => (b === base ? two() : whole()),
      ),
      { base: [base, 'ou=more,dc=x'] },
    ],
    ['an empty answer without a cookie', without(two, () => ({}))],
    [
      'less in an answer without pages',
      without(
        () => ({ entries: entries('devs', 'ops') }),
        () => ({ entries: entries('devs') }),
      ),
      { pageSize: 0 },
    ],
  ])('%s', async (_, options, over) => {
    expect(await readFrom(options, over)).toMatchObject(proved)
  })

  /** The names in pages of three. */
  const paged =
    (...names: readonly string[]) =>
    ({ page }: FakeSearch): FakeAnswer => {
      const from = Number(page?.cookie ?? 0)
      const next = from + 3
      return { entries: entries(...names.slice(from, next)), cookie: next < names.length ? `${next}` : '' }
    }
  test('the lists are compared to their ends, if the first page of the account proves nothing', async () => {
    expect(await readFrom(without(paged('a', 'b', 'c', 'd', 'e'), paged('a', 'b', 'c', 'd')))).toMatchObject(proved)
    expect(await readFrom(without(paged('a', 'b', 'c', 'd', 'e'), paged('e', 'd', 'c', 'b', 'a')))).toMatchObject({
      why: expect.stringContaining('an anonymous connection sees 5 groups, and "cn=reader,dc=x" sees 5'),
    })
  })

  test('of a long list only a page is read twice more, if anonymous sees nothing', async () => {
    const { status, asked } = await readFrom(without(paged(...'abcdefghij'.split('')), () => whole()))
    expect({ status, searches: asked.filter((search) => search === `account ${base}`).length }).toEqual({
      status: 'complete',
      searches: 2 + 4,
    })
  })

  test('and the DNs as DNs', async () => {
    const other = { entries: [{ dn: 'CN=Devs, OU=groups,DC=x', attributes: {} }], cookie: '' }
    expect(
      await readFrom(
        without(
          () => whole('devs'),
          () => other,
        ),
      ),
    ).toMatchObject({ status: 'failed' })
  })

  test('the search of the proof can be repeated by hand', async () => {
    const { log } = await readFrom(without(two, () => whole()))
    expect(log).toContainEqual(
      expect.stringMatching(
        /^proof of identity: cn=reader,dc=x must see more than ldapsearch -LLL -x -H ldap:\S+ -b ou=groups,dc=x -s sub -E pr=3\/noprompt '\(objectClass=\*\)' 1\.1$/,
      ),
    )
  })
})

describe('no proof', () => {
  const notKnown = /it is not known which account the server sees|it is not known whether an anonymous connection sees less/
  test.each<[string, FakeOptions, string, Over?]>([
    ['both see the same', without(two, two), 'sees 2 groups, and "cn=reader,dc=x" sees 2'],
    ['anonymous sees more', without(() => whole('devs'), two), 'sees 2 groups, and "cn=reader,dc=x" sees 1'],
    [
      'as many other groups',
      without(
        () => whole('a', 'b'),
        () => whole('a', 'c'),
      ),
      'sees 2 groups, and "cn=reader,dc=x" sees 2',
    ],
    [
      'neither sees a group',
      without(
        () => whole(),
        () => whole(),
      ),
      'sees no group, so an anonymous connection cannot see less',
    ],
    [
      'no such base for both',
      without(
        () => whole(),
        () => ({ result: 32 }),
      ),
      'sees no group',
    ],
    ...[3, 4, 10, 11, 51, 52, 80].map((result): [string, FakeOptions, string] => [
      `result ${result} says nothing about rights`,
      without(two, () => ({ result })),
      `(result ${result})`,
    ]),
    ['a part is on another server', without(two, () => ({ references: ['ldap://other/ou=groups,dc=x'], cookie: '' })), 'on another server'],
    ['its connection ends', without(two, () => ({ cut: true })), 'the connection ended before the answer was complete'],
    ['no answer', without(two, () => 'silence'), 'no answer within 2 s'],
    ['its second page is refused', without(two, (_, n) => (n % 2 === 1 ? { entries: [], cookie: 'x' } : { result: 53 })), 'result 53'],
    ['its second page fails', without(two, (_, n) => (n % 2 === 1 ? { entries: [], cookie: 'x' } : { result: 51 })), 'result 51'],
    [
      'the bind is refused, and the search without it is not',
      without(two, two, { bind: (dn) => ({ code: dn === '' ? 53 : 0 }) }),
      'sees 2 groups',
    ],
    ['the bind fails for another reason', without(two, () => whole(), { bind: (dn) => ({ code: dn === '' ? 52 : 0 }) }), 'result 52'],
  ])('%s', async (_, options, why, over) => {
    const read = await readFrom(options, over)
    expect(read.status).toBe('failed')
    expect(read.why).toMatch(notKnown)
    expect(read.why).toContain(why)
    expect(read.cure).toContain('set bind.proof: none together with expect')
  })

  test('a group that was deleted before the anonymous search proves nothing', async () => {
    let isDeleted = false
    const own = () => (isDeleted ? whole('devs') : two())
    const read = await readFrom(
      without(own, () => {
        isDeleted = true
        return whole('devs')
      }),
    )
    expect(read).toMatchObject({ status: 'failed', why: expect.stringContaining('the groups changed while both read them') })
  })

  test('a search of the account that fails is named as such', async () => {
    const read = await readFrom(
      without(
        () => ({ result: 32 }),
        () => ({ result: 32 }),
      ),
    )
    expect(read).toMatchObject({ status: 'failed', why: expect.stringMatching(/: groups below "ou=groups,dc=x": there is no such entry/) })
    expect(read.cure).toContain('check groups.base')
  })
})
