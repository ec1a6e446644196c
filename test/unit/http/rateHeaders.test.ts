import { expect, test } from 'vitest'
import { factsOf } from '../../../src/http/rateHeaders.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const facts = (status: number, headers: Record<string, string>) => factsOf({ status, headers }, now)

const policy = '"default";q=60;w=60'

test.each([
  ['the specification', { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1772366460' }, [{ remaining: 59, resetMs: 61_000 }]],
  [
    'the headers of Okta',
    { 'x-rate-limit-limit': '600', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1772366460' },
    [{ limit: 600, remaining: 0, resetMs: 61_000 }],
  ],
  ['with its limit', { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }, [{ limit: 60, remaining: 0 }]],
  ['a limit with its policy', { 'x-ratelimit-limit': '60, 60;w=60' }, [{ limit: 60, windowS: 60 }]],
  [
    'the IETF draft',
    { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': policy },
    [{ limit: 60, remaining: 50, resetMs: 30_000, windowS: 60 }],
  ],
  [
    'blanks in it',
    { ratelimit: '"default"; r=50; t=30', 'ratelimit-policy': '"other"; q=9; w=1 , "default"; q=60' },
    [{ limit: 60, remaining: 50, resetMs: 30_000 }],
  ],
  ['it without a policy', { ratelimit: 'default;r=50' }, [{ remaining: 50 }]],
  [
    'a name that looks like the rest',
    { ratelimit: '"a;r=1, \\"b";r=50', 'ratelimit-policy': '"a;r=1, \\"b";q=60;pk=:r=1:' },
    [{ limit: 60, remaining: 50 }],
  ],
  [
    'two quotas',
    { ratelimit: '"minute";r=50;t=30, "day";r=7;t=3000', 'ratelimit-policy': '"minute";q=60;w=60, "day";q=1000;w=86400' },
    [
      { limit: 60, remaining: 50, resetMs: 30_000, windowS: 60 },
      { limit: 1000, remaining: 7, resetMs: 3_000_000, windowS: 86_400 },
    ],
  ],
  ['a quota of other things', { ratelimit: '"bytes";r=5', 'ratelimit-policy': '"bytes";q=60;qu="content-bytes"' }, []],
  [
    'the IETF draft before',
    { ratelimit: 'limit=60, remaining=41, reset=30', 'ratelimit-policy': '60;w=60' },
    [{ limit: 60, remaining: 41, resetMs: 30_000, windowS: 60 }],
  ],
  [
    'before that',
    { 'ratelimit-limit': '60', 'ratelimit-remaining': '3', 'ratelimit-reset': '5' },
    [{ limit: 60, remaining: 3, resetMs: 5000 }],
  ],
  ['with policies', { 'ratelimit-limit': '10, 10;w=1, 60;w=60', 'ratelimit-remaining': '3' }, [{ limit: 10, remaining: 3, windowS: 1 }]],
  ['nonsense', { 'x-ratelimit-remaining': 'many', 'x-ratelimit-limit': '-1', 'retry-after': 'soon', ratelimit: ',;="' }, []],
  ['a limit with its policy apart', { 'x-ratelimit-limit': '60', 'ratelimit-policy': '60;w=60' }, [{ limit: 60, windowS: 60 }]],
  [
    'a name with quotation marks and without',
    { ratelimit: 'default;r=50', 'ratelimit-policy': '"default";q=60' },
    [{ limit: 60, remaining: 50 }],
  ],
  ['a name with an escape and without', { ratelimit: '"a\\bc";r=50', 'ratelimit-policy': '"abc";q=60' }, [{ limit: 60, remaining: 50 }]],
  ['a name that has quotation marks only at its end', { ratelimit: 'a"b";r=50', 'ratelimit-policy': '"\\"b";q=60' }, [{ remaining: 50 }]],
  ['a number with something after it', { ratelimit: 'default;r=50"x"' }, []],
  ['a number with an exponent', { 'x-ratelimit-remaining': '1e308' }, []],
  ['the rests of two limiters', { 'x-ratelimit-remaining': '3, 5', 'x-ratelimit-limit': '60' }, [{ limit: 60 }]],
  ['the limits of two limiters', { 'x-ratelimit-limit': '60, 100', 'x-ratelimit-remaining': '3' }, [{ remaining: 3 }]],
  ['the resets of two limiters', { 'x-ratelimit-reset': '5, 7', 'ratelimit-reset': '5' }, []],
  ['a limit with words', { 'x-ratelimit-limit': '60 requests' }, []],
  ['one with its own policy', { 'x-ratelimit-limit': '60;w=60' }, [{ limit: 60, windowS: 60 }]],
  ['fractions', { 'x-ratelimit-remaining': '3.9', 'x-ratelimit-reset': '0.5' }, [{ remaining: 3, resetMs: 500 }]],
  ['signs', { 'x-ratelimit-remaining': '+3', 'ratelimit-reset': '-1' }, []],
  ['other digits', { 'x-ratelimit-remaining': '0x10', 'x-ratelimit-limit': '\u0663' }, []],
  [
    'requests, where it says that they are',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"a";q=60;qu="requests"' },
    [{ limit: 60, remaining: 5 }],
  ],
  ['no more than the first 2,000 characters', { ratelimit: `${'x,'.repeat(1_000)}default;r=50` }, []],
  ['a limit of nothing', { 'x-ratelimit-limit': '0' }, []],
  ['more digits than a number holds', { 'x-ratelimit-remaining': '9'.repeat(40) }, []],
] satisfies [string, Record<string, string>, object[]][])('%s', (_, headers, quotas) => {
  expect(facts(200, headers)).toStrictEqual({ kind: 'answer', status: 200, quotas })
})

test.each([
  ['7', 7000],
  ['0', 0],
  ['0.5', 500],
  ['0.25', 250],
  ['120', 120_000],
  [' 7 ', 7000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  [' Sun, 01 Mar 2026 12:00:30 GMT ', 30_000],
  ['Sun Mar  1 12:00:30 2026', 30_000],
  ['Tue Mar 10 12:00:30 2026', 9 * 86_400_000 + 30_000],
])('Retry-After: %s', (text, retryAfterMs) => {
  expect(facts(503, { 'retry-after': text })).toMatchObject({ retryAfterMs })
})

test.each([
  '7 soon',
  'x7',
  '1e3',
  '1e308',
  '',
  '-5',
  '5, 10',
  '7, 7',
  '2026-03-01',
  '9'.repeat(40),
  'Sun, 99 Mar 2026 12:00:30 GMT',
  'after Sun, 01 Mar 2026 12:00:30 GMT',
  'Sun, 01 Mar 2026 12:00:30 GMT or later',
])('Retry-After: %j says nothing', (text) => {
  expect(facts(503, { 'retry-after': text })).toStrictEqual({ kind: 'answer', status: 503, quotas: [] })
})

test("dates are compared with the service's clock, not with ours", () => {
  const headers = { 'retry-after': 'Sun, 01 Mar 2026 12:02:30 GMT', date: 'Sun, 01 Mar 2026 12:02:00 GMT' }
  expect(facts(429, headers)).toMatchObject({ retryAfterMs: 30_000 })
})

test('a reset is a time, compared with their clock, or seconds', () => {
  const at = String(now / 1000 + 20)
  expect(facts(200, { 'x-ratelimit-reset': at })).toMatchObject({ quotas: [{ resetMs: 21_000 }] })
  expect(facts(429, { 'x-ratelimit-reset': at, date: 'Sun, 01 Mar 2026 12:00:15 GMT' })).toMatchObject({ quotas: [{ resetMs: 6_000 }] })
  expect(facts(429, { 'x-ratelimit-reset': '20' })).toMatchObject({ quotas: [{ resetMs: 20_000 }] })
  expect(facts(429, { 'ratelimit-reset': '20' })).toMatchObject({ quotas: [{ resetMs: 20_000 }] })
  expect(facts(429, { 'x-ratelimit-reset': '1000000000' })).toMatchObject({ quotas: [{ resetMs: 1e12 }] })
})

test('a reset that is over means now, one that was over long ago nothing', () => {
  const told = (secondsAgo: number) => facts(200, { 'x-ratelimit-reset': String(now / 1000 - secondsAgo) })
  expect([1, 2].map(told)).toMatchObject([{ quotas: [{ resetMs: 0 }] }, { quotas: [{ resetMs: 0 }] }])
  expect(told(3)).toMatchObject({ quotas: [] })
})

test.each([200, 201, 204, 302, 400, 401, 403, 404, 413, 500, 502, 504])('Retry-After on a %i asks nobody to wait', (status) => {
  expect(facts(status, { 'retry-after': '900' })).toStrictEqual({ kind: 'answer', status, quotas: [] })
})
