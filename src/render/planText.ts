import type { Hold } from '../core/hold.ts'
import { count } from '../core/quantity.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { approvalText, sumText } from './counts.ts'
import type { Mark } from './entry.ts'
import { header } from './header.ts'
import { meaningText } from './meaning.ts'
import { findingLines, movedLines, refusalLines, waivedLines } from './notices.ts'
import type { Style } from './paint.ts'
import { always, changeRows, type HoldStyle, holdRows, isProtectedEntry } from './rows.ts'
import { countsOf, type Standing, sectionsOf, standingOf } from './sections.ts'
import type { View } from './view.ts'
import { wrap } from './width.ts'

/** A review wants to see what is written; of the rest, enough to know what it is. */
const rowsMax = { writes: 60, rest: 30, inSync: 3 }

/**
 * The plan that a person reads: one workspace, in lines of at most `width` columns where the words allow it, without a line break at the end.
 * What stops the plan or waits for a person comes first, then what is written, protected grants before the others; nothing of these is cut.
 * Names from outside are made visible; nothing but line breaks and, with `colour`, SGR sequences controls the terminal.
 */
export function planText(view: View, options: TextOptions): string {
  const canvas = canvasOf(options, view.nowMs)
  const { about, verdict } = view
  const { writes, waiting, held, dangling, undeclared } = sectionsOf(verdict.plan)
  const standing = standingOf(view)
  const max = standing === 'inSync' ? rowsMax.inSync : rowsMax.rest
  const section = (title: string, of: readonly unknown[], after: string, lines: () => readonly string[]) =>
    of.length === 0 ? [] : [canvas.paint('bold', `${title} (${count(of.length)})`) + after, ...lines()]
  const holds = (title: string, of: readonly Hold[], after: string, how: Omit<HoldStyle, 'neverCut' | 'rowsMax'>) =>
    section(title, of, after, () => holdRows(of, { ...how, neverCut: isProtectedEntry, rowsMax: max }, view, canvas))
  return [
    ...header(view, canvas),
    ...(standing === 'moved' ? movedLines(canvas) : []),
    ...refusalLines(verdict, false, canvas),
    ...waivedLines(verdict, canvas),
    ...waitingLines(waiting, approvalText(waiting.length, standing), view, canvas),
    ...section(standing === 'writes' ? 'Will be applied' : 'Would be applied', writes, '', () =>
      changeRows(writes, about, canvas, rowsMax.writes),
    ),
    ...holds('Held', held, '', { mark: heldMark }),
    ...holds('Dangling', dangling, ', kept', { mark: heldMark }),
    ...holds('Undeclared', undeclared, ', kept by policy', { mark: undeclaredMark, silent: true }),
    ...findingLines(verdict.plan.findings, canvas, max),
    ...(standing === 'writes' ? wrap(meaningText(view), canvas.width) : []),
    ...wrap(sumText(countsOf(verdict.plan, about), standing), canvas.width).map((line) => canvas.paint(sumStyle[standing], line)),
  ].join('\n')
}

export const waitingMark: Mark = { symbol: '!', style: 'magenta' }
export const heldMark: Mark = { symbol: '?', style: 'yellow' }
export const undeclaredMark: Mark = { symbol: '·', style: 'yellow' }

/** What needs a person's word, all of it, each with the words that give it. */
export function waitingLines(waiting: readonly Hold[], title: string, view: View, canvas: Canvas): readonly string[] {
  if (waiting.length === 0) return []
  const how: HoldStyle = { mark: waitingMark, apart: true, neverCut: always, rowsMax: 0 }
  return [...wrap(title, canvas.width).map((line) => canvas.paint('bold', line)), ...holdRows(waiting, how, view, canvas)]
}

const sumStyle: Readonly<Record<Standing, Style>> = { moved: 'alarm', refused: 'alarm', writes: 'bold', waits: 'yellow', inSync: 'green' }
