import { bundleParts, bundles } from './bundle.ts'
import { type PlanEntry, protectedFirst, widestFirst } from './entry.ts'
import { clauses, cureOf, type Fold, factOf, foldByRule, packed, projectsText, projectsWithin, type RoomCost, within } from './fold.ts'
import { code, line, prose, table } from './markup.ts'
import { kindsText, moreChanges, type Total } from './totals.ts'

/** The two columns of a table between the role and the place. */
type Columns = {
  readonly titles: readonly [string, string]
  readonly cells: (fold: Fold) => readonly [string, string]
}

/** Characters for the entries that are never cut (`pinned`), and for the others. If one of them is infinite, each entry has a row of its own. */
export type Room = { readonly pinned: number; readonly others: number }
/** The least characters for pinned entries, enough for a few rows. */
const pinnedMin = 1500

const projectsMax = { others: 60, pinned: 1000 }

export const changeColumns: Columns = {
  titles: ['people', 'reason'],
  cells: (fold) => [joined(factOf(fold), fold[0].why), fold[0].parts.reason],
}
export const holdColumns: Columns = {
  titles: ['why', 'what to do'],
  cells: (fold) => [clauses(factOf(fold), whyOf(fold)), cureOf(fold)],
}
/** These columns contain all facts that a person needs to approve a change. */
export const approvalColumns: Columns = {
  titles: holdColumns.titles,
  cells: (fold) => [joined(factOf(fold), whyOf(fold), fold[0].parts.reason), cureOf(fold)],
}
/** The change stands in the other columns. */
export const laterColumns: Columns = {
  titles: ['when', 'what then'],
  cells: (fold) => [joined(factOf(fold), fold[0].parts.reason), clauses(fold[0].why, cureOf(fold))],
}
export const triedColumns: Columns = {
  titles: ['people', 'what came of it'],
  cells: (fold) => [factOf(fold), fold[0].why],
}

/** A table. Every entry that is never cut has a row or is in a total; of the others there are as many rows as fit. */
export function entryTable(entries: readonly PlanEntry[], columns: Columns, neverCut: (entry: PlanEntry) => boolean, room: Room): string {
  const lines = new Map<Fold, string>()
  const lineOf = (fold: Fold) => {
    const text = lines.get(fold) ?? foldLine(fold, columns, neverCut(fold[0]) ? projectsMax.pinned : projectsMax.others)
    lines.set(fold, text)
    return text
  }
  const cost: RoomCost = { fold: (fold) => lineOf(fold).length + 1, total: (total) => totalLine(total).length + 1 }
  if (room.others === Number.POSITIVE_INFINITY || room.pinned === Number.POSITIVE_INFINITY) {
    const each = [...protectedFirst(entries.filter(neverCut)), ...widestFirst(entries.filter((entry) => !neverCut(entry)))]
    return table(
      titlesOf(columns),
      each.map((entry) => lineOf([entry])),
      0,
    )
  }
  const others = foldByRule(widestFirst(entries.filter((entry) => !neverCut(entry))))
  const forPinned = Math.max(pinnedMin, room.pinned)
  const spare = room.others - lengthOf(within(others, room.others, cost.fold).map(lineOf))
  const { folds, totals } = packed(protectedFirst(entries.filter(neverCut)), forPinned + spare, cost)
  const pinned = [...folds.map(lineOf), ...totals.map(totalLine)]
  const rest = within(others, room.pinned + room.others - lengthOf(pinned), cost.fold)
  const shown = new Set(rest)
  const hidden = others.filter((fold) => !shown.has(fold)).flat()
  return table(titlesOf(columns), [...pinned, ...rest.map(lineOf)], hidden.length, kindsText(hidden))
}

/**
 * The changes in at most `rowsMax` rows, protected grants apart; a row may stand for several groups, rules or files. Undefined if there are not more
 * changes than rows.
 */
export function summaryTable(entries: readonly PlanEntry[], rowsMax: number): string | undefined {
  const folds = foldByRule(entries)
  if (folds.length <= rowsMax) return undefined
  const rows = bundles(folds, rowsMax).map((bundle) => {
    if (bundle.length === 1) return foldLine(bundle[0], changeColumns, projectsMax.others)
    const { who, where, before, role, fact, reason, place } = bundleParts(bundle)
    const roles = before === undefined ? role : `${before} ${role}`
    return line([bundle[0][0].mark.symbol, prose(where), code(who), code(roles), prose(fact), prose(reason), code(place)])
  })
  return table(titlesOf(changeColumns), rows, 0)
}

/** The length in characters, each row with its line break. */
const lengthOf = (rows: readonly string[]): number => rows.reduce((sum, row) => sum + row.length + 1, 0)

/** A table of totals without rows. */
export const totalTable = (totals: readonly Total[]): string => table(titlesOf({ titles: ['changes', ''] }), totals.map(totalLine), 0)

export const totalLine = ({ mark, target, groups, role, changes, people, label, cure }: Total): string =>
  line([
    mark.symbol,
    prose(target),
    groups,
    code(role),
    prose(joined(moreChanges(changes), people, label)),
    cure === '' ? eachText : `${prose(cure)} · ${eachText}`,
    '',
  ])

const eachText = '`--format text --all` shows each of them'

const titlesOf = ({ titles }: Pick<Columns, 'titles'>): readonly string[] => ['', 'target', 'group', 'role', ...titles, 'declared in']

function foldLine(fold: Fold, { cells }: Columns, charactersMax: number): string {
  const [{ mark, parts }] = fold
  const { target, who, before, role, place } = parts
  const where = fold.length === 1 ? code(target) : `${projectsText(fold)}: ${code(projectsWithin(fold, charactersMax))}`
  const roles = before === undefined ? role : `${before} ${role}`
  return line([mark.symbol, where, code(who), code(roles), ...cells(fold).map(prose), code(place)])
}

const whyOf = ([{ why, times }]: Fold): string => clauses(why, times)
const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
