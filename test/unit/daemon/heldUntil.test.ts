import { expect, test } from 'vitest'
import { waitOf } from '../../../src/commands/rounds.ts'
import type { ChangeId } from '../../../src/core/change.ts'
import { holdFor } from '../../../src/core/hold.ts'
import { withHolds } from '../../../src/core/judge/guards.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Result } from '../../../src/core/report.ts'
import { heldUntilMs } from '../../../src/daemon/nextRuns.ts'
import { planOf, rule } from '../core/smallWorld.ts'
import { judged, report } from './reports.ts'

test('the first of hundreds of thousands of moments, and the last, as after a start that waits', () => {
  const world = { rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } }
  const [change] = planOf(world).changes
  const one = judged(world)
  if (change === undefined || one.kind !== 'judged') throw new Error('no plan')
  const holds = Array.from({ length: 300_000 }, (_, n) => holdFor(change, { kind: 'quarantined', since: 'startUp' }, 1_000 + n))
  const many = report({ ...one, judged: withHolds(one.judged, new Map(holds.map((hold, n) => [`${n}` as ChangeId, hold]))) })
  expect(heldUntilMs(many)).toBe(1_000)
  expect(waitOf(many, emptyMemory)).toEqual({ untilMs: 300_999, count: 300_000, since: 'startUp' })
})

test('a change that fails again begins no cycle of its own', () => {
  const [change] = planOf({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } }).changes
  const one = judged({ rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] } })
  if (change === undefined || one.kind !== 'judged') throw new Error('no plan')
  const lost = { change, outcome: { kind: 'unknown', why: '502', lastByteMs: 5 } } as const
  const after = (results: readonly Result[]) => heldUntilMs(report({ ...one, applied: { results, holds: [], left: [] } }))
  expect(after([lost])).toBe(5 + one.about.unknownOutcomeWaitMs)
  expect(after([{ ...lost, failedMs: 1 }])).toBeUndefined()
})
