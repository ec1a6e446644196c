import { expect, test } from 'vitest'
import { rateHeaders } from '../../../src/sandbox/throttle.ts'

const nowMs = Date.UTC(2026, 0, 1) + 250
const limit = { requests: 60, windowMs: 60_000 }
const ruling = { allowed: true, remaining: 41, resetAtMs: nowMs + 29_500 }
const usual = { published: 'counted', fields: 'x-ratelimit', limiter: 'fixed-window', limit } as const

test.each([
  ['Plane', {}, { 'X-RateLimit-Remaining': '41', 'X-RateLimit-Reset': String(Date.UTC(2026, 0, 1) / 1000 + 30) }],
  ['the present draft', { fields: 'ratelimit' }, { RateLimit: '"default";r=41;t=30', 'RateLimit-Policy': '"default";q=60;w=60' }],
  [
    'an older draft',
    { fields: 'ratelimit-03' },
    { 'RateLimit-Limit': '60, 60;w=60', 'RateLimit-Remaining': '41', 'RateLimit-Reset': '30' },
  ],
  ['a number that never falls', { fields: 'ratelimit', published: 'constant' }, { RateLimit: '"default";r=60;t=30' }],
  ['nothing', { published: 'nothing' }, {}],
] as const)('%s', (_, more, expected) => {
  const told = rateHeaders({ ...usual, ...more }, ruling, nowMs)
  expect(told).toMatchObject(expected)
  if (Object.keys(expected).length === 0) expect(told).toEqual({})
})
