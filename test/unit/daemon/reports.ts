import { judge } from '../../../src/core/judge/guards.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { DirectoryReport, Result, WorkspaceAbout } from '../../../src/core/report.ts'
import type { CycleReport, WorkspaceReport } from '../../../src/cycle/cycleReport.ts'
import { acme, judging, planOf, roles, type SmallWorld } from '../core/smallWorld.ts'

export const about: WorkspaceAbout = {
  workspace: acme,
  slug: 'acme',
  host: 'plane.example.com',
  policy: 'upsert-only',
  suspend: false,
  doors: 'any',
  credential: 'default',
  budget: { limit: 60, allowed: 54, others: 0, remaining: 54, waitMs: 0, waitsMs: Array.from({ length: 54 }, () => 0), windowMs: 60_000 },
  quietCalls: 3,
  readingCalls: 4,
  sliceChanges: 180,
  intervalMs: 600_000,
  roles,
  shared: [],
  unknownOutcomeWaitMs: 120_000,
}

export const corp: DirectoryReport = { name: 'corp', kind: 'ldap', status: 'complete', groups: 3, atMs: 1_000, tookMs: 500 }

/** The report of a cycle over one small world. `outcomes`: those of its changes, in order; the others were not tried. Absent: a dry run. */
export function judged(world: SmallWorld, outcomes?: readonly Outcome[], more: Partial<typeof judging> = {}): WorkspaceReport {
  const judged = judge(planOf(world), { ...judging, ...more })
  if (outcomes === undefined) return { kind: 'judged', workspace: acme, about, judged }
  const { changes } = judged.plan
  const results = outcomes.map((outcome, index) => ({ change: changes[index], outcome }) as Result)
  const left = changes.slice(outcomes.length)
  return {
    kind: 'judged',
    workspace: acme,
    about,
    judged,
    applied: { results, holds: [], left, ...(left.length === 0 ? {} : { stopped: 'unreachable' as const }) },
  }
}

export const failedReport: WorkspaceReport = { kind: 'failed', workspace: acme, about, error: new Error('the service does not answer') }

export const stoppedReport: WorkspaceReport = { kind: 'stopped', workspace: acme, about }

export function report(workspace: WorkspaceReport, more: Partial<CycleReport> = {}): CycleReport {
  const hash = '4f2c91e0'.repeat(8)
  return { startedMs: 10_000, tookMs: 2_000, declaration: { hash, files: 1 }, directories: [corp], workspaces: [workspace], ...more }
}

export const done: Outcome = { kind: 'done' }
export const rejected: Outcome = { kind: 'refused', status: 400, code: 'rejected', sentence: 'the role does not exist' }
export const unknown: Outcome = { kind: 'unknown', why: 'the answer was cut off', lastByteMs: 11_000 }
