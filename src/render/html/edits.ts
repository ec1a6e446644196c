import { type GroupName, groupOfKey, type Role, targetOfKey, workspaceOfKey } from '../../core/mapping.ts'
import { type Edit, editsMax, fullAuthors } from '../../core/memory/seen.ts'
import { count, counted, lastDayText, listed, momentText, spanText } from '../../core/quantity.ts'
import type { DocumentTarget } from '../../documents/parts.ts'
import type { ReportDocument, ReportRow } from '../../documents/report.ts'
import { groupText, nameText, roleBefore } from '../change.ts'
import { editDeed, shownEdit } from '../edit.ts'
import { rowHead, td } from './cell.ts'
import { type Html, html, nothing } from './html.ts'
import { documentPlace } from './place.ts'
import { fittingRows, leftOut, type Room } from './room.ts'

/** Edits of others come from Plane; they are what a person looks for. */
export function editsHtml(edits: readonly Edit[], room: Room): Html {
  const sorted = edits.toSorted((a, b) => b.atMs - a.atMs)
  const draw = (edit: Edit) =>
    html`<tr>${td(whenText(edit))}<td>${editorHtml(edit)}</td>${whereCell(workspaceOfKey(edit.key), targetOfKey(edit.key))}${rowHead(nameText(groupOfKey(edit.key)))}${td(editDeed(shownEdit(edit)))}</tr>
`
  const { rows } = fittingRows(sorted, 200, room, draw)
  const left = sorted.slice(rows.length)
  const own = left.filter(isOwn).length
  const body =
    edits.length === 0
      ? html`<p class="dim">Nothing was written, and no mapping was changed in Plane.</p>`
      : html`<p class="dim">${authorsText(edits)}</p><table class="sheet"><thead><tr><th scope="col">when</th><th scope="col">by</th><th scope="col">where</th><th scope="col">group</th><th scope="col">role</th></tr></thead><tbody>
${rows}</tbody></table>`
  return html`<section id="edits" aria-labelledby="edits-title"><h2 id="edits-title">Written and changed in the last 14 days${cutText(edits)}</h2>${body}${leftOut(own, 'of this program')}${leftOut(left.length - own, 'of others or of unknown origin', 'plane-group-sync report')}</section>
`
}

const isOwn = ({ by }: Edit): boolean => by === 'program'

function authorsText(edits: readonly Edit[]): string {
  if (edits.every(isOwn)) return 'All of them are of this program.'
  const parts = [
    [edits.filter(({ by }) => by === 'others').length, 'of others'],
    [edits.filter(({ by }) => by === 'unknown').length, 'of unknown origin'],
  ] as const
  return `Of ${counted(edits.length, 'edit')} ${listed(parts.flatMap(([number, whose]) => (number === 0 ? [] : [`${count(number)} ${number === 1 ? 'is' : 'are'} ${whose}`])))}.`
}

function cutText(edits: readonly Edit[]): string {
  const full = fullAuthors(edits)
  if (full.length === 0) return ''
  const whose = full.map((author) => (author === 'own' ? 'of this program' : 'of others')).join(', and as many ')
  return ` (the newest ${count(editsMax)} ${whose})`
}

const whereCell = (workspace: string, target: DocumentTarget): Html => {
  const place = documentPlace(target)
  return td(`${workspace} ${place}`, html`<span class="n">${workspace}</span> ${place}`)
}

const editorHtml = ({ by }: Edit): Html =>
  by === 'others' ? html`<b class="wait">others, in Plane</b>` : html`${by === 'program' ? 'this program' : 'not known'}`

const whenText = ({ atMs, afterMs }: Edit): string => (afterMs === undefined ? momentText(atMs) : spanText(afterMs, atMs))

const soonMs = 30 * 86_400_000

/** What ends in the next 30 days, the first end first. */
export const endsSoon = ({ workspaces }: ReportDocument, nowMs: number): readonly Ending[] =>
  workspaces
    .flatMap(({ workspace, rows }) =>
      rows.flatMap((row): readonly Ending[] => (row.ends === undefined ? [] : [{ workspace, row, endsMs: Date.parse(row.ends) }])),
    )
    .filter(({ endsMs }) => endsMs <= nowMs + soonMs)
    .toSorted((a, b) => a.endsMs - b.endsMs)

export function endsHtml(report: ReportDocument, nowMs: number, room: Room): Html {
  const endings = endsSoon(report, nowMs)
  if (endings.length === 0) return nothing
  const draw = ({ workspace, row, endsMs }: Ending) =>
    html`<tr>${td(lastDayText(endsMs))}${whereCell(workspace, row.target)}${rowHead(groupText({ group: row.group as GroupName, label: row.label }))}${td(roleBefore(row.role as Role | null))}${td(row.because?.owner ?? '')}</tr>
`
  const { rows, left } = fittingRows(endings, 200, room, draw)
  return html`<section id="ends" aria-labelledby="ends-title"><h2 id="ends-title">Ends in the next 30 days (${endings.length})</h2><table class="sheet"><thead><tr><th scope="col">end</th><th scope="col">where</th><th scope="col">group</th><th scope="col">role</th><th scope="col">owner</th></tr></thead><tbody>
${rows}</tbody></table>${leftOut(left, 'of these', 'plane-group-sync report --expires-within 30d')}</section>
`
}

type Ending = { readonly workspace: string; readonly row: ReportRow; readonly endsMs: number }
