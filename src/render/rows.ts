import type { Change } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import type { UnchangedMapping } from '../core/plan.ts'
import { count, counted } from '../core/quantity.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { type Bundle, bundleParts, bundles } from './bundle.ts'
import type { Canvas } from './canvas.ts'
import { type ChangeParts, unchangedParts } from './change.ts'
import { changeEntry, type HoldView, holdEntries, type Mark, type PlanEntry, protectedFirst, unchangedMark } from './entry.ts'
import { clauses, cureOf, type Fold, factOf, foldByRule, packed, projectsText, projectsWithin, type RoomCost } from './fold.ts'
import { layout, type Row } from './table.ts'
import { moreChanges, type Total } from './totals.ts'

/** A section of rows. Entries that are `neverCut` all have a row or are in a total; the others have at most `rowsMax` rows. */
export type Section = {
  readonly neverCut: (entry: PlanEntry) => boolean
  readonly rowsMax: number
  readonly draw: (folds: readonly Fold[], rowsMax: number) => Drawn
}
/** `hidden`: entries without a row. `shared`: entries in rows that stand for several folds. */
type Drawn = { readonly rows: readonly Row[]; readonly hidden: number; readonly shared: number }

/** The most rows for entries that are never cut. The entries beyond that are counted in totals. */
const pinnedRowsMax = 60
/** Characters for the names of a row's projects: on its line, and below it if the row is never cut. */
const namesMax = { line: 30, below: 1000 }

export const isProtectedEntry = (entry: PlanEntry): boolean => entry.isProtected
export const always = (): boolean => true
/** Protected grants and the change of the workspace's settings, which is the only change without a target. */
export const isProtectedOrSettings = ({ isProtected, target }: PlanEntry): boolean => isProtected || target === undefined

/** These, and changes of the workspace and of all projects. */
export const isProtectedOrWide = (entry: PlanEntry): boolean => isProtectedOrSettings(entry) || entry.target?.kind !== 'project'

/** The lines of a section, and how many of its entries are in rows that stand for several groups. */
export type SectionLines = { readonly lines: readonly string[]; readonly shared: number }

export function entryRows(entries: readonly PlanEntry[], { neverCut, rowsMax, draw }: Section, canvas: Canvas): SectionLines {
  const { all, width, paint } = canvas
  const never = protectedFirst(entries.filter(neverCut))
  const others = entries.filter((entry) => !neverCut(entry))
  const pinned = all ? { folds: never.map(alone), totals: [] } : packed(never, pinnedRowsMax, roomInLines)
  const first = draw(pinned.folds, Number.POSITIVE_INFINITY).rows
  const { rows, hidden, shared } = all ? draw(others.map(alone), Number.POSITIVE_INFINITY) : draw(foldByRule(others), rowsMax)
  const drawn = layout([...first, ...totalRows(pinned.totals), ...rows], width, paint)
  return { lines: [...drawn, ...more(hidden).map((line) => `  ${paint('dim', line)}`)], shared }
}

const alone = (entry: PlanEntry): Fold => [entry]

const roomInLines: RoomCost = { fold: (fold) => 1 + Math.floor(projectsWithin(fold, namesMax.below).length / 100), total: () => 1 }

/** Changes as aligned rows. There are at most `rowsMax` rows for changes that may be cut. */
export function changeRows(
  changes: readonly Change[],
  { roles }: Pick<WorkspaceAbout, 'roles'>,
  canvas: Canvas,
  rowsMax: number,
): SectionLines {
  const entries = changes.map((change) => changeEntry(change, roles))
  return bundledRows(entries, canvas, rowsMax)
}

/** Entries as aligned rows, of which some stand for several groups if there are more than `rowsMax`. */
export const bundledRows = (
  entries: readonly PlanEntry[],
  canvas: Canvas,
  rowsMax: number,
  neverCut: Section['neverCut'] = isProtectedOrSettings,
): SectionLines => entryRows(entries, { neverCut, rowsMax, draw: drawFolds((fold) => foldRow(fold, {})) }, canvas)

/** Draws folds as rows. If there are more than `rowsMax`, rows stand for several folds, so that none is absent. */
export const drawFolds =
  (rowOfFold: (fold: Fold) => Row): Section['draw'] =>
  (folds, rowsMax) => {
    const shownBundles = bundles(folds, rowsMax)
    return {
      rows: shownBundles.map((bundle) => (bundle.length === 1 ? rowOfFold(bundle[0]) : bundleRow(bundle))),
      hidden: 0,
      shared: shownBundles.filter(({ length }) => length > 1).flat(2).length,
    }
  }

export function bundleRow(bundle: Bundle, note = ''): Row {
  const { where, short, ...parts } = bundleParts(bundle)
  return rowOf({ target: '', ...parts }, bundle[0][0].mark, note, [], where === '' ? '' : `in ${where}`, short)
}

type RowText = { readonly note?: string; readonly below?: readonly string[]; readonly neverCut?: boolean }

/** The row of one fold. A fold of several projects names them in place of the target. */
export function foldRow(fold: Fold, { note = '', below = [], neverCut = fold[0].isProtected }: RowText): Row {
  const [{ mark }] = fold
  const parts = { ...fold[0].parts, fact: factOf(fold) }
  if (fold.length === 1) return rowOf(parts, mark, note, below)
  const near = projectsWithin(fold, namesMax.line)
  const where = `in ${projectsText(fold)}`
  const row = (text: string, under: readonly string[]) => rowOf({ ...parts, target: '' }, mark, note, under, text)
  if (!neverCut || !isCut(near)) return row(`${where}: ${near}`, below)
  const names = projectsWithin(fold, namesMax.below)
  return row(where, [isCut(names) ? `${names} (--all shows each)` : names, ...below])
}

