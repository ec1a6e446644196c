import type { Plan } from '../core/plan.ts'
import { visible } from '../core/safeName.ts'
import { cycleOutcome } from '../cycle/outcome.ts'
import type { WorkspaceReport } from '../cycle/report.ts'
import { resultText } from '../render/applied.ts'
import { restText, sumText, writesText } from '../render/counts.ts'
import { journalText } from '../render/nextStep.ts'
import { countsOf, protectedWrites, standingOf } from '../render/sections.ts'
import type { LogLine } from './line.ts'

export type Judged = Extract<WorkspaceReport, { kind: 'judged' }>

/** The outcome of one workspace in one cycle, with counts. Only mappings that equal the declaration or were written count as success. */
export function summaryLine(report: Judged, tookMs: number): LogLine {
  const { workspace, about, verdict, applied } = report
  const plan: Plan = verdict.plan
  const outcome = cycleOutcome(report)
  const done = (applied?.results ?? []).filter((result) => result.outcome.kind === 'done').map(({ change }) => change)
  const counts = countsOf(plan, about)
  const written = countsOf({ ...plan, changes: done }, about)
  const nothing = applied === undefined || plan.changes.length === 0
  const text = nothing
    ? `${outcome === 'planned' ? 'dry run: ' : ''}${inSentence(sumText(counts, standingOf({ verdict })))}`
    : `${resultText([{ applied, about }])}: ${writesText(written)} · ${restText(counts)}${stoppedClause(applied)}`
  return {
    level: levels[outcome],
    fields: {
      event: 'summary',
      workspace,
      outcome,
      plan: plan.fingerprint.slice(0, 8),
      planned: plan.changes.length,
      written: done.length,
      ...counts,
      held: counts.held + counts.kept,
      protected: protectedWrites(counts),
      tookMs,
    },
    message: `${workspace} ${text}`,
  }
}

/** A text that follows the name of the workspace. */
const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const levels = {
  success: 'info',
  waiting: 'warn',
  planned: 'info',
  incomplete: 'warn',
  refused: 'warn',
  partial: 'error',
  failed: 'error',
} as const

function stoppedClause(applied: NonNullable<Judged['applied']>): string {
  const { stopped, why } = applied
  switch (stopped) {
    case undefined:
      return ''
    case 'credential':
      return ' · stopped: the service does not accept the credential'
    case 'throttled':
      return ' · stopped: the service asks to wait'
    case 'unreachable':
      return ' · stopped: the service does not answer'
    case 'notAsSent':
      return ' · stopped: the service stores mappings otherwise than they were sent'
    case 'refused':
      return ' · stopped: the service gave the same refusal several times in a row'
    case 'signal':
      return ' · stopped on request'
    case 'journal':
      return ` · ${applied.left.length === 0 ? '' : 'stopped: '}${visible(why ?? 'the journal cannot be written')}; ${journalText(applied)}`
    case 'outdated':
      return ' · stopped: the machine was suspended, or its clock was set forward; the next cycle reads everything again'
    case 'slice':
      return ' · stopped: the guards refused the rest of the plan'
    default:
      return stopped satisfies never
  }
}
