import { describe, expect, test } from 'vitest'
import type { ChangeId } from '../../../src/core/change.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { holdKinds } from '../../../src/core/holdEffects.ts'
import { withFindings, withHeldMeanwhile, withHolds } from '../../../src/core/judge/guards.ts'
import type { Key } from '../../../src/core/mapping.ts'
import type { WorkspaceReport } from '../../../src/cycle/cycleReport.ts'
import { cycleOutcome } from '../../../src/cycle/outcome.ts'
import { heldUntilMs } from '../../../src/daemon/nextRuns.ts'
import { failed, rule } from '../core/smallWorld.ts'
import { done, failedReport, judged, rejected, report, stoppedReport, unknown } from '../daemon/reports.ts'

const two = { rules: [rule('devs', 'ENG', 'member'), rule('ops', 'OPS', 'member')], directories: { corp: ['devs', 'ops'] } }
const inSync = { ...two, existing: ['ENG devs member', 'OPS ops member'] }

function withHold(reason: Hold['reason'], untilMs?: number): WorkspaceReport {
  const one = judged(inSync, [])
  if (one.kind !== 'judged') throw new Error('not judged')
  const hold: Hold = { key: 'acme/project/ENG/x' as Key, reason, ...(untilMs === undefined ? {} : { untilMs }) }
  return { ...one, judged: withHolds(one.judged, new Map([['held' as ChangeId, hold]])) }
}

test.each([
  ['in sync', () => judged(inSync), 'success'],
  ['all written', () => judged(two, [done, done]), 'success'],
  ['a dry run with changes', () => judged(two), 'planned'],
  ['some written', () => judged(two, [done, rejected]), 'partial'],
  ['settings answered with other values', () => judged(two, [done, { kind: 'done', answered: { autoRemove: true } }]), 'partial'],
  ['outcome unknown', () => judged(two, [done, unknown]), 'partial'],
  ['none written', () => judged(two, [rejected, rejected]), 'failed'],
  ['the service went away', () => judged(two, []), 'failed'],
  ['not readable', () => failedReport, 'failed'],
  ['stopped before it was read', () => stoppedReport, 'incomplete'],
  [
    'a set that waits for a limit',
    () => judged({ ...inSync, existing: [...inSync.existing, 'workspace leads admin'], removed: ['workspace leads'] }),
    'waiting',
  ],
  ['a group that does not exist', () => judged({ ...inSync, rules: [...inSync.rules, rule('typo', 'ENG', 'guest')] }), 'success'],
  ['a directory that failed', () => judged({ ...inSync, directories: { corp: failed } }), 'incomplete'],
  [
    'what waits for a valid file',
    () => withHold({ kind: 'fileInvalid', at: { file: 'a.yaml', line: 1, column: 1 }, why: 'no' }),
    'success',
  ],
  ['suspended', () => withHold({ kind: 'suspended', what: 'all' }), 'waiting'],
  ['a quarantine', () => withHold({ kind: 'quarantined', since: 'unknownOutcome' }), 'incomplete'],
  ['another writer that makes the same mappings', () => withHold({ kind: 'anotherWriter', twins: 2 }), 'incomplete'],
  ['a key that somebody fights over', () => withHold({ kind: 'flapping', rounds: 3, sinceMs: 0 }), 'incomplete'],
] as const)('%s', (_name, one, outcome) => {
  expect(cycleOutcome(one())).toBe(outcome)
})

describe('a hold', () => {
  /** These end by time or by another reading. All others wait for a person, a group, a project or a start. */
  const passing = ['readingIncomplete', 'notRecorded', 'patternsUnmatched', 'quarantined', 'flapping', 'anotherWriter']
  test.each(holdKinds)(
    '%s: the cycle is incomplete if it ends by itself, waiting if a person has to approve or to end suspend, and a success otherwise',
    (kind) => {
      expect(cycleOutcome(withHold({ kind } as Hold['reason']))).toBe(
        passing.includes(kind) ? 'incomplete' : ['approval', 'suspended'].includes(kind) ? 'waiting' : 'success',
      )
    },
  )

  test('of each kind is known', () => {
    expect(holdKinds).toHaveLength(28)
    expect(passing.filter((kind) => !holdKinds.some((one) => one === kind))).toEqual([])
  })
})

