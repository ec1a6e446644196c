import { comparePositions } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import type { InvalidFiles, Problem } from './problem.ts'

/** What a terminal gets; the rest is counted. */
const problemsShown = 50
const columnsMax = 110

/**
 * Problems as a compiler shows them, one after the other, without a line end at the end:
 *
 *     groups.yaml:14:9: unknown key "projct"
 *       14 |         projct: ENG
 *          |         ^^^^^^
 *          did you mean "project"?
 *
 * Characters that a terminal would obey are written as `\u{…}`.
 */
export function renderProblems(problems: readonly Problem[], { color = false }: { readonly color?: boolean } = {}): string {
  const shown = problems.slice(0, problemsShown).map((problem) => renderProblem(problem, color))
  if (problems.length > problemsShown) shown.push(`… and ${problems.length - problemsShown} more`)
  return shown.join('\n\n')
}

export function invalidFiles(problems: readonly Problem[]): InvalidFiles {
  const sorted = problems.toSorted((a, b) => comparePositions(a.at, b.at))
  return { valid: false, problems: sorted, text: renderProblems(sorted) }
}

function renderProblem({ at, message, cure, source }: Problem, color: boolean): string {
  const paint = (code: string, text: string) => (color ? `\u001B[${code}m${text}\u001B[0m` : text)
  const place = at.line === 0 ? visible(at.file) : `${visible(at.file)}:${at.line}:${at.column}`
  const lines = [`${paint('1', `${place}:`)} ${paint('1;31', visible(message))}`]
  const number = String(at.line)
  const gutter = ' '.repeat(source ? number.length + 3 : 2)
  if (source) {
    const { text, caretFrom, caretWidth } = excerpt(source)
    lines.push(`  ${paint('2', `${number} |`)} ${text}`)
    lines.push(`${gutter}${paint('2', '|')} ${' '.repeat(caretFrom)}${paint('31', '^'.repeat(Math.max(1, caretWidth)))}`)
  }
  if (cure !== undefined) for (const line of wrap(visible(cure), columnsMax - gutter.length)) lines.push(`${gutter}${paint('36', line)}`)
  return lines.join('\n')
}

/** The part of the line around what is meant, and where the caret stands in terminal cells. */
function excerpt({ line, from, to }: NonNullable<Problem['source']>): { text: string; caretFrom: number; caretWidth: number } {
  let start = 0
  if (line.length > columnsMax && from > columnsMax / 2) start = from - Math.floor(columnsMax / 3)
  // Never between the halves of a surrogate pair.
  if (/[\uDC00-\uDFFF]/.test(line[start] ?? '')) start++
  const show = (text: string) => visible(text.replaceAll('\t', '  '))
  const head = (start > 0 ? '…' : '') + show(line.slice(start, from))
  const room = Math.max(20, columnsMax - head.length)
  const meant = show(line.slice(from, to))
  const tail = show(line.slice(to))
  const text = head + (meant + tail).slice(0, room) + ((meant + tail).length > room ? '…' : '')
  return { text, caretFrom: cells(head), caretWidth: Math.min(cells(meant), room) }
}

/** How many terminal cells a text takes: marks none, East Asian wide characters and emoji two. */
function cells(text: string): number {
  let width = 0
  for (const character of text) if (!/\p{M}/u.test(character)) width += wide.test(character) ? 2 : 1
  return width
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
