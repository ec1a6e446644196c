import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import { bareId } from '../core/idWithPeople.ts'
import type { Judged } from '../core/judge/guards.ts'
import { count, counted, untilText } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { giverText } from '../core/waiver.ts'
import type { DocumentFinding } from '../documents/parts.ts'
import type { Canvas } from './canvas.ts'
import type { Style } from './paint.ts'
import { indented, paragraph } from './table.ts'
import { wrap } from './width.ts'

export const movedText =
  'Stale: nothing is written. This is not the plan that was reviewed: the workspace, a directory, the declaration or the settings have changed since; review the new plan.'

/** The approvals that let changes of this plan pass the guards: their ids, author, source and end. */
export function approvedTexts({ plan, waived }: Judged, nowMs: number): readonly string[] {
  const known = new Set<string>(plan.changes.map(({ id }) => id))
  return waived.slice(0, waiversMax).map((waiver) => {
    const { ids, source, untilMs } = waiver
    const by = oneLine(giverText(waiver), 100)
    const end = Number.isFinite(untilMs) ? `, ${untilText(untilMs, nowMs)}` : ''
    // The ID of a set or a plan stands for its changes.
    const ofSeveral = ids.filter((id) => !known.has(bareId(id)))
    const n = ids.length - ofSeveral.length
    const shown = ofSeveral.length === 0 || n === 0 ? ids : ofSeveral
    const more = shown === ids ? '' : ` for ${counted(n, 'change')}`
    const names = `${shown.slice(0, namesMax).join(', ')}${shown.length > namesMax ? ', …' : ''}${more}`
    return untilMs <= nowMs
      ? `An approval of ${by} has ended, and lets nothing more pass: ${oneLine(names)} (${oneLine(source, 200)})`
      : `Approved by ${by}: ${oneLine(names)} (${oneLine(source, 200)}${end})`
  })
}

export const approvedLines = (judged: Judged, { width, paint, nowMs }: Canvas): readonly string[] =>
  approvedTexts(judged, nowMs).flatMap((text) => paragraph(text, width).map((line) => paint('yellow', line)))

const waiversMax = 10
const namesMax = 5

export const movedLines = ({ width, paint }: Canvas): readonly string[] => wrap(movedText, width).map((line) => paint('alarm', line))

/** Characters of a finding's sentence and of its cure. */
export const findingMax = 1000

const styles: Readonly<Record<Finding['severity'], Style>> = { info: 'dim', warning: 'yellow', error: 'red' }

/** Findings of a section; with `all`, and in JSON, there are all of them. */
const rowsMax = 30

export const findingLines = (findings: readonly Finding[], canvas: Canvas): readonly string[] =>
  documentFindingLines(
    findings.map(({ cure = '', ...finding }) => ({ ...finding, cure: cureText(finding.code, cure) })),
    canvas,
  )

/** The same for those of a document, whose cures already have what to do before. */
export function documentFindingLines(findings: readonly DocumentFinding[], { width, paint, all }: Canvas): readonly string[] {
  if (findings.length === 0) return []
  const shown = all ? findings : findings.slice(0, rowsMax)
  return [
    paint('bold', `Findings (${count(findings.length)})`),
    ...shown.flatMap(({ code, severity, place, sentence, cure = '' }) => [
      ...wrap(`${severity} ${code}: ${oneLine(sentence, findingMax)} · ${oneLine(place)}`, width - 4).map((line, index) =>
        index === 0 ? `  ${paint(styles[severity], line)}` : `    ${line}`,
      ),
      ...indented(oneLine(cure, findingMax), width).map((line) => paint('dim', line)),
    ]),
    ...(shown.length === findings.length
      ? []
      : [`  ${paint('dim', `… and ${count(findings.length - shown.length)} more (--all shows each)`)}`]),
  ]
}
