import type { Paint, Style } from './paint.ts'
import { widthOf, wrap } from './width.ts'

/**
 * `end` is aligned to the right of its column. It is the role before the change, next to the arrow. `short` is used if the row then fits on one line.
 */
export type Cell = { readonly text: string; readonly short?: string; readonly end?: string; readonly style?: Style }

/**
 * `lead` (target, who, role) stays on the row's line. Cells of `tail` move to lines below if they do not fit. The last cell is the place: it is at the
 * end of the row's last line, in a column of its own. A row without a target begins with `who` and is not aligned to the columns of the lead.
 */
export type Row = {
  readonly symbol: string
  readonly style: Style
  readonly lead: readonly [target: Cell, who: Cell, role: Cell]
  readonly tail: readonly Cell[]
  readonly below: readonly string[]
}

const indent = 6

/** Rows with aligned columns, at most `width` wide where the words allow it. */
export function layout(rows: readonly Row[], width: number, paint: Paint): readonly string[] {
  const columns = columnWidths(
    rows.filter(hasTarget).map(({ lead }) => lead),
    width,
  )
  const drawn = rows.map((row) => ({ row, place: placeCell(row), lines: contentLines(row, columns, width, paint) }))
  const beside = drawn.filter(({ place, lines }) => (lines.at(-1)?.width ?? 0) + 2 + widthOf(place.text) <= width)
  const widest = most(beside.map(({ lines }) => lines.at(-1)?.width ?? 0)) + 2
  const places = drawn.map(({ place }) => widthOf(place.text)).filter((wide) => wide < width / 2)
  const column = Math.max(indent, Math.min(widest, width - most(places)))
  return drawn.flatMap(({ row, place, lines }) => [
    ...withPlace(lines, place, { column, width }, paint),
    ...row.below.flatMap((text) => indented(text, width).map((line) => paint('dim', line))),
  ])
}

const most = (numbers: readonly number[]): number => numbers.reduce((max, number) => Math.max(max, number), 0)

const placeCell = ({ tail }: Row): Cell => tail.at(-1) ?? { text: '' }

/** The lines of a row without its place: on one line with the place if that fits, else as many cells as fit on each line. */
function contentLines(row: Row, columns: readonly number[], width: number, paint: Paint): readonly Line[] {
  const { symbol, style, lead, tail } = row
  const start = { text: `  ${paint(style, symbol)} `, width: 3 + widthOf(symbol) }
  const placeWidth = widthOf(placeCell(row).text)
  const forPlace = placeWidth === 0 ? 0 : placeWidth + 2
  const facts = tail.slice(0, -1).filter(({ text }) => text !== '')
  const shorter = lead.map((cell) => (cell.short === undefined ? cell : { ...cell, text: cell.short }))
  const aligned = hasTarget(row) ? columns : []
  for (const cells of [lead, shorter]) {
    for (const widths of [aligned, []]) {
      const [line, ...more] = packed(run(start, cells, widths, paint), facts, width - forPlace, paint)
      if (line !== undefined && more.length === 0 && line.width + forPlace <= width) return [line]
    }
  }
  return packed(run(start, lead, [], paint), facts, width, paint)
}

/** The facts after the lead, on its line and on indented lines below. */
function packed(lead: Line, facts: readonly Cell[], width: number, paint: Paint): readonly Line[] {
  const lines = [lead]
  for (const { text, style = 'plain' } of facts) {
    const last = lines.at(-1) ?? lead
    const wide = widthOf(text)
    if (last.width + 2 + wide <= width)
      lines[lines.length - 1] = { text: `${last.text}  ${paint(style, text)}`, width: last.width + 2 + wide }
    else
      for (const part of wrap(text, width - indent))
        lines.push({ text: ' '.repeat(indent) + paint(style, part), width: indent + widthOf(part) })
  }
  return lines
}

/** The lines with the place at the end of the last one, or on a line of its own. */
function withPlace(
  lines: readonly Line[],
  { text, style = 'plain' }: Cell,
  { column, width }: { readonly column: number; readonly width: number },
  paint: Paint,
): readonly string[] {
  const texts = lines.map((line) => line.text)
  if (text === '') return texts
  const last = lines.at(-1)?.width ?? 0
  const wide = widthOf(text)
  const from = Math.max(column, last + 2)
  if (from + wide <= width) return [...texts.slice(0, -1), `${texts.at(-1) ?? ''}${' '.repeat(from - last)}${paint(style, text)}`]
  if (last + 2 + wide <= width) return [...texts.slice(0, -1), `${texts.at(-1) ?? ''}  ${paint(style, text)}`]
  if (column + wide <= width) return [...texts, ' '.repeat(column) + paint(style, text)]
  return [...texts, ...wrap(text, width - indent).map((part) => ' '.repeat(indent) + paint(style, part))]
}

const hasTarget = ({ lead: [target] }: Row): boolean => target.text !== ''

/** A text below its row, wrapped and indented. */
export const indented = (text: string, width: number): readonly string[] =>
  wrap(text, width - indent).map((line) => ' '.repeat(indent) + line)

/** A text from outside that is no row: its further lines are indented, so that none of them looks like a title. */
export const paragraph = (text: string, width: number): readonly string[] =>
  wrap(text, width - 4).map((line, index) => (index === 0 ? line : `    ${line}`))

/** The widths of the columns. A cell wider than its column's cap is not counted, so that one long cell does not move those of all other rows. */
function columnWidths(grid: readonly (readonly Cell[])[], width: number): readonly number[] {
  const widest = (column: number, cap: number) =>
    grid.reduce(
      (most, cells) =>
        Math.max(
          most,
          cells
            .slice(column, column + 1)
            .map(naturalWidth)
            .find((wanted) => wanted <= cap) ?? 0,
        ),
      0,
    )
  return (grid[0] ?? []).map((_, column) => widest(column, Math.floor(width * (column === 1 ? 0.45 : 0.25))))
}

type Line = { readonly text: string; readonly width: number }

/** Cells one after another, each padded to its column. There are no blanks at the end of the line. */
function run(start: Line, cells: readonly Cell[], columns: readonly number[], paint: Paint): Line {
  let { text, width } = start
  let blanks = 0
  for (const [index, cell] of cells.entries()) {
    const natural = naturalWidth(cell)
    const column = Math.max(natural, columns[index] ?? 0)
    if (column === 0) continue
    // One blank between a group and its role.
    if (width > start.width) blanks += index === 2 ? 1 : 2
    if (natural === 0) {
      blanks += column
      continue
    }
    const { text: word, end = '', style = 'plain' } = cell
    const between = end === '' ? 0 : column - widthOf(word) - widthOf(end)
    text += ' '.repeat(blanks) + paint(style, word) + ' '.repeat(between) + end
    width += blanks + (end === '' ? natural : column)
    blanks = end === '' ? column - natural : 0
  }
  return { text, width }
}

const naturalWidth = ({ text, end }: Cell): number => widthOf(text) + (end === undefined ? 0 : 2 + widthOf(end))
