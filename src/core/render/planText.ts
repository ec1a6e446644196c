import type { Hold } from '../hold.ts'
import { canvasOf, type TextOptions } from './canvas.ts'
import { sumText } from './counts.ts'
import { header } from './header.ts'
import { meaningText } from './meaning.ts'
import { findingLines, movedLines, refusalLines, waivedLines } from './notices.ts'
import type { Style } from './paint.ts'
import { count } from './quantity.ts'
import { changeRows, type HoldStyle, holdRows } from './rows.ts'
import { countsOf, type Standing, sectionsOf, standingOf } from './sections.ts'
import type { View } from './view.ts'
import { wrap } from './width.ts'

/** A review wants to see what is written; of the rest, enough to know what it is. */
const rowsMax = { writes: 60, waiting: 30, rest: 30, inSync: 3 }

/**
 * The plan that a person reads: one workspace, in lines of at most `width` columns where the words allow it, without a line break at the end.
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
  const holds = (title: string, of: readonly Hold[], after: string, how: HoldStyle) =>
    section(title, of, after, () => holdRows(of, how, canvas))
  const unhindered = standing === 'writes' ? ', the rest does not wait for it' : ''
  return [
    ...header(view, canvas),
    ...(standing === 'moved' ? movedLines(canvas) : []),
    ...refusalLines(verdict, canvas),
    ...waivedLines(verdict, canvas),
    ...section(standing === 'writes' ? 'Will write' : 'Would write', writes, '', () => changeRows(writes, about, canvas, rowsMax.writes)),
    ...holds('Waits for approval', waiting, unhindered, { symbol: '!', style: 'magenta', apart: true, rowsMax: rowsMax.waiting }),
    ...holds('Held', held, '', { symbol: '?', style: 'yellow', rowsMax: max }),
    ...holds('Dangling', dangling, ', kept', { symbol: '?', style: 'yellow', rowsMax: max }),
    ...holds('Undeclared', undeclared, ', kept by policy', { symbol: '·', style: 'yellow', silent: true, rowsMax: max }),
    ...findingLines(verdict.plan.findings, canvas, max),
    ...(standing === 'writes' ? wrap(meaningText(view), canvas.width) : []),
    ...wrap(sumText(countsOf(verdict.plan, about), standing), canvas.width).map((line) => canvas.paint(sumStyle[standing], line)),
  ].join('\n')
}

const sumStyle: Readonly<Record<Standing, Style>> = { moved: 'alarm', refused: 'alarm', writes: 'bold', waits: 'yellow', inSync: 'green' }
