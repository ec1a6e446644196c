import { describe, expect, test } from 'vitest'
import { DirectoryError } from '../../../src/directories/directoryError.ts'
import { type AskedWait, noWaitAsked, openApi } from '../../../src/directories/overHttp/ask.ts'
import type { Explain } from '../../../src/directories/overHttp/refusal.ts'
import type { Answer, Request } from '../../../src/http/origin.ts'
import { z } from '../../../src/yaml/zod.ts'

const beganMs = Date.parse('2026-03-01T12:00:00Z')
const signal = new AbortController().signal
const Page = z.object({ groups: z.array(z.string()) })
const good = { status: 200, body: { groups: ['a'] } }

type Told = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
type Part = {
  readonly explain?: Explain
  readonly reserve?: number
  readonly leftMs?: number
  readonly attemptsMax?: number
  readonly base?: string
  readonly asked?: AskedWait
  readonly afterMs?: number
  /** How far the machine's clock is ahead of the steady one. */
  readonly setMs?: number
}

/** A reading against a server that answers with these answers; the last one again and again. Its clock moves only while it waits. */
function reading(
  answers: readonly Told[],
  {
    explain = () => undefined,
    reserve,
    leftMs = 60_000,
    attemptsMax = 4,
    base = 'https://h.example.com/api',
    asked = noWaitAsked(),
    afterMs = 0,
    setMs = 0,
  }: Part = {},
) {
  let nowMs = beganMs + afterMs
  let tokens = 0
  const waits: number[] = []
  const requests: Request[] = []
  const forgotten: string[] = []
  const { ask, follow } = openApi({
    origin: {
      url: new URL(base),
      async request(request): Promise<Answer> {
        requests.push(request)
        const told: Told = answers[Math.min(requests.length, answers.length) - 1] ?? good
        const { status, body = '', headers = {} } = told
        return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body), sentAtMs: nowMs, receivedAtMs: nowMs }
      },
    },
    bearer: { token: async () => `t${tokens}`, forget: (token) => void (forgotten.push(token), tokens++) },
    scheme: 'Bearer',
    attemptsMax,
    requestsMax: 20,
    reserve,
    asked,
    explain,
    deadline: { leftMs: () => beganMs + afterMs + leftMs - nowMs },
    now: () => nowMs,
    wall: () => nowMs + setMs,
    async wait(ms) {
      waits.push(ms)
      nowMs += ms
    },
    random: () => 0,
  })
  const page = (path = '/groups') => ask(path, {}, Page, signal)
  const failure = async (): Promise<DirectoryError> => {
    const error = await page().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(DirectoryError)
    return error as DirectoryError
  }
  return { ask, follow, page, failure, waits, requests, forgotten }
}

describe('an answer', () => {
  test('has its headers, and the link to the next page', async () => {
    const link = '<https://h.example.com/api/groups?after=2>; rel="next"'
    const { page, follow, requests } = reading([{ ...good, headers: { link, etag: 'x' } }, good])
    const first = await page()
    expect(first).toEqual({ body: { groups: ['a'] }, headers: { link, etag: 'x' }, nextLink: 'https://h.example.com/api/groups?after=2' })
    expect((await page(follow(first.nextLink ?? ''))).nextLink).toBeUndefined()
    expect(requests.map(({ path, query }) => [path, query])).toEqual([
      ['/groups', undefined],
      ['/groups?after=2', undefined],
    ])
  })

  test('an error of a page that was reached by a link does not show the query', async () => {
    const { ask } = reading([{ status: 404 }])
    await expect(ask('/groups?$skiptoken=abc', {}, Page, signal)).rejects.toThrow('https://h.example.com/api/groups: 404 (no text)')
  })
})

test('each request asks caches for no answer of an earlier reading, also after a failure and with a new token', async () => {
  const { page, requests } = reading([{ status: 500 }, { status: 401 }, good])
  await page()
  expect(requests.map(({ headers }) => headers?.['cache-control'])).toEqual(['no-cache', 'no-cache', 'no-cache'])
})

describe('an error that the kind of directory does not know', () => {
  test.each([
    [206, 'check that no proxy changes the answers of the server'],
    [302, 'a redirect is not followed: name the final address in the settings'],
    [429, 'find out which other program uses up the rate limit'],
    [500, 'look for the reason in the log of the server, or of a proxy before it'],
  ])('%i has a cure', async (status, cure) => {
    expect(await reading([{ status }]).failure()).toMatchObject({ cure })
  })

  test.each([
    ['an answer that is cut', '{"groups":["a"'],
    ['a page of HTML', '<h1>Sign in</h1>'],
    ['nothing', ''],
  ])('%s has a cure', async (_, body) => {
    const cure = 'check that no proxy answers in the place of the server, and look into the log of the server'
    expect(await reading([{ status: 200, body }]).failure()).toMatchObject({ code: 'garbled', cure })
  })
})

