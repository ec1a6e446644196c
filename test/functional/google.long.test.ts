import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { GroupName } from '../../src/core/mapping.ts'
import { valuesMax } from '../../src/http/json.ts'
import { type Fault, googleStandIn } from './standIns/google.ts'
import { errorBody, json, statusBody } from './standIns/googleAnswers.ts'
import { named, type Part, reading, worldOf } from './standIns/googleWorld.ts'

type Answer = (response: ServerResponse) => unknown

/** Answers the first `times` requests of a key. */
const first =
  (key: string, times: number, answer: Answer): Fault =>
  (asked, nth, response) => {
    if (asked !== key || nth > times) return false
    answer(response)
    return true
  }
const always = Number.POSITIVE_INFINITY
/** Answers each page with this number, in both orders. */
const eachPage =
  (page: number, answer: Answer): Fault =>
  (asked, _, response) => {
    if (asked !== `up ${page}` && asked !== `down ${page}`) return false
    answer(response)
    return true
  }
const page = (groups: readonly object[] | undefined, nextPageToken?: string) => (response: ServerResponse) =>
  json(response, 200, { kind: 'admin#directory#groups', groups, nextPageToken })
const count = 12 // three pages of five
const groups = named(count)

describe('a Google Workspace that answers', () => {
  test('is complete, page after page, in both orders', async () => {
    const { result, value, total, asked } = await reading(groups)
    expect(result.status).toBe('complete')
    expect(total).toBe(count)
    expect(value.get('Group 0003' as GroupName)).toEqual([{ name: 'Group 0003', id: 'id-0003', place: 'g0003@example.com' }])
    expect(asked.filter((key) => key !== 'token').toSorted()).toEqual(['down 1', 'down 2', 'down 3', 'up 1', 'up 2', 'up 3'])
  })

  test('is asked only for what is read, in the order of the addresses', async () => {
    const { requests } = await reading(groups)
    const query = requests.find(({ path }) => path.endsWith('/groups'))?.query
    expect(Object.fromEntries(query ?? [])).toEqual({
      customer: 'my_customer',
      maxResults: '5',
      orderBy: 'email',
      sortOrder: expect.stringMatching(/^(?:A|DE)SCENDING$/),
      fields: 'kind,nextPageToken,groups(id,email,name)',
    })
  })

  test('by e-mail addresses, also of groups without a name', async () => {
    const nameless = [{ id: '1', email: 'a@example.com' }, ...groups]
    const { result, value } = await reading(nameless, undefined, { settings: { name: 'email' } })
    expect(result.status).toBe('complete')
    expect(value.get('a@example.com' as GroupName)).toEqual([{ name: 'a@example.com', id: '1', place: 'a@example.com' }])
  })

  test('two groups of one name stay two groups', async () => {
    const twins = [1, 2].map((n) => ({ id: `${n}`, email: `t${n}@example.com`, name: 'Twins' }))
    const { result, value } = await reading(twins)
    expect(result.status).toBe('complete')
    expect(value.get('Twins' as GroupName)).toMatchObject([{ place: 't1@example.com' }, { place: 't2@example.com' }])
  })

  test('one domain of several', async () => {
    const other = { id: 'o', email: 'o@other.example', name: 'Other' }
    const { result, value } = await reading([...groups, other], undefined, {
      settings: { asked: { domain: 'other.example' } },
      tenant: { domains: ['example.com', 'other.example'] },
    })
    expect(result.status).toBe('complete')
    expect([...value.keys()]).toEqual(['Other'])
  })

  test('without a group is complete and empty: whether that is believed is decided elsewhere', async () => {
    const { result, total } = await reading([])
    expect([result.status, total]).toEqual(['complete', 0])
  })

  test('whose last page is exactly full has no further page', async () => {
    const { result, total } = await reading(named(10))
    expect([result.status, total]).toEqual(['complete', 10])
  })
})

