import { by } from '../../core/compare.ts'
import { type GroupName, presentRole, type Role } from '../../core/mapping.ts'
import { count, counted, lastDayText, sizeText } from '../../core/quantity.ts'
import { shellWord } from '../../core/safeName.ts'
import type { DocumentChange } from '../../documents/change.ts'
import type { LastDocument } from '../../documents/last.ts'
import type { DocumentTarget } from '../../documents/parts.ts'
import type { ReportDocument, ReportRow } from '../../documents/report.ts'
import { groupText, nameText } from '../change.ts'
import { hasPlan } from '../hasPlan.ts'
import { standingTexts } from '../standing.ts'
import { statusHold } from '../statusEntries.ts'
import { type Html, html, nothing } from './html.ts'
import { documentPlace } from './place.ts'
import { leftOut, type Room } from './room.ts'

/** The groups of a cell that are named. */
const groupsMax = 200
/** The most lines of one table. The next ones stand in a table beside it. */
const linesOfTable = 24

/** The groups that have one role in one project, in all projects or in the workspace. `id`: its place on the page. */
type Cell = {
  readonly id: string
  readonly role: string
  readonly isProtected: boolean
  readonly rows: readonly ReportRow[]
  readonly soon: readonly Soon[]
}
/** `will`: `will come (held)` */
type Soon = { readonly group: string; readonly will: string }
type Line = { readonly name: string; readonly cells: ReadonlyMap<string, Cell> }

/** What shows the mappings of a workspace, and the changes that are still to come. */
type Commands = { readonly rows: string; readonly soon: string }

/** The room of all maps: for their rows, and for the groups of their cells. */
type MapRooms = { readonly rows: Room; readonly groups: Room }

/** One workspace of the report: who has which role where. Each cell leads to the groups behind it. */
export function accessMap(
  { workspace, rows, failed }: ReportDocument['workspaces'][number],
  last: LastDocument | undefined,
  id: string,
  rooms: MapRooms,
): Html {
  const heading = html`<h3 id="${id}" class="n">${workspace}</h3>`
  if (failed !== undefined) return html`${heading}<p class="alarm">Not known: ${failed}</p>`
  const lines = linesOf(rows, movesOf(last, workspace), id)
  if (lines.length === 0) return html`${heading}<p class="dim">There is no mapping.</p>`
  const roles = rolesOf(lines)
  const about = `--workspace ${shellWord(workspace)}`
  const command = `plane-group-sync report ${about}`
  const commands = { rows: command, soon: `plane-group-sync status ${about} --all` }
  const isFirst = new Map(lines.map((line) => [line, line.cells.values().some(({ isProtected }) => isProtected)]))
  const first = [...lines.filter((line) => isFirst.get(line)), ...lines.filter((line) => !isFirst.get(line))]
  const groups = new Map(first.flatMap((line) => drawnGroups(line, roles, commands, rooms.groups)))
  const drawn = new Map(first.flatMap((line) => drawnRow(line, roles, groups.has(line), rooms.rows)))
  const shown = lines.filter((line) => drawn.has(line))
  const tables = chunks(shown, linesOfTable).map((chunk) => tableOf(chunk, roles, drawn))
  const named = lines.flatMap((line) => groups.get(line) ?? [])
  return html`${heading}<p class="dim">${counted(rows.length, 'mapping')} in ${counted(lines.filter(hasMapping).length, 'place')}</p>
<div class="maps${roles.length > 3 ? ' wide' : ''}">${tables}</div>
${leftOut(lines.length - shown.length, 'places', command)}${
  named.length === 0
    ? nothing
    : html`<details class="cells"><summary>The groups of each cell in ${workspace}</summary>
${named}${leftOut(lines.length - named.length, 'places', command)}</details>`
}
`
}

/** Where only a change that is still to come leads, there is no access yet; perhaps there is no such project. */
const hasMapping = ({ cells }: Line): boolean => cells.values().some(({ rows }) => rows.length > 0)

/** A line that does not fit is not drawn; lines with protected roles come first. */
function drawnRow(line: Line, roles: readonly string[], leads: boolean, room: Room): readonly (readonly [Line, Html])[] {
  if (room.isFull()) return []
  const row = html`<tr><th scope="row">${line.name}</th>${roles.map((role) => tdOf(line.cells.get(role), leads))}</tr>
`
  return room.take(row) ? [[line, row]] : []
}

/** The groups of a line, cell by cell. */
function drawnGroups(line: Line, roles: readonly string[], commands: Commands, room: Room): readonly (readonly [Line, Html])[] {
  if (room.isFull()) return []
  const groups = html`<h4>${line.name}</h4>${roles.flatMap((role) => line.cells.get(role) ?? []).map((cell) => cellHtml(cell, commands))}
`
  return room.take(groups) ? [[line, groups]] : []
}

