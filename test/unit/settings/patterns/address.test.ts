import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopback } from '../../../../src/http/addressRanges.ts'
import {
  ldapAddressPattern,
  ldapSecurity,
  listenAddressPattern,
  parseListen,
  plainHttpAskedFor,
  webAddressPattern,
} from '../../../../src/settings/patterns/address.ts'
import { holds } from '../../properties/runs.ts'
import { problemsOf } from '../problems.ts'

const [isWeb, isLdap, isListen] = [webAddressPattern, ldapAddressPattern, listenAddressPattern].map(
  (pattern) => new RegExp(pattern, 'u'),
) as [RegExp, RegExp, RegExp]

const host = fc.oneof(
  fc.constantFrom('localhost', 'LocalHost', 'localhost.', '127.0.0.1', '127.255.3.4', '127.0.0.1.', '127.1', '127.0.0.256', '127.0.0.01'),
  fc.constantFrom(
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[::2]',
    '[::ffff:127.0.0.1]',
    '[x]',
    '::1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
  ),
  fc.constantFrom(
    'plane',
    'plane.example.com',
    '2plane',
    '09',
    '0x',
    '0xg',
    'a.0x1',
    'plane_app-api.plane.svc',
    'a..b',
    '.a',
    '-a',
    'xn--bcher-kva.example',
    'bücher',
  ),
  fc.stringMatching(/^[a-z0-9.x-]{1,8}$/),
  fc.constantFrom('', ' ', 'u@h', 'u:p@h', 'h h', 'h%41', 'h\\x', '１２７.0.0.1'),
)
const port = fc.constantFrom('', '', '', ':80', ':65535', ':65536', ':0', ':080', ':', ':x', ':-1')
const path = fc.constantFrom('', '', '/', '/plane', '/plane/ä/', '//', '/?', '/?x', '/#', '#x', '/a b', '/a\\b', '/\t', '/dc=x??sub')
const addresses = (schemes: readonly string[]) =>
  fc.tuple(fc.constantFrom(...schemes), host, port, path).map(([scheme, ...rest]) => `${scheme}${rest.join('')}`)
const web = addresses(['https://', 'https://', 'http://', 'HTTP://', 'https:', 'https:/', 'https:///', ' https://', 'ftp://', ''])
const ldap = addresses(['ldaps://', 'ldaps://', 'ldap://', 'LDAP://', 'ldap:', 'ldapi://', 'ldap:///', ''])

const service = (more: object) => ({
  version: 1,
  declaration: 'x',
  workspaces: { acme: {} },
  service: { credential: { apiKey: { env: 'K' } }, ...more },
})
const corp = (more: object) => ({
  ...service({ baseUrl: 'https://plane.example.com' }),
  directories: { corp: { kind: 'ldap', groups: { base: 'dc=x' }, bind: { dn: 'cn=x', password: { env: 'P' } }, ...more } },
})
const accepts = async (settings: object) => (await problemsOf(settings)).length === 0

describe('an address of HTTP', () => {
  holds(
    'is read by URL as it is written',
    3_000,
    fc.property(
      web.filter((text) => isWeb.test(text) && URL.canParse(text)),
      (text) => {
        const { protocol, hostname, username, password, search, hash } = new URL(text)
        expect([protocol, username, password, search, hash]).toEqual([expect.stringMatching(/^https?:$/), '', '', '', ''])
        if (!hostname.startsWith('[')) expect(text.toLowerCase()).toContain(`//${hostname}`)
      },
    ),
  )

  holds(
    'is accepted where the pattern accepts it',
    2_000,
    fc.asyncProperty(web, async (baseUrl) => {
      // The pattern does not check addresses of IPv6.
      expect(await accepts(service({ baseUrl, allowPlaintext: true })), baseUrl).toBe(isWeb.test(baseUrl) && URL.canParse(baseUrl))
    }),
  )

  const { anyOf } = (plainHttpAskedFor(['url']) as { if: { properties: { url: { anyOf: [unknown, { pattern: string }] } } } }).if.properties
    .url
  holds(
    'is taken for one of this machine by pattern and program alike',
    2_000,
    fc.asyncProperty(
      web.filter((text) => text.startsWith('http:') && isWeb.test(text) && URL.canParse(text)),
      async (baseUrl) => {
        const local = new RegExp(anyOf[1].pattern, 'u').test(baseUrl)
        expect(local, baseUrl).toBe(isLoopback(new URL(baseUrl).hostname))
        expect(await accepts(service({ baseUrl })), baseUrl).toBe(local)
      },
    ),
  )
})

describe('an address of LDAP', () => {
  holds(
    'is accepted where the pattern accepts it',
    2_000,
    fc.asyncProperty(ldap, async (address) => {
      expect(await accepts(corp({ addresses: [address], allowPlaintext: true })), address).toBe(
        isLdap.test(address) && URL.canParse(address),
      )
    }),
  )

  type Secure = { else: { properties: { addresses: { items: { if: { pattern: string } } } } } }
  const [, { else: secure }] = ldapSecurity['allOf'] as [unknown, Secure]
  holds(
    'is taken for safe by pattern and program alike',
    2_000,
    fc.asyncProperty(
      ldap.filter((text) => isLdap.test(text) && URL.canParse(text)),
      async (address) => {
        expect(await accepts(corp({ addresses: [address] })), address).toBe(
          new RegExp(secure.properties.addresses.items.if.pattern, 'u').test(address),
        )
      },
    ),
  )
})

describe('an address to listen on', () => {
  holds(
    'is accepted where the pattern accepts it',
    1_000,
    fc.property(
      fc.tuple(host, port).map((parts) => parts.join('')),
      (listen) => {
        const read = () => parseListen(listen)
        if (isListen.test(listen)) expect(read()).toMatchObject({ port: expect.any(Number) })
        else expect(read).toThrow('is not host:port')
      },
    ),
  )

  test.each(['9464', '::1:9464', 'h:65536', 'h:', '', 'http://h:1', 'a b:1'])('%s is none', (listen) =>
    expect(isListen.test(listen)).toBe(false),
  )
  test.each([':9464', '0.0.0.0:9464', '[::1]:0', '[fe80::1%eth0]:80', 'localhost:65535'])('%s', (listen) =>
    expect(isListen.test(listen)).toBe(true),
  )
})
