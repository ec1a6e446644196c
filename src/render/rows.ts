import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import type { UnchangedMapping } from '../core/plan.ts'
import { count, counted } from '../core/quantity.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { bundleParts, clauses, commonText, factOf, projectsText, projectsWithin, rowWords } from './bundle.ts'
import type { Canvas } from './canvas.ts'
import { type ChangeParts, unchangedParts } from './change.ts'
import { changeEntry, type HoldView, holdEntries, type Mark, type PlanEntry, unchangedMark } from './entry.ts'
import { type Bundle, eachAlone, type Fold, folded } from './fold.ts'
import { layout, type Row } from './table.ts'

/** Rows of a section. Rows that name many projects below count as several. */
const rowsMax = 60
/** Characters for the names of a row's projects: on its line, and below it if the row says all of them. */
const namesMax = { line: 30, below: 1000 }

export const isProtectedEntry = (entry: PlanEntry): boolean => entry.isProtected

/** The lines of a section, and how many of its entries are in rows that stand for several groups. */
export type SectionLines = { readonly lines: readonly string[]; readonly shared: number }

/** Entries as aligned rows: each in a row of its own with `all`, otherwise as the one rule of `fold.ts` says. */
export function entryRows(entries: readonly PlanEntry[], draw: (rows: readonly Bundle[]) => readonly Row[], canvas: Canvas): SectionLines {
  const rows = canvas.all ? eachAlone(entries) : folded(entries, { max: rowsMax, cost: linesOf })
  return { lines: layout(draw(rows), canvas.width, canvas.paint), shared: rows.filter(({ length }) => length > 1).flat(2).length }
}

const linesOf = ([fold, ...others]: Bundle): number =>
  others.length > 0 || !isProtectedEntry(fold[0]) ? 1 : 1 + Math.floor(projectsWithin(fold, namesMax.below).length / 100)

/** Changes as aligned rows. */
export const changeRows = (changes: readonly Change[], { roles }: Pick<WorkspaceAbout, 'roles'>, canvas: Canvas): SectionLines =>
  plainRows(
    changes.map((change) => changeEntry(change, roles)),
    canvas,
  )

/** Entries as aligned rows, without reasons and cures. */
export const plainRows = (entries: readonly PlanEntry[], canvas: Canvas): SectionLines =>
  entryRows(entries, (rows) => rows.map((row) => bundleRow(row)), canvas)

type RowText = { readonly note?: string; readonly below?: readonly string[]; readonly namesAll?: boolean }

/** The row of one fold or several. */
export function bundleRow(row: Bundle, text: RowText = {}): Row {
  if (row.length === 1) return foldRow(row[0], text)
  const { note = '', below = [] } = text
  const { where, short, ...parts } = bundleParts(row)
  return rowOf({ target: '', ...parts }, row[0][0].mark, note, below, where === '' ? '' : `in ${where}`, short)
}

/** The row of one fold. A fold of several projects names them in place of the target. */
function foldRow(fold: Fold, { note = '', below = [], namesAll = fold[0].isProtected }: RowText): Row {
  const [{ mark }] = fold
  const parts = { ...fold[0].parts, fact: factOf(fold) }
  if (fold.length === 1) return rowOf(parts, mark, note, below)
  const near = projectsWithin(fold, namesMax.line)
  const where = `in ${projectsText(fold)}`
  const row = (text: string, under: readonly string[]) => rowOf({ ...parts, target: '' }, mark, note, under, text)
  if (!namesAll || !isCut(near)) return row(`${where}: ${near}`, below)
  const names = projectsWithin(fold, namesMax.below)
  return row(where, [isCut(names) ? `${names} (--all shows each)` : names, ...below])
}

const isCut = (names: string): boolean => names.endsWith('…')

function rowOf(parts: ChangeParts, { symbol, style }: Mark, note: string, below: readonly string[], where = '', short?: string): Row {
  const { target, who, before, role, fact, reason, place } = parts
  const name = { text: who, ...(short === undefined ? {} : { short }) }
  return {
    symbol,
    style,
    lead: [{ text: target }, before === undefined ? name : { ...name, end: before }, { text: role }],
    tail: [
      { text: where },
      { text: [fact, note].filter((part) => part !== '').join(', ') },
      { text: reason },
      { text: place, style: 'dim' },
    ],
    below,
  }
}

/** Mappings that stay as they are, each in a row of its own. */
export const unchangedRows = (mappings: readonly UnchangedMapping[], { width, paint }: Canvas): readonly string[] =>
  layout(
    mappings.map((mapping) => rowOf(unchangedParts(mapping), unchangedMark, '', [])),
    width,
    paint,
  )

export type HoldStyle = {
  readonly mark: Mark
  /** Leaves out the reason, because the section's title says it. */
  readonly silent?: boolean
  /** Puts each row's cure on a line of its own, to be copied. */
  readonly apart?: boolean
  /** Each row names all its projects, as rows of protected roles always do. */
  readonly namesAll?: boolean
}

/** Holds as aligned rows. Holds with the same cure stand together; their cure, and their reason if it is the same, is shown once below them. */
export const holdRows = (holds: readonly Hold[], how: HoldStyle, view: HoldView, canvas: Canvas): SectionLines =>
  heldRows(holdEntries(holds, how.mark, view), how, canvas)

/** The same for entries that are made already. */
export function heldRows(heldEntries: readonly PlanEntry[], how: Omit<HoldStyle, 'mark'>, canvas: Canvas): SectionLines {
  const entries = how.silent === true ? heldEntries.map((entry) => ({ ...entry, why: '', times: '' })) : heldEntries
  return entryRows(entries, (rows) => drawHolds(rows, how), canvas)
}

function drawHolds(rows: readonly Bundle[], how: Omit<HoldStyle, 'mark'>): readonly Row[] {
  const alike = Map.groupBy(rows, (row) => `${row[0][0].isProtected} ${rowWords(row).cure}`)
  return [...alike.values()].flatMap((some) => alikeRows(some, how))
}

function alikeRows(alike: readonly Bundle[], { apart = false, namesAll }: Omit<HoldStyle, 'mark'>): readonly Row[] {
  const [first] = alike as [Bundle]
  const { cure, why: ownWhy, times: ownTimes } = rowWords(first)
  const draw = (row: Bundle, note: string, below: readonly string[]) =>
    bundleRow(row, { note, below, ...(namesAll === true ? { namesAll } : {}) })
  if (alike.length === 1) return [apart ? draw(first, clauses(ownWhy, ownTimes), [cure]) : draw(first, clauses(ownWhy, ownTimes, cure), [])]
  const entries = alike.flat(2)
  const [why, times] = [commonText(entries, whyOf), commonText(entries, timesOf)]
  const of = why === '' ? '' : `${rowsText(alike.length)}: `
  return alike.map((row, index) => {
    const own = rowWords(row)
    const note = clauses(why === '' ? own.why : '', why === '' || times === '' ? own.times : '')
    return draw(row, note, index === alike.length - 1 ? [`${of}${clauses(why, why === '' ? '' : times, cure)}`] : [])
  })
}

/** `both rows`, `all 13 rows` */
export const rowsText = (n: number): string => (n === 2 ? 'both rows' : `all ${counted(n, 'row')}`)

const whyOf = ({ why }: PlanEntry): string => why
const timesOf = ({ times = '' }: PlanEntry): string => times

/** A part of a section's title: `, 108 in rows for several groups (--all shows each)`. */
export const sharedText = ({ shared }: SectionLines): string =>
  shared === 0 ? '' : `, ${count(shared)} in rows for several groups (--all shows each)`
