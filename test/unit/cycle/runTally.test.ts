import { expect, test } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { recentWriteOf, recentWritesFrom } from '../../../src/core/memory/recentWrites.ts'
import { openRunTally } from '../../../src/cycle/runTally.ts'
import { planOf, rule } from '../core/smallWorld.ts'

const plan = () =>
  planOf({
    rules: [rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')],
    removed: ['OPS x'],
    directories: { corp: ['a', 'b'] },
    existing: ['ENG a guest', 'OPS x guest', 'OPS y guest'],
  })

const nothing = { changes: [] }

test('a run sums up what it agreed to, workspace by workspace', () => {
  const run = openRunTally(emptyMemory)
  run.book(plan())
  run.book(plan())
  expect(run.tally(100, nothing).run).toEqual({ changes: 4, deletes: 2, creates: 2 })
})

test('a day has what was written before the run, and what the run agreed to', () => {
  const create = { deletes: false, creates: true } as const
  const revisions = [
    { atMs: 1, deletes: true },
    { atMs: 2, deletes: false },
    { atMs: 3, ...create },
  ]
  const run = openRunTally({ ...emptyMemory, recentWrites: recentWritesFrom(revisions) })
  run.book(plan())
  expect(run.tally(100, nothing)).toEqual({
    run: { changes: 2, deletes: 1, creates: 1 },
    day: { changes: 4, deletes: 2, creates: 2 },
  })
  expect(run.tally(86_400_001, nothing).day).toEqual({ changes: 3, deletes: 1, creates: 2 })
  expect(run.tally(86_400_002, nothing).day).toEqual({ changes: 2, deletes: 1, creates: 2 })
  expect(run.tally(86_400_003, nothing).day).toEqual({ changes: 2, deletes: 1, creates: 1 })
})

test('what another host wrote counts, though its clock was ahead', () => {
  const run = openRunTally({ ...emptyMemory, recentWrites: recentWritesFrom([{ atMs: 5_000, deletes: true }]) })
  expect(run.tally(100, nothing).day).toEqual({ changes: 1, deletes: 1, creates: 0 })
})

test('a change in doubt counts once: beside a plan without it, not beside a plan that tries it again, nor when that plan is booked', () => {
  const again = plan()
  const [first] = again.changes
  if (first === undefined) throw new Error('no change')
  const inDoubt = { [first.id]: recentWriteOf(first, 50) }
  const run = openRunTally({ ...emptyMemory, inDoubt })
  const sum = (plan: { readonly changes: readonly Change[] }) => Object.values(run.tally(100, plan).day).reduce((a, b) => a + b)
  const weight = sum(nothing)
  expect(weight).toBeGreaterThan(0)
  expect(sum(again)).toBe(0)
  run.book(again)
  expect(run.tally(100, nothing).day).toEqual(run.tally(100, nothing).run)
})
