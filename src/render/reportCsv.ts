import { type GroupSize, isExact } from '../core/bounds.ts'
import { targetText } from '../core/mapping.ts'
import { boundsWord } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { ReportDocument, ReportRow } from '../documents/report.ts'
import { filterText } from './reportText.ts'
import { revisionText } from './revision.ts'

type Workspace = ReportDocument['workspaces'][number]
type Cells = readonly (readonly [
  title: string,
  of: (row: ReportRow, workspace: Workspace, report: ReportDocument) => string | number | undefined,
])[]

/** A number that is not exact is a text: `at least 3`. */
function sizeIn(size: ReportRow['size'], of: GroupSize['of']): number | string | undefined {
  if (size?.of !== of) return undefined
  return isExact(size) ? size.least : boundsWord(size)
}

const columns: Cells = [
  ['workspace', (_, { workspace }) => workspace],
  ['target', ({ target }) => targetText(target)],
  ['group', ({ group }) => group],
  ['label', ({ label }) => label],
  ['role', ({ role }) => role ?? ''],
  ['protected', (row) => (row.protected === true ? 'yes' : '')],
  ['people', ({ size }) => sizeIn(size, 'people')],
  ['members', ({ size }) => sizeIn(size, 'members')],
  ['standing', ({ standing }) => standing],
  ['rule', ({ because }) => because && `${because.at.file}:${because.at.line}:${because.at.column}`],
  ['owner', ({ because }) => because?.owner],
  ['reason', ({ because }) => because?.reason],
  ['ends', ({ ends }) => ends],
  ['since', ({ since }) => since?.at],
  ['since_after', ({ since }) => since?.after],
  ['since_by', ({ since }) => since?.by],
  ['written_from', ({ revision }) => revision && revisionText(revision)],
  ['approved_by', ({ approved }) => approved?.map(({ name }) => name).join('; ')],
  ['approved_account', ({ approved }) => approved?.map(({ account = '' }) => account).join('; ')],
  ['approved_source', ({ approved }) => approved?.map(({ source }) => source).join('; ')],
  ['approved_reason', ({ approved }) => approved?.map(({ reason = '' }) => reason).join('; ')],
  ['approved_at', ({ approved }) => approved?.map(({ at }) => at).join('; ')],
  ['unsure_role', ({ unsure }) => unsure && (unsure.role ?? '')],
  ['unsure_after', ({ unsure }) => unsure?.after],
  ['unsure_at', ({ unsure }) => unsure?.at],
  ['mapping', ({ id }) => id],
  ['report_at', (_row, _workspace, { at }) => at],
  ['declaration', (_row, _workspace, { declaration }) => declaration?.hash],
  ['commit', (_row, _workspace, { declaration }) => declaration?.revision && revisionText(declaration.revision)],
  ['plan', (_, { fingerprint }) => fingerprint],
  ['filter', (_row, _workspace, { filter }) => filter && filterText(filter)],
]

/** The rows of a report as CSV (RFC 4180, with line feeds), with a line of titles. The facts of its head are columns, so that they stay with a row. */
export const reportCsv = (report: ReportDocument): string =>
  [
    columns.map(([title]) => title),
    ...report.workspaces.flatMap((workspace) => workspace.rows.map((row) => columns.map(([, of]) => cell(of(row, workspace, report))))),
  ]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')

/**
 * A spreadsheet takes a cell that begins with one of these for a formula (OWASP, CSV Injection). `'` makes it a text. In some countries a semicolon or a tab begins
 * a cell.
 */
const formula = /(?<before>^|[;\t]\s*)(?<sign>[=+\-@\t\r＝＋－＠])/gu

function cell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : `${value}`
  const text = visible(value.replaceAll(formula, "$<before>'$<sign>"))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
