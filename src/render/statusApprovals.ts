import { count, counted, untilText } from '../core/quantity.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { LastApproval } from '../documents/last.ts'
import type { Canvas } from './canvas.ts'
import { withdrawApproval } from './commandLine.ts'
import { indented } from './table.ts'
import { wrap } from './width.ts'

/** The approvals in force, and the command that ends each. */
export function approvalLines(approvals: readonly LastApproval[], { width, paint, nowMs }: Canvas): readonly string[] {
  if (approvals.length === 0) return []
  return [
    paint('bold', `Approvals in force (${count(approvals.length)})`),
    ...approvals.flatMap((one) => [
      ...wrap(approvalText(one, nowMs), width - 4).map((line, index) => `  ${index === 0 ? paint('green', '✓') : ' '} ${line}`),
      ...indented(withdrawApproval(one.name), width).map((line) => paint('dim', line)),
    ]),
  ]
}

/** `40 changes, up to 40 for the guard deletes: acme/project/ENG/a …; by ann (root): "INC-99"; until 15:00:00 UTC (in 40 min)` */
function approvalText(approval: LastApproval, nowMs: number): string {
  const { by, account, reason, until } = approval
  return `${whatPasses(approval)}; by ${oneLine(by)} (${oneLine(account)}): "${oneLine(reason)}"; ${untilText(Date.parse(until), nowMs)}`
}

function whatPasses({ guard, count: most = 0, people, keys, changes, passes }: LastApproval): string {
  if (changes === 0) return `projects or groups with another id: ${passes.map(visible).join(', ')}`
  const limit = guard === undefined ? '' : `, up to ${count(most)} for the guard ${oneLine(guard)}`
  const number =
    people === 'any' ? ' for any number of people' : people === undefined ? '' : ` for up to ${counted(people, 'person', 'people')}`
  return `${counted(changes, 'change')}${limit}${number}: ${keys.map(visible).join(', ')}${changes > keys.length ? ' …' : ''}`
}