describe('a failure that may be over soon', () => {
  const transient: readonly (readonly [string, Answer])[] = [
    ['500', (response) => json(response, 500, errorBody(500, 'backendError', 'Backend Error'))],
    ['503 in HTML', (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<html>')],
    [
      '403 with userRateLimitExceeded',
      (response) => json(response, 403, errorBody(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded')),
    ],
    ['403 with quotaExceeded', (response) => json(response, 403, errorBody(403, 'quotaExceeded', 'Quota exceeded'))],
    ['429 without Retry-After', (response) => json(response, 429, errorBody(429, 'rateLimitExceeded', 'Rate Limit Exceeded'))],
    ['429 with Retry-After', (response) => json(response, 429, statusBody(429, 'RESOURCE_EXHAUSTED', 'Quota'), { 'retry-after': '1' })],
    ['200 with JSON that is cut', (response) => response.writeHead(200).end('{"kind":"admin#directory#groups","groups":[{"id":"id-0')],
    ['a connection that is reset', (response) => response.destroy()],
    ['an answer that is cut', (response) => (response.writeHead(200, { 'content-length': '9999' }).write('{"kind"'), response.destroy())],
  ]

  test.each(transient.flatMap(([name, answer]) => [1, 2, 3].map((nth) => [name, nth, answer] as const)))(
    '%s, once, on page %i: asked again, complete',
    async (_, nth, answer) => {
      const { result, total, asked } = await reading(groups, first(`up ${nth}`, 1, answer))
      expect(result).toMatchObject({ status: 'complete' })
      expect(total).toBe(count)
      expect(asked.filter((key) => key === `up ${nth}`)).toHaveLength(2)
      expect(asked.filter((key) => key === 'token')).toHaveLength(1)
    },
  )

  test.each(transient.flatMap(([name, answer]) => [1, 2, 3].map((nth) => [name, nth, answer] as const)))(
    '%s, for ever, on page %i: failed after three attempts, with the address',
    async (_, nth, answer) => {
      const { result, asked } = await reading(groups, first(`up ${nth}`, always, answer))
      expect(result).toMatchObject({ status: 'failed', why: expect.stringMatching(/127\.0\.0\.1:\d+\/admin\/directory\/v1\/groups/) })
      expect(asked.filter((key) => key === `up ${nth}`)).toHaveLength(3)
    },
  )

  test('a 429 that asks to wait for longer than the reading may take ends it at once', async () => {
    const late = first('up 2', always, (response) =>
      json(response, 429, errorBody(429, 'rateLimitExceeded', 'x'), { 'retry-after': '3600' }),
    )
    const { result } = await reading(groups, late, { leftMs: 20_000 })
    expect(result).toMatchObject({
      status: 'failed',
      why: expect.stringMatching(/the next request is due in 1 h, and the reading has 20 s left$/),
    })
  })

  test.each([1, 2, 3])('a stall on page %i meets the time limit of a request', async (nth) => {
    const { result } = await reading(
      groups,
      first(`up ${nth}`, always, () => undefined),
      { deadlineMs: 100, limits: { attemptsMax: 1 } },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('no complete answer within 0.1 s') })
  })

  test('a reading that is given up ends at once', async () => {
    const startedMs = Date.now()
    const { result } = await reading(
      groups,
      first('up 2', always, () => undefined),
      { signal: AbortSignal.timeout(200), deadlineMs: 20_000 },
    )
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('given up while it was read') })
    expect(Date.now() - startedMs).toBeLessThan(5_000)
  })
})

describe('an answer that is refused', () => {
  const refused: readonly (readonly [string, Answer, string, string])[] = [
    ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'not whole JSON (text/html)', ''],
    ['200 with nothing', (response) => response.writeHead(200).end(), 'its body (0 characters) is not whole JSON', ''],
    ['{} of another server', (response) => json(response, 200, {}), 'an unexpected shape (kind:', 'of this kind'],
    ['half a group', page([{ id: 'id-0000' }]), 'an unexpected shape (groups.0.email:', 'of this kind'],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://192.0.2.1/' }).end(), '302', ''],
    ['206', (response) => json(response, 206, { kind: 'admin#directory#groups' }), '206', ''],
    [
      'compressed',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b08', 'hex')),
      'compressed (content-encoding: gzip)',
      'Accept-Encoding',
    ],
    ['a very large answer', (response) => response.writeHead(200).end('x'.repeat(1_000_001)), 'more than 1000000 bytes', 'lower pageSize'],
    [
      '400',
      (response) => json(response, 400, errorBody(400, 'invalid', 'Invalid Input: pageToken')),
      'Invalid Input',
      'check customer, my_customer',
    ],
    ['404', (response) => json(response, 404, errorBody(404, 'notFound', 'Domain not found.')), 'Domain not found', 'customer id'],
    [
      '403',
      (response) => json(response, 403, errorBody(403, 'forbidden', 'Not Authorized to access this resource/api')),
      'may not read groups',
      'Groups Reader',
    ],
    [
      'an API that is off',
      (response) => json(response, 403, errorBody(403, 'accessNotConfigured', 'Access Not Configured.')),
      'not enabled',
      'enable the Admin SDK API',
    ],
    [
      'an API that is off, in the newer form',
      (response) => json(response, 403, statusBody(403, 'PERMISSION_DENIED', 'x', 'SERVICE_DISABLED')),
      'not enabled',
      'enable the Admin SDK API',
    ],
    [
      'a scope that lacks',
      (response) => json(response, 403, errorBody(403, 'insufficientPermissions', 'Insufficient Permission')),
      'lacks a scope',
      'admin.directory.group.readonly',
    ],
    [
      'the quota of the day',
      (response) => json(response, 403, errorBody(403, 'dailyLimitExceeded', 'Daily Limit Exceeded')),
      'used up',
      'quota',
    ],
  ]
  test.each(refused.flatMap(([name, ...more]) => [1, 2, 3].map((nth) => [name, nth, ...more] as const)))(
    '%s on page %i',
    async (_, nth, answer, why, cure) => {
      const { result } = await reading(groups, eachPage(nth, answer))
      expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why) })
      if (cure !== '') expect(result).toMatchObject({ cure: expect.stringContaining(cure) })
    },
  )

  test('more values than any list has are refused before they are parsed', async () => {
    const flood = `[${'{},'.repeat(valuesMax / 2)}{}]`
    const answer: Answer = (response) => response.writeHead(200).end(flood)
    const { result } = await reading(groups, eachPage(1, answer), { bytesMax: 2 * flood.length })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('more than 4 million values') })
  })
})

