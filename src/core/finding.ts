/** Something to know that is not a change. `code` is stable: people write alerts and `--fail-on` with it. */
export type Finding = {
  readonly code: FindingCode
  readonly severity: 'info' | 'warning' | 'error'
  /** Where: file:line:column, a key, a directory, a URL. */
  readonly place: string
  readonly sentence: string
  readonly cure?: string
}

export type FindingCode =
  | 'duplicate-mapping'
  | 'group-renamed'
  | 'role-echoed'
  | 'reading-incomplete'
  | 'no-directories'
  | 'secret-file-world-readable'
  | 'budget-near'