const isCut = (names: string): boolean => names.endsWith('…')

function totalRows(totals: readonly Total[]): readonly Row[] {
  return totals.map(({ mark, target, role, label, cure, changes, groups, people }, index) => {
    const fact = [moreChanges(changes), people, label].filter((part) => part !== '').join(', ')
    const isLast = (next: Total | undefined) => next?.cure !== cure
    const below = [...(isLast(totals[index + 1]) ? [cure] : []), ...(index === totals.length - 1 ? [eachText] : [])]
    return rowOf({ target, who: groups, role, fact, reason: '', place: '' }, mark, '', below)
  })
}

const eachText = '--all shows each of them'

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
  readonly neverCut: (entry: PlanEntry) => boolean
  readonly rowsMax: number
}

/** Rows with one cure, so that rows with another cure are seen, too. */
const alikeMax = 12

/** Holds as aligned rows. Holds with the same cure stand together; their cure, and their reason if it is the same, is shown once below them. */
export const holdRows = (holds: readonly Hold[], how: HoldStyle, view: HoldView, canvas: Canvas): readonly string[] =>
  heldRows(holdEntries(holds, how.mark, view), how, canvas)

/** The same for entries that are made already. */
export function heldRows(heldEntries: readonly PlanEntry[], how: Omit<HoldStyle, 'mark'>, canvas: Canvas): readonly string[] {
  const { silent = false, apart = false, neverCut, rowsMax } = how
  const entries = silent ? heldEntries.map((entry) => ({ ...entry, why: '', times: '' })) : heldEntries
  return entryRows(entries, { neverCut, rowsMax, draw: (folds, max) => drawHolds(folds, max, { apart, neverCut }) }, canvas).lines
}

type Drawing = Pick<HoldStyle, 'neverCut'> & { readonly apart: boolean }

/** Rows for holds. Many with the same cure share rows. Only holds of more different cures than there are rows are hidden. */
function drawHolds(folds: readonly Fold[], rowsMax: number, how: Drawing): Drawn {
  const rows: Row[] = []
  let hidden = 0
  for (const alike of Map.groupBy(folds, (fold) => `${fold[0].isProtected} ${cureOf(fold)}`).values()) {
    const room = Number.isFinite(rowsMax) ? Math.min(alikeMax, rowsMax - rows.length) : rowsMax
    if (room <= 0) hidden += alike.flat().length
    else for (const row of alikeRows(alike, room, how)) rows.push(row)
  }
  return { rows, hidden, shared: 0 }
}

function alikeRows(alike: readonly Fold[], room: number, { apart, neverCut }: Drawing): readonly Row[] {
  const [first] = alike as [Fold]
  const cure = cureOf(first)
  const row = (fold: Fold, note: string, below: readonly string[] = []) => foldRow(fold, { note, below, neverCut: neverCut(fold[0]) })
  const [why, times] = [commonText(alike, whyOf), commonText(alike, timesOf)]
  if (alike.length === 1) return [apart ? row(first, clauses(why, times), [cure]) : row(first, clauses(why, times, cure))]
  const shown = alike.length <= room ? alike.map((fold): Bundle => [fold]) : bundles(alike.toSorted(existingFirst), room)
  const of = why !== '' && shown.length > 1 ? `${rowsText(shown.length)}: ` : ''
  const below = [`${of}${clauses(why, why === '' ? '' : times, cure)}`]
  return shown.map((bundle, index) => {
    const last = index === shown.length - 1 ? below : []
    const note = clauses(why === '' ? reasonsText(bundle) : '', why === '' || times === '' ? commonText(bundle, timesOf) : '')
    return bundle.length === 1 ? row(bundle[0], note, last) : { ...bundleRow(bundle, note), below: last }
  })
}

/** `both rows`, `all 13 rows` */
export const rowsText = (n: number): string => (n === 2 ? 'both rows' : `all ${counted(n, 'row')}`)

const whyOf = ({ why }: PlanEntry): string => why
const timesOf = ({ times = '' }: PlanEntry): string => times

/** The text that all entries have; empty if they differ. */
export function commonText(folds: readonly Fold[], of: (entry: PlanEntry) => string): string {
  const [text = '', ...others] = new Set(folds.flat().map(of))
  return others.length === 0 ? text : ''
}

const reasonsMax = 3

/** The reasons of a row for several groups. */
export function reasonsText(bundle: Bundle): string {
  const reasons = [...new Set(bundle.flat().map(whyOf))].filter((reason) => reason !== '')
  const others = reasons.length - reasonsMax
  return [...reasons.slice(0, reasonsMax), ...(others > 0 ? [`${counted(others, 'other reason')} (--all shows each)`] : [])].join(' · ')
}

/** Changes of mappings that exist come before new mappings. */
const existingFirst = ([a]: Fold, [b]: Fold): number => Number(b.parts.before !== undefined) - Number(a.parts.before !== undefined)

/** A part of a section's title: `, 108 in rows for several groups (--all shows each)`. */
export const sharedText = ({ shared }: SectionLines): string =>
  shared === 0 ? '' : `, ${count(shared)} in rows for several groups (--all shows each)`

/** The line for `n` entries that are left out. */
export const more = (n: number): readonly string[] => (n === 0 ? [] : [`… and ${count(n)} more (--all shows each)`])
