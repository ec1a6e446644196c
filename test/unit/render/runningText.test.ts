import { expect, test } from 'vitest'
import type { RunningDocument } from '../../../src/documents/running.ts'
import { orderText, runningText } from '../../../src/render/runningText.ts'

const running: RunningDocument = {
  began: '2026-11-28T04:00:42.150Z',
  workspaces: { ended: 0, of: 1 },
  written: 54,
  of: 80,
  waitMs: 9_400,
  leftMs: 58_000,
}
const sameDayMs = Date.parse('2026-11-28T04:02:00Z')

test.each<[string, Partial<RunningDocument>, string]>([
  ['writes and waits', {}, '54/80 written · waits 10 s · about 1 min to go'],
  ['waits for a reason', { waitWhy: 'Plane answered 429' }, '54/80 written · waits 10 s · about 1 min to go · Plane answered 429'],
  ['does not wait', { waitMs: 0 }, '54/80 written · about 1 min to go'],
  ['has no estimate', { leftMs: undefined }, '54/80 written · waits 10 s'],
  [
    'has several workspaces',
    { workspaces: { ended: 3, of: 12 } },
    '54/80 written · 3 of 12 workspaces done · waits 10 s · about 1 min to go',
  ],
  ['has no change yet', { written: 0, of: 0, waitMs: 0, leftMs: undefined }, 'it reads'],
  ['has no change yet, and waits', { written: 0, of: 0, leftMs: undefined }, 'waits 10 s'],
])('a cycle that %s', (_, more, progress) => {
  expect(runningText({ ...running, ...more }, sameDayMs)).toBe(`A cycle runs since 04:00:42 UTC: ${progress}`)
})

test('a cycle that began on another day has its date', () => {
  expect(runningText(running, sameDayMs + 86_400_000)).toMatch(/^A cycle runs since 2026-11-28 04:00:42 UTC: /)
})

test('an order says whose cycle it is, in the width of the terminal', () => {
  expect(orderText(running, true, 80)).toBe('This order: 54/80 written · waits 10 s · about 1 min to go')
  expect(orderText(running, false, 100)).toBe("This order comes after the daemon's cycle: 54/80 written · waits 10 s · about 1 min to go")
  expect(orderText(running, false, 60)).toBe("This order comes after the daemon's cycle: 54/80 written")
  const reads = { ...running, written: 0, of: 0, leftMs: undefined, waitWhy: 'Plane answered 429' }
  expect(orderText(reads, false, 79)).toBe("This order comes after the daemon's cycle: waits 10 s · Plane answered 429")
  expect(orderText(running, false, 20)).toBe('This order comes af…')
})
