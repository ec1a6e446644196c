import type { GroupName, Role } from '../core/mapping.ts'
import { counted, lastDayText, momentText } from '../core/quantity.ts'
import type { Provenance } from '../core/rule.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { ReportDocument, ReportRow } from '../documents/report.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { aboutRule, groupText, peopleText, placeOf, roleBefore } from './change.ts'
import { code, line, prose, table } from './markup.ts'
import { declarationText, revisionText } from './revision.ts'
import { layout, paragraph, type Row } from './table.ts'
import { wrap } from './width.ts'

type Workspace = ReportDocument['workspaces'][number]

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

const standingTexts: Readonly<Record<ReportRow['standing'], string>> = {
  declared: '',
  ending: 'the plan deletes it',
  held: 'held',
  undeclared: 'undeclared',
  unmanaged: 'unmanaged',
  notManaged: 'not managed',
  unknown: '',
}

export function reportCells(row: ReportRow): ReportCells {
  const { group, label, target, role, people, standing, because, since, ends, revision, approved = [], unsure } = row
  const { reason, place } = aboutRule(because as Provenance | undefined)
  return {
    target: placeOf(target),
    who: groupText({ group: group as GroupName, label }),
    role: roleBefore(role as Role | null),
    people: peopleText(people),
    standing:
      unsure === undefined
        ? standingTexts[standing]
        : `not certain: it changed between ${shortTime(unsure.after)} and ${shortTime(unsure.at)}`,
    since: [since === undefined ? '' : sinceText(since), revision === undefined ? '' : revisionText(revision)]
      .filter((text) => text !== '')
      .join(', '),
    ends: ends === undefined ? '' : lastDayText(Date.parse(ends)),
    approved: approved.map(approvalText).join('; '),
    reason,
    place,
  }
}

function sinceText({ by, at, after }: NonNullable<ReportRow['since']>): string {
  if (by === 'program') return `since ${shortTime(at)}`
  // It was so in the first reading of the list, and the head says when that was.
  if (after === undefined) return ''
  const span = `between ${shortTime(after)} and ${shortTime(at)}`
  return by === 'others' ? `by others, ${span}` : `${span}, it is not known by whom`
}

/** An approval by its name says its account, too: nothing proves the name. */
function approvalText({ name, account, source, reason }: NonNullable<ReportRow['approved']>[number]): string {
  const who = account === undefined ? oneLine(name, 100) : `${oneLine(name, 100)} (account ${oneLine(account, 100)})`
  const from = /^[0-9a-f]{32}$/.test(source) ? '' : `, ${oneLine(source, 100)}`
  return `approved by ${who}${from}${reason === undefined ? '' : `: ${oneLine(reason, 200)}`}`
}

/** `2026-11-03 02:14 UTC` */
const shortTime = (iso: string): string => momentText(Date.parse(iso))

/** The head of a report: when, from what, and how far back the journal goes. */
export function reportHead({ at, from, service, declaration, journal }: ReportDocument): readonly string[] {
  const where = service === undefined ? '' : ` at ${visible(service.host)}`
  const files = declaration === undefined ? '' : ` · declaration ${declarationText(declaration, visible)}`
  const known =
    journal === undefined
      ? 'Without a journal it is not known since when a group has its role.'
      : journal.from === undefined
        ? `The journal ${visible(journal.folder)} knows nothing yet.`
        : `The journal ${visible(journal.folder)} goes back to ${shortTime(journal.from)}.`
  const source = from === 'journal' ? 'from the journal alone; rules are those of the last writes' : 'from the last readings'
  return [`Access${where} on ${shortTime(at)}, ${source}${files}`, known]
}

/** The head of one workspace, and what of it is not known. */
export function workspaceHead({ workspace, failed, fingerprint, lists }: Workspace): {
  readonly title: string
  readonly notes: readonly string[]
} {
  const title = `${visible(workspace)}${fingerprint === undefined ? '' : ` · plan ${fingerprint.slice(0, 8)}`}`
  if (failed !== undefined) return { title, notes: [`Failed, the roles are not known: ${oneLine(failed, 2_000)}`] }
  return {
    title,
    notes: lists.flatMap(({ list, status, read, seenFrom, why }) => {
      const name = list === 'workspaceRoles' ? 'Workspace mappings' : 'Project mappings'
      const state =
        status === 'notRead'
          ? 'not read'
          : status === 'complete'
            ? `read ${read === undefined ? '' : shortTime(read)}`
            : `not read whole: ${oneLine(why ?? status, 500)}`
      return [`${name}: ${state}${seenFrom === undefined ? '' : `, seen since ${shortTime(seenFrom)}`}`]
    }),
  }
}

/** A report for a terminal. Ends with a line break. */
export function reportText(report: ReportDocument, options: TextOptions): string {
  const canvas = canvasOf(options, 0)
  const blocks = [
    reportHead(report).flatMap((text) => wrap(text, canvas.width)),
    ...report.workspaces.map((workspace) => workspaceLines(workspace, canvas)),
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
  ]
}

function textRow(row: ReportRow): Row {
  const { target, who, role, people, standing, since, ends, approved, reason, place } = reportCells(row)
  const facts = [people, standing, ends].filter((text) => text !== '').join(', ')
  return {
    symbol: row.protected === true ? '‼' : '·',
    style: row.protected === true ? 'alarm' : 'dim',
    lead: [{ text: target }, { text: who }, { text: `= ${role}` }],
    tail: [{ text: facts }, { text: since }, { text: approved }, { text: reason }, { text: place, style: 'dim' }],
    below: [],
  }
}

/** A report for a comment or a page in Markdown. */
export function reportMarkdown(report: ReportDocument): string {
  return `${[
    ...reportHead(report).map(prose),
    ...report.workspaces.flatMap((workspace) => {
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
      return [`### ${prose(title)}`, ...notes.map(prose), ...(rows.length === 0 ? [] : [table(titles, rows)])]
    }),
  ].join('\n\n')}\n`
}
