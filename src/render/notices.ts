import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import type { Verdict } from '../core/judge/guards.ts'
import { count, untilText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { planApprovals } from './approval.ts'
import type { Canvas } from './canvas.ts'
import type { Style } from './paint.ts'
import { more } from './rows.ts'
import { indented, paragraph } from './table.ts'
import { titleLines } from './title.ts'
import type { View } from './view.ts'
import { wrap } from './width.ts'

type ApprovalView = Pick<View, 'verdict' | 'about' | 'applied'>

/** @param wasTried earlier slices of the plan were written, and the guards refuse the rest */
export const refusedText = (wasTried: boolean): string =>
  wasTried ? 'Refused by the guards: the rest of this plan is not written' : 'Refused by the guards: nothing of this plan is written'
export const movedText =
  'Stale: nothing is written. This is not the plan that was reviewed: the workspace, a directory or the declaration has changed since; review the new plan.'

/** How to approve the plan that the guards refuse. */
export const approvePlanText = (view: ApprovalView): string => [planApprovals(view).refused.text, ...limitCures(view)].join(' · or, ')

/** The settings of the limits that the plan exceeds, as a cure: `if the limit is wrong, change guards.deletes.count`. */
export function limitCures({ verdict }: Pick<View, 'verdict'>): readonly string[] {
  const refusals = verdict.approved ? [] : verdict.refusals
  const settings = [...new Set(refusals.map(({ setting }) => setting).filter((setting) => setting.startsWith('guards.')))]
  return settings.length === 0 ? [] : [`if the limit is wrong, change ${settings.join(', ')}`]
}

/** Which guards refuse the plan, with their numbers. */
export function refusalLines(view: ApprovalView, wasTried: boolean, canvas: Canvas): readonly string[] {
  const { verdict } = view
  const { width, paint } = canvas
  if (verdict.approved) return []
  const guards = verdict.refusals.flatMap(({ guard, sentence }) =>
    wrap(`${guard}: ${oneLine(sentence, 500)}`, width - 4).map((line, index) => `  ${index === 0 ? '✗' : ' '} ${line}`),
  )
  return [
    ...titleLines('alarm', refusedText(wasTried), canvas),
    ...guards.map((line) => paint('red', line)),
    ...indented(approvePlanText(view), width),
  ]
}

/** The approvals that let changes of this plan pass the guards: their ids, author, source and end. */
export const approvedTexts = ({ waived }: Verdict, nowMs: number): readonly string[] =>
  waived.slice(0, waiversMax).map(({ ids, by, source, untilMs }) => {
    const end = Number.isFinite(untilMs) ? `, ${untilText(untilMs, nowMs)}` : ''
    const names = `${ids.slice(0, namesMax).join(', ')}${ids.length > namesMax ? ', …' : ''}`
    return untilMs <= nowMs
      ? `An approval of ${oneLine(by, 100)} has ended, and lets nothing more pass: ${oneLine(names)} (${oneLine(source, 200)})`
      : `Approved by ${oneLine(by, 100)}: ${oneLine(names)} (${oneLine(source, 200)}${end})`
  })

export const approvedLines = (verdict: Verdict, { width, paint, nowMs }: Canvas): readonly string[] =>
  approvedTexts(verdict, nowMs).flatMap((text) => paragraph(text, width).map((line) => paint('yellow', line)))

const waiversMax = 10
const namesMax = 5

export const movedLines = ({ width, paint }: Canvas): readonly string[] => wrap(movedText, width).map((line) => paint('alarm', line))

/** Characters of a finding's sentence and of its cure. */
export const findingMax = 1000

const styles: Readonly<Record<Finding['severity'], Style>> = { info: 'dim', warning: 'yellow', error: 'red' }

export function findingLines(findings: readonly Finding[], { width, paint, all }: Canvas, rowsMax: number): readonly string[] {
  if (findings.length === 0) return []
  const shown = all ? findings : findings.slice(0, rowsMax)
  return [
    paint('bold', `Findings (${count(findings.length)})`),
    ...shown.flatMap(({ code, severity, place, sentence, cure = '' }) => [
      ...wrap(`${severity} ${code}: ${oneLine(sentence, findingMax)} · ${oneLine(place)}`, width - 4).map((line, index) =>
        index === 0 ? `  ${paint(styles[severity], line)}` : `    ${line}`,
      ),
      ...indented(oneLine(cureText(code, cure), findingMax), width).map((line) => paint('dim', line)),
    ]),
    ...more(findings.length - shown.length).map((line) => `  ${paint('dim', line)}`),
  ]
}
