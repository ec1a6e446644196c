import { describe, expect, test } from 'vitest'
import { boundMs } from '../../../scripts/bench/sideBySide/bound.ts'
import { cellsOf, clients, quick, whole } from '../../../scripts/bench/sideBySide/cells.ts'
import { bestOf, cellText, tablesOf } from '../../../scripts/bench/sideBySide/table.ts'
import { type Measured, roundTripMs, type Traffic, trafficOf } from '../../../scripts/bench/sideBySide/world.ts'

const alone: Traffic = { past: [], wishes: [], phaseMs: 0 }

describe('the bound, in the time of clients, for whom a minute takes 6 s', () => {
  test.each([
    ['sliding-log', 4, 0],
    ['sliding-log', 60, 14 * roundTripMs],
    ['sliding-log', 61, 6_000],
    ['sliding-log', 600, 54_000 + 14 * roundTripMs],
    ['fixed-window', 300, 24_000 + 14 * roundTripMs],
    ['token-bucket', 300, 24_000],
    ['token-bucket', 61, 100],
    // The 60 calls of the first minute lose weight during the second minute. When they weigh 59, one more call is allowed.
    ['sliding-counter', 61, 6_100],
    ['sliding-counter', 120, 12_000],
  ] as const)('%s, %i calls: the last is let in after %i ms', (limiter, calls, ms) => {
    expect(boundMs({ limiter }, alone, calls)).toBeCloseTo(ms + roundTripMs, 3)
  })

  test('a second before the end of a minute: the fading counts from then', () => {
    expect(boundMs({ limiter: 'sliding-counter' }, { ...alone, phaseMs: 59_000 }, 61)).toBeCloseTo(200 + roundTripMs, 3)
  })

  test('of a key that is used up: its places come back as they were taken', () => {
    const past = Array.from({ length: 60 }, (_, index) => -30_000 + index * 100)
    expect(boundMs({ limiter: 'sliding-log' }, { ...alone, past }, 1)).toBeCloseTo(3_000 + roundTripMs, 3)
    expect(boundMs({ limiter: 'sliding-log' }, { ...alone, past }, 60)).toBeCloseTo(3_590 + roundTripMs, 3)
  })

  test('leaves a second user every place that it will ask for', () => {
    const wishes = Array.from({ length: 400 }, (_, index) => index * 3_000 + 1)
    // The second user has 20 of the 60 places, in the first window, too.
    expect(boundMs({ limiter: 'sliding-log' }, { ...alone, wishes }, 40)).toBeCloseTo(10 * roundTripMs, 3)
    expect(boundMs({ limiter: 'sliding-log' }, { ...alone, wishes }, 41)).toBeCloseTo(6_000 + roundTripMs, 0)
  })
})

describe('others', () => {
  test('share a third of the limit, from a window before on', () => {
    const { past, wishes } = trafficOf('shared', 3)
    expect(past).toHaveLength(20)
    expect(wishes.filter((atMs) => atMs < 600_000)).toHaveLength(200)
    expect([...past, ...wishes]).toEqual([...past, ...wishes].toSorted((a, b) => a - b))
  })

  test('are the same for the same seed', () => {
    expect(trafficOf('used up', 3)).toEqual(trafficOf('used up', 3))
    expect(trafficOf('used up', 3)).not.toEqual(trafficOf('used up', 4))
  })

  test.each(['sliding-log', 'fixed-window', 'sliding-counter', 'token-bucket'] as const)(
    'leave nothing of a used up key: %s',
    (limiter) => {
      expect(boundMs({ limiter }, trafficOf('used up', 3), 1)).toBeGreaterThan(roundTripMs)
    },
  )
})

const cell = (client: string, seconds: number, refused: number, more: Partial<Measured> = {}): Measured => ({
  ...{ client, calls: 61, kind: 'sliding log', situation: 'alone', seed: 1, tookMs: seconds * 1_000, boundMs: 10_000 },
  ...{ refused, failed: 0, wishes: { made: 0, granted: 0 }, arrivals: [], lateMs: 0, ...more },
})

describe('the table', () => {
  test('names the quickest of those with at most one 429, and its equals', () => {
    const cells = [cell('a', 10.5, 1), cell('b', 10, 2), cell('c', 10.45, 0), cell('d', 11, 0)]
    expect(bestOf(cells).map(({ client }) => client)).toEqual(['a', 'c'])
  })

  test('of many 429s the fewest are best; who gave calls up is out', () => {
    const cells = [cell('a', 10.5, 9), cell('b', 10, 12), cell('c', 10, 0, { failed: 3 })]
    expect(bestOf(cells).map(({ client }) => client)).toEqual(['a'])
  })

  test('who takes the places of others is not best', () => {
    const cells = [cell('a', 11, 1, { wishes: { made: 10, granted: 9 } }), cell('b', 10, 0, { wishes: { made: 10, granted: 8 } })]
    expect(bestOf(cells).map(({ client }) => client)).toEqual(['a'])
  })

  test('says what happened in a cell', () => {
    expect(cellText(cell('a', 10.1, 0))).toBe('1.010 · 0')
    expect(cellText(cell('a', 10.1, 4, { wishes: { made: 8, granted: 7 }, failed: 2 }))).toBe('1.010 · 4 · 88 % · 2 failed')
    const { tookMs: _, ...unended } = cell('a', 0, 4)
    expect(cellText({ ...unended, failed: 61 })).toBe('given up · 4 · 61 failed')
  })

  test('has a row a client and a column a number of calls, the best in bold', () => {
    const text = tablesOf(
      [cell('ours', 10, 0), cell('limiter', 11, 0)],
      new Map([
        ['ours', 'us'],
        ['limiter', 'them'],
      ]),
      quick,
    )
    expect(text.split('\n').slice(2, 6)).toEqual([
      '| | 61 calls | 120 calls |',
      '|---|---|---|',
      '| us | **1.000 · 0** |  |',
      '| them | 1.100 · 0 |  |',
    ])
  })

  test('every client meets every cell, side by side', () => {
    const cells = cellsOf(whole, 1, [])
    expect(cells).toHaveLength(clients.length * (3 + 3 * 7))
    expect(cells.slice(0, clients.length).map(({ client }) => client)).toEqual(clients)
    expect(new Set(cells.map((one) => JSON.stringify(one))).size).toBe(cells.length)
  })
})
