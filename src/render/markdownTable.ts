import { bundleParts, clauses, kindsText, projectsText, projectsWithin, type RowWords, rowWords } from './bundle.ts'
import type { PlanEntry } from './entry.ts'
import { type Bundle, eachAlone, type Fold, foldByRule, folded, within } from './fold.ts'
import { code, line, prose, table } from './markup.ts'
import { capital } from './nextStep.ts'
import { rowsText } from './rows.ts'

/** The two columns of a table between the role and the place. */
type Columns = {
  readonly titles: readonly [string, string]
  readonly cells: (row: RowWords) => readonly [string, string]
  /** The second one says what to do. What all rows say there stands once, below them. */
  readonly isCure?: true
}

/** The least characters for entries of which none may be left out, enough for a few rows. */
const wholeMin = 1500

/** Characters for the names of a row's projects: in its cell, which is narrow, and below the table. */
const projectsMax = { cell: 60, below: 1000 }

export const changeColumns: Columns = {
  titles: ['people', 'reason'],
  cells: ({ fact, why, reason }) => [joined(fact, why), reason],
}
export const holdColumns: Columns = {
  titles: ['why', 'what to do'],
  cells: ({ fact, why, times, cure }) => [clauses(fact, why, times), cure],
  isCure: true,
}
/** These columns contain all facts that a person needs to approve a change. */
export const approvalColumns: Columns = {
  titles: holdColumns.titles,
  cells: ({ fact, why, times, reason, cure }) => [joined(fact, clauses(why, times), reason), cure],
  isCure: true,
}
/** The change stands in the other columns. */
export const laterColumns: Columns = {
  titles: ['when', 'what then'],
  cells: ({ fact, why, reason, cure }) => [joined(fact, reason), clauses(why, cure)],
}
export const triedColumns: Columns = {
  titles: ['people', 'what came of it'],
  cells: ({ fact, why }) => [fact, why],
}

/**
 * A table in `room` characters, with rows as `fold.ts` says. Those that do not fit are counted below it, but for entries of which none may be left out.
 * With infinite room each entry has a row of its own. A column without any text is left out.
 */
export function entryTable(entries: readonly PlanEntry[], columns: Columns, isKept: (entry: PlanEntry) => boolean, room: number): string {
  const known = new Map<Fold, Drawn>()
  const drawnOf = (row: Bundle): Drawn => {
    if (row.length > 1) return drawRow(row, columns, isKept(row[0][0]))
    const drawn = known.get(row[0]) ?? drawRow(row, columns, isKept(row[0][0]))
    known.set(row[0], drawn)
    return drawn
  }
  const alone = room === Number.POSITIVE_INFINITY ? eachAlone(entries) : foldByRule(entries).map((fold): Bundle => [fold])
  const max = entries.some(isKept) ? Math.max(wholeMin, room) : room
  /** @param drawn the rows whose texts decide which columns there are */
  const laidOut = (drawn: readonly Bundle[]) => {
    const shown = shownColumns(drawn, columns, columns.isCure === true && alone.length > 1 ? entries : [])
    const lineFrom = ({ cells }: Drawn) => line(cells.filter((_, column) => shown.isShown(column)))
    const lineOf = (row: Bundle) => lineFrom(drawnOf(row))
    const cost = (row: Bundle) => {
      const cells = drawnOf(row)
      return lineFrom(cells).length + 1 + (cells.projects === '' ? 0 : cells.projects.length + 2)
    }
    return { ...shown, lineOf, cost, rows: room === Number.POSITIVE_INFINITY ? alone : folded(entries, { max, cost }) }
  }
  const first = laidOut(alone)
  const bundles = first.rows.filter(({ length }) => length > 1)
  // The row of several has their number where the row of one may have nothing.
  const isLost = bundles.some((row) => textsOf(row, columns).some((text, column) => text !== '' && !first.hasText(column)))
  const { isShown, cure, lineOf, cost, rows } = isLost ? laidOut([...alone, ...bundles]) : first
  const kept = rows.filter((row) => isKept(row[0][0]))
  const others = rows.filter((row) => !isKept(row[0][0]))
  const left = max - kept.reduce((sum, row) => sum + cost(row), 0)
  const shown = new Set([...kept, ...within(others, left, cost)])
  const hidden = others.filter((row) => !shown.has(row)).flat(2)
  const drawn = rows.filter((row) => shown.has(row))
  const shared = drawn.filter(({ length }) => length > 1).flat(2).length
  const titles = titlesOf(columns).filter((_, column) => isShown(column))
  return [
    table(titles, drawn.map(lineOf), { hidden: hidden.length, kinds: kindsText(hidden), shared }),
    ...(cure === '' || drawn.length === 0 ? [] : [prose(capital(drawn.length === 1 ? cure : `${rowsText(drawn.length)}: ${cure}`))]),
    ...drawn.map((row) => drawnOf(row).projects).filter((text) => text !== ''),
  ].join('\n\n')
}

