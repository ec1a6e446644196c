import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type GroupName, keyOf, type MappingId, type Role, type WorkspaceName } from '../../src/core/mapping.ts'
import type { Edit } from '../../src/core/memory/seen.ts'
import { openScrubber } from '../../src/core/scrub.ts'
import { type HttpPages, type HttpServer, serveHttp } from '../../src/daemon/http.ts'
import { openPage, type PageSources } from '../../src/daemon/page.ts'
import type { LastDocument } from '../../src/documents/last.ts'
import type { PageSettings } from '../../src/settings/page.ts'
import { lastOfAll, reportOf } from '../unit/render/html/worlds.ts'

const scrub = (text: string) => text
const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const bare: HttpPages = {
  healthy: () => ({ ok: true, reason: 'moving' }),
  ready: () => ({ ok: true, reason: 'attempted' }),
  metrics: async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', body: 'a 1\n' }),
  onError: () => undefined,
}
type With = {
  readonly password?: () => Promise<string>
  readonly sources?: PageSources
  readonly now?: () => number
  readonly onError?: (error: unknown) => void
}

async function serving(
  settings: PageSettings | undefined,
  { password = async () => 'open sesame', now = () => 0, onError = () => undefined, sources = { scrub, last: lastOfAll } }: With = {},
) {
  const page = settings && openPage({ settings, password, sources, wall: Date.now, now })
  const server = await serveHttp('127.0.0.1:0', { ...bare, onError, ...(page === undefined ? {} : { page }) })
  servers.push(server)
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(server.url + path, { headers, method })
  return {
    url: server.url,
    get,
    as: (secret: string, user = 'anyone', more: Record<string, string> = {}) => get('/', { ...basic(`${user}:${secret}`), ...more }),
  }
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const token = { file: '/run/secrets/page' }
const withPassword: PageSettings = { token, behindTls: false }
const behindProxy: PageSettings = { token, behindTls: true }

/** All of an answer but its date. */
async function wholeOf(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== 'date')
  return { status: response.status, headers, body: await response.text() }
}

test('without http.page / names the other pages; with it the others stay as they are, byte for byte', async () => {
  const without = await serving(undefined)
  expect(await (await without.get('/')).text()).toBe(
    'plane-group-sync\n\n/healthz  is progress being made?\n/readyz   was a cycle attempted?\n/metrics  for Prometheus\n',
  )
  const paged = await serving(withPassword)
  for (const path of ['/metrics', '/healthz', '/readyz', '/none'])
    for (const method of ['GET', 'HEAD', 'POST'])
      expect(await wholeOf(await paged.get(path, {}, method)), `${method} ${path}`).toEqual(
        await wholeOf(await without.get(path, {}, method)),
      )
})