describe('a reading that is not whole', () => {
  const five = groups.slice(0, 5)
  const partial: readonly (readonly [string, Fault, string])[] = [
    ['an empty page with a next one', eachPage(2, page(undefined, 'more')), 'a page was empty, although a next page was announced'],
    ['an empty first page with a next one', eachPage(1, page(undefined, 'more')), 'a page was empty, although a next page was announced'],
    [
      'an empty last page in one order',
      (key, _, response) => {
        if (key === 'down 3') return page([groups[1], groups[0]] as object[], 'more')(response)
        return key === 'down more' && page([])(response)
      },
      'a next page was announced, and it was empty',
    ],
    ['an empty last page', eachPage(3, page([])), 'a next page was announced, and it was empty; if that stays so, set pageSize to 4'],
    [
      'a page that names itself as the next one',
      (key, nth, response) => /^up (?:2|again)$/.test(key) && page([{ ...five[0], id: `${key} ${nth}` }], 'again')(response),
      'a page named a next page that was read before',
    ],
    ['a page that comes again', first('up 2', always, page(five, 'more')), 'came twice: the list changed while it was read'],
    [
      'a list that is cut after the first page',
      eachPage(1, (response) => (response.req.url?.includes('DESC') ? page(groups.slice(-5))(response) : page(five)(response))),
      'not the same in both orders of the list \\(5 and 5 groups\\)',
    ],
    [
      'a list that is cut, and the same in both orders, because a cache ignores sortOrder',
      eachPage(1, page(five)),
      'the list in descending order does not begin with the last group of the ascending order \\(g0004@example.com\\)',
    ],
    [
      'one order that is cut',
      first('up 2', always, page([groups[5] as object])),
      'g0011@example.com \\(id-0011\\) is not the same in both orders of the list \\(6 and 12 groups\\)',
    ],
    [
      'one order in which a group is left out',
      first('down 3', always, page([groups[0] as object])),
      'g0001@example.com .* \\(12 and 11 groups\\)',
    ],
    [
      'another name in one order',
      first('down 3', always, page([groups[1], { ...groups[0], name: 'Other' }] as object[])),
      'g0000@example.com',
    ],
    [
      'a group without its name',
      (key, _, response) => key.endsWith(' 1') && page([{ id: '1', email: 'a@b.c' }])(response),
      'the group a@b.c came without its name',
    ],
  ]
  test.each(partial)('%s', async (_, fault, missing) => {
    const { result } = await reading(groups, fault)
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringMatching(missing) })
  })

  test.each([
    ['to the part that one order has read', 'g0011@example.com', 'a@example.com'],
    ['to the part that the other order has read', 'g0000@example.com', 'z@example.com'],
  ])('a group whose address moves %s while it is read', async (_, email, to) => {
    let pages = 0
    await using server = await googleStandIn(groups, {}, (key) => {
      // After the first page of both orders.
      if (key.endsWith(' 2') && ++pages === 1)
        server.groups = groups.map((group) => (group.email === email ? { ...group, email: to } : group))
      return false
    })
    const result = await worldOf(server).reader.read(AbortSignal.timeout(5_000))
    expect(result).toMatchObject({ status: 'partial', missing: expect.stringMatching(/not the same in both orders|came twice/) })
  })
})

describe('a list without an end', () => {
  const endless =
    (fill: (page: number) => readonly object[], delayMs = 0): Fault =>
    (key, _, response, query) => {
      if (!/^(?:up|down)/.test(key)) return false
      const n = Number(query.get('pageToken') ?? 0)
      setTimeout(() => page(fill(n), `${n + 1}`)(response), delayMs)
      return true
    }
  const fresh = (n: number) => [1, 2, 3, 4, 5].map((m) => ({ id: `${n}-${m}`, email: `${n}-${m}@e.com`, name: `${n}-${m}` }))

  test.each<[string, Fault, Part, string, string]>([
    ['quick pages', endless(fresh), {}, 'there are more than groupsMax (1000) groups', 'raise groupsMax'],
    ['pages of one group', endless((n) => fresh(n).slice(0, 1)), { limits: { groupsMax: 50 } }, 'groupsMax (50)', 'raise groupsMax'],
    ['pages that fail again and again', endless(fresh), { limits: { requestsMax: 10 } }, 'not read after 10 requests', 'fails repeatedly'],
    ['a page larger than groupsMax', eachPage(1, page(named(60))), { limits: { groupsMax: 50 } }, 'groupsMax (50)', 'raise groupsMax'],
  ])('%s', async (_, fault, part, why, cure) => {
    const { result } = await reading(groups, fault, part)
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining(why), cure: expect.stringContaining(cure) })
  })

  test('slow pages end with the reading', async () => {
    const { result } = await reading(groups, endless(fresh, 50), { signal: AbortSignal.timeout(300) })
    expect(result).toMatchObject({ status: 'failed', why: expect.stringContaining('given up') })
  })
})
