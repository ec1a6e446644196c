import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { json } from '../rawServer.ts'
import { group, type OktaFault, problem } from '../standIns/okta.ts'
import { apiToken, reading, usual, usualNames } from '../standIns/oktaReading.ts'

/** A stand-in for Okta that fails: the status of each reading, the sentence and the cure. */

const always = Number.POSITIVE_INFINITY
type Answer = (response: ServerResponse, host: string) => unknown
/** Answers the first `times` requests of a key. */
const first =
  (key: string, times: number, answer: Answer): OktaFault =>
  (asked) => {
    if (asked.key !== key || asked.nth > times) return false
    answer(asked.response, asked.request.headers.host ?? '')
    return true
  }
const pages = ['page 1', 'page 2', 'page 3', 'changed'] as const
const whole = JSON.stringify(usual.slice(0, 3))
const text =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)
const error =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    problem(response, status, code)
  }
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': 1_000 }).write('[{"id":')
  setTimeout(() => response.destroy(), 10)
}

describe('a failure that may be over soon', () => {
  const soonOver: readonly [string, Answer][] = [
    ['500 E0000009', error(500, 'E0000009')],
    ['503 E0000010, read-only mode', error(503, 'E0000010')],
    ['502 of a proxy, in HTML', text(502, '<html>', { 'content-type': 'text/html' })],
    ['a cut', cut],
    ['a reset', (response) => response.socket?.resetAndDestroy()],
    ['a kill before the answer', (response) => response.destroy()],
    ['200 with nothing', text(200, '')],
    ['200 with truncated JSON', text(200, whole.slice(0, -30), { 'content-type': 'application/json' })],
    ['200 with HTML', text(200, '<html>Sign in', { 'content-type': 'text/html' })],
    ['a stall', () => {}],
  ]
  const cases = soonOver.flatMap(([name, answer]) => pages.map((key) => [name, key, answer] as const))

  test.each(cases)('%s, once, for %s: asked again, complete', async (_, key, answer) => {
    const { result, names } = await reading({ fault: first(key, 1, answer), deadlineMs: 2_000 })
    expect(result).toMatchObject({ status: 'complete' })
    expect(names).toEqual(usualNames)
  })

  test.each(cases)('%s, for ever, for %s: failed after three attempts', async (_, key, answer) => {
    const { result, asked } = await reading({ fault: first(key, always, answer), deadlineMs: 1_000 })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('/api/v1/groups') })
    expect(asked.filter((one) => one === key)).toHaveLength(3)
  })

  test('a page that always takes too long: the cure is a smaller page', async () => {
    const { result } = await reading({ fault: first('page 1', always, error(500, 'E0000009')) })
    expect(result).toMatchObject({ status: 'failed', cure: expect.stringContaining('lower pageSize') })
  })
})

const others = ['x', 'y', 'z'].map((id) => group(id, id))

describe('an answer that is wrong: failed at once', () => {
  const wrong: readonly [string, Answer, string, string][] = [
    [
      'half an item',
      (response) => json(response, 200, [{ id: '00g1a', type: 'OKTA_GROUP' }]),
      'an unexpected shape (0.profile',
      'of this kind',
    ],
    ['an object', (response) => json(response, 200, { groups: [] }), 'an unexpected shape', 'of this kind'],
    ['206', (response) => json(response, 206, usual.slice(0, 3)), ': 206', ''],
    ['a redirect', text(302, '', { location: 'http://192.0.2.1/' }), ': 302', ''],
    [
      'a bomb in gzip',
      text(200, gzipSync('['.repeat(1_000_000)), { 'content-encoding': 'gzip' }),
      'compressed (content-encoding: gzip)',
      'Accept-Encoding',
    ],
    ['a very large answer', text(200, '['.repeat(200_000)), 'more than 100000 bytes', 'lower pageSize'],
    [
      'a next link to another host',
      (response) => json(response, 200, others, { link: '<https://192.0.2.1/api/v1/groups?after=x>; rel="next"' }),
      'leads to another host, https://192.0.2.1',
      'the one by which the server calls itself',
    ],
    [
      'a next link out of the API',
      (response, host) => json(response, 200, others, { link: `<http://${host}/admin/groups?after=x>; rel="next"` }),
      'leads out of /api/v1/',
      '',
    ],
  ]
  test.each(wrong.flatMap(([name, ...rest]) => (['page 1', 'page 2'] as const).map((key) => [name, key, ...rest] as const)))(
    '%s, for %s',
    async (_, key, answer, why, cure) => {
      const { result } = await reading({ fault: first(key, always, answer) })
      expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
      if (cure !== '') expect(result).toMatchObject({ cure: expect.stringContaining(cure) })
    },
  )

  test('a link to a page that was read before', async () => {
    const link = (host: string) => ({ link: `<http://${host}/api/v1/groups?after=eyJwYWdlIjoyfQ>; rel="next"` })
    const { result } = await reading({
      fault: (asked) => {
        const { key, response, request } = asked
        if (key === 'page 1') return (json(response, 200, usual.slice(0, 3), link(request.headers.host ?? '')), true)
        if (key === 'page 2') return (json(response, 200, others, link(request.headers.host ?? '')), true)
        return false
      },
    })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('leads to a page that was read before') })
  })
})