const titlesOf = ({ titles }: Pick<Columns, 'titles'>): readonly string[] => ['', 'target', 'group', 'role', ...titles, 'declared in']
const cureColumn = 5

/**
 * Which columns have a text, in any row. `cure`: what all rows say in the column of the cure, which is left out then. Of thousands of rows the first few
 * usually have a text in each column, and no text is escaped for this.
 *
 * @param cured the entries, if their cure may stand below the table
 */
function shownColumns(rows: readonly Bundle[], columns: Columns, cured: readonly PlanEntry[]) {
  const cures = new Set<string>()
  for (const { cure, sharedCure } of cured) {
    if (cures.size > 1) break
    cures.add(cure).add(sharedCure)
  }
  const [cure = ''] = cures.size === 1 ? cures : []
  const empty = new Set(titlesOf(columns).keys())
  for (const row of rows) {
    if (empty.size === 0) break
    for (const [column, text] of textsOf(row, columns).entries()) if (text !== '') empty.delete(column)
  }
  const hasText = (column: number): boolean => !empty.has(column)
  const isShown = (column: number): boolean => hasText(column) && (column !== cureColumn || cure === '')
  return { hasText, isShown, cure }
}

/** The texts of a row by column. The place of several projects is not made: it is never empty. */
function textsOf(row: Bundle, { cells }: Columns): readonly string[] {
  const [fold] = row
  const several = row.length === 1 ? undefined : bundleParts(row)
  const { who, role, place } = several ?? fold[0].parts
  const where = several === undefined && fold.length === 1 ? fold[0].parts.target : 'several'
  return [fold[0].mark.symbol, where, who, role, ...cells(rowWords(row, several)), place]
}

/** `projects`: all projects of a row that may not leave any out, if its cell does not have them all. */
type Drawn = { readonly cells: readonly string[]; readonly projects: string }

function drawRow(row: Bundle, { cells }: Columns, isKept: boolean): Drawn {
  const [fold] = row
  const several = row.length === 1 ? undefined : bundleParts(row)
  const { who, before, role, place } = several ?? fold[0].parts
  const roles = before === undefined ? role : `${before} ${role}`
  const [one, other] = cells(rowWords(row, several))
  const where = several === undefined ? whereText(fold) : prose(several.where)
  return {
    cells: [fold[0].mark.symbol, where, code(who), code(roles), prose(one), prose(other), code(place)],
    projects:
      isKept && row.length === 1 && where.endsWith(' …`')
        ? `${projectsText(fold)} of ${code(who)}, ${code(roles)}: ${code(projectsWithin(fold, projectsMax.below))}`
        : '',
  }
}

const whereText = (fold: Fold): string =>
  fold.length === 1 ? code(fold[0].parts.target) : `${projectsText(fold)}: ${code(projectsWithin(fold, projectsMax.cell))}`

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
