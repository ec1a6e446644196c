import { expect, test } from 'vitest'
import type { ChangeId } from '../../src/core/change.ts'
import type { Hold } from '../../src/core/hold.ts'
import { withHolds } from '../../src/core/judge/guards.ts'
import type { Key, ProjectIdentifier } from '../../src/core/mapping.ts'
import type { WorkspaceReport } from '../../src/cycle/report.ts'
import { rule } from '../unit/core/smallWorld.ts'
import { judged } from '../unit/daemon/reports.ts'
import { rests } from './rests.ts'

const target = { kind: 'project', project: 'OPS' as ProjectIdentifier } as const
const rejected: Hold = { key: 'acme/project/OPS/ops' as Key, target, reason: { kind: 'rejected', status: 400, sentence: 'no project' } }
const noProject = { rows: () => [], holdings: () => [] }
const inSync = { rules: [rule('devs', 'ENG', 'member')], directories: { corp: ['devs'] }, existing: ['ENG devs member'] }
const refused = { ...inSync, existing: [...inSync.existing, 'workspace leads admin'], removed: ['workspace leads'] }

function withRejected(one: WorkspaceReport): WorkspaceReport {
  if (one.kind !== 'judged') throw new Error('not judged')
  return { ...one, verdict: withHolds(one.verdict, new Map([['held' as ChangeId, rejected]])) }
}

test('a world rests while the service rejects a mapping of a project that does not exist', () => {
  expect(rests(withRejected(judged(inSync, [])), false, noProject)).toBe(true)
})

test('but not while the guards refuse the rest of the plan, because the operator waives it', () => {
  expect(rests(withRejected(judged(refused)), false, noProject)).toBe(false)
})