describe('pages without end', () => {
  /** Each page has a new group and a new link. */
  const endless =
    (waitMs: number): OktaFault =>
    ({ key, nth, response, request }) => {
      if (key === 'token') return false
      const answer = () =>
        json(response, 200, [group(`00g${key}${nth}`, 'x')], {
          link: `<http://${request.headers.host}/api/v1/groups?after=${Buffer.from(JSON.stringify({ page: key, nth })).toString('base64url')}>; rel="next"`,
        })
      setTimeout(answer, waitMs)
      return true
    }

  test('quick: groupsMax ends them', async () => {
    const { result } = await reading({ fault: endless(0), settings: { limits: { pageSize: 3, groupsMax: 50 } } })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('more groups than groupsMax (50)') })
  })

  test('slow: readingTimeout ends them', async () => {
    const { result } = await reading({ fault: endless(50), readingTimeoutMs: 500 })
    expect(result).toMatchObject({
      status: 'failed',
      why: 'it was not read to its end within 1 s',
      cure: expect.stringContaining('directories.corp.readingTimeout'),
    })
  })
})

describe('rights', () => {
  const asApp = 'service app "0oaServiceApp"'
  const cases: readonly [string, Answer, string, string, string][] = [
    [
      'E0000006',
      error(403, 'E0000006'),
      'may not read groups',
      `give the ${asApp} an admin role`,
      'give the administrator who made the API token a role',
    ],
    ['E0000011', error(401, 'E0000011'), 'not valid here', asApp, 'used in the last 30 days'],
    ['E0000005', error(403, 'E0000005'), 'not valid here', asApp, 'used in the last 30 days'],
    ['E0000015', error(401, 'E0000015'), 'a feature is not enabled', 'ask Okta', 'ask Okta'],
    ['E0000022', error(405, 'E0000022'), 'does not allow this request', 'may use its API', 'may use its API'],
    ['E0000007', error(404, 'E0000007'), 'there is no API of Okta', 'check that url', 'check that url'],
    ['404 in HTML', text(404, '<html>'), 'there is no API of Okta', 'check that url', 'check that url'],
    [
      'a missing scope',
      error(403, 'E0000006', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="okta.groups.read"' }),
      'lacks the scope okta.groups.read',
      'grant the scope okta.groups.read',
      'the token of an administrator',
    ],
    [
      'a token that needs DPoP',
      error(400, 'x', { 'www-authenticate': 'DPoP error="invalid_dpop_proof"' }),
      'needs a proof (DPoP)',
      'in Okta "Require Demonstrating Proof of Possession',
      'switch DPoP off',
    ],
  ]
  test.each(cases)('%s: failed, with the cure for each kind of account', async (_, answer, why, ofApp, ofToken) => {
    const fault = first('page 1', always, answer)
    const app = await reading({ fault })
    expect(app.result).toMatchObject({ status: 'failed', why: expect.stringContaining(why), cure: expect.stringContaining(ofApp) })
    const token = await reading({ fault, settings: { credential: { token: async () => apiToken } } })
    expect(token.result).toMatchObject({ status: 'failed', cure: expect.stringContaining(ofToken) })
    expect(app.asked.filter((key) => key === 'page 1').length).toBeLessThan(3)
  })

  test('a token that expires in the middle is renewed', async () => {
    const { result, names, asked } = await reading({ fault: first('page 2', 1, error(401, 'E0000011')) })
    expect(result.status).toBe('complete')
    expect(names).toEqual(usualNames)
    expect(asked).toEqual(['token', 'page 1', 'page 2', 'token', 'page 2', 'page 3', 'changed'])
  })

  test('an API token that was replaced in its file is read again', async () => {
    const tokens = ['00old', '00new']
    const { result, requests } = await reading({
      settings: { credential: { token: async () => tokens.shift() ?? '00new' } },
      organization: { apiTokens: ['00new'] },
    })
    expect(result.status).toBe('complete')
    expect(requests.slice(0, 2).map(({ headers }) => headers.authorization)).toEqual(['SSWS 00old', 'SSWS 00new'])
  })

  test('a token that is revoked between two readings', async () => {
    const { result, asked } = await reading({ times: 2, between: (server) => void (server.revoked = true) })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('the token is not valid here') })
    expect(asked.slice(5)).toEqual(['page 1', 'token', 'page 1'])
  })

  test('the token endpoint wants DPoP', async () => {
    const { result } = await reading({ organization: { needsDpop: true } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('invalid_dpop_proof: The DPoP proof JWT header is missing.'),
      cure: expect.stringContaining(
        'switch DPoP off for this client, since this program does not use it: in Okta "Require Demonstrating Proof of Possession',
      ),
    })
  })

  test('the scope is not granted', async () => {
    const { result, asked } = await reading({ organization: { scopes: ['okta.users.read'] } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('You are not allowed any of the requested scopes.'),
      cure: expect.stringContaining('that the scope okta.groups.read is granted to it (tab Okta API Scopes)'),
    })
    expect(asked).toEqual(['token'])
  })

  test('no token endpoint', async () => {
    const { result } = await reading({ fault: first('token', always, text(404, '')) })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('/oauth2/v1/token: 404, there is no token endpoint'),
      cure: expect.stringMatching(/^check the address http:[^ ]+\/oauth2\/v1\/token$/),
    })
  })

  test('another client, or another key', async () => {
    const credential = { client: { id: '0oaOther', privateKey: { key: async () => (await import('../certificateChain.ts')).chain.key } } }
    const { result } = await reading({ settings: { credential } })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('client "0oaOther" is refused'),
      cure: expect.stringMatching(/public key.*client.privateKey.keyId is the key id/),
    })
  })
})

