/** A line of the log as data. `event` is its kind. `message` is complete without the fields, which are for programs. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'notice' | 'warn' | 'error'
  readonly fields: Readonly<Record<string, unknown>> & { readonly event: LineEvent }
  readonly message: string
}

/** All names of events. docs/operations.md explains them. */
type LineEvent =
  | 'start'
  | 'end'
  | 'listening'
  | 'wait'
  | 'settings'
  | 'declaration'
  | 'directory'
  | 'search'
  | 'call'
  | 'change'
  | 'hold'
  | 'finding'
  | 'refusal'
  | 'failure'
  | 'summary'
  | 'cycle'
  | 'metrics'
  | 'status'
  | 'edit'
  | 'log'
  | 'order'
  | 'request'
  | 'fault'

/** The part of the logger that writes lines. */
export type LineSink = { readonly [L in LogLine['level']]: (fields: object, message: string) => void }

export function writeLines(sink: LineSink, lines: readonly LogLine[]): void {
  for (const { level, fields, message } of lines) sink[level](fields, message)
}
