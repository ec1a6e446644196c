import { findingCodes } from '../core/finding.ts'
import { limitNames } from '../core/hold.ts'
import { holdKinds } from '../core/holdEffects.ts'
import { cycleOutcomes } from '../cycle/outcome.ts'
import { triggerNames } from './loop.ts'

/** One metric. It has a series for each combination of its labels' values. */
export type MetricRow = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** No label is a group's name: there are thousands of groups, and people name them. */
  readonly labels: Readonly<Record<string, Values>>
  readonly help: string
  readonly buckets?: readonly number[]
}

/** All values of a label; or the part of the settings whose names are its values; or an example if the values are not known beforehand. */
export type Values = readonly string[] | 'workspace' | 'directory' | 'credential' | { readonly example: string }

const workspace = { workspace: 'workspace' } as const
const directory = { directory: 'directory' } as const
const credential = { credential: 'credential' } as const
const owner = { owner: { example: 'team-pay' } } as const
const part = { part: ['settings', 'declaration'] } as const

/** The reasons that count as held. Approvals and undeclared mappings have metrics of their own. */
export const heldReasons = holdKinds.filter((kind) => kind !== 'approval' && kind !== 'undeclared')

/** The findings of a cycle. Findings about a secret's file and about the journal are in the log only. */
export const reportFindings = findingCodes.filter((code) => code !== 'secret-file-world-readable' && code !== 'journal-entries-ignored')

