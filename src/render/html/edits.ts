import { type GroupName, groupOfKey, presentRole, type Role, targetOfKey, workspaceOfKey } from '../../core/mapping.ts'
import { type Edit, editsMax } from '../../core/memory/seen.ts'
import { lastDayText, momentText } from '../../core/quantity.ts'
import type { DocumentTarget } from '../../documents/parts.ts'
import type { ReportDocument, ReportRow } from '../../documents/report.ts'
import { groupText, nameText } from '../change.ts'
import { rowHead, td } from './cell.ts'
import { type Html, html, nothing } from './html.ts'
import { documentPlace } from './place.ts'
import { fittingRows, leftOut, type Room } from './room.ts'

/** Edits of others come from Plane; they are what a person looks for. */
export function editsHtml(edits: readonly Edit[], room: Room): Html {
  const others = edits.filter(({ by }) => by === 'others').length
  const draw = (edit: Edit) =>
    html`<tr>${td(whenText(edit))}<td>${editorHtml(edit)}</td>${whereCell(workspaceOfKey(edit.key), targetOfKey(edit.key))}${rowHead(nameText(groupOfKey(edit.key)))}${td(`${roleText(edit.before)} → ${roleText(edit.after)}`)}</tr>
`
  const { rows, left } = fittingRows(
    edits.toSorted((a, b) => b.atMs - a.atMs),
    200,
    room,
    draw,
  )
  const body =
    edits.length === 0
      ? html`<p class="dim">Nothing was written, and no mapping was changed in Plane.</p>`
      : html`<p class="dim">${others === 0 ? 'All of them are of this program.' : `${others} of ${edits.length} are of others.`}</p><table class="sheet"><thead><tr><th scope="col">when</th><th scope="col">by</th><th scope="col">where</th><th scope="col">group</th><th scope="col">role</th></tr></thead><tbody>
${rows}</tbody></table>`
  return html`<section id="edits" aria-labelledby="edits-title"><h2 id="edits-title">Written and changed in the last 14 days${edits.length < editsMax ? '' : ` (the newest ${editsMax})`}</h2>${body}${leftOut(left, 'of these', 'plane-group-sync report --format json')}</section>
`
}

const whereCell = (workspace: string, target: DocumentTarget): Html => {
  const place = documentPlace(target)
  return td(`${workspace} ${place}`, html`<span class="n">${workspace}</span> ${place}`)
}

const editorHtml = ({ by }: Edit): Html =>
  by === 'others' ? html`<b class="wait">others, in Plane</b>` : html`${by === 'program' ? 'this program' : 'not known'}`

const whenText = ({ atMs, afterMs }: Edit): string =>
  afterMs !== undefined ? `between ${momentText(afterMs)} and ${momentText(atMs)}` : momentText(atMs)
const roleText = (role: string | null | undefined): string => (role === undefined ? 'no mapping' : presentRole(role as Role | null))

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
  const all = endsSoon(report, nowMs)
  if (all.length === 0) return nothing
  const draw = ({ workspace, row, endsMs }: Ending) =>
    html`<tr>${td(lastDayText(endsMs))}${whereCell(workspace, row.target)}${rowHead(groupText({ group: row.group as GroupName, label: row.label }))}${td(roleText(row.role))}${td(row.because?.owner ?? '')}</tr>
`
  const { rows, left } = fittingRows(all, 200, room, draw)
  return html`<section id="ends" aria-labelledby="ends-title"><h2 id="ends-title">Ends in the next 30 days (${all.length})</h2><table class="sheet"><thead><tr><th scope="col">end</th><th scope="col">where</th><th scope="col">group</th><th scope="col">role</th><th scope="col">owner</th></tr></thead><tbody>
${rows}</tbody></table>${leftOut(left, 'of these', 'plane-group-sync report --expires-within 30d')}</section>
`
}

type Ending = { readonly workspace: string; readonly row: ReportRow; readonly endsMs: number }