test.each([
  ['gzip', '\u001f\ufffd'],
  ['br', 'text'],
])('an answer in %s is named as one: this program asks for none that is compressed', async (coding, body) => {
  const failure = await reading([{ status: 200, body, headers: { 'content-encoding': coding } }]).failure()
  expect(failure).toMatchObject({
    code: 'garbled',
    message: `https://h.example.com/api/groups: the answer is compressed (content-encoding: ${coding}), although the request asks for none that is`,
    cure: 'check that the server, or the proxy before it, obeys the header Accept-Encoding: identity',
  })
  expect((await reading([{ ...good, headers: { 'content-encoding': 'Identity' } }]).page()).body).toEqual(good.body)
})

test('the password of an address in a refusal is not shown', async () => {
  const failure = await reading([{ status: 404, body: 'see https://u:secretpw@evil.example/' }]).failure()
  expect(failure.message).toBe('https://h.example.com/api/groups: 404 (see https://•••@evil.example/)')
})

test('a refusal that may be over later has a cure, also if the kind of directory knows none', async () => {
  const explain: Explain = () => ({ kind: 'retry', why: 'the quota is used up' })
  for (const [status, cure] of [
    [403, 'find out which other program uses up the rate limit'],
    [503, 'the server, or a proxy before it, is overloaded or being started: look into its log'],
  ] as const)
    expect(await reading([{ status }], { explain }).failure()).toMatchObject({ cure })
})

test('many groups that the account may not read need one new token: it has all rights that were granted by then', async () => {
  const { page, requests, forgotten } = reading([{ status: 403 }])
  for (let group = 0; group < 3; group++) await expect(page(`/groups/${group}`)).rejects.toThrow('403')
  expect(forgotten).toEqual(['t0'])
  expect(requests).toHaveLength(4)
})

test('a token that expires after a refusal is renewed all the same', async () => {
  const { page, forgotten } = reading([{ status: 403 }, good, { status: 401 }, good])
  for (let group = 0; group < 2; group++) expect((await page()).body).toEqual(good.body)
  expect(forgotten).toEqual(['t0', 't1'])
})