test('stopped on request is incomplete, also where the write under way was not sent', () => {
  const one = judged(two, [done, { kind: 'notSent', why: 'stopped' }])
  if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
  expect(cycleOutcome({ ...one, applied: { ...one.applied, stopped: 'signal' } })).toBe('incomplete')
  expect(cycleOutcome({ ...one, applied: { ...one.applied, stopped: 'unreachable' } })).toBe('partial')
})

describe('a plan of two changes', () => {
  const applied = (one: WorkspaceReport) => {
    if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
    return { ...one, applied: one.applied }
  }
  test('that is not the one that was approved beforehand is stale', () => {
    const one = judged(two)
    if (one.kind !== 'judged') throw new Error('not judged')
    expect(cycleOutcome({ ...one, kind: 'moved' })).toBe('stale')
  })
  test('after which the journal could not be written has failed, also if no change is left', () => {
    const one = applied(judged(two, [done, done]))
    expect(cycleOutcome({ ...one, applied: { ...one.applied, stopped: 'journal' } })).toBe('partial')
  })
})

test.each([
  ['reading-incomplete', 'incomplete'],
  ['another-writer', 'success'],
] as const)('without a hold, the finding %s makes a cycle %s', (code, outcome) => {
  const one = judged(inSync, [])
  if (one.kind !== 'judged') throw new Error('not judged')
  const noticed = withFindings(one.judged, [{ code, severity: 'warning', place: 'acme', sentence: code }])
  expect(noticed.plan.holds).toEqual([])
  expect(cycleOutcome({ ...one, judged: noticed })).toBe(outcome)
})

test('a write that the gate stopped at the last moment has not failed: it waits', () => {
  const hold: Hold = { key: 'acme/project/OPS/ops' as Key, reason: { kind: 'suspended', what: 'all' } }
  const one = judged(two, [done, { kind: 'notSent', why: 'held at the last moment', hold }])
  if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
  const held = withHeldMeanwhile(one.judged, [hold])
  expect(cycleOutcome({ ...one, judged: held, applied: { ...one.applied, holds: [hold] } })).toBe('waiting')
  expect(cycleOutcome(judged(two, [done, { kind: 'notSent', why: 'unreachable' }]))).toBe('partial')
})

test('a cycle whose readings were too old is incomplete, and the next one begins at once', () => {
  const one = judged(two, [done])
  if (one.kind !== 'judged' || one.applied === undefined) throw new Error('not applied')
  const outdated = { ...one, applied: { ...one.applied, stopped: 'outdated' } } as const
  expect(cycleOutcome(outdated)).toBe('incomplete')
  expect(heldUntilMs(report(outdated, { startedMs: 7 }))).toBe(7)
})

test('the first moment for which something waits', () => {
  const kind = { kind: 'quarantined', since: 'startUp' } as const
  expect(heldUntilMs(report(judged(inSync)))).toBeUndefined()
  expect(heldUntilMs(report(failedReport))).toBeUndefined()
  expect(heldUntilMs(report(withHold(kind, 90_000)))).toBe(90_000)
  expect(heldUntilMs(report(withHold(kind, 90_000), { workspaces: [withHold(kind, 90_000), withHold(kind, 50_000)] }))).toBe(50_000)
})

test('a write of unknown outcome is looked at again after Δ, not only at the next tick', () => {
  expect(heldUntilMs(report(judged(two, [done, unknown])))).toBe(11_000 + 120_000)
  const earlier = { kind: 'notSent', why: 'unreachable', earlierLastByteMs: 9_000 } as const
  expect(heldUntilMs(report(judged(two, [done, earlier])))).toBe(9_000 + 120_000)
  expect(heldUntilMs(report(judged(two, [{ kind: 'done', earlierLastByteMs: 9_000 }, done])))).toBeUndefined()
})
