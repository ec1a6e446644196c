import { describe, expect, test } from 'vitest'
import type { ChangeId } from '../../src/core/change.ts'
import type { Hold } from '../../src/core/hold.ts'
import { withHolds } from '../../src/core/judge/guards.ts'
import type { GroupName, Key } from '../../src/core/mapping.ts'
import type { WorkspaceReport } from '../../src/cycle/cycleReport.ts'
import { rule } from '../unit/core/smallWorld.ts'
import { judged } from '../unit/daemon/reports.ts'
import { rests } from './rests.ts'

const noProject = { rows: () => [], holdings: () => [] }
const spec = { suspend: false, duplicates: undefined } as const
const inSync = { rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] }, existing: ['ENG devs member'] }
const missing = { ...inSync, rules: [...inSync.rules, rule('devs', 'OPS', 'member')] }
const refusedBy = (status: number): WorkspaceReport =>
  judged(missing, [{ kind: 'refused', status, code: 'rejected', sentence: 'no project' }])

function withHold(one: WorkspaceReport, hold: Hold): WorkspaceReport {
  if (one.kind !== 'judged') throw new Error('not judged')
  return { ...one, judged: withHolds(one.judged, new Map([['held' as ChangeId, hold]])) }
}

test('a world rests while the service refuses a mapping of a project that does not exist', () => {
  expect(rests(refusedBy(400), spec, noProject)).toBe(true)
})

test('but not while another write has no good outcome', () => {
  const two = { ...missing, directories: { corp: ['devs', 'ops'] }, rules: [...missing.rules, rule('ops', 'ENG', 'guest')] }
  const refused = { kind: 'refused', status: 400, code: 'rejected', sentence: 'no project' } as const
  expect(rests(judged(two, [refused, { kind: 'unknown', why: 'cut', lastByteMs: 0 }]), spec, noProject)).toBe(false)
  expect(rests(judged(two, [refused]), spec, noProject)).toBe(false)
})

describe('a world rests while the service refuses to change one of two mappings of a key', () => {
  const row = { group: 'devs', at: 'OPS', role: 'guest', id: '1', project: 'p' }
  const seen = { id: 'p', identifier: 'OPS', fromMs: 0, untilMs: undefined, isSeen: true }
  test.each([
    ['with 400', 400, 400, 2, true],
    ['with 409', 409, 409, 2, true],
    ['not with a status that means something else', 400, 409, 2, false],
    ['not where nothing exists twice', 400, 400, 1, false],
    ['not where the service accepts duplicates', undefined, 400, 2, false],
  ] as const)('%s', (_when, duplicates, status, count, isResting) => {
    const truth = { rows: () => Array.from({ length: count }, () => row), holdings: () => [seen] }
    expect(rests(refusedBy(status), { suspend: false, duplicates }, truth)).toBe(isResting)
  })
})

test('a world does not rest while a grant waits because its group was made again: the operator accepts the group', () => {
  const reason = { kind: 'groupChanged', group: 'devs' as GroupName, directory: 'corp', pass: 'pass' } as const
  expect(rests(withHold(judged(inSync, []), { key: 'acme/project/ENG/devs' as Key, reason }), spec, noProject)).toBe(false)
})
