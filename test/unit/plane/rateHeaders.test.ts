import { expect, test } from 'vitest'
import { factsOf } from '../../../src/plane/rateHeaders.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const facts = (status: number, headers: Record<string, string>) => factsOf({ status, headers }, now)

test.each([
  ['the specification', { 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1772366460' }, { remaining: 59 }],
  ['with its limit', { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }, { limit: 60, remaining: 0 }],
  ['a limit with its policy', { 'x-ratelimit-limit': '60, 60;w=60' }, { limit: 60 }],
  ['the IETF draft', { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=60;w=60' }, { remaining: 50 }],
  ['the IETF draft with two policies', { ratelimit: '"minute";r=50;t=30, "day";r=7;t=3000' }, { remaining: 7 }],
  ['the IETF draft before', { ratelimit: 'limit=60, remaining=41, reset=30' }, { remaining: 41 }],
  ['the IETF draft before that', { 'ratelimit-limit': '60', 'ratelimit-remaining': '3' }, { limit: 60, remaining: 3 }],
  ['nonsense', { 'x-ratelimit-remaining': 'many', 'x-ratelimit-limit': '-1', 'retry-after': 'soon' }, {}],
  ['a limit of nothing', { 'x-ratelimit-limit': '0' }, {}],
  ['more digits than a number holds', { 'x-ratelimit-remaining': '9'.repeat(40) }, {}],
] satisfies [string, Record<string, string>, object][])('%s', (_, headers, expected) => {
  expect(facts(200, headers)).toEqual({ is: 'answer', status: 200, ...expected })
})

test.each([
  ['7', 7000],
  ['0', 0],
  ['0.5', 500],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('Retry-After: %s', (text, retryAfterMs) => {
  expect(facts(503, { 'retry-after': text })).toMatchObject({ retryAfterMs })
})

test("dates are compared with the service's clock, not with ours", () => {
  const headers = { 'retry-after': 'Sun, 01 Mar 2026 12:02:30 GMT', date: 'Sun, 01 Mar 2026 12:02:00 GMT' }
  expect(facts(429, headers)).toMatchObject({ retryAfterMs: 30_000 })
})

test('a reset matters only after a refusal, as a time or as seconds', () => {
  const at = String(now / 1000 + 20)
  expect(facts(200, { 'x-ratelimit-reset': at })).not.toHaveProperty('resetMs')
  expect(facts(429, { 'x-ratelimit-reset': at })).toMatchObject({ resetMs: 21_000 })
  expect(facts(429, { 'x-ratelimit-reset': '20' })).toMatchObject({ resetMs: 20_000 })
  expect(facts(429, { 'ratelimit-reset': '20' })).toMatchObject({ resetMs: 20_000 })
})
