import type { Change } from '../core/change.ts'
import { targetText } from '../core/mapping.ts'
import type { Result, WorkspaceAbout } from '../core/report.ts'
import { outcomeText } from '../render/applied.ts'
import { changeSentence } from '../render/change.ts'
import type { LogLine } from './line.ts'

/** One line for one write, logged as soon as its outcome is known. All writes have the event `change`, so one search shows everything that changed or may have. */
export function changeLine(
  { change, outcome }: Result,
  about: Pick<WorkspaceAbout, 'workspace' | 'roles' | 'unknownOutcomeWaitMs'>,
  nowMs: number,
): LogLine {
  const outcomeClause = outcomeText(outcome, change, about, nowMs)
  const tail = outcomeClause === '' ? '' : ` · ${outcome.kind === 'done' ? '' : `${words[outcome.kind]}: `}${outcomeClause}`
  return {
    level: 'notice',
    fields: {
      event: 'change',
      workspace: about.workspace,
      ...changeFields(change),
      outcome: outcome.kind,
      ...(outcome.kind === 'refused' ? { status: outcome.status } : {}),
    },
    message: `${about.workspace} ${changeSentence(change, about.roles)}${tail}`,
  }
}

const words = { refused: 'refused', notSent: 'not sent', unknown: 'outcome unknown' } as const

/** The fields of a change, without nesting, so that the log can be searched by them. */
export function changeFields(change: Change): Readonly<Record<string, unknown>> {
  return { id: change.id, action: change.action, ...actionFields(change), ...becauseFields(change.because) }
}

function actionFields(change: Change): Readonly<Record<string, unknown>> {
  if (change.action === 'settings') return { target: 'settings', before: change.before, after: change.after }
  const { people } = change
  const place = { target: targetText(change.target), group: change.group, ...(people === undefined ? {} : { people }) }
  switch (change.action) {
    case 'create':
      return { ...place, after: change.role }
    case 'patch':
      return { ...place, before: change.before, after: change.role }
    case 'rename':
      return { ...place, fromGroup: change.fromGroup, before: change.before, after: change.role }
    case 'delete':
      return { ...place, before: change.before, why: change.why }
    default:
      return change satisfies never
  }
}

export function becauseFields(because: Change['because']): Readonly<Record<string, unknown>> {
  if (because === undefined) return {}
  const { at, owner, reason, directory } = because
  return {
    rule: `${at.file}:${at.line}`,
    ...(owner === undefined ? {} : { owner }),
    ...(reason === undefined ? {} : { reason }),
    ...(directory === undefined ? {} : { directory }),
  }
}
