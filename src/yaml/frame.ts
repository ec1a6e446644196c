import { comparePositions } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import { firstColumns, lastColumns, widthOf, wrap } from '../render/width.ts'
import type { InvalidFiles, Problem } from './problem.ts'

/** How many problems are shown; the others are counted. */
const problemsShown = 50
const columnsMax = 110

/**
 * Problems in the form of a compiler, one after the other, without a line end at the end:
 *
 *     groups.yaml:14:9: unknown key "projct"
 *       14 |         projct: ENG
 *          |         ^^^^^^
 *          did you mean "project"?
 *
 * Control characters are written as `\u{…}`.
 */
export function renderProblems(problems: readonly Problem[]): string {
  const shown = problems.slice(0, problemsShown).map(renderProblem)
  if (problems.length > problemsShown) shown.push(`… and ${problems.length - problemsShown} more`)
  return shown.join('\n\n')
}

export function invalidFiles(problems: readonly Problem[]): InvalidFiles {
  const sorted = problems.toSorted((a, b) => comparePositions(a.at, b.at))
  return { valid: false, problems: sorted, text: renderProblems(sorted) }
}

function renderProblem({ at, message, cure, source }: Problem): string {
  const place = at.line === 0 ? visible(at.file) : `${visible(at.file)}:${at.line}:${at.column}`
  const lines = [`${place}: ${visible(message)}`]
  const number = String(at.line)
  const gutter = ' '.repeat(source ? number.length + 3 : 2)
  if (source) {
    const { text, caretFrom, caretWidth } = excerpt(source)
    lines.push(`  ${number} | ${text}`)
    lines.push(`${gutter}| ${' '.repeat(caretFrom)}${'^'.repeat(Math.max(1, caretWidth))}`)
  }
  if (cure !== undefined) for (const line of wrap(visible(cure), columnsMax - widthOf(gutter))) lines.push(`${gutter}${line}`)
  return lines.join('\n')
}

/** How many UTF-16 units before and after the place are considered. This is more than a line can show. */
const unitsMax = 4 * columnsMax

/** The part of the line around the problem, and the terminal columns of the carets. */
function excerpt({ line, from, to }: NonNullable<Problem['source']>): { text: string; caretFrom: number; caretWidth: number } {
  const show = (start: number, end: number) => visible(line.slice(Math.max(0, start), end).replaceAll('\t', '  '))
  const before = show(from - unitsMax, from)
  const isLong = line.length > unitsMax || widthOf(show(0, line.length)) > columnsMax
  const isCut = from > unitsMax || (isLong && widthOf(before) > columnsMax / 2)
  const head = isCut ? `…${lastColumns(before, Math.floor(columnsMax / 3))}` : before
  const room = Math.max(20, columnsMax - widthOf(head))
  const behind = show(from, from + unitsMax)
  const fits = from + unitsMax >= line.length && widthOf(behind) <= room
  return {
    text: head + (fits ? behind : `${firstColumns(behind, room)}…`),
    caretFrom: widthOf(head),
    caretWidth: Math.min(widthOf(show(from, Math.min(to, from + unitsMax))), room),
  }
}
