import { expect, test } from 'vitest'
import { type Day, openDay } from './audit/day.ts'
import { basicSpec } from './generate.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

function opened({ journal = 'folder', skewMs = 0 }: { readonly journal?: 'folder' | 'none'; readonly skewMs?: number } = {}): Day {
  const day = openDay({ ...basicSpec(1), guards: { creates: 9, raises: 9, lowers: 9, deletes: 9, day: 1 }, journal, twoWriters: false })
  start(day, 0, 0, skewMs)
  return day
}
function start(day: Day, process: number, atMs: number, skewMs = 0, then: 'cycle' | 'refusedStart' = 'cycle'): void {
  day.hear({ is: 'start', process, atMs, mode: 'daemon', skewMs, drift: 0, folder: 'state' })
  day.hear({ is: then, process, atMs })
}
const second = 'lowers 2 of the day, of at most 1'

test('one change too many is seen, in one process and in the next one', () => {
  const day = opened()
  expect(day.count(0, 1_000, 'a', ['lowers'])).toBeUndefined()
  expect(day.count(0, 1_500, 'a', ['lowers'])).toBeUndefined()
  expect(day.count(0, 2_000, 'b', ['lowers'])).toBe(second)
  const next = opened()
  next.count(0, 1_000, 'a', ['lowers'])
  start(next, 1, 2_000)
  expect(next.count(1, hourMs, 'b', ['lowers'])).toBe(second)
})

test.each([
  ['a process whose clock is a day ahead forgets the changes before it', 0, dayMs, undefined],
  ['a clock that is some hours ahead forgets none', 0, 5 * hourMs, second],
  ['a clock that is behind forgets none', 0, -dayMs, second],
  ['changes by a clock that was ahead count', dayMs, 0, second],
])('%s', (_what, skewMs, laterSkewMs, expected) => {
  const day = opened({ skewMs })
  day.count(0, 1_000, 'a', ['lowers'])
  start(day, 1, 2_000, laterSkewMs)
  expect(day.count(1, hourMs, 'b', ['lowers'])).toBe(expected)
})

test('the next process does not know what an earlier one has forgotten', () => {
  const day = opened()
  day.count(0, 1_000, 'a', ['lowers'])
  start(day, 1, 2_000, dayMs)
  start(day, 2, 3_000)
  expect(day.count(2, hourMs, 'b', ['lowers'])).toBeUndefined()
  expect(day.count(2, hourMs, 'c', ['lowers'])).toBe(second)
})

test('a process that is refused its start forgets nothing for others', () => {
  const day = opened()
  day.count(0, 1_000, 'a', ['lowers'])
  start(day, 1, 2_000, dayMs, 'refusedStart')
  expect(day.count(0, hourMs, 'b', ['lowers'])).toBe(second)
})

test('each kind counts for itself; a rename is a raise and a lowering', () => {
  const day = opened()
  expect(day.count(0, 1_000, 'a', ['deletes'])).toBeUndefined()
  expect(day.count(0, 2_000, 'b', ['raises', 'lowers'])).toBeUndefined()
  expect(day.count(0, 3_000, 'c', ['creates'])).toBeUndefined()
  expect(day.count(0, 4_000, 'd', ['creates'])).toBeUndefined()
  expect(day.count(0, 5_000, 'e', ['lowers'])).toBe(second)
})

test('without a journal nothing is counted', () => {
  const day = opened({ journal: 'none' })
  day.count(0, 1_000, 'a', ['lowers'])
  expect(day.count(0, 2_000, 'b', ['lowers'])).toBeUndefined()
})
