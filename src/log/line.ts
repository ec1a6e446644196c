import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import type { LoggedCall } from '../core/loggedCall.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { visible } from '../core/safeName.ts'

/** A line of the log as data. `event` is its kind. `message` is complete without the fields, which are for programs. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'notice' | 'warn' | 'error'
  readonly fields: Readonly<Record<string, unknown>> & { readonly event: LineEvent }
  readonly message: string
}

/** All names of events. docs/watching.md explains them. */
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
  | 'waitingSet'
  | 'failure'
  | 'summary'
  | 'cycle'
  | 'metrics'
  | 'status'
  | 'edit'
  | 'log'
  | 'order'
  | 'page'
  | 'notify'
  | 'request'
  | 'fault'

/** The part of the logger that writes lines. */
export type LineSink = { readonly [L in LogLine['level']]: (fields: object, message: string) => void }

export function writeLines(sink: LineSink, lines: readonly LogLine[]): void {
  for (const { level, fields, message } of lines) sink[level](fields, message)
}

/** @param workspace undefined for a finding that concerns all workspaces */
export function findingLine(workspace: WorkspaceName | undefined, { code, severity, place, sentence, cure }: Finding): LogLine {
  const whose = workspace === undefined ? {} : { workspace }
  return {
    level: severity === 'warning' ? 'warn' : severity,
    fields: { event: 'finding', ...whose, code, place, sentence },
    message: `${workspace === undefined ? '' : `${workspace} `}${code}: ${visible(`${place}: ${sentence}${cure === undefined ? '' : `; ${cureText(code, cure)}`}`)}`,
  }
}

/** One line for one request, without any body. */
export function callLine(call: LoggedCall): LogLine {
  const { directory, workspace, credential, server, operation, tookMs, attempt, budget, requestId } = call
  const end = 'status' in call ? { status: call.status } : { failure: call.failure }
  const who = directory ?? workspace ?? credential
  const parts = [
    `${operation}${server === undefined ? '' : ` at ${server}`}: ${end.status ?? end.failure}`,
    `${tookMs} ms`,
    `attempt ${attempt}`,
    ...(budget === undefined ? [] : [`budget ${budget.before} → ${budget.after}`]),
    ...(requestId === undefined ? [] : [`request id ${requestId}`]),
  ]
  const budgets = budget === undefined ? {} : { budgetBefore: budget.before, budgetAfter: budget.after }
  const named = defined({ directory, workspace, credential, server, requestId })
  return {
    level: 'debug',
    fields: { event: 'call', operation, ...end, tookMs, attempt, ...budgets, ...named },
    message: visible(`${who === undefined ? '' : `${who}: `}${parts.join(' · ')}`),
  }
}