describe('the answer', () => {
  test('has a policy that allows its own style and nothing else', async () => {
    const { as } = await serving(withPassword)
    const answer = await as('open sesame')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('set-cookie')).toBeNull()
    const body = await answer.text()
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? []
    expect(answer.headers.get('content-security-policy')).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(body).toContain('2 changes wait for you')
    expect(body).not.toMatch(/<script|<link|<img|<form| style=|https?:/)
  })

  test('before the first cycle it says so', async () => {
    const { as } = await serving(withPassword, { sources: { scrub, last: () => undefined } })
    expect(await (await as('open sesame')).text()).toContain('No cycle has ended since the daemon started.')
  })

  test('has no secret, wherever one stands, and a secret that is a word of the markup leaves the markup whole', async () => {
    const secrets = openScrubber()
    const [canary, word] = ['plane_api_5f0c1d7e9a2b', 'section']
    for (const secret of [canary, word]) secrets.add(secret)
    const names = [`devs-${canary}`, `the ${word} <${canary}>`]
    const rows = reportOf({ workspaces: 1, projects: 1, groups: 2, roles: ['member'], name: (n) => names[n] ?? '' })
    const edits: readonly Edit[] = names.map((name) => ({
      atMs: Date.now(),
      by: 'program',
      mapping: 'm1' as MappingId,
      key: keyOf('acme' as WorkspaceName, { kind: 'workspace' }, name as GroupName),
      after: 'member' as Role,
    }))
    const waits = JSON.parse(JSON.stringify(lastOfAll()).replaceAll('pay-devs', `pay-${canary}`)) as LastDocument
    const sources = { last: () => waits, report: () => rows, edits: () => edits }
    const { as } = await serving(withPassword, { sources: { ...sources, scrub: secrets.scrub } })
    const body = await (await as('open sesame')).text()
    expect(body).not.toContain(canary)
    expect(body).toContain('devs-')
    const { as: bare } = await serving(withPassword, { sources: { ...sources, scrub } })
    const unscrubbed = await (await bare('open sesame')).text()
    expect(unscrubbed).toContain(canary)
    expect(body.match(/<[^\s>]*/g)).toEqual(unscrubbed.match(/<[^\s>]*/g))
  })

  test('a page that cannot be made says nothing about why', async () => {
    const errors: unknown[] = []
    const sources: PageSources = {
      scrub,
      last() {
        throw new Error('secret place')
      },
    }
    const { as } = await serving(withPassword, { sources, onError: (error) => errors.push(error) })
    const answer = await as('open sesame')
    expect([answer.status, await answer.text()]).toEqual([500, 'this page could not be made; the log says why\n'])
    expect(errors).toHaveLength(1)
  })
})

