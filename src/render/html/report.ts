import { count, counted, momentText, sizeText } from '../../core/quantity.ts'
import type { ReportDocument, ReportRow } from '../../documents/report.ts'
import { editSentence, editsTitle, reportCells, reportHead, shownWorkspaces, workspaceHead } from '../reportText.ts'
import { rowHead, td } from './cell.ts'
import { type Html, html, nothing } from './html.ts'
import { htmlDocument } from './page.ts'
import { pagePolicy } from './style.ts'

type ReportWorkspace = ReportDocument['workspaces'][number]

/**
 * A report as a file that an auditor prints: what it relies on, then each mapping in a row.
 *
 * @param styleHash as for `pagePolicy`
 */
export function reportHtml(report: ReportDocument, styleHash: string): string {
  const { at, workspaces } = report
  const rows = workspaces.reduce((sum, workspace) => sum + workspace.rows.length, 0)
  const title = `${report.filter === undefined ? 'Who has access' : 'A part of who has access'}, ${momentText(Date.parse(at))}`
  return htmlDocument(
    title,
    html`<header><p class="dim">plane-group-sync${report.service === undefined ? nothing : html` &middot; ${report.service.host}`}</p>
<h1>${title}</h1><p>${counted(rows, 'mapping')} in ${counted(workspaces.length, 'workspace')}: the members of a group have this role in this place.</p></header>
<main>${evidenceHtml(report)}${shownWorkspaces(report).map(workspaceHtml)}</main>`,
    html`<meta http-equiv="Content-Security-Policy" content="${pagePolicy(styleHash)}">`,
  )
}

/** What the report relies on. */
function evidenceHtml(report: ReportDocument): Html {
  const { declaration, workspaces } = report
  const hashes = [
    ...(declaration === undefined ? [] : [['Declaration', declaration.hash] as const]),
    ...(declaration?.revision === undefined ? [] : [['Commit', declaration.revision.id] as const]),
    ...workspaces.flatMap(({ workspace, fingerprint }) =>
      fingerprint === undefined ? [] : [[`Plan of ${workspace}`, fingerprint] as const],
    ),
  ]
  return html`<section aria-labelledby="evidence"><h2 id="evidence">What this relies on</h2>${reportHead(report).map((text) => html`<p>${text}</p>`)}<dl class="facts">${hashes.map(
    ([name, text]) => html`<div><dt class="n">${name}</dt><dd class="n">${text}</dd></div>`,
  )}</dl></section>
`
}

function workspaceHtml(workspace: ReportWorkspace): Html {
  const { workspace: name, failed, rows, edits = [] } = workspace
  const edited =
    edits.length === 0
      ? nothing
      : html`<h3>${editsTitle} (${count(edits.length)})</h3><ul class="rows">${edits.toReversed().map((edit) => html`<li><p>${editSentence(edit)}</p></li>`)}</ul>`
  const { notes } = workspaceHead(workspace)
  const head = html`<h2 class="n">${name}</h2>${notes.map((note) => html`<p class="${failed === undefined ? 'dim' : 'alarm'}">${note}</p>`)}`
  if (failed !== undefined) return html`<section>${head}</section>`
  if (rows.length === 0) return html`<section>${head}<p class="dim">There is no mapping.</p>${edited}</section>`
  return html`<section>${head}<table class="sheet report"><caption>${counted(rows.length, 'mapping')} of ${name}</caption><thead><tr><th scope="col">place</th><th scope="col">group</th><th scope="col">role</th><th scope="col" class="num">size</th><th scope="col">rule and owner</th><th scope="col">reason</th><th scope="col">state</th><th scope="col">end</th><th scope="col">since</th><th scope="col">approved</th></tr></thead><tbody>
${rows.map(rowHtml)}</tbody></table>${edited}</section>
`
}

function rowHtml(row: ReportRow): Html {
  const { target, who, role, standing, since, ends, approved, reason, place } = reportCells(row)
  const shownRole = row.protected === true ? html`<b class="word">${role}</b>` : html`${role}`
  return html`<tr>${td(target)}${rowHead(who)}${td(role, shownRole)}<td class="num">${
    sizeText(row.size) || '?'
  }</td>${[place, reason, standing, ends, since, approved].map((text) => td(text))}</tr>
`
}
