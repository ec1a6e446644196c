import { expect, test } from 'vitest'
import { emptyMemory } from '../../src/core/memory.ts'
import { revisionsFrom } from '../../src/core/revisions.ts'
import { openLedger, tallyOf } from '../../src/ledger.ts'
import { planOf, rule } from './core/smallWorld.ts'

const plan = () =>
  planOf({
    rules: [rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')],
    removed: ['OPS x'],
    directories: { corp: ['a', 'b'] },
    existing: ['ENG a guest', 'OPS x guest', 'OPS y guest'],
  })

test('a run sums up what it agreed to, workspace by workspace', () => {
  const ledger = openLedger(emptyMemory)
  ledger.add(plan())
  ledger.add(plan())
  expect(ledger.agreed()).toEqual({ changes: 4, deletes: 2, creates: 2 })
})

test('a day has what was written before the run, and what the run agreed to', () => {
  const create = { deletes: false, creates: true } as const
  const revisions = [
    { atMs: 1, deletes: true },
    { atMs: 2, deletes: false },
    { atMs: 3, ...create },
  ]
  const ledger = openLedger({ ...emptyMemory, revisions: revisionsFrom(revisions) })
  ledger.add(plan())
  expect(tallyOf(ledger, 100)).toEqual({
    run: { changes: 2, deletes: 1, creates: 1 },
    day: { changes: 4, deletes: 2, creates: 2 },
  })
  expect(tallyOf(ledger, 86_400_001).day).toEqual({ changes: 3, deletes: 1, creates: 2 })
  expect(tallyOf(ledger, 86_400_002).day).toEqual({ changes: 2, deletes: 1, creates: 2 })
  expect(tallyOf(ledger, 86_400_003).day).toEqual({ changes: 2, deletes: 1, creates: 1 })
  // A clock that is set back.
  expect(tallyOf(ledger, 100).day).toEqual({ changes: 4, deletes: 2, creates: 2 })
})

test('what another host wrote counts, though its clock was ahead', () => {
  const ledger = openLedger({ ...emptyMemory, revisions: revisionsFrom([{ atMs: 5_000, deletes: true }]) })
  expect(tallyOf(ledger, 100).day).toEqual({ changes: 1, deletes: 1, creates: 0 })
})