describe('a server that asks to wait', () => {
  test.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:09 GMT', date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, 9_000],
    ['the reset of Okta', { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${beganMs / 1000 + 5}` }, 6_000],
    ['the reset of a draft', { 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }, 4_000],
    ['the longer of both', { 'retry-after': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }, 4_000],
  ])('429 with %s is obeyed', async (_, headers, ms) => {
    const { page, waits, requests } = reading([{ status: 429, headers }, good])
    expect((await page()).body).toEqual(good.body)
    expect(waits.reduce((sum, one) => sum + one, 0)).toBe(ms)
    expect(requests).toHaveLength(2)
  })

  test.each([
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 14:00:09 GMT' }, 9_000],
    ['the reset of Okta', { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${beganMs / 1000 + 7_205}` }, 6_000],
  ])("429 with %s, without a date of its own: the machine's clock counts, also after a step", async (_, headers, ms) => {
    const { page, waits } = reading([{ status: 429, headers }, good], { setMs: 7_200_000 })
    expect((await page()).body).toEqual(good.body)
    expect(waits.reduce((sum, one) => sum + one, 0)).toBe(ms)
  })

  test('503 with Retry-After is obeyed, 500 is not', async () => {
    const headers = { 'retry-after': '7' }
    const both = [reading([{ status: 503, headers }, good]), reading([{ status: 500, headers }, good])]
    for (const { page } of both) await page()
    expect(both.map(({ waits }) => waits.reduce((sum, one) => sum + one, 0))).toEqual([7_000, 0])
  })

  test('an answer with the last request of a window delays the next one, whatever it asks for', async () => {
    const { page, waits } = reading([
      { ...good, headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${beganMs / 1000 + 5}` } },
      good,
    ])
    await page()
    expect(waits).toEqual([])
    await page('/other')
    expect(waits).toEqual([6_000])
  })

  test('for longer than the reading may take ends the reading at once', async () => {
    const { failure, waits, requests } = reading([{ status: 429, headers: { 'retry-after': '600' } }], { leftMs: 250_000 })
    const { code, message, cure } = await failure()
    expect(code).toBe('throttled')
    expect(message).toBe(
      'https://h.example.com/api/groups: 429 (no text); the next request is due in 10 min, and the reading has 4 min 10 s left',
    )
    expect(cure).toContain('readingTimeout')
    expect([waits, requests.length]).toEqual([[], 1])
  })

  test('for longer, after a good answer', async () => {
    const { page, failure } = reading([{ ...good, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '70' } }, good])
    await page()
    expect(await failure()).toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('the rate limit of the server is used up'),
    })
  })

  test.each([
    [6, 0.5, []],
    [5, 0.5, [5_000]],
    [1, 0.1, [5_000]],
    [1, undefined, []],
    [0, undefined, [5_000]],
  ])('with %i of 10 requests left and a reserve of %s', async (left, reserve, expected) => {
    const headers = { 'ratelimit-limit': '10', 'ratelimit-remaining': `${left}`, 'ratelimit-reset': '5' }
    const { page, waits } = reading([{ ...good, headers }, good], { ...(reserve === undefined ? {} : { reserve }) })
    await page()
    await page()
    expect(waits).toEqual(expected)
  })

  test('for longer than the reading may take, since only the reserve is left', async () => {
    const headers = { 'ratelimit-limit': '10', 'ratelimit-remaining': '1', 'ratelimit-reset': '70' }
    const { page, failure } = reading([{ ...good, headers }, good], { reserve: 0.1 })
    await page()
    expect(await failure()).toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('the rate limit of the server is used up to the reserve; the next request is due in 1 min 10 s'),
      cure: expect.stringContaining('lower reserve'),
    })
  })

  test('a limit without a number has no reserve', async () => {
    const { page, waits } = reading([{ ...good, headers: { 'ratelimit-remaining': '1', 'ratelimit-reset': '5' } }, good], { reserve: 0.5 })
    await page()
    await page()
    expect(waits).toEqual([])
  })

  test.each([
    ['half a minute', '30', 10_000, [20_000]],
    ['half a minute, which is over', '30', 31_000, []],
    ['an hour, of which a later reading waits five minutes', '3600', 60_000, [240_000]],
  ])('of an earlier reading holds for the next one: %s', async (_what, seconds, afterMs, expected) => {
    const asked = noWaitAsked()
    const before = reading([{ status: 429, headers: { 'retry-after': seconds } }], { asked, attemptsMax: 1 })
    expect(await before.failure()).toMatchObject({ code: 'throttled' })
    const { page, waits } = reading([good], { asked, afterMs, leftMs: 600_000 })
    await page()
    expect(waits).toEqual(expected)
  })

  test('again and again gets a bounded number of requests', async () => {
    const { failure, requests, waits } = reading([{ status: 429, headers: { 'retry-after': '1' } }])
    expect(await failure()).toMatchObject({ code: 'throttled', retryable: true })
    expect(requests).toHaveLength(4)
    expect(waits.filter((ms) => ms > 0)).toEqual([1_000, 1_000, 1_000])
  })
})

describe('a kind of directory', () => {
  const google: Explain = ({ status, body }) => {
    const reason = body instanceof Object && 'reason' in body ? body.reason : undefined
    if (status === 403 && reason === 'rateLimitExceeded') return { kind: 'retry', why: 'the quota is used up' }
    if (status === 403 && reason === 'notAllowed') return { kind: 'refuse', why: 'no right', cure: 'grant it' }
    if (status === 400) return { kind: 'refuse', why: 'a wrong filter', cure: 'mend it' }
    return undefined
  }

  test('retries what the body of an error says, with the same token', async () => {
    const { page, forgotten, requests, waits } = reading(
      [{ status: 403, body: { reason: 'rateLimitExceeded' }, headers: { 'retry-after': '3' } }, good],
      { explain: google },
    )
    expect((await page()).body).toEqual(good.body)
    expect([forgotten, requests.length, waits]).toEqual([[], 2, [3_000]])
  })

  test('that retries to the end says why', async () => {
    const { failure } = reading([{ status: 403, body: { reason: 'rateLimitExceeded' } }], { explain: google })
    expect(await failure()).toMatchObject({ code: 'throttled', message: expect.stringContaining('403, the quota is used up') })
  })

  test('has a cure for a server error that does not end', async () => {
    const explain: Explain = () => ({ kind: 'retry', why: 'it took too long', cure: 'lower pageSize' })
    const { failure, requests } = reading([{ status: 500 }], { explain })
    expect(await failure()).toMatchObject({ code: 'failing', cure: 'lower pageSize' })
    expect(requests).toHaveLength(4)
  })

  test('refuses at once what the status alone would retry', async () => {
    const { failure, requests } = reading([{ status: 400, body: 'x' }], { explain: google })
    expect(await failure()).toMatchObject({ retryable: false, cure: 'mend it' })
    expect(requests).toHaveLength(1)
  })

  test('leaves the rest to the status', async () => {
    const { page, requests } = reading([{ status: 500 }, { status: 408 }, { status: 502, body: '<html>' }, good], { explain: google })
    await page()
    expect(requests).toHaveLength(4)
  })
})

describe('a refused token', () => {
  const tokensOf = (requests: readonly Request[]) => requests.map(({ headers }) => headers?.['authorization'])

  test.each([401, 403])('%i: it is dropped, and the request is sent once more', async (status) => {
    const { page, requests, forgotten } = reading([{ status }, good])
    await page()
    expect(tokensOf(requests)).toEqual(['Bearer t0', 'Bearer t1'])
    expect(forgotten).toEqual(['t0'])
  })

  test.each([
    [401, 'credentials'],
    [403, 'rights'],
  ])('%i again: the new token stays, and the reading ends', async (status, code) => {
    const { failure, requests, forgotten } = reading([{ status }])
    expect(await failure()).toMatchObject({ code })
    expect([requests.length, forgotten]).toEqual([2, ['t0']])
  })

  test('is dropped once for each request, also if a failure comes between', async () => {
    const { failure, requests, forgotten } = reading([{ status: 401 }, { status: 500 }, { status: 401 }])
    expect(await failure()).toMatchObject({ code: 'credentials' })
    expect([requests.length, forgotten]).toEqual([3, ['t0']])
  })
})