type Open = { id: string; readonly role: string; readonly rows: ReportRow[]; readonly soon: Soon[]; isProtected: boolean }

function linesOf(rows: readonly ReportRow[], moves: readonly Move[], id: string): readonly Line[] {
  const lines = new Map<string, { readonly target: DocumentTarget; readonly cells: Map<string, Open> }>()
  const cellAt = (target: DocumentTarget, role: string | null): Open => {
    const key = `${kindOrder[target.kind]}${target.kind === 'project' ? target.project : ''}`
    const line = lines.get(key) ?? { target, cells: new Map<string, Open>() }
    lines.set(key, line)
    const name = presentRole(role as Role | null)
    const cell = line.cells.get(name) ?? { id: '', role: name, rows: [], soon: [], isProtected: false }
    line.cells.set(name, cell)
    return cell
  }
  for (const row of rows) {
    const cell = cellAt(row.target, row.role)
    cell.rows.push(row)
    cell.isProtected ||= row.protected === true || isAdmin(row.role)
  }
  for (const { target, group, before, role, isProtected, word } of moves) {
    if (before !== undefined && before !== role) cellAt(target, before).soon.push({ group, will: `will leave (${word})` })
    if (role === undefined) continue
    const cell = cellAt(target, role)
    cell.soon.push({ group, will: `will ${before === role ? 'change' : 'come'} (${word})` })
    cell.isProtected ||= isProtected || isAdmin(role)
  }
  let number = 0
  return [...lines].toSorted(by(([key]) => key)).map(([, { target, cells }]) => {
    for (const cell of cells.values()) cell.id = `${id}-${++number}`
    return { name: documentPlace(target), cells }
  })
}

/** Also where the settings do not protect it, it is what a reader looks for. */
const isAdmin = (role: string | null): boolean => role === 'admin' || role === 'owner'

const kindOrder = { workspace: 0, allProjects: 1, project: 2 } as const

/** A change that is still to come. `before` is absent if there is no mapping, `role` if there will be none. */
type Move = {
  readonly target: DocumentTarget
  readonly group: string
  readonly before?: string | null | undefined
  readonly role?: string | undefined
  readonly isProtected: boolean
  readonly word: string
}

/** Changes that wait, are held, or were not written. */
function movesOf(last: LastDocument | undefined, name: string): readonly Move[] {
  const workspace = last?.workspaces.find(({ plan }) => plan.workspace === name)
  if (workspace === undefined || !hasPlan(workspace)) return []
  const { changes, applied, holds } = workspace.plan
  const done = new Set((applied?.results ?? []).flatMap(({ change, outcome }) => (outcome.is === 'done' ? [change] : [])))
  const open = changes.filter(({ id }) => !done.has(id)).flatMap((change) => moveOf(change, 'not written yet'))
  const held = holds.flatMap((hold) => {
    const { section } = statusHold(hold, 'any')
    if (section !== 'waiting' && section !== 'held') return []
    const word = section === 'waiting' ? 'waits for approval' : 'held'
    const { change, target, group, would, protected: isProtected = false } = hold
    if (change !== undefined) return moveOf(change, word)
    if (target === undefined || group === undefined || would === undefined) return []
    if (would.action === 'keep' || would.action === 'unknown') return []
    return [
      {
        target,
        group,
        word,
        isProtected,
        ...(would.action === 'create' ? {} : { before: would.before }),
        ...('role' in would ? { role: would.role } : {}),
      },
    ]
  })
  return [...open, ...held]
}

function moveOf(change: DocumentChange, word: string): readonly Move[] {
  if (change.action === 'settings') return []
  const { target, group } = change
  return [
    {
      target,
      group,
      word,
      isProtected: change.protected === true,
      ...('before' in change ? { before: change.before } : {}),
      ...('role' in change ? { role: change.role } : {}),
    },
  ]
}

/** The columns: a role of more protected cells stands further to the right. */
function rolesOf(lines: readonly Line[]): readonly string[] {
  const cells = lines.flatMap((line) => [...line.cells.values()])
  const isProtected = new Set(cells.flatMap((cell) => (cell.isProtected ? [cell.role] : [])))
  const rank = (role: string) => {
    const at = usual.indexOf(role)
    return `${isProtected.has(role) ? 1 : 0}${at < 0 ? usual.length : at} ${role}`
  }
  return [...new Set(cells.map(({ role }) => role))].toSorted(by(rank))
}
const usual = ['no role', 'guest', 'commenter', 'contributor', 'member', 'admin', 'owner']

