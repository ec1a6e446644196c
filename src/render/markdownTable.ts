import { bundleParts, clauses, kindsText, projectsText, projectsWithin, type RowWords, rowWords } from './bundle.ts'
import type { PlanEntry } from './entry.ts'
import { type Bundle, eachAlone, type Fold, folded, within } from './fold.ts'
import { code, line, prose, table } from './markup.ts'

/** The two columns of a table between the role and the place. */
type Columns = {
  readonly titles: readonly [string, string]
  readonly cells: (row: RowWords) => readonly [string, string]
}

/** The least characters for entries of which none may be left out, enough for a few rows. */
const wholeMin = 1500

const projectsMax = { others: 60, whole: 1000 }

export const changeColumns: Columns = {
  titles: ['people', 'reason'],
  cells: ({ fact, why, reason }) => [joined(fact, why), reason],
}
export const holdColumns: Columns = {
  titles: ['why', 'what to do'],
  cells: ({ fact, why, times, cure }) => [clauses(fact, why, times), cure],
}
/** These columns contain all facts that a person needs to approve a change. */
export const approvalColumns: Columns = {
  titles: holdColumns.titles,
  cells: ({ fact, why, times, reason, cure }) => [joined(fact, clauses(why, times), reason), cure],
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
 * With infinite room each entry has a row of its own.
 */
export function entryTable(entries: readonly PlanEntry[], columns: Columns, isKept: (entry: PlanEntry) => boolean, room: number): string {
  const lines = new Map<Fold, string>()
  const lineOf = (row: Bundle) => {
    if (row.length > 1) return rowLine(row, columns, isKept(row[0][0]))
    const text = lines.get(row[0]) ?? rowLine(row, columns, isKept(row[0][0]))
    lines.set(row[0], text)
    return text
  }
  const cost = (row: Bundle) => lineOf(row).length + 1
  const max = entries.some(isKept) ? Math.max(wholeMin, room) : room
  const rows = room === Number.POSITIVE_INFINITY ? eachAlone(entries) : folded(entries, { max, cost })
  const kept = rows.filter((row) => isKept(row[0][0]))
  const others = rows.filter((row) => !isKept(row[0][0]))
  const left = max - kept.reduce((sum, row) => sum + cost(row), 0)
  const shown = new Set([...kept, ...within(others, left, cost)])
  const hidden = others.filter((row) => !shown.has(row)).flat(2)
  const drawn = rows.filter((row) => shown.has(row))
  const shared = drawn.filter(({ length }) => length > 1).flat(2).length
  return table(titlesOf(columns), drawn.map(lineOf), { hidden: hidden.length, kinds: kindsText(hidden), shared })
}

const titlesOf = ({ titles }: Pick<Columns, 'titles'>): readonly string[] => ['', 'target', 'group', 'role', ...titles, 'declared in']

function rowLine(row: Bundle, { cells }: Columns, isKept: boolean): string {
  const [fold] = row
  const { who, before, role, place, target } = row.length === 1 ? fold[0].parts : { ...bundleParts(row), target: '' }
  const roles = before === undefined ? role : `${before} ${role}`
  const [one, other] = cells(rowWords(row))
  return line([fold[0].mark.symbol, whereText(row, target, isKept), code(who), code(roles), prose(one), prose(other), code(place)])
}

function whereText(row: Bundle, target: string, isKept: boolean): string {
  if (row.length > 1) return prose(bundleParts(row).where)
  const [fold] = row
  return fold.length === 1
    ? code(target)
    : `${projectsText(fold)}: ${code(projectsWithin(fold, isKept ? projectsMax.whole : projectsMax.others))}`
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
