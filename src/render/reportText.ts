import type { GroupName, Role } from '../core/mapping.ts'
import { editsKeptMs } from '../core/memory/seen.ts'
import { counted, lastDayText, momentText, sizeText, spanText } from '../core/quantity.ts'
import type { Provenance } from '../core/rule.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { ReportDocument, ReportRow } from '../documents/report.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { aboutRule, groupText, nameText, placeOf, roleBefore } from './change.ts'
import { editText } from './edit.ts'
import { code, line, prose, table } from './markup.ts'
import { declarationText, revisionText } from './revision.ts'
import { standingTexts } from './standing.ts'
import { layout, paragraph, type Row } from './table.ts'
import { wrap } from './width.ts'

type Workspace = ReportDocument['workspaces'][number]
type ReportEdit = NonNullable<Workspace['edits']>[number]

/** What all forms of a report say of one mapping, in words. */
type ReportCells = {
  readonly target: string
  readonly who: string
  readonly role: string
  readonly people: string
  /** Empty for a mapping that is as its rule says. */
  readonly standing: string
  readonly since: string
  readonly ends: string
  readonly approved: string
  readonly reason: string
  /** The rule and its owner. */
  readonly place: string
}

export function reportCells(row: ReportRow): ReportCells {
  const { group, label, target, role, size, standing, because, since, ends, revision, approved = [], unsure } = row
  const { reason, place } = aboutRule(because as Provenance | undefined)
  return {
    target: placeOf(target),
    who: groupText({ group: group as GroupName, label }),
    role: roleBefore(role as Role | null),
    people: sizeText(size),
    standing: unsure === undefined ? standingTexts[standing] : unsureText(unsure),
    since: [since === undefined ? '' : sinceText(since), revision === undefined ? '' : `written from ${revisionText(revision)}`]
      .filter((text) => text !== '')
      .join(', '),
    ends: ends === undefined ? '' : lastDayText(Date.parse(ends)),
    approved: approved.map(approvalText).join('; '),
    reason,
    place,
  }
}

function unsureText({ after, at, moved, role, isNew }: NonNullable<ReportRow['unsure']>): string {
  const where = moved === undefined ? '' : `${placeOf(moved.target)} ${groupText({ group: moved.group as GroupName })} = `
  const what =
    isNew === true ? 'it was made' : role === undefined ? 'it was taken away' : `it became ${where}${roleBefore(role as Role | null)}`
  return `not certain: ${what} ${spanText(Date.parse(after), Date.parse(at))}`
}

function sinceText({ by, at, after }: NonNullable<ReportRow['since']>): string {
  if (by === 'program') return `since ${shortTime(at)}`
  // It was so in the first reading of the list, and the head says when that was.
  if (after === undefined) return ''
  return by === 'others'
    ? `by others, ${spanText(Date.parse(after), Date.parse(at))}`
    : `${spanText(Date.parse(after), Date.parse(at))}, it is not known by whom`
}

/** An approval by its name says its account, too: nothing proves the name. A file has no account: its place says who may have agreed. */
function approvalText({ name, account, source, reason }: NonNullable<ReportRow['approved']>[number]): string {
  const why = reason === undefined ? '' : `: ${oneLine(reason, 200)}`
  if (account === undefined) return `allowed in ${oneLine(source, 200)}${name === '' ? '' : ` of ${nameText(oneLine(name, 100))}`}${why}`
  return `approved by ${nameText(oneLine(name, 100))}, said by the account ${oneLine(account, 100)}${source.startsWith('approval ') ? '' : `, ${oneLine(source, 100)}`}${why}`
}

/** What one edit did, whose it is, and when: `ENG devs, member → admin, by others, between …`. */
export function editSentence({ by, after: afterTime, at, from, target, group, before, role }: ReportEdit): string {
  const deed = editText({ target, group, from, before: before as Role | null | undefined, after: role as Role | null | undefined })
  const when = afterTime === undefined ? shortTime(at) : spanText(Date.parse(afterTime), Date.parse(at))
  return `${deed}, ${by === 'others' ? 'by others' : 'it is not known by whom'}, ${when}`
}