describe('the password', () => {
  test('any user name, and only the whole password', async () => {
    const { as, get } = await serving(withPassword, { password: async () => 'pässword: with colon' })
    expect((await as('pässword: with colon', '')).status).toBe(200)
    expect((await as('pässword: with colon', 'ann')).status).toBe(200)
    for (const wrong of ['', 'pässword', 'pässword: with colon ', 'PÄSSWORD: WITH COLON']) {
      const answer = await as(wrong)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="plane-group-sync", charset="UTF-8"'])
      expect(await answer.text()).not.toContain('change')
    }
    for (const authorization of ['', 'Basic', 'Bearer abc', 'Basic !!!', 'Basic YQ==', `Digest ${'a'.repeat(100)}`])
      expect((await get('/', { authorization })).status, authorization).toBe(401)
    expect((await get('/', {}, 'HEAD')).status).toBe(401)
    expect((await get('/', {}, 'POST')).status).toBe(405)
  })

  test('it is read again, so a new one needs no restart', async () => {
    let now = 'the first one'
    const { as } = await serving(withPassword, { password: async () => now })
    expect((await as('the first one')).status).toBe(200)
    now = 'the second one'
    expect([(await as('the first one')).status, (await as('the second one')).status]).toEqual([401, 200])
  })

  test('a password that cannot be read opens nothing', async () => {
    const errors: unknown[] = []
    const { as } = await serving(withPassword, {
      password: () => Promise.reject(new Error('no such file')),
      onError: (error) => errors.push(error),
    })
    expect((await as('')).status).toBe(500)
    expect(errors).toHaveLength(1)
  })

  test('whoever guesses is slowed to one guess a second, and is let in a second later with the right one', async () => {
    let nowMs = 5_000
    const { as } = await serving(withPassword, { now: () => nowMs })
    for (let n = 0; n < 11; n++) expect((await as(`guess ${n}`)).status).toBe(401)
    // The right one is not compared either: its answer would be a guess that costs nothing.
    const slowed = await as('open sesame')
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '1'])
    nowMs += 1_000
    expect((await as('guess again')).status).toBe(401)
    expect((await as('open sesame')).status).toBe(429)
    nowMs += 1_000
    expect((await as('open sesame')).status).toBe(200)
  })

  test.each([0, 20])(
    'of 900 wrong passwords at the same time eleven are compared, and others are let in (the password takes %i ms)',
    async (tookMs) => {
      const said: string[] = []
      const slow = async () => {
        await new Promise((done) => setTimeout(done, tookMs))
        return 'open sesame'
      }
      const page = openPage({
        settings: behindProxy,
        password: slow,
        sources: { scrub, last: lastOfAll, onWrong: (_, sentence) => said.push(sentence) },
        wall: Date.now,
        now: () => 0,
      })
      const asked = (address: string, secret: string) =>
        page.refusal({ headers: { ...basic(`:${secret}`), 'x-forwarded-for': address }, socket: {} } as unknown as IncomingMessage)
      const answers = await Promise.all(Array.from({ length: 900 }, () => asked('203.0.113.7', 'wrong')))
      expect(answers.filter((answer) => answer?.status === 401)).toHaveLength(11)
      expect(answers.filter((answer) => answer?.headers?.['retry-after'] === '1')).toHaveLength(889)
      expect(await asked('203.0.113.8', 'open sesame')).toBeUndefined()
      expect(said).toEqual(['1 wrong password for the page, from 203.0.113.7'])
    },
  )

  test('behind a proxy the clients are told apart by what the proxy added, not by what they say', async () => {
    const { as } = await serving(behindProxy)
    const from = (address: string, secret: string) => as(secret, '', { 'x-forwarded-for': address })
    for (let n = 0; n < 12; n++) await from(`203.0.113.${n}, 198.51.100.7`, 'wrong')
    expect((await from('203.0.113.99, 198.51.100.7', 'open sesame')).status).toBe(429)
    expect((await from('198.51.100.8', 'open sesame')).status).toBe(200)
    // One machine has all addresses of a network of IPv6.
    for (let n = 0; n < 12; n++) await from(`2001:db8:1:1::${n}`, 'wrong')
    expect((await from('2001:db8:1:1::99', 'open sesame')).status).toBe(429)
    expect((await from('2001:db8:1:2::1', 'open sesame')).status).toBe(200)
    for (let n = 0; n < 12; n++) await from(`2001:db8::${n}`, 'wrong')
    expect((await from('2001:db8::99', 'open sesame')).status).toBe(429)
    // Each connection has a port of its own.
    for (let n = 0; n < 12; n++) await from(`198.51.100.9:${50_000 + n}`, 'wrong')
    expect((await from('198.51.100.9:60000', 'open sesame')).status).toBe(429)
  })

  test('without a proxy X-Forwarded-For counts for nothing', async () => {
    const { as } = await serving(withPassword)
    for (let n = 0; n < 12; n++) await as('wrong', '', { 'x-forwarded-for': `203.0.113.${n}` })
    expect((await as('open sesame', '', { 'x-forwarded-for': '203.0.113.99' })).status).toBe(429)
  })
})

describe('an open page', () => {
  const asked = async (host: string, hosts: readonly string[] = ['status.example.com']) => {
    const { url } = await serving({ open: true, hosts: [...hosts] })
    const { request } = await import('node:http')
    return new Promise<number | undefined>((resolve, reject) => {
      request(url, { headers: { host } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
  }

  test.each([
    '127.0.0.1',
    '127.0.0.1:9464',
    'localhost:1',
    'LOCALHOST',
    '[::1]:9464',
    'status.example.com',
    'Status.Example.com:443',
    'localhost.',
  ])('is answered under %s', async (host) => {
    expect(await asked(host)).toBe(200)
  })

  // A page of another site makes the browser ask this machine under a name of its own.
  test.each([
    'evil.example.com',
    'evil.example.com:9464',
    '127.0.0.1.evil.example.com',
    'localhost.evil.com',
    'xstatus.example.com',
    '10.0.0.1',
    'localhost@evil.com',
  ])('is refused under "%s"', async (host) => {
    expect(await asked(host)).toBe(403)
  })
})
