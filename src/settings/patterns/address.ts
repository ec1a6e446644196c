import { anyCase, between, type Keywords, oneOf, withHint } from './text.ts'

/**
 * Addresses as the program accepts them. `URL` reads more, and repairs what it reads: `https:host`, `127.1` and `0x7f000001` become something
 * else there than a person wrote.
 */
const port = `(?::${between(1, 65_535)})?`
const v4 = `${between(0, 255)}(?:\\.${between(0, 255)}){3}`
const v6 = '\\[[0-9A-Fa-f:.]+\\]'
/** `URL` takes a name for an IPv4 address where its last part is a number, also a hexadecimal one: a letter is necessary, `0x` is not one. */
const lastPart = '(?:(?:[1-9]\\d*|0\\d+)?[A-Za-z_-]|0[A-WYZa-wyz_-])[\\w-]*'
const host = oneOf([`(?:[\\w-]+\\.)*${lastPart}\\.?`, v4, v6])

/** Neither credentials nor query nor fragment. */
export const webAddressPattern = `^https?://${host}${port}(?:/[^\\x00-\\x20?#\\\\\\x7f]*)?$`
export const ldapAddressPattern = `^ldaps?://${host}${port}/?$`
/** `host:port`, `[::1]:port`, or `:port` for every address; port 0 takes a free one. */
export const listenAddressPattern = `^(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)\\]|([\\w.-]*)):(${between(0, 65_535)})$`

export const webKeywords: Keywords = {
  pattern: '^https?://',
  ...withHint({ pattern: webAddressPattern }, 'https://host, :port and /path where they are needed; no credentials, query or fragment'),
}
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

/** Plain `http:` to another host has to be asked for. @param name of the property that is an address */
export const plainHttpAskedFor = (name: string): Keywords => ({
  if: {
    properties: {
      [name]: { anyOf: [{ not: { pattern: '^http:' } }, { pattern: `^http://(?:${anyCase('localhost')}|${loopback})${end}` }] },
    },
  },
  else: isTrue('allowPlaintext'),
})

/** `startTls` goes with `ldap:` only; a password does not go in plain text to another host unless that is asked for. */
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
  ],
}

function addressesLike(pattern: string, hint: string): Keywords {
  return { properties: { addresses: { items: withHint({ pattern }, hint) } } }
}