describe('the rate limit', () => {
  const sum = (waits: readonly number[]) => waits.reduce((all, one) => all + one, 0)

  test('429 with Retry-After is obeyed', async () => {
    const { result, waits } = await reading({ fault: first('page 2', 1, error(429, 'E0000047', { 'retry-after': '7' })) })
    expect(result.status).toBe('complete')
    expect(sum(waits)).toBe(7_000)
  })

  test('429 without a time is asked again after a moment', async () => {
    const { result, asked } = await reading({ fault: first('page 2', 2, text(429, '')) })
    expect(result.status).toBe('complete')
    expect(asked.filter((key) => key === 'page 2')).toHaveLength(3)
  })

  test('too many requests at once: limit and remaining are 0, and the reset is obeyed', async () => {
    const reset = `${Math.ceil(Date.now() / 1000) + 5}`
    const headers = { 'x-rate-limit-limit': '0', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset }
    const { result, waits } = await reading({ fault: first('page 2', 1, error(429, 'E0000047', headers)) })
    expect(result.status).toBe('complete')
    expect(sum(waits)).toBeGreaterThanOrEqual(4_000)
    expect(sum(waits)).toBeLessThan(8_000)
  })

  test('a window of two requests: no request is refused, and the reading waits for the next window', async () => {
    const { result, names, waits, asked } = await reading({ organization: { rateLimit: 2 }, readingTimeoutMs: 200_000 })
    expect(result.status).toBe('complete')
    expect(names).toEqual(usualNames)
    expect(asked).toEqual(['token', 'page 1', 'page 2', 'page 3', 'changed'])
    expect(waits).toHaveLength(1)
  })

  test('the reserve is left for others', async () => {
    const { result, waits } = await reading({
      organization: { rateLimit: 4 },
      settings: { reserve: 0.5 },
      readingTimeoutMs: 200_000,
    })
    expect(result.status).toBe('complete')
    expect(waits).toHaveLength(1)
    expect((await reading({ organization: { rateLimit: 4 }, settings: { reserve: 0 } })).waits).toEqual([])
  })

  test('a reset after readingTimeout: failed at once, with both times', async () => {
    const { result, waits } = await reading({ organization: { rateLimit: 4 }, settings: { reserve: 0.5 }, readingTimeoutMs: 10_000 })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(
        /used up to the reserve; the next request is due in (?:1 min(?: \d s)?|5\d s), and the reading has (?:10|[5-9]) s left/,
      ),
      cure: 'raise readingTimeout, lower reserve, or find out which other program uses up the rate limit',
    })
    expect(waits).toEqual([])
  })

  test('429 of the token endpoint: its reset is obeyed', async () => {
    const reset = `${Math.ceil(Date.now() / 1000) + 20}`
    const headers = { 'x-rate-limit-limit': '300', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset }
    const { result, waits } = await reading({ fault: first('token', 1, error(429, 'E0000047', headers)) })
    expect(result.status).toBe('complete')
    expect(sum(waits)).toBeGreaterThanOrEqual(19_000)
    expect(sum(waits)).toBeLessThan(23_000)
  })

  test('429 for ever: failed', async () => {
    const { result } = await reading({ fault: first('page 1', always, error(429, 'E0000047')) })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('429, the rate limit is used up') })
  })
})
