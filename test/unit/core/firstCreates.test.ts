import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { changesBeforeCheck, firstCreatesMax } from '../../../src/core/firstCreates.ts'
import { cost } from '../../../src/render/cost.ts'

const changes = (before: number, creates: number, after = 0): Pick<Change, 'action'>[] => [
  ...Array.from({ length: before }, () => ({ action: 'patch' }) as const),
  ...Array.from({ length: creates }, () => ({ action: 'create' }) as const),
  ...Array.from({ length: after }, () => ({ action: 'delete' }) as const),
]
const slice = 180
const k = firstCreatesMax

test.each([
  ['no change', changes(0, 0), undefined],
  ['no creates', changes(300, 0), undefined],
  ['as many as are not checked', changes(0, k, 20), undefined],
  ['one more', changes(0, k + 1), k],
  ['after other changes', changes(30, k + 1), 30 + k],
  ['in a later slice', changes(190, k + 1), 190 + k],
  ['a slice ends right after the first creates', changes(slice - k, k + 1), undefined],
  ['a slice ends among them', changes(slice - 1, k + 1), undefined],
  ['a slice ends right before them', changes(slice, k + 1), slice + k],
])('the lists are read once more after the first creates: %s', (_name, all, expected) => {
  expect(changesBeforeCheck(all, slice)).toBe(expected)
})

const budget = {
  limit: 60,
  allowed: 54,
  others: 0,
  remaining: 54,
  waitMs: 0,
  waitsMs: Array.from({ length: 54 }, () => 0),
  windowMs: 60_000,
}
test.each([
  [10, 10],
  [11, 13],
  [190, 192],
  [191, 195],
  [300, 304],
])('%i creates cost %i calls where a reading costs 2', (creates, calls) => {
  const all = changes(0, creates)
  const work = { changes: creates, changesBeforeCheck: changesBeforeCheck(all, slice), reads: 2, sliceChanges: slice, budget }
  expect(cost(work).calls).toBe(calls)
})
