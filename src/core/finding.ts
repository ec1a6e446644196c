/** Something to know that is not a change. `code` is stable: alerts and `--fail-on` use it. */
export type Finding = {
  readonly code: FindingCode
  readonly severity: 'info' | 'warning' | 'error'
  /** Where: file:line:column, a key, a directory, a URL. */
  readonly place: string
  readonly sentence: string
  readonly cure?: string
}

export const findingCodes = [
  'file-invalid',
  'duplicate-mapping',
  'sync-without-journal',
  'group-renamed',
  'names-in-another-form',
  'group-changed',
  'group-several-names',
  'group-name-unusable',
  'members-unreadable',
  'people-unread',
  'people-inside',
  'people-at-least',
  'glob-crosses-slash',
  'lower-in-project',
  'project-changed',
  'projects-skipped',
  'project-archived',
  'project-vanished',
  'list-left',
  'pattern-unused',
  'except-unused',
  'pattern-clipped',
  'removal-not-felt',
  'waiver-used',
  'waiver-unmatched',
  'waiver-expired',
  'role-echoed',
  'reading-incomplete',
  'no-directories',
  'secret-file-world-readable',
  'journal-entries-ignored',
  'budget-near',
  'another-writer',
  'schedule-too-short',
  'plan-outlasts-interval',
  'clock-differs',
  'clock-stepped',
] as const
export type FindingCode = (typeof findingCodes)[number]