function tableOf(lines: readonly Line[], roles: readonly string[], drawn: ReadonlyMap<Line, Html>): Html {
  const [first, last] = [lines[0]?.name ?? '', lines.at(-1)?.name ?? '']
  const caption = first === last ? first : `${first} to ${last}`
  return html`<table class="map"><caption>${caption}</caption><thead><tr><th scope="col">place</th>${roles.map(
    (role) => html`<th scope="col">${role}</th>`,
  )}</tr></thead><tbody>
${lines.flatMap((line) => drawn.get(line) ?? [])}</tbody></table>`
}

/** @param leads whether its groups are on the page */
function tdOf(cell: Cell | undefined, leads: boolean): Html {
  if (cell === undefined) return html`<td></td>`
  const { text, level } = peopleOf(cell.rows)
  const soon = cell.soon.length > 0
  const shown = `${text}${soon ? '*' : ''}`
  return html`<td class="${cell.isProtected ? 'p' : 'a'}${level}${soon ? ' f' : ''}">${leads ? html`<a href="#${cell.id}">${shown}</a>` : shown}</td>`
}

/** `known`: how many of the groups a directory counts. */
function sumOf(rows: readonly ReportRow[]): { readonly sum: number; readonly known: number } {
  let [sum, known] = [0, 0]
  for (const { size } of rows) {
    if (size === undefined) continue
    sum += size.most ?? size.least
    known += 1
  }
  return { sum, known }
}

/** `63`; `63+` if the people of a group are not known; `?` if none are. `level`: 0 to 5. */
function peopleOf(rows: readonly ReportRow[]): { readonly text: string; readonly level: number } {
  const { sum, known } = sumOf(rows)
  if (rows.length === 0) return { text: '0', level: 0 }
  if (known === 0) return { text: '?', level: 0 }
  return { text: `${count(sum)}${known < rows.length ? '+' : ''}`, level: 1 + bounds.filter((bound) => sum >= bound).length }
}

function peopleSentence(rows: readonly ReportRow[]): string {
  const { sum, known } = sumOf(rows)
  if (rows.length === 0) return 'no group now'
  if (known === 0) return `${counted(rows.length, 'group')}, people not known`
  const more = known < rows.length ? ', and those of groups of unknown size' : ''
  return `${counted(rows.length, 'group')}, at most ${counted(sum, 'person', 'people')}${more}`
}

const bounds = [5, 20, 100, 500]

export const legend = html`<p class="legend"><span>Each number: at most so many people, the sum of the groups.</span>
<span><i class="a1"></i>1 to 4</span><span><i class="a2"></i>5 to 19</span><span><i class="a3"></i>20 to 99</span><span><i class="a4"></i>100 to 499</span><span><i class="a5"></i>500 and more</span>
<span><i class="p1"></i><i class="p3"></i><i class="p5"></i>admin, owner, and protected roles</span><span><i class="a0 f"></i>framed, with *: a change waits or is held</span><span>?: it is not known how many</span></p>`

function cellHtml({ id, role, rows, soon }: Cell, commands: Commands): Html {
  const shown = rows.toSorted((a, b) => (b.size?.least ?? 0) - (a.size?.least ?? 0)).slice(0, groupsMax)
  const ofRole = `${commands.rows} --role ${shellWord(role)}`
  const coming = soon.slice(0, groupsMax).map(({ group, will }) => html`<li class="wait">${nameText(group)} <i>${will}</i></li>`)
  return html`<div id="${id}"><p><b>${role}</b> <span class="dim">${peopleSentence(rows)}</span></p>${
    rows.length + soon.length === 0 ? nothing : html`<ul class="names">${shown.map(groupHtml)}${coming}</ul>`
  }${leftOut(rows.length - shown.length, 'groups', ofRole)}${leftOut(soon.length - coming.length, 'changes that are still to come', commands.soon)}</div>`
}

/** A name may look like several, with their numbers. So each stands in a frame of its own. */
function groupHtml({ group, label, size, standing, ends }: ReportRow): Html {
  const notes = [sizeText(size), standingTexts[standing], ends === undefined ? '' : lastDayText(Date.parse(ends))].filter(
    (text) => text !== '',
  )
  return html`<li>${groupText({ group: group as GroupName, label })}${notes.length === 0 ? nothing : html` <i>${notes.join(', ')}</i>`}</li>`
}

/** Parts of almost the same length, of at most `most`. */
function chunks<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  const size = Math.ceil(items.length / Math.max(1, Math.ceil(items.length / most)))
  return Array.from({ length: size === 0 ? 0 : Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
