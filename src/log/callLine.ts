import type { LoggedCall } from '../core/call.ts'
import { defined } from '../core/fields.ts'
import { visible } from '../core/safeName.ts'
import type { LogLine } from './line.ts'

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
