import type { FindingCode } from '../finding.ts'

/** The checks of `doctor`, in the order in which they are shown. */
export const checkNames = [
  'settings',
  'secrets',
  'files',
  'journal',
  'daemon',
  'service',
  'credential',
  'clock',
  'schedule',
  'directory',
  'access',
  'group sync',
  'mappings',
  'plan',
] as const
export type CheckName = (typeof checkNames)[number]

/** The codes of what only `doctor` finds. What a plan finds keeps its own code. */
export const doctorCodes = [
  'settings-invalid',
  'no-settings-file',
  'secret-unreadable',
  'declaration-hint',
  'journal-unread',
  'journal-unwritable',
  'journal-open-to-others',
  'journal-lock-left',
  'daemon-overdue',
  'daemon-silent',
  'service-unreachable',
  'service-failing',
  'service-not-plane',
  'credential-refused',
  'credential-throttled',
  'owner-unknown',
  'owner-not-admin',
  'scope-missing',
  'workspace-unknown',
  'workspace-unread',
  'group-sync-absent',
  'directory-unread',
  'directory-incomplete',
  'group-sync-off',
  'group-sync-never-runs',
  'group-sync-unread',
  'auto-remove-off',
  'claim-unset',
  'names-not-in-claim',
  'mapping-of-unknown-group',
  'mapping-adds-nothing',
  'list-unmanaged',
  'writes-suspended',
  'approval-waits',
  'held',
] as const
export type DoctorCode = (typeof doctorCodes)[number]

/** `frame`: the place in its file, as lines, for a mistake in YAML. */
export type DoctorFinding = {
  readonly code: FindingCode | DoctorCode
  readonly severity: 'info' | 'warning' | 'error'
  readonly place: string
  readonly sentence: string
  readonly cure?: string
  readonly frame?: string
}

/** One thing that was looked at. `place`: where. `seen`: what was seen there; for a skipped check, why nothing was looked at. */
export type Check = {
  readonly check: CheckName
  readonly place: string
  readonly seen: string
  readonly skipped?: true
  readonly findings: readonly DoctorFinding[]
}

export type CheckResult = 'ok' | 'skipped' | DoctorFinding['severity']

/** The result of a check: that of its worst finding. */
export function resultOf({ findings, skipped }: Pick<Check, 'findings' | 'skipped'>): CheckResult {
  const severities = new Set(findings.map(({ severity }) => severity))
  if (severities.has('error')) return 'error'
  if (severities.has('warning')) return 'warning'
  if (skipped === true) return 'skipped'
  return severities.has('info') ? 'info' : 'ok'
}

/** Whether something stops or endangers the work: an error or a warning. An info is a fact that may be meant so. */
export const isUnwell = (checks: readonly Check[]): boolean => checks.some((check) => ['error', 'warning'].includes(resultOf(check)))

/** The checks in the order of `checkNames`. Checks of one name stay in their order. */
export const checksInOrder = (checks: readonly Check[]): readonly Check[] =>
  checks.toSorted((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check))
