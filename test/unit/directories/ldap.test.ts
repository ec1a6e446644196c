import * as fc from 'fast-check'
import {
  BerWriter,
  InvalidCredentialsError,
  NoSuchObjectError,
  OperationsError,
  PresenceFilter,
  SizeLimitExceededError,
  UnavailableCriticalExtensionError,
} from 'ldapts'
import { describe, expect, test } from 'vitest'
import { countValues } from '../../../src/directories/ldap/attribute.ts'
import { openTypeNames, parseEntry } from '../../../src/directories/ldap/ber.ts'
import { parseDn, sameDn } from '../../../src/directories/ldap/dn.ts'
import { type Doing, failureOf } from '../../../src/directories/ldap/failure.ts'
import { sourceAttributes } from '../../../src/directories/ldap/memberSources.ts'
import { foreignReferences } from '../../../src/directories/ldap/page.ts'
import { type LdapSettings, ldapsearchLine, searchesOf } from '../../../src/directories/ldap/settings.ts'

describe('a DN', () => {
  test.each([
    ['cn=Directory Manager', ' CN = directory  manager '],
    ['cn=a,dc=x', 'cn=a;dc=x'],
    ['cn=a+uid=1,dc=x', 'UID=1+cn=a,dc=x'],
    [String.raw`cn=a\, b,dc=x`, String.raw`cn=a\2c\20b,dc=x`],
    ['cn=Größe', String.raw`cn=Gr\c3\b6\c3\9fe`],
    [String.raw`cn=\ a\ ,dc=x`, 'cn=a,dc=x'],
    ['2.5.4.3=a', '2.5.4.3=A'],
    ['', ' '],
  ])('%j is %j', (one, other) => {
    expect(sameDn(one, other)).toBe(true)
  })

  test.each([
    ['cn=a', 'cn=a,dc=x'],
    ['cn=a,dc=x', 'dc=x,cn=a'],
    ['cn=a', 'uid=a'],
    [String.raw`cn=a\,dc=x`, 'cn=a,dc=x'],
    [String.raw`cn=a\+uid=1`, 'cn=a+uid=1'],
    ['cn=a', 'a'],
    ['a', 'a'],
    [String.raw`cn=a\zz`, String.raw`cn=a\zz`],
    ['cn=a,', 'cn=a,'],
  ])('%j is not %j', (one, other) => {
    expect(sameDn(one, other)).toBe(false)
  })

  const value = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '')
  test('keeps its parts apart, whatever their values and however they are escaped', () => {
    const hex = (text: string) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
    const short = (text: string) => text.replaceAll(/[ "#+,;<=>\\]/g, '\\$&')
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const one = values.map((text) => `cn=${hex(text)}`).join(',')
        expect(parseDn(one)).toHaveLength(values.length)
        expect(sameDn(one, values.map((text) => `CN=${short(text)}`).join(', '))).toBe(true)
      }),
    )
  })
})

describe('values', () => {
  const attribute = (type: string, count: number, emptyCount = 0) => ({ type, count, emptyCount })

  test.each([
    ['none', [], 0, 'absent'],
    ['none, in an attribute', [attribute('member', 0)], 0, 'absent'],
    ['some, in another case', [attribute('MEMBER', 3)], 0, { count: 3 }],
    ['a placeholder', [attribute('member', 1, 1)], 0, { count: 0 }],
    ['of another attribute', [attribute('memberOf', 3)], 0, 'absent'],
    ['of another attribute as long', [attribute('number', 3)], 0, 'absent'],
    ['in two attributes of one name', [attribute('member', 3), attribute('MEMBER', 2, 1)], 0, { count: 4 }],
    ['the first part', [attribute('member', 0), attribute('Member;Range=0-1499', 1_500)], 0, { count: 1_500, next: 1_500 }],
    ['the last part', [attribute('member;range=1500-*', 7)], 1_500, { count: 7 }],
    ['an empty part', [attribute('member;range=1500-*', 0)], 1_500, 'unclear'],
    ['no part', [attribute('member', 0)], 1_500, 'unclear'],
    ['another part', [attribute('member;range=0-1499', 1_500)], 1_500, 'unclear'],
    ['less than it says', [attribute('member;range=0-1499', 1_499)], 0, 'unclear'],
    ['nonsense', [attribute('member;range=x', 1)], 0, 'unclear'],
    ['a part with something after it', [attribute('member;range=0-0;binary', 1)], 0, 'unclear'],
  ])('%s', (_, attributes, from, counted) => {
    expect(countValues(attributes, 'member', from)).toEqual(counted)
  })
})

