import { type Check, type CheckName, type CheckResult, checkNames, type DoctorFinding, isUnwell, resultOf } from '../core/doctor/check.ts'
import { counted, listed } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { findingMax } from './notices.ts'
import type { Style } from './paint.ts'
import { indented } from './table.ts'
import { padEnd, wrap } from './width.ts'

const words: Readonly<Record<CheckResult, { readonly word: string; readonly style: Style }>> = {
  ok: { word: 'ok', style: 'green' },
  skipped: { word: '-', style: 'dim' },
  info: { word: 'ok', style: 'green' },
  warning: { word: 'warning', style: 'yellow' },
  error: { word: 'ERROR', style: 'alarm' },
}
const widest = (texts: readonly string[]): number => texts.reduce((columns, text) => Math.max(columns, text.length), 0)
const wordColumns = widest(Object.values(words).map(({ word }) => word))
const nameColumns = widest(checkNames)

/** Checks of one name without a finding share a line if there are more. */
const alikeMax = 5

/** One line for each check, with its findings and their cures below. The last line says how it is as a whole. Ends with a line break. */
export function doctorText(checks: readonly Check[], options: TextOptions): string {
  const canvas = canvasOf(options, 0)
  const lines = checkNames.flatMap((name) =>
    linesOf(
      name,
      checks.filter(({ check }) => check === name),
      canvas,
    ),
  )
  return `${[...lines, '', ...summaryLines(checks, canvas)].join('\n')}\n`
}

function linesOf(name: CheckName, checks: readonly Check[], canvas: Canvas): readonly string[] {
  const calm = checks.filter((check) => check.findings.length === 0 && check.skipped !== true)
  const isJoined = calm.length > alikeMax && !canvas.all
  const shown = isJoined ? checks.filter((check) => !calm.includes(check)) : checks
  return [
    ...shown.flatMap((check) => checkLines(check, canvas)),
    ...(isJoined ? [line('ok', name, `${counted(calm.length, 'other')} without a finding (--all shows each)`, canvas)].flat() : []),
  ]
}

const checkLines = (check: Check, canvas: Canvas): readonly string[] => [
  ...line(resultOf(check), check.check, oneLine(`${check.place}: ${check.seen}`, findingMax), canvas),
  ...check.findings.flatMap((finding) => findingLines(finding, check.place, canvas)),
]

/** The result, the name of the check, and what was seen, which goes on below itself. */
function line(result: CheckResult, name: CheckName, text: string, { paint, width }: Canvas): readonly string[] {
  const { word, style } = words[result]
  const indent = wordColumns + nameColumns + 4
  const [first = '', ...more] = wrap(text, Math.max(20, width - indent))
  return [
    `${paint(style, padEnd(word, wordColumns))}  ${padEnd(name, nameColumns)}  ${first}`,
    ...more.map((rest) => `${' '.repeat(indent)}${rest}`),
  ]
}

const severityStyles: Readonly<Record<DoctorFinding['severity'], Style>> = { info: 'dim', warning: 'yellow', error: 'red' }

function findingLines(
  { code, severity, place, sentence, cure, frame }: DoctorFinding,
  checked: string,
  { paint, width }: Canvas,
): readonly string[] {
  const at = place === checked ? '' : ` · ${oneLine(place)}`
  const text = frame === undefined ? `${severity} ${code}: ${oneLine(sentence, findingMax)}${at}` : `${severity} ${code}:`
  return [
    ...wrap(text, width - 4).map(
      (row, index) => `${index === 0 ? '  ' : '    '}${index === 0 ? paint(severityStyles[severity], row) : row}`,
    ),
    ...(frame === undefined ? [] : frame.split('\n').map((row) => `    ${row}`.trimEnd())),
    ...(cure === undefined || frame !== undefined ? [] : indented(oneLine(cure, findingMax), width)),
  ]
}

function summaryLines(checks: readonly Check[], { paint, width }: Canvas): readonly string[] {
  const findings = checks.flatMap((check) => check.findings)
  const of = (severity: DoctorFinding['severity']) => findings.filter((finding) => finding.severity === severity).length
  const numbers = [
    ...(of('error') > 0 ? [counted(of('error'), 'error')] : []),
    ...(of('warning') > 0 ? [counted(of('warning'), 'warning')] : []),
  ]
  const skipped = checks.filter((check) => resultOf(check) === 'skipped').length
  const rest = skipped === 0 ? '' : `; ${counted(skipped, 'check')} could not be made`
  const text = isUnwell(checks) ? `${listed(numbers)}${rest}.` : `Nothing is wrong${rest}.`
  return wrap(text, width).map((row) => paint(isUnwell(checks) ? 'bold' : 'green', row))
}
