import type { Paint, Style } from './paint.ts'
import { widthOf, wrap } from './width.ts'

/** `end` is aligned to the right of its column. It is the role before the change, next to the arrow. */
export type Cell = { readonly text: string; readonly end?: string; readonly style?: Style }

/**
 * `lead` (target, who, role) stays on the row's line. Cells of `tail` move to lines below if they do not fit. A row without a target begins
 * with `who` and is not aligned to the columns.
 */
export type Row = {
  readonly symbol: string
  readonly style: Style
  readonly lead: readonly [target: Cell, who: Cell, role: Cell]
  readonly tail: readonly Cell[]
  readonly below: readonly string[]
}

const indent = 6

/** Rows with aligned columns, at most `width` wide where the words allow it. All rows have the same number of cells in their tail. */
export function layout(rows: readonly Row[], width: number, paint: Paint): readonly string[] {
  const grid = rows.filter(hasTarget).map(({ lead, tail }) => [...lead, ...tail])
  const columns = columnWidths(grid, width)
  return rows.flatMap((row) => {
    const { symbol, style, lead, tail, below } = row
    const start = { text: `  ${paint(style, symbol)} `, width: 3 + widthOf(symbol) }
    const aligned = run(start, [...lead, ...tail], hasTarget(row) ? columns : [], paint)
    const lines = aligned.width <= width ? [aligned.text] : flowed(run(start, lead, [], paint), tail, width, paint)
    return [...lines, ...below.flatMap((text) => indented(text, width).map((line) => paint('dim', line)))]
  })
}

const hasTarget = ({ lead: [target] }: Row): boolean => target.text !== ''

/** A text below its row, wrapped and indented. */
export const indented = (text: string, width: number): readonly string[] =>
  wrap(text, width - indent).map((line) => ' '.repeat(indent) + line)

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

/** The cells of the tail that fit beside the lead, the last cell (the place) first; the others go on lines below. */
function flowed(lead: Line, tail: readonly Cell[], width: number, paint: Paint): readonly string[] {
  let room = width - lead.width
  const beside = new Set<Cell>()
  for (const cell of [...tail.slice(-1), ...tail.slice(0, -1)]) {
    const wanted = 2 + widthOf(cell.text)
    if (wanted > room) continue
    room -= wanted
    beside.add(cell)
  }
  const line = tail.reduce(
    (text, cell) => (beside.has(cell) && cell.text !== '' ? `${text}  ${paint(cell.style ?? 'plain', cell.text)}` : text),
    lead.text,
  )
  return [
    line,
    ...tail
      .filter((cell) => !beside.has(cell))
      .flatMap(({ text, style = 'plain' }) => indented(text, width).map((part) => paint(style, part))),
  ]
}

const naturalWidth = ({ text, end }: Cell): number => widthOf(text) + (end === undefined ? 0 : 2 + widthOf(end))
