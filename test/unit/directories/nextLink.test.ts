import { describe, expect, test } from 'vitest'
import { DirectoryError } from '../../../src/directories/directoryError.ts'
import { openLinks } from '../../../src/directories/overHttp/ask.ts'

const base = new URL('https://graph.example.com/v1.0')
const follow = (link: string, from = base) => openLinks(from)(link)
const refusalOf = (link: string, from = base): DirectoryError => {
  try {
    follow(link, from)
  } catch (error) {
    if (error instanceof DirectoryError) return error
  }
  throw new Error(`${link} was followed`)
}

describe('a link to the next page', () => {
  test.each([
    ['https://graph.example.com/v1.0/groups?$skiptoken=ab%2Fcd', '/groups?$skiptoken=ab%2Fcd'],
    ['https://graph.example.com:443/v1.0/groups?a=1&b=%C3%A4', '/groups?a=1&b=%C3%A4'],
    ['HTTPS://GRAPH.example.com/v1.0/groups?n=2', '/groups?n=2'],
    ['https://graph.example.com/v1.0/groups?n=2#top', '/groups?n=2'],
    ['https://graph.example.com/v1.0?n=2', '?n=2'],
    ['https://graph.example.com/v1.0/a..b/...?n=../2', '/a..b/...?n=../2'],
  ])('%s is followed as %s', (link, path) => {
    expect(follow(link)).toBe(path)
  })

  test('an origin with a port, without a path', () => {
    expect(follow('http://127.0.0.1:8080/scim?cursor=2', new URL('http://127.0.0.1:8080'))).toBe('/scim?cursor=2')
  })

  test.each([
    // Another host, and what looks like ours.
    ['https://evil.example.net/v1.0/groups', 'https://evil.example.net'],
    ['https://graph.example.com.evil.net/v1.0/groups', 'https://graph.example.com.evil.net'],
    ['https://graph.example.com@evil.net/v1.0/groups', 'https://evil.net'],
    ['https://graph.example.com:443@evil.net/v1.0/groups', 'https://evil.net'],
    ['https://graph.example.com./v1.0/groups', 'https://graph.example.com.'],
    ['https://graph.example.com:8443/v1.0/groups', 'https://graph.example.com:8443'],
    ['http://graph.example.com/v1.0/groups', 'http://graph.example.com'],
    ['https://evil.net#@graph.example.com/v1.0/groups', 'https://evil.net'],
    ['https://evil.net?@graph.example.com/v1.0/groups', 'https://evil.net'],
    ['https://169.254.169.254/v1.0/groups', 'https://169.254.169.254'],
    ['https://xn--grph-53d.example.com/v1.0/groups', 'https://xn--grph-53d.example.com'],
    ['https://[::1]/v1.0/groups', 'https://[::1]'],
  ])('%s leads to another host, which is named', (link, host) => {
    const { message, code, retryable } = refusalOf(link)
    expect({ code, retryable }).toEqual({ code: 'foreign', retryable: false })
    expect(message).toContain(`another host, ${host},`)
  })

  test.each([
    ['https://user:pass@graph.example.com/v1.0/groups', 'a user name'],
    ['https://@graph.example.com/v1.0/../admin', 'dot segments'],
    // Other spellings, which programs read in different ways.
    ['//graph.example.com/v1.0/groups', 'not an absolute address'],
    ['/v1.0/groups?n=2', 'not an absolute address'],
    ['?n=2', 'not an absolute address'],
    ['https:graph.example.com/v1.0/groups', 'not an absolute address'],
    ['https:/graph.example.com/v1.0/groups', 'not an absolute address'],
    ['https:///graph.example.com/v1.0/groups', 'not an absolute address'],
    ['https:\\\\graph.example.com\\v1.0\\groups', 'not an absolute address'],
    ['https://graph.example.com\\@evil.net/v1.0/groups', 'not an absolute address'],
    ['https://graph.example.com/v1.0\\..\\admin', 'not an absolute address'],
    ['https://evil.net\\.graph.example.com/v1.0/groups', 'not an absolute address'],
    [' https://graph.example.com/v1.0/groups', 'not an absolute address'],
    ['https://graph.example.com/v1.0/gro\tups', 'not an absolute address'],
    ['https://graph.example.com/v1.0/groups\r\nx-evil: 1', 'not an absolute address'],
    ['https://ｇraph.example.com/v1.0/groups', 'not an absolute address'],
    ['https://grаph.example.com/v1.0/groups', 'not an absolute address'],
    ['https://graph.example.com:99999/v1.0/groups', 'not an absolute address'],
    ['ftp://graph.example.com/v1.0/groups', 'not an absolute address'],
    ['javascript:alert(1)', 'not an absolute address'],
    ['', 'not an absolute address'],
    // Out of the path of the directory.
    ['https://graph.example.com/beta/groups', 'leads out of /v1.0/'],
    ['https://graph.example.com/v1.00/groups', 'leads out of /v1.0/'],
    ['https://graph.example.com/', 'leads out of /v1.0/'],
    ['https://graph.example.com/v1.0/../admin', 'dot segments'],
    ['https://graph.example.com/v1.0/%2e%2E/admin', 'dot segments'],
    ['https://graph.example.com/v1.0/..%2fadmin', 'dot segments'],
    ['https://graph.example.com/v1.0/a%5c..%5cadmin', 'dot segments'],
    ['https://graph.example.com/v1.0/..;/admin', 'dot segments'],
    ['https://graph.example.com/v1.0/./groups', 'dot segments'],
  ])('%s is refused', (link, why) => {
    const { message, code, cure } = refusalOf(link)
    expect(code).toBe('foreign')
    expect(message).toContain(why)
    expect(message).toContain('so it is not followed')
    expect(message).not.toContain('pass')
    expect(message.length).toBeLessThan(300)
    expect(cure).toBeTruthy()
  })

  test('of 10 kB is refused, and not shown', () => {
    const { message } = refusalOf(`https://graph.example.com/v1.0/groups?t=${'x'.repeat(10_000)}`)
    expect(message).toBe('https://graph.example.com/v1.0: the link to the next page has 10040 characters, so it is not followed')
  })

  test('that was followed before ends the reading, also in another spelling', () => {
    const links = openLinks(base)
    links('https://graph.example.com/v1.0/groups?n=2')
    links('https://graph.example.com/v1.0/groups?n=3')
    expect(() => links('https://GRAPH.example.com:443/v1.0/groups?n=2#x')).toThrow('a page that was read before')
  })
})
