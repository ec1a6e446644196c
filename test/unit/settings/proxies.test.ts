import { EnvHttpProxyAgent } from 'undici'
import { describe, expect, test } from 'vitest'
import { proxiesIn, proxyProblems } from '../../../src/settings/proxies.ts'

/** Whether the HTTP client accepts an address. It reports this only when it is created. */
async function isTaken(address: string): Promise<boolean> {
  try {
    await new EnvHttpProxyAgent({ httpProxy: address, httpsProxy: address, noProxy: '' }).destroy()
    return true
  } catch {
    return false
  }
}

const addresses = [
  ...['nonsense', 'http://', 'http://p:3128', 'https://p', 'HTTP://p', 'http://u:pw@p:1', 'http://p/', ' http://p:1 '],
  ...['ftp://p', 'http://p:99999', 'http://p/path', 'http://p?x', 'http://p#x', '://x', 'http://[::1', 'http://a b', '""', 'none'],
]

describe('a proxy of the environment', () => {
  test.each(addresses)('%j is accepted if the HTTP client takes it', async (address) => {
    for (const name of ['http_proxy', 'HTTPS_PROXY']) {
      expect(proxyProblems({ [name]: address }).length === 0, address).toBe(await isTaken(address))
    }
  })

  test.each(['socks5://p:1080', 'socks://p', 'SOCKS5H://u:hunter2@p', 'socks4://p'])('%j is refused as a SOCKS proxy', (address) => {
    const [problem] = proxyProblems({ http_proxy: address })
    expect(problem?.message).toBe('a SOCKS proxy is not supported, only a proxy that speaks HTTP')
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })

  test.each([
    ['p:3128', 'http://p:3128'],
    ['proxy.example.com:3128', 'http://proxy.example.com:3128'],
    [' u:pw@p:1/ ', 'http://u:pw@p:1/'],
    ['[::1]:3128', 'http://[::1]:3128'],
    ['https://p:1', 'https://p:1'],
  ])('%j without a scheme speaks HTTP, as for curl', async (given, used) => {
    expect(proxyProblems({ https_proxy: given })).toEqual([])
    expect(proxiesIn({ HTTPS_PROXY: given }).https?.value).toBe(used)
    expect(await isTaken(used)).toBe(true)
  })

  test('is not shown, because it may contain a password', () => {
    const [problem] = proxyProblems({ https_proxy: 'u:hunter2@proxy/path' })
    expect(problem).toMatchObject({ at: { file: 'environment variable https_proxy' }, message: 'this is not the address of a proxy' })
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })

  test.each(['10.0.0.0/33', '10.0.0/8', '10.0.0.0/', '2001:db8::/129', 'example.com/8', '10.0.0.0/8:443'])(
    'no_proxy with %j, which is no range of addresses, is refused: a token would go to the proxy',
    (entry) => {
      expect(proxyProblems({ https_proxy: 'http://p:1', NO_PROXY: `localhost, ${entry}` })).toMatchObject([
        { at: { file: 'environment variable NO_PROXY' }, message: 'an entry with a slash is not a range of addresses' },
      ])
      expect(proxyProblems({ NO_PROXY: entry })).toEqual([])
    },
  )
  test.each(['10.0.0.0/8', 'a.example.com 10.0.0.0/8,fd00::/8', '[fd00::]/8', '.example.com,*', ''])('no_proxy may be %j', (value) => {
    expect(proxyProblems({ https_proxy: 'http://p:1', no_proxy: value })).toEqual([])
  })

  test('that is empty is none, and the name in lower case goes first', () => {
    expect(proxyProblems({ http_proxy: '', https_proxy: '' })).toEqual([])
    expect(proxyProblems({ https_proxy: 'http://p:1', HTTPS_PROXY: 'nonsense' })).toEqual([])
  })
})
