import { findingCodes } from '../core/finding.ts'
import { guardNames } from '../core/judge/limits.ts'
import { cycleOutcomes, holdKinds } from '../cycle/outcome.ts'
import { triggerNames } from './triggers.ts'

/** One metric. Its series are the product of its labels' values. */
export type MetricRow = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** Never a group's name: people name groups, and there are thousands. */
  readonly labels: Readonly<Record<string, Values>>
  readonly help: string
  readonly buckets?: readonly number[]
}

/** All values of a label, or what they are named after: the settings' workspaces, directories and credentials, or `{ such as }`. */
export type Values = readonly string[] | 'workspace' | 'directory' | 'credential' | { readonly example: string }

const workspace = { workspace: 'workspace' } as const
const directory = { directory: 'directory' } as const
const credential = { credential: 'credential' } as const
const part = { part: ['settings', 'declaration'] } as const

/** Approvals and undeclared mappings are not held back by anything: people see them apart. */
export const heldReasons = holdKinds.filter((kind) => kind !== 'approval' && kind !== 'undeclared')

/** Of a cycle; the findings about a secret's file and about the journal are in the log only. */
export const reportFindings = findingCodes.filter((code) => code !== 'secret-file-world-readable' && code !== 'journal-entries-ignored')

/** Every metric of the program: the one home of names, labels and help. `docs/metrics.md` is made from it. */
export const metricTable = {
  buildInfo: {
    name: 'build_info',
    type: 'gauge',
    labels: { version: { example: '1.4.0' }, node: { example: 'v24.1.0' } },
    help: 'Always 1; the labels say what runs.',
  },
  lastAttempt: {
    name: 'last_attempt_timestamp_seconds',
    type: 'gauge',
    labels: workspace,
    help: 'When the last cycle over the workspace ended, whatever came of it; 0: never since the start.',
  },
  lastSuccess: {
    name: 'last_success_timestamp_seconds',
    type: 'gauge',
    labels: workspace,
    help: 'When the last cycle with the outcome success ended; 0: never since the start.',
  },
  cycles: {
    name: 'cycles_total',
    type: 'counter',
    labels: { ...workspace, outcome: cycleOutcomes },
    help: 'Cycles over a workspace by what came of them.',
  },
  cyclesBegun: {
    name: 'cycles_begun_total',
    type: 'counter',
    labels: { trigger: triggerNames },
    help: 'Cycles begun, by what began them.',
  },
  cyclesThrown: {
    name: 'cycles_thrown_total',
    type: 'counter',
    labels: {},
    help: 'Cycles that came to no report: a configuration never valid, a journal that cannot be written, a defect.',
  },
  cycleDuration: {
    name: 'cycle_duration_seconds',
    type: 'histogram',
    labels: {},
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800],
    help: 'How long a cycle over all workspaces took.',
  },
  nextRun: {
    name: 'next_run_timestamp_seconds',
    type: 'gauge',
    labels: {},
    help: 'When the next cycle begins unless something triggers one earlier; 0: not known yet.',
  },
  changes: {
    name: 'changes_total',
    type: 'counter',
    labels: {
      ...workspace,
      action: ['create', 'patch', 'rename', 'delete', 'settings'],
      result: ['done', 'refused', 'notSent', 'unknown'],
    },
    help: 'Writes that were tried. unknown: the answer was lost, it may have been executed.',
  },
  pending: {
    name: 'changes_pending',
    type: 'gauge',
    labels: workspace,
    help: 'Changes of the last plan that passed the guards and are not done: a dry run, a stopped or failed apply.',
  },
  held: {
    name: 'held',
    type: 'gauge',
    labels: { ...workspace, reason: heldReasons },
    help: 'What waits, by reason; approvals, dangling and undeclared mappings have their own metrics.',
  },
  waitingForApproval: {
    name: 'waiting_for_approval',
    type: 'gauge',
    labels: workspace,
    help: 'Changes that wait for a word of a person.',
  },
  dangling: {
    name: 'dangling_mappings',
    type: 'gauge',
    labels: workspace,
    help: 'Mappings that a rule declares and whose group no directory knows: kept.',
  },
  undeclared: {
    name: 'undeclared_mappings',
    type: 'gauge',
    labels: workspace,
    help: 'Mappings in owned lists that no rule declares and the policy keeps.',
  },
  refusals: {
    name: 'plan_refusals_total',
    type: 'counter',
    labels: { ...workspace, guard: guardNames },
    help: 'Plans that a guard refused; nothing of them was written.',
  },
  findings: {
    name: 'findings',
    type: 'gauge',
    labels: { code: reportFindings },
    help: 'What there is to know of the last cycle that is not a change, over all workspaces.',
  },
  owned: {
    name: 'owned_mappings',
    type: 'gauge',
    labels: { ...workspace, list: ['workspaceRoles', 'projectRoles'] },
    help: 'Mappings in the lists that the declaration owns, less the unmanaged.',
  },
  unchanged: { name: 'unchanged_mappings', type: 'gauge', labels: workspace, help: 'Mappings that are as declared.' },
  suspended: {
    name: 'suspended',
    type: 'gauge',
    labels: { ...workspace, what: ['all', 'grants'] },
    help: '1 where the settings suspend writing: all of it, or grants.',
  },
  readings: {
    name: 'directory_readings_total',
    type: 'counter',
    labels: { ...directory, status: ['complete', 'partial', 'failed'] },
    help: 'Readings of a directory. Only a complete one proves that a group does not exist.',
  },
  directoryGroups: {
    name: 'directory_groups',
    type: 'gauge',
    labels: directory,
    help: 'Groups in the last reading that did not fail.',
  },
  directoryComplete: {
    name: 'directory_last_complete_timestamp_seconds',
    type: 'gauge',
    labels: directory,
    help: 'When the directory last gave a complete reading; 0: never since the start.',
  },
  readingDuration: {
    name: 'directory_reading_duration_seconds',
    type: 'histogram',
    labels: directory,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    help: 'How long a reading took.',
  },
  requests: {
    name: 'requests_total',
    type: 'counter',
    labels: { operation: { example: 'projects.list' }, status: { example: '200, 429, deadline' } },
    help: 'Requests to Plane by operation and status; without a complete answer the reason stands in its place.',
  },
  requestDuration: {
    name: 'request_duration_seconds',
    type: 'histogram',
    labels: { operation: { example: 'projects.list' } },
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    help: 'From the first byte sent to the last received, without the wait for the rate limit.',
  },
  scheduleLoad: {
    name: 'schedule_load',
    type: 'gauge',
    labels: credential,
    help: 'Calls of a cycle over all workspaces in which nothing changes, against what the budget allows between two ticks. Above 1 the schedule cannot be kept.',
  },
  budgetLimit: { name: 'budget_limit', type: 'gauge', labels: credential, help: 'Requests that one window is believed to allow.' },
  budgetRemaining: {
    name: 'budget_remaining',
    type: 'gauge',
    labels: credential,
    help: 'Requests that may be sent at once, the reserve taken off.',
  },
  budgetOthers: {
    name: 'budget_used_by_others',
    type: 'gauge',
    labels: credential,
    help: 'Requests of others that the window holds, estimated.',
  },
  budgetWait: { name: 'budget_wait_seconds', type: 'gauge', labels: credential, help: 'How long the next request waits for the budget.' },
  queueLength: { name: 'queue_length', type: 'gauge', labels: credential, help: 'Requests that wait for the budget.' },
  circuitOpen: {
    name: 'circuit_open',
    type: 'gauge',
    labels: credential,
    help: '1: Plane has failed for a while, calls fail at once, and it is only asked now and then whether it works again.',
  },
  configurationValid: {
    name: 'configuration_valid',
    type: 'gauge',
    labels: part,
    help: '1: what lies there is in use; 0: it is invalid and the last good one is.',
  },
  configurationInfo: {
    name: 'configuration_info',
    type: 'gauge',
    labels: { ...part, hash: { example: '4f2c91e0' } },
    help: 'Always 1; the label has the first digits of the SHA-256 of what is in use.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

export type MetricKey = keyof typeof metricTable
export const metricPrefix = 'plane_group_sync_'
