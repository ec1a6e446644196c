import { expect, test } from 'vitest'
import { type Day, openDay } from './audit/day.ts'
import { basicSpec } from './generate.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

function opened({ journal = 'folder', skewMs = 0 }: { readonly journal?: 'folder' | 'none'; readonly skewMs?: number } = {}): Day {
  const day = openDay({ ...basicSpec(1), guards: { changes: 9, deletes: 9, creates: 9, dayChanges: 1 }, journal, twoWriters: false })
  start(day, 0, 0, skewMs)
  return day
}
function start(day: Day, process: number, atMs: number, skewMs = 0, then: 'cycle' | 'refusedStart' = 'cycle'): void {
  day.hear({ is: 'start', process, atMs, mode: 'daemon', skewMs, drift: 0, folder: 'state' })
  day.hear({ is: then, process, atMs })
}
const second = 'change 2 of the day, of at most 1'

test('one change too many is seen, in one process and in the next one', () => {
  const day = opened()
  expect(day.revise(0, 1_000, 'a')).toBeUndefined()
  expect(day.revise(0, 1_500, 'a')).toBeUndefined()
  expect(day.revise(0, 2_000, 'b')).toBe(second)
  const next = opened()
  next.revise(0, 1_000, 'a')
  start(next, 1, 2_000)
  expect(next.revise(1, hourMs, 'b')).toBe(second)
})

test.each([
  ['a process whose clock is a day ahead forgets the changes before it', 0, dayMs, undefined],
  ['a clock that is some hours ahead forgets none', 0, 5 * hourMs, second],
  ['a clock that is behind forgets none', 0, -dayMs, second],
  ['changes by a clock that was ahead count', dayMs, 0, second],
])('%s', (_what, skewMs, laterSkewMs, expected) => {
  const day = opened({ skewMs })
  day.revise(0, 1_000, 'a')
  start(day, 1, 2_000, laterSkewMs)
  expect(day.revise(1, hourMs, 'b')).toBe(expected)
})

test('the next process does not know what an earlier one has forgotten', () => {
  const day = opened()
  day.revise(0, 1_000, 'a')
  start(day, 1, 2_000, dayMs)
  start(day, 2, 3_000)
  expect(day.revise(2, hourMs, 'b')).toBeUndefined()
  expect(day.revise(2, hourMs, 'c')).toBe(second)
})

test('a process that is refused its start forgets nothing for others', () => {
  const day = opened()
  day.revise(0, 1_000, 'a')
  start(day, 1, 2_000, dayMs, 'refusedStart')
  expect(day.revise(0, hourMs, 'b')).toBe(second)
})

test('a change that is executed late counts as of its sending, before a later one that a person let pass', () => {
  const day = opened()
  const later = { sentMs: 2_000, isAllowed: true }
  expect(day.revise(0, 2_100, 'b', later)).toBeUndefined()
  expect(day.revise(0, 3_000, 'a', { sentMs: 1_000, isAllowed: false })).toBeUndefined()
  const other = opened()
  other.revise(0, 2_100, 'b', later)
  expect(other.revise(0, 3_100, 'c', { sentMs: 3_000, isAllowed: false })).toBe(second)
})

test('without a journal nothing is counted', () => {
  const day = opened({ journal: 'none' })
  day.revise(0, 1_000, 'a')
  expect(day.revise(0, 2_000, 'b')).toBeUndefined()
})
