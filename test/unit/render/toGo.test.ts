import { expect, test } from 'vitest'
import type { Work } from '../../../src/render/cost.ts'
import { type RemainingWork, toGo } from '../../../src/render/toGo.ts'

const free = { limit: 10, allowed: 10, others: 0, remaining: 10, waitMs: 0, waitsMs: Array.from({ length: 10 }, () => 0), windowMs: 60_000 }
const spent = { ...free, remaining: 0, waitMs: 40_000, waitsMs: Array.from({ length: 10 }, () => 40_000) }
const lastLate = { ...free, waitsMs: [...free.waitsMs.slice(1), 10_500] }
const work = (changes: number, budget = free): Work => ({ changes, reads: 3, sliceChanges: 30, budget })
const remaining = (now: number, later = 0, more: Partial<RemainingWork> & { budget?: typeof free } = {}): RemainingWork => ({
  credential: 'default',
  now: work(now, more.budget),
  later: work(later, more.budget),
  laterInMs: 0,
  ...more,
})

test.each<[string, readonly RemainingWork[], ReturnType<typeof toGo>]>([
  ['nothing is left', [remaining(0)], undefined],
  ['all of it fits', [remaining(4)], { ms: 2_000, fits: true }],
  ['two workspaces share one budget', [remaining(8), remaining(8)], { ms: 60_700, fits: false }],
  ['two credentials do not', [remaining(8), remaining(9, 0, { credential: 'other' })], { ms: 4_500, fits: true }],
  ['the slower one decides', [remaining(8), remaining(20, 0, { credential: 'other' })], { ms: 61_100, fits: false }],
  ['also if it comes first', [remaining(20), remaining(8, 0, { credential: 'other' })], { ms: 61_100, fits: false }],
  ['both rounds need as many calls', [remaining(4, 1)], { ms: 4_000, fits: false }],
  ['both rounds do not fit into one window', [remaining(9, 6)], { ms: 60_900, fits: false }],
  ['one place becomes free after the wait', [remaining(0, 7, { laterInMs: 10_000, budget: lastLate })], { ms: 11_000, fits: false }],
  ['a later round begins after its wait, with a fresh read', [remaining(0, 4, { laterInMs: 50_000 })], { ms: 53_500, fits: false }],
  ['the limit frees places during that wait', [remaining(0, 4, { laterInMs: 50_000, budget: spent })], { ms: 53_500, fits: false }],
])('%s', (_, all, expected) => expect(toGo(all)).toEqual(expected))
