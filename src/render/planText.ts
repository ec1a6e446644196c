import type { Hold } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { approvedWrites, waitingParts } from './approved.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { approvalText, sumText, titleCount } from './counts.ts'
import { differenceLines, isSameAsBase } from './differenceText.ts'
import type { PlanEntry } from './entry.ts'
import { firstLines, header } from './header.ts'
import { approveSet, limitText } from './holdApproval.ts'
import { laterEntries, laterLines } from './later.ts'
import { heldMark, undeclaredMark, waitingMark } from './marks.ts'
import { hasMeaning, meaningText } from './meaning.ts'
import { approvedLines, findingLines, movedLines } from './notices.ts'
import type { Style } from './paint.ts'
import { unsizedText } from './people.ts'
import { changeRows, type HoldStyle, heldRows, holdRows, plainRows, sharedText, unchangedRows } from './rows.ts'
import { countsOf, type Standing, sectionsOf, standingOf, undeclaredText } from './sections.ts'
import { indented } from './table.ts'
import { setTitle, titleLines } from './title.ts'
import { type KeptHold, keptHolds, keptTexts, shownFindings } from './unread.ts'
import type { View } from './view.ts'
import { wrap } from './width.ts'

/**
 * The plan of one workspace for a person, without a line break at the end. Lines have at most `width` columns, unless one word is longer.
 * First come changes that need approval, then the changes, protected grants before the others. Each entry is in a row, which it may share.
 * Names from outside are made visible. The only control characters are line breaks and, with `colour`, SGR sequences.
 */
export function planText(view: View, options: TextOptions): string {
  const canvas = canvasOf(options, view.nowMs)
  if (isSameAsBase(view) && !canvas.all) return [...firstLines(view, canvas), ...differenceLines(view, canvas)].join('\n')
  const { about, judged } = view
  const { writes, waiting, held, kept, dangling, undeclared } = sectionsOf(judged.plan)
  const others = writes.filter((change) => !grantsProtected(change, about.roles))
  const rows = changeRows(others, about, canvas)
  const standing = standingOf(view)
  const counts = countsOf(judged.plan, about)
  const section = (title: string, of: readonly unknown[], after: string, lines: readonly string[], grants = 0) =>
    of.length === 0 ? [] : [...titleLines('bold', title + titleCount(of.length, grants), canvas, after), ...lines]
  const holds = (title: string, of: readonly Hold[], after: string, how: HoldStyle, grants = 0) => {
    const held = holdRows(of, how, view, canvas)
    return section(title, of, after + sharedText(held), held.lines, grants)
  }
  return [
    ...header(view, canvas),
    ...(standing === 'moved' ? movedLines(canvas) : []),
    ...approvedLines(judged, canvas),
    ...waitingLines(waiting, approvalText(waiting.length, standing), view, canvas),
    ...approvedWrites(writes, about).flatMap(({ title, changes }) => [
      ...titleLines('bold', `${title}; ${standing === 'writes' ? 'will' : 'would'} be applied`, canvas),
      ...changeRows(changes, about, canvas).lines,
    ]),
    ...section(standing === 'writes' ? 'Will be applied' : 'Would be applied', others, sharedText(rows), rows.lines),
    ...laterLines(laterEntries(judged.plan, about), judged.plan.laterUntilMs, canvas),
    ...(canvas.all ? holds('Kept', kept, '', { mark: heldMark }) : keptLines(keptHolds(kept, view.about.roles), canvas)),
    ...holds('Held', held, '', { mark: heldMark }),
    ...holds('Dangling', dangling, ', kept', { mark: heldMark }),
    ...holds(
      'Undeclared',
      undeclared,
      `, ${undeclaredText(about)}`,
      { mark: undeclaredMark, silent: true, apart: true },
      counts.protected.undeclared,
    ),
    ...differenceLines(view, canvas),
    ...section('Unchanged', judged.plan.unchangedMappings ?? [], '', unchangedRows(judged.plan.unchangedMappings ?? [], canvas)),
    ...findingLines(shownFindings(view), canvas),
    ...wrap(unsizedText(view), canvas.width).map((line) => canvas.paint('dim', line)),
    ...(hasMeaning(view) ? wrap(meaningText(view), canvas.width) : []),
    ...wrap(sumText(counts, standing), canvas.width).map((line) => canvas.paint(sumStyle[standing], line)),
  ].join('\n')
}

/** One line for all mappings that stay until a directory or a list is read whole, or a file is valid. */
export const keptLines = (kept: readonly KeptHold[], { width, paint }: Canvas): readonly string[] =>
  keptTexts(kept).flatMap((text) => wrap(text, width).map((line) => paint('yellow', line)))

/** All changes that need approval: each set with its limit and cure, then each other change with the option that approves it. */
export function waitingLines(waiting: readonly Hold[], title: string, view: View, canvas: Canvas): readonly string[] {
  if (waiting.length === 0) return []
  const { width, paint } = canvas
  const { single, sets } = waitingParts(waiting, view)
  const how: HoldStyle = { mark: waitingMark, apart: true, namesAll: true }
  return [
    ...titleLines('bold', title, canvas),
    ...holdRows(single, how, view, canvas).lines,
    ...sets.flatMap(({ name, sentence, cure, what, pass, also, protectedRows, rows }) => [
      ...setTitle(limitText(name, sentence), canvas),
      ...[cure, approveSet(pass, what, view.about.doors) + ownIdsText(protectedRows.length + rows.length, canvas), ...also].flatMap(
        (text) => indented(text, width).map((line) => paint('dim', line)),
      ),
      ...setRows([...protectedRows, ...rows], canvas),
    ]),
  ]
}

const ownIdsText = (n: number, { all }: Canvas): string => (n < 2 || all ? '' : ' (--all shows each, with its own ID)')

/** Rows have the IDs of single changes only if each change has a row of its own. */
const setRows = (entries: readonly PlanEntry[], canvas: Canvas): readonly string[] =>
  (canvas.all ? heldRows(entries, { apart: true }, canvas) : plainRows(entries, canvas)).lines

const sumStyle: Readonly<Record<Standing, Style>> = {
  moved: 'alarm',
  writes: 'bold',
  waits: 'yellow',
  nothing: 'yellow',
  unmanaged: 'yellow',
  inSync: 'green',
  same: 'green',
}