/** All metrics of the program with names, labels and help. `docs/metrics.md` is generated from it. */
export const metricTable = {
  buildInfo: {
    name: 'build_info',
    type: 'gauge',
    labels: { version: { example: '1.4.0' }, node: { example: 'v24.1.0' } },
    help: 'Always 1. The labels are the versions of the program and of Node.',
  },
  lastAttempt: {
    name: 'last_attempt_timestamp_seconds',
    type: 'gauge',
    labels: workspace,
    help: 'When the last cycle of the workspace ended, with any outcome. A restart keeps it if there is a journal. 0: none is known.',
  },
  lastSuccess: {
    name: 'last_success_timestamp_seconds',
    type: 'gauge',
    labels: workspace,
    help: 'When the last cycle with the outcome success ended. A restart keeps it if there is a journal. 0: none is known.',
  },
  cycles: {
    name: 'cycles_total',
    type: 'counter',
    labels: { ...workspace, outcome: cycleOutcomes },
    help: 'Cycles of the workspace, by outcome.',
  },
  cyclesBegun: {
    name: 'cycles_begun_total',
    type: 'counter',
    labels: { trigger: triggerNames },
    help: 'Cycles that began, by the event that triggered them.',
  },
  cyclesThrown: {
    name: 'cycles_thrown_total',
    type: 'counter',
    labels: {},
    help: 'Cycles that ended before their result was stored: the configuration was never valid, the journal cannot be written, or there is a defect.',
  },
  cycleDuration: {
    name: 'cycle_duration_seconds',
    type: 'histogram',
    labels: {},
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800],
    help: 'Duration of a cycle over all workspaces.',
  },
  nextRun: {
    name: 'next_run_timestamp_seconds',
    type: 'gauge',
    labels: {},
    help: 'When the next cycle begins, unless an event triggers one earlier. 0: not known yet.',
  },
  changes: {
    name: 'changes_total',
    type: 'counter',
    labels: {
      ...workspace,
      action: ['create', 'patch', 'rename', 'delete', 'settings'],
      result: ['done', 'refused', 'notSent', 'unknown'],
    },
    help: 'Attempted writes, by result. unknown: no usable response, so Plane may have executed it.',
  },
  pending: {
    name: 'changes_pending',
    type: 'gauge',
    labels: workspace,
    help: 'Approved changes of the last plan that are not written: after a dry run, or after an apply that was stopped or failed.',
  },
  held: {
    name: 'held',
    type: 'gauge',
    labels: { ...workspace, reason: heldReasons },
    help: 'Held changes and mappings, by reason, kept and dangling ones too. Changes that need approval and undeclared mappings are not among them.',
  },
  waitingForApproval: {
    name: 'waiting_for_approval',
    type: 'gauge',
    labels: workspace,
    help: 'Changes that need approval.',
  },
  later: {
    name: 'later_changes',
    type: 'gauge',
    labels: { ...workspace, role: ['protected', 'ordinary'] },
    help: 'What the `starts` and `expires` of rules will change up to `later.horizon`: grants of protected roles, and all others.',
  },
  dangling: {
    name: 'dangling_mappings',
    type: 'gauge',
    labels: workspace,
    help: 'Mappings that a rule declares but whose group is in none of the directories that the rule asks. They are kept.',
  },
  undeclared: {
    name: 'undeclared_mappings',
    type: 'gauge',
    labels: workspace,
    help: 'Mappings in owned lists that no rule declares. The policy keeps them.',
  },
  waitingSets: {
    name: 'waiting_sets',
    type: 'gauge',
    labels: { ...workspace, limit: limitNames },
    help: 'Sets of changes that wait for an approval, since they exceed a limit.',
  },
  findings: {
    name: 'findings',
    type: 'gauge',
    labels: { code: reportFindings },
    help: 'Findings of the last plan of each workspace, and those that workspaces share.',
  },
  owned: {
    name: 'owned_mappings',
    type: 'gauge',
    labels: { ...workspace, list: ['workspaceRoles', 'projectRoles'] },
    help: 'Mappings in the lists that the declaration owns, without the unmanaged ones.',
  },
  unchanged: { name: 'unchanged_mappings', type: 'gauge', labels: workspace, help: 'Mappings that already equal the declaration.' },
  suspended: {
    name: 'suspended',
    type: 'gauge',
    labels: { ...workspace, what: ['all', 'grants'] },
    help: '1 if the settings suspend writing: all writes, or grants only.',
  },
  observing: { name: 'observing', type: 'gauge', labels: workspace, help: '1 if the policy is observe, so nothing is written.' },
  readings: {
    name: 'directory_readings_total',
    type: 'counter',
    labels: { ...directory, status: ['complete', 'partial', 'failed'] },
    help: 'Readings of a directory, by status. Only a complete reading proves that a group does not exist.',
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
    help: 'When the last complete reading of the directory ended. 0: none since the start.',
  },
  readingDuration: {
    name: 'directory_reading_duration_seconds',
    type: 'histogram',
    labels: directory,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    help: 'Duration of a reading.',
  },
  requests: {
    name: 'requests_total',
    type: 'counter',
    labels: { operation: { example: 'projects.list' }, status: { example: '200, 429, deadline' } },
    help: 'Requests to Plane, by operation and status. If there is no complete response, the label status names the reason, such as deadline.',
  },
  requestDuration: {
    name: 'request_duration_seconds',
    type: 'histogram',
    labels: { operation: { example: 'projects.list' } },
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    help: 'Time from the first byte sent to the last byte received, without the wait for the rate limit.',
  },
  scheduleLoad: {
    name: 'schedule_load',
    type: 'gauge',
    labels: credential,
    help: 'Requests of a cycle without changes, divided by the requests that the budget allows between two scheduled cycles. Above 1 the schedule cannot be kept.',
  },
  budgetLimit: {
    name: 'budget_limit',
    type: 'gauge',
    labels: credential,
    help: 'Requests that Plane allows in one window, as far as is known.',
  },
  budgetRemaining: {
    name: 'budget_remaining',
    type: 'gauge',
    labels: credential,
    help: 'Requests that may be sent now, after the reserve is subtracted.',
  },
  budgetOthers: {
    name: 'budget_used_by_others',
    type: 'gauge',
    labels: credential,
    help: 'Estimated requests of others in the current window.',
  },
  budgetWait: { name: 'budget_wait_seconds', type: 'gauge', labels: credential, help: 'How long the next request waits for the budget.' },
  queueLength: { name: 'queue_length', type: 'gauge', labels: credential, help: 'Requests that wait for the budget.' },
  circuitOpen: {
    name: 'circuit_open',
    type: 'gauge',
    labels: credential,
    help: '1: Plane has failed for a while, so requests fail at once. A request now and then tests whether Plane works again.',
  },
  linesLost: {
    name: 'log_lines_lost_total',
    type: 'counter',
    labels: {},
    help: 'Lines of the log that were dropped because standard error could not be written: a full disk, or a reader that is gone or does not read.',
  },
  messages: {
    name: 'notify_messages_total',
    type: 'counter',
    labels: { result: ['sent', 'dropped'] },
    help: 'Messages to the receivers of `notify`. dropped: refused, or not delivered after several attempts. The log says which receiver, and why.',
  },
  configurationValid: {
    name: 'configuration_valid',
    type: 'gauge',
    labels: part,
    help: '1: the present files are in use. 0: they are invalid. Of the settings, those that this process read before stay in use. Of the declaration, the last valid text of each file that this process has read; without it, nothing that the file names or gave is changed.',
  },
  declarationLastValid: {
    name: 'declaration_last_valid_timestamp_seconds',
    type: 'gauge',
    labels: {},
    help: 'When this process last saw the whole declaration valid. 0: it has not been valid yet.',
  },
  declarationFilesInvalid: {
    name: 'declaration_files_invalid',
    type: 'gauge',
    help: 'Invalid files, and files that no fence matches, by the owner of their fence; none: no fence gives one. Their last valid text is used, or what they name or gave is held.',
    labels: { owner: { example: 'team-pay' } },
  },
  ownerWaiting: {
    name: 'owner_waiting_for_approval',
    type: 'gauge',
    help: 'Changes that need approval, over all workspaces, by the owner of their rules. Owners come from the fences of the settings; `none` is everything else.',
    labels: owner,
  },
  ownerHeld: {
    name: 'owner_held',
    type: 'gauge',
    help: 'Held changes and mappings, by owner, kept and dangling ones too. Changes that need approval and undeclared mappings are not among them.',
    labels: owner,
  },
  ownerExpiring: {
    name: 'owner_expiring_mappings',
    type: 'gauge',
    help: 'Mappings that end within 14 days, by the owner of their rules.',
    labels: owner,
  },
  configurationInfo: {
    name: 'configuration_info',
    type: 'gauge',
    labels: { ...part, hash: { example: '4f2c91e0' } },
    help: 'Always 1. The label hash has the first digits of the SHA-256 of the version in use.',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

export type MetricKey = keyof typeof metricTable
export const metricPrefix = 'plane_group_sync_'
