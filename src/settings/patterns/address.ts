import { isIPv6 } from 'node:net'
import { OperationalError } from '../../core/operationalError.ts'
import { anyCase, between, type Keywords, oneOf, withHint } from './text.ts'

/**
 * The addresses that the program accepts. `URL` accepts more and silently changes `https:host`, `127.1` and `0x7f000001` into other addresses.
 */
const port = `(?::${between(1, 65_535)})?`
const v4 = `${between(0, 255)}(?:\\.${between(0, 255)}){3}`
const v6 = '\\[[0-9A-Fa-f:.]+\\]'
/** The last part of a name needs a letter other than the x of `0x`: `URL` reads a name that ends with a (hexadecimal) number as an IPv4 address. */
const lastPart = '(?:(?:[1-9]\\d*|0\\d+)?[A-Za-z_-]|0[A-WYZa-wyz_-])[\\w-]*'
/** A name, or an address of IPv4. */
export const hostPattern = oneOf([`(?:[\\w-]+\\.)*${lastPart}\\.?`, v4])
const host = oneOf([hostPattern, v6])

/** An address of HTTP without credentials, query or fragment. */
export const webAddressPattern = `^https?://${host}${port}(?:/[^\\x00-\\x20?#\\\\\\x7f]*)?$`
export const ldapAddressPattern = `^ldaps?://${host}${port}/?$`
/** `host:port`, `[::1]:port`, or `:port` for every address; port 0 takes a free one. */
export const listenAddressPattern = `^(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)\\]|([\\w.-]*)):(${between(0, 65_535)})$`

/** A path that this program adds to an address. An address in the settings must not contain it. `pathless`: it must not have any path. */
export type WrongPath = { readonly pattern: string; readonly message: string; readonly cure: string; readonly pathless?: true }
export const wrongPaths = {
  service: {
    pattern: '/api/v1(?:/|$)',
    message: 'this address contains the path of the API',
    cure: 'leave out /api/v1 and all that follows',
  },
  keycloak: {
    pattern: '/(?:realms|admin/master)(?:/|$)',
    message: 'this address contains the path of a realm',
    cure: 'leave out /realms/ or /admin/ and all that follows; the name of the realm is the setting "realm"',
  },
  okta: {
    pattern: `^https?://(?:[^/]+/.|[^/.]+-${anyCase('admin')}\\.${anyCase('okta')})`,
    message: 'this address has a path, or is that of the Admin Console',
    cure: 'write the address of the organization alone, without a path and without -admin: https://example.okta.com',
    pathless: true,
  },
  google: {
    pattern: '/admin(?:/|$)',
    message: 'this address contains the path of the API',
    cure: 'leave out /admin/ and all that follows',
  },
  scim: {
    pattern: '/(?:Groups|Users|ServiceProviderConfig)(?:/|$)',
    message: 'this address contains the path of a list',
    cure: 'leave out /Groups and all that follows',
  },
  issuer: {
    pattern: '/\\.well-known(?:/|$)',
    message: 'this is the address of the metadata, not the issuer',
    cure: 'leave out /.well-known/ and all that follows',
  },
  graph: {
    pattern: '/(?:v1\\.0|beta)(?:/|$)',
    message: 'this address contains the version of Graph',
    cure: 'leave out /v1.0 and all that follows',
  },
  login: {
    pattern: '/(?:oauth2|v2\\.0)(?:/|$)',
    message: 'this address contains the path of an endpoint',
    cure: 'leave out the tenant and all that follows; the tenant is the setting "tenant"',
  },
} as const satisfies Record<string, WrongPath>

export const webKeywords = (wrong?: WrongPath): Keywords => ({
  pattern: '^https?://',
  ...withHint(
    { pattern: webAddressPattern, ...(wrong === undefined ? {} : { not: { pattern: wrong.pattern } }) },
    `https://host, ${wrong?.pathless ? ':port where it is needed' : ':port and /path where they are needed'}; no credentials, query or fragment${wrong === undefined ? '' : `; ${wrong.cure}`}`,
  ),
})
export const ldapKeywords: Keywords = {
  pattern: '^ldaps?://',
  ...withHint({ pattern: ldapAddressPattern }, 'ldaps://host or ldap://host, :port where it is needed'),
}
export const listenKeywords: Keywords = {
  pattern: ':\\d+$',
  ...withHint({ pattern: listenAddressPattern }, 'host:port, as in 127.0.0.1:9464 or [::1]:9464; :port for every address'),
}

const loopback = `127(?:\\.${between(0, 255)}){3}|\\[[0:]+1\\]`
const end = '(?::\\d+)?(?:/.*)?$'

const isTrue = (name: string): Keywords => ({ properties: { [name]: { const: true } }, required: [name] })

const httpsOrLoopback = { anyOf: [{ not: { pattern: '^http:' } }, { pattern: `^http://(?:${anyCase('localhost')}|${loopback})${end}` }] }

/** Plain `http:` is only possible to this machine. @param names the properties with addresses */
export const plainHttpToLoopback = (names: readonly string[]): Keywords => ({
  properties: Object.fromEntries(names.map((name) => [name, httpsOrLoopback])),
})
/** Plain `http:` to another host needs `allowPlaintext: true` beside it. */
export const plainHttpAskedFor = (names: readonly string[]): Keywords => ({
  if: plainHttpToLoopback(names),
  else: isTrue('allowPlaintext'),
})

/** `startTls` needs `ldap:`. A certificate needs TLS. A password is sent without TLS to another host only with `allowPlaintext: true`. */
export const ldapSecurity: Keywords = {
  allOf: [
    {
      if: { properties: { startTls: { const: false } } },
      else: addressesLike('^ldap:', 'ldap://host, since startTls is true; ldaps:// is TLS from the first byte'),
    },
    {
      if: { anyOf: [isTrue('startTls'), isTrue('allowPlaintext'), { properties: { bind: { const: 'anonymous' } }, required: ['bind'] }] },
      else: addressesLike(
        `^(?:ldaps:|ldap://(?:localhost|${loopback})${end})`,
        'ldaps://host; or beside it startTls: true, or allowPlaintext: true',
      ),
    },
    {
      if: { anyOf: [isTrue('startTls'), { properties: { bind: { not: { type: 'object', required: ['external'] } } } }] },
      else: addressesLike('^ldaps:', 'ldaps://host; or beside it startTls: true, since bind has external'),
    },
  ],
}

function addressesLike(pattern: string, hint: string): Keywords {
  return { properties: { addresses: { items: withHint({ pattern }, hint) } } }
}

/** The message names the setting and the address. */
export class ListenError extends OperationalError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super('ListenError', message, options)
  }
}

/** Parses `host:port`, `[::1]:port`, or `:port` for every address. @throws {ListenError} */
export function parseListen(listen: string): { readonly host: string; readonly port: number } {
  const [, v6, name, digits] = address.exec(listen) ?? []
  if (digits === undefined || (v6 !== undefined && !isIPv6(v6.replace(/%.*/, ''))))
    throw new ListenError(`http.listen "${listen}" is not host:port, as in 127.0.0.1:9464`)
  return { host: v6 ?? (name === undefined || name === '' ? '::' : name), port: Number(digits) }
}

const address = new RegExp(listenAddressPattern, 'u')