describe('an entry on the wire', () => {
  function encoded(dn: string, attributes: readonly (readonly [string, readonly string[]])[], dnBytes: Buffer = Buffer.from(dn)): Buffer {
    const writer = new BerWriter()
    writer.startSequence(0x64)
    writer.writeBuffer(dnBytes, 0x04)
    writer.startSequence()
    for (const [type, values] of attributes) {
      writer.startSequence()
      writer.writeString(type)
      writer.startSequence(0x31)
      for (const value of values) writer.writeBuffer(Buffer.from(value), 0x04)
      writer.endSequence()
      writer.endSequence()
    }
    writer.endSequence()
    writer.endSequence()
    return writer.buffer
  }
  const typeOf = openTypeNames()
  const parsed = (bytes: Buffer) => parseEntry(bytes, 0, bytes.length, typeOf)
  const types = fc.oneof(fc.string(), fc.constantFrom('cn', 'cn;lang-de', 'CN;lang-en', 'cn;range=0-1;x', 'sn;x'))
  const attributes = fc.array(fc.tuple(types, fc.array(fc.string({ unit: 'binary', maxLength: 300 }))))

  test('is what was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), attributes, (dn, all) => {
        const bytes = encoded(dn, all)
        const entry = parsed(bytes)
        // An option other than a range is one that nothing reads. Of each attribute those become one, after the others.
        const withOption = Map.groupBy(all, ([type]) => /^([^;]*);(?!range=)/i.exec(type)?.[1]?.toLowerCase())
        const attributes = [...withOption].flatMap(([base, same]): typeof all =>
          base === undefined ? [] : [[same[0]?.[0] ?? '', same.flatMap(([, values]) => values)]],
        )
        attributes.unshift(...(withOption.get(undefined) ?? []))
        const read = entry.attributes.map((attribute) => [attribute.type, attribute.values(Number.POSITIVE_INFINITY).map(String)])
        for (const attribute of entry.attributes) {
          const ranges: string[] = []
          attribute.each((bytes, start, end) => ranges.push(bytes.toString('utf8', start, end)))
          expect(ranges).toEqual(attribute.values(Number.POSITIVE_INFINITY).map(String))
          expect(attribute.values(1).map(String)).toEqual(ranges.slice(0, 1))
          expect(attribute.copy()).toMatchObject({ type: attribute.type, count: attribute.count, emptyCount: attribute.emptyCount })
          expect(attribute.copy().values(2).map(String)).toEqual(ranges.slice(0, 2))
          const [only = '\u0080', ...others] = ranges
          const isAscii = others.length === 0 && Buffer.byteLength(only) === only.length
          expect(attribute.ascii()).toBe(isAscii ? only : undefined)
        }
        expect([entry.dn, read]).toEqual([
          dn,
          attributes.map(([type, values]) => [type, values.map((value) => Buffer.from(value).toString())]),
        ])
        expect(entry.attributes.map(({ count, emptyCount }) => [count, emptyCount])).toEqual(
          attributes.map(([, values]) => [values.length, values.filter((value) => value === '').length]),
        )
      }),
    )
  })

  test.each([
    ['too long', (n: number) => Buffer.from(`cn=${'x'.repeat(5_000)}${n}`)],
    ['not UTF-8', (n: number) => Buffer.from([0x63, 0x6e, 0x3d, 0xf0 + n])],
  ])('has a place of its own, also if its DN is %s', (_, dnOf) => {
    const placeOf = (dn: Buffer) => {
      const bytes = encoded(dn.toString('latin1'), [], dn)
      return parsed(bytes).dn
    }
    const places = [0, 1].map((n) => placeOf(dnOf(n)))
    expect(new Set(places)).toHaveProperty('size', 2)
    for (const place of places) expect(place).toMatch(/^cn=.{1,197}… \(SHA-256 [0-9a-f]{32}\)$/)
    expect(placeOf(Buffer.from('cn=\ufffd'))).toBe('cn=\ufffd')
  })

  test('that is damaged is refused or read, and never without end', () => {
    const damage = fc.tuple(fc.nat(), fc.nat(255))
    fc.assert(
      fc.property(attributes, fc.array(damage, { minLength: 1, maxLength: 4 }), (attributes, damages) => {
        const bytes = encoded('cn=x', attributes)
        for (const [at, byte] of damages) bytes[at % bytes.length] = byte
        try {
          for (const attribute of parsed(bytes).attributes) attribute.values(1_000)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
    )
  })

  test('a length that ldapts takes for negative', () => {
    const bytes = Buffer.from('6412040178300d300b040162310604840000fff0', 'hex')
    bytes.writeUInt32BE(0xff_ff_ff_fa, bytes.length - 4)
    expect(() => parsed(bytes)).toThrow('not encoded')
  })
})

test('references that count', () => {
  const own = [
    'ldap://h/CN=Configuration,DC=ad,DC=example',
    'ldap://h/DC=ForestDnsZones,DC=ad,DC=example??base',
    'ldaps://h/dc=domainDNSzones,dc=ad',
  ]
  const foreign = [
    'ldap://h/DC=child,DC=ad',
    'ldap://h/CN=Configuration,OU=x,DC=ad',
    'ldap://h/CN=Configuration',
    'ldap://h',
    'ldap://h/%',
    'ldap://h/nonsense',
    'nonsense',
  ]
  expect(foreignReferences([...own, ...foreign])).toEqual(foreign)
})

describe('a failure', () => {
  const doing: Doing = {
    step: 'search',
    address: 'ldaps://h',
    what: 'groups below "ou=g"',
    account: 'cn=r',
    timeoutMs: 5_000,
    hasCaFile: false,
  }
  const at = (error: unknown, more: Partial<Doing> = {}) => {
    const { message, cure, elsewhere } = failureOf(error, { ...doing, ...more })
    return { message, cure, elsewhere }
  }
  const coded = (code: string, message = code) => Object.assign(new Error(message), { code })

  test.each([
    [new SizeLimitExceededError(''), 'size limit', 'size.prtotal'],
    [new NoSuchObjectError('x'), 'no such entry', 'groups.base'],
    [new InvalidCredentialsError('…, data 52e, v1'), 'the name or the password is wrong', 'bind.dn'],
    [new InvalidCredentialsError('…, data 533, v1'), 'the account is disabled', 'bind.dn'],
    [coded('ECONNREFUSED'), 'cannot connect (ECONNREFUSED)', 'firewalls'],
    [coded('ENOTFOUND'), 'the name h cannot be resolved (ENOTFOUND)', 'DNS'],
    [coded('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'), 'certificate is refused', 'CA'],
    [coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'certificate is refused', 'CA'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'for another name', 'serverName'],
    [coded('CERT_HAS_EXPIRED'), 'expired', 'renew'],
    [new Error('SearchRequest: Operation timed out'), 'no answer within 5 s', 'timeout'],
    [new Error('Connection closed before message response was received.'), 'the connection ended', 'log'],
  ])('%s has a sentence and a cure', (error, sentence, cure) => {
    const failure = at(error)
    expect(failure.message).toContain('ldaps://h: groups below "ou=g": ')
    expect(failure).toMatchObject({ message: expect.stringContaining(sentence), cure: expect.stringContaining(cure) })
  })

  test('of one server leads to the next, a refusal of the account does not, nor does anything after the first page', () => {
    expect(at(coded('ECONNREFUSED'), { step: 'open' }).elsewhere).toBe(true)
    expect(at(new InvalidCredentialsError(''), { step: 'open' }).elsewhere).toBe(false)
    expect(at(coded('ECONNRESET')).elsewhere).toBe(false)
  })

  test('shows what a server says in one short line', () => {
    const { message } = at(new NoSuchObjectError(`a\u001b[31m\n${'x'.repeat(500)}`))
    expect(message).toContain(String.raw`a\u001b[31m\nxxx`)
    expect(message.length).toBeLessThan(400)
  })
})

describe('settings', () => {
  const settings: LdapSettings = {
    addresses: ['ldaps://h'],
    bind: { dn: 'cn=r', password: () => Promise.resolve('x') },
    groups: { base: ['ou=a', 'ou=b'], scope: 'one', filter: '(cn=*)', name: 'cn' },
    pageSize: 500,
    timeoutMs: 1_000,
    groupsMax: 10,
    membersMax: 10,
    referrals: 'fail',
  }

  test('give a search for each base, for names and stable ids', () => {
    const attributes = ['cn', 'entryUUID', 'objectGUID', 'nsUniqueId']
    expect(searchesOf(settings)).toMatchObject([
      { base: 'ou=a', scope: 'one', attributes },
      { base: 'ou=b', scope: 'one', attributes },
    ])
    const counting = searchesOf({ ...settings, groups: { ...settings.groups, id: 'gid', members: 'Member' } })
    expect(counting[0]?.attributes).toEqual(['cn', 'Member', 'objectSid', 'gidNumber', 'objectClass', ...sourceAttributes('member'), 'gid'])
  })

  test.each(['', 'h', 'http://h', 'ldap:h', 'ldaps://u:p@h', 'ldaps://h/dc=x', 'ldaps://h?x'])('the address %j is refused', (address) => {
    expect(() => searchesOf({ ...settings, addresses: [address] })).toThrow('is not the address of an LDAP server')
  })

  test.each([
    ['ldap://h', {}, false],
    ['ldap://127.evil.example', {}, false],
    ['ldap://localhost.example', {}, false],
    ['ldap://h', { startTls: true }, true],
    ['ldap://h', { allowPlaintext: true }, true],
    ['ldap://localhost:389', {}, true],
    ['ldap://127.0.0.1', {}, true],
    ['ldap://[::1]:389', {}, true],
    ['ldaps://h:636/', {}, true],
  ])('%s with %o: %s', (address, more, isAllowed) => {
    const searches = () => searchesOf({ ...settings, ...more, addresses: ['ldaps://first', address] })
    if (isAllowed) expect(searches).not.toThrow()
    else expect(searches).toThrow('plain text')
  })

  test.each(['', '(cn=a', '(&(cn=a)', 'cn=a)(', '()'])('the filter %j is refused', (filter) => {
    expect(() => searchesOf({ ...settings, groups: { ...settings.groups, filter } })).toThrow('is not an LDAP filter')
  })
})

test('a search as a command', () => {
  const filter = new PresenceFilter({ attribute: 'cn' })
  const search = { base: 'ou=a b', scope: 'sub', filter, filterText: "(cn=it's $x)", attributes: ['cn', 'member;range=0-*'] } as const
  const bind = { dn: 'cn=r', password: () => Promise.resolve('secret') }
  expect(ldapsearchLine('ldap://h', { bind, startTls: true, caFile: '/etc/ca.pem' }, search, 500)).toBe(
    String.raw`LDAPTLS_CACERT=/etc/ca.pem ldapsearch -LLL -x -ZZ -H ldap://h -D cn=r -W -b 'ou=a b' -s sub -E pr=500/noprompt '(cn=it'\''s $x)' cn 'member;range=0-*'`,
  )
  expect(ldapsearchLine('ldaps://h', { bind: 'anonymous', startTls: true }, { ...search, base: '' }, 0)).toBe(
    String.raw`ldapsearch -LLL -x -H ldaps://h -b '' -s sub '(cn=it'\''s $x)' cn 'member;range=0-*'`,
  )
})

describe('a result of the server has the cure of its cause', () => {
  const doing: Doing = { step: 'search', address: 'ldaps://h', what: 'groups', account: 'cn=reader', timeoutMs: 1_000 }

  test.each<[Error, Partial<Doing>, string]>([
    [new OperationsError(), { account: 'anonymous' }, 'name an account in bind'],
    [new OperationsError(), {}, "look for the reason in the server's log"],
    [new SizeLimitExceededError(), { isPaged: false }, 'set pageSize, for example 500'],
    [new SizeLimitExceededError(), { isPaged: true }, 'lift it on the server'],
    [new UnavailableCriticalExtensionError(), {}, 'give cn=reader the right to use the control'],
  ])('%s, %j: %s', (error, more, cure) => {
    expect(failureOf(error, { ...doing, ...more }).cure).toContain(cure)
  })
})
