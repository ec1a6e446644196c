/** A line of the log as data. `event` says what it is; its message is worded whole, its fields are for machines. */
export type Line = {
  readonly level: 'debug' | 'info' | 'change' | 'warn' | 'error'
  readonly fields: Readonly<Record<string, unknown>> & { readonly event: LineEvent }
  readonly message: string
}

/** Every name of an event. The table in docs/operations.md explains them to people who filter the log. */
export type LineEvent =
  | 'start'
  | 'end'
  | 'listening'
  | 'wait'
  | 'settings'
  | 'declaration'
  | 'directory'
  | 'search'
  | 'change'
  | 'hold'
  | 'finding'
  | 'refusal'
  | 'failure'
  | 'summary'
  | 'cycle'
  | 'metrics'

/** What can write lines: the logger. */
export type LineSink = { readonly [L in Line['level']]: (fields: object, message: string) => void }

export function writeLines(sink: LineSink, lines: readonly Line[]): void {
  for (const { level, fields, message } of lines) sink[level](fields, message)
}