/** Which rows a report has: `role admin, owner team-web`. */
export function filterText({ roles, owners, groups, endsBefore }: NonNullable<ReportDocument['filter']>): string {
  const part = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${name} ${values.map((value) => nameText(value)).join(' or ')}`]
  const ends = endsBefore === undefined ? [] : [`rules that end until ${shortTime(endsBefore)}`]
  return [...part('role', roles), ...part('owner', owners), ...part('group', groups), ...ends].join(', ')
}

/** `2026-11-03 02:14 UTC` */
const shortTime = (iso: string): string => momentText(Date.parse(iso))

/** The head of a report: when, from what, and how far back the journal goes. */
export function reportHead({ at, from, service, declaration, filter, planned, journal, workspaces }: ReportDocument): readonly string[] {
  const where = service === undefined ? '' : ` at ${visible(service.host)}`
  const files = declaration === undefined ? '' : ` · declaration ${declarationText(declaration, visible)}`
  const known =
    journal === undefined
      ? 'Without a journal it is not known since when a group has its role.'
      : journal.from === undefined
        ? `The journal ${visible(journal.folder)} knows nothing yet.`
        : `The journal ${visible(journal.folder)} goes back to ${shortTime(journal.from)}.`
  const source = from === 'journal' ? 'from the journal alone; rules are those of the last writes' : 'from the last readings'
  const rows = workspaces.reduce((sum, workspace) => sum + workspace.rows.length, 0)
  const only =
    filter === undefined ? [] : [`Only ${filterText(filter)}: ${rows === 0 ? 'no mapping is among them' : counted(rows, 'mapping')}.`]
  const asOn = planned === undefined ? [] : [`Rules and states are those of a plan as on ${shortTime(planned)}.`]
  return [`Access${where} on ${shortTime(at)}, ${source}${files}`, known, ...asOn, ...only]
}

/** The head of one workspace, and what of it is not known. */
export function workspaceHead({ workspace, failed, fingerprint, lists, withoutRule }: Workspace): {
  readonly title: string
  readonly notes: readonly string[]
} {
  const title = `${visible(workspace)}${fingerprint === undefined ? '' : ` · plan ${fingerprint.slice(0, 8)}`}`
  if (failed !== undefined) return { title, notes: [`Failed, the roles are not known: ${oneLine(failed, 2_000)}`] }
  return {
    title,
    notes: lists
      .flatMap(({ list, status, read, seenFrom, why }) => {
        const name = list === 'workspaceRoles' ? 'Workspace mappings' : 'Project mappings'
        const state =
          status === 'notRead'
            ? 'not read'
            : status === 'complete'
              ? `read ${read === undefined ? '' : shortTime(read)}`
              : `not read whole: ${oneLine(why ?? status, 500)}`
        return [
          `${name}: ${state}${seenFrom === undefined ? '' : `, seen since ${shortTime(seenFrom)}: a mapping without a time was so then`}`,
        ]
      })
      .concat(
        withoutRule === undefined
          ? []
          : [`${counted(withoutRule, 'mapping')} may belong here: no write to them is in the journal, so their rules are not known.`],
      ),
  }
}

/** A report for a terminal. Ends with a line break. */
export function reportText(report: ReportDocument, options: TextOptions): string {
  const canvas = canvasOf(options, 0)
  const blocks = [
    reportHead(report).flatMap((text) => wrap(text, canvas.width)),
    ...shownWorkspaces(report).map((workspace) => workspaceLines(workspace, canvas)),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function workspaceLines(workspace: Workspace, { width, paint }: Canvas): readonly string[] {
  const { title, notes } = workspaceHead(workspace)
  const style = workspace.failed === undefined ? 'dim' : 'alarm'
  return [
    paint('bold', title),
    ...notes.flatMap((note) => paragraph(note, width).map((text) => paint(style, text))),
    ...(workspace.failed === undefined && workspace.rows.length === 0 ? ['  no mapping'] : []),
    ...layout(workspace.rows.map(textRow), width, paint),
    ...(workspace.failed === undefined ? [counted(workspace.rows.length, 'mapping')] : []),
    ...editLines(workspace, width),
  ]
}

/** Beside a filter, what has nothing in it is left out. */
export const shownWorkspaces = ({ filter, workspaces }: ReportDocument): readonly Workspace[] =>
  filter === undefined
    ? workspaces
    : workspaces.filter(
        ({ failed, rows, edits = [], withoutRule }) => failed !== undefined || withoutRule !== undefined || rows.length + edits.length > 0,
      )

/** Edits of which it is not known who made them are among them. */
export const editsTitle = `Changed in Plane in the last ${counted(editsKeptMs / 86_400_000, 'day')}, not by this program as far as it knows`
function editLines({ edits = [] }: Workspace, width: number): readonly string[] {
  if (edits.length === 0) return []
  return [
    `${editsTitle} (${counted(edits.length, 'edit')})`,
    ...edits.toReversed().flatMap((edit) => paragraph(`  ${editSentence(edit)}`, width)),
  ]
}

function textRow(row: ReportRow): Row {
  const { target, who, role, people, standing, since, ends, approved, reason, place } = reportCells(row)
  const facts = [people, standing, ends].filter((text) => text !== '').join(', ')
  return {
    symbol: row.protected === true ? '‼' : '·',
    style: row.protected === true ? 'alarm' : 'dim',
    lead: [{ text: target }, { text: who }, { text: `= ${role}` }],
    tail: [{ text: facts }, { text: place, style: 'dim' }],
    below: [[since, approved, reason].filter((text) => text !== '').join(' · ')].filter((text) => text !== ''),
  }
}

const editsMarkdown = ({ edits = [] }: Workspace): readonly string[] =>
  edits.length === 0
    ? []
    : [
        `${editsTitle}:`,
        edits
          .toReversed()
          .map((edit) => `- ${prose(editSentence(edit))}`)
          .join('\n'),
      ]

/** A report for a comment or a page in Markdown. */
export function reportMarkdown(report: ReportDocument): string {
  return `${[
    ...reportHead(report).map(prose),
    ...shownWorkspaces(report).flatMap((workspace) => {
      const { title, notes } = workspaceHead(workspace)
      const rows = workspace.rows.map((row) => {
        const { target, who, role, people, standing, since, ends, approved, reason, place } = reportCells(row)
        const cells = [
          row.protected === true ? '‼' : '',
          code(target),
          code(who),
          code(role),
          prose(people),
          prose(standing),
          prose(since),
          prose(ends),
        ]
        return line([...cells, prose(approved), prose(reason), code(place)])
      })
      const titles = ['', 'target', 'group', 'role', 'people', 'state', 'since', 'ends', 'approved', 'reason', 'declared in']
      return [`### ${prose(title)}`, ...notes.map(prose), ...(rows.length === 0 ? [] : [table(titles, rows)]), ...editsMarkdown(workspace)]
    }),
  ].join('\n\n')}\n`
}
