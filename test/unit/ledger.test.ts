import { expect, test } from 'vitest'
import { emptyMemory } from '../../src/core/memory.ts'
import { openLedger, tallyOf } from '../../src/ledger.ts'
import { planOf, rule } from './core/smallWorld.ts'

const plan = planOf({
  rules: [rule('a', 'ENG', 'member'), rule('b', 'ENG', 'member')],
  removed: ['OPS x'],
  directories: { corp: ['a', 'b'] },
  existing: ['ENG a guest', 'OPS x guest', 'OPS y guest'],
})

test('a run sums up what it agreed to, workspace by workspace', () => {
  const ledger = openLedger(0)
  ledger.add(plan)
  ledger.add(plan)
  expect(ledger.agreed()).toEqual({ changes: 4, deletes: 2, creates: 2 })
})

test('a day has what was written before the run, and what the run agreed to', () => {
  const ledger = openLedger(50)
  ledger.add(plan)
  const create = { deletes: false, creates: true } as const
  const revisions = [
    { atMs: 1, deletes: true },
    { atMs: 2, deletes: false },
    { atMs: 3, ...create },
    { atMs: 60, ...create },
  ]
  const memory = { ...emptyMemory, revisions }
  expect(tallyOf(memory, ledger, 100)).toEqual({
    run: { changes: 2, deletes: 1, creates: 1 },
    day: { changes: 4, deletes: 2, creates: 2 },
  })
  expect(tallyOf(memory, ledger, 86_400_002).day).toEqual({ changes: 2, deletes: 1, creates: 2 })
})
