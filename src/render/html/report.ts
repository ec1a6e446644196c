import { presentRole, type Role } from '../../core/mapping.ts'
import { count, counted, lastDayText, listed, momentText } from '../../core/quantity.ts'
import { oneLine } from '../../core/safeName.ts'
import type { ReportDocument, ReportRow } from '../../documents/report.ts'
import { words } from './accessMap.ts'
import { type Html, html, htmlBetween, nothing } from './html.ts'
import { htmlDocument } from './page.ts'
import { documentPlace } from './place.ts'

type ReportWorkspace = ReportDocument['workspaces'][number]

/**
 * A report as a file that an auditor prints: what it relies on, then each mapping in a row.
 *
 * @param styleHash SHA-256 of `style` in base64: the policy in the file allows this style, and nothing else
 */
export function reportHtml(report: ReportDocument, styleHash?: string): string {
  const { at, workspaces } = report
  const rows = workspaces.reduce((sum, workspace) => sum + workspace.rows.length, 0)
  const title = `Who has access, ${momentText(Date.parse(at))}`
  return htmlDocument(
    title,
    html`<header><p class="dim">plane-group-sync${report.service === undefined ? nothing : html` &middot; ${report.service.host}`}</p>
<h1>${title}</h1><p>${counted(rows, 'mapping')} in ${counted(workspaces.length, 'workspace')}: the members of a group have this role in this place.</p></header>
<main>${evidenceHtml(report)}${workspaces.map(workspaceHtml)}</main>`,
    styleHash === undefined
      ? nothing
      : html`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'">`,
  )
}

/** What the report relies on. */
function evidenceHtml({ from, declaration, workspaces, findings }: ReportDocument): Html {
  const facts: readonly (readonly [string, Html])[] = [
    ['From', html`${from === 'readings' ? 'what the daemon read last' : 'what the journal says of that moment'}`],
    ...(declaration === undefined
      ? []
      : [
          [
            'Declaration',
            html`${declaration.hash} (${counted(declaration.files, 'file')})${declaration.commit === undefined ? nothing : html`, commit ${declaration.commit}`}`,
          ] as const,
        ]),
    ...workspaces.map((one) => [one.workspace, evidenceOf(one)] as const),
  ]
  return html`<section aria-labelledby="evidence"><h2 id="evidence">What this relies on</h2><dl class="facts">${facts.map(
    ([name, text]) => html`<div><dt class="n">${name}</dt><dd>${text}</dd></div>`,
  )}</dl>${findings.length === 0 ? nothing : html`<h3>Findings (${count(findings.length)})</h3><ul class="rows">${findings.map(({ code, sentence, place }) => html`<li><p>${code}: ${oneLine(sentence, 1000)} <span class="dim">${place}</span></p></li>`)}</ul>`}</section>
`
}

function evidenceOf({ failed, fingerprint, lists }: ReportWorkspace): Html {
  if (failed !== undefined) return html`<span class="alarm">not known: ${failed}</span>`
  const texts = lists.map(
    ({ list, status, read, seenFrom, why }) =>
      html`${listWords[list]}: ${status === 'notRead' ? 'not read' : status}${read === undefined ? nothing : html`, read ${momentText(Date.parse(read))}`}${
        seenFrom === undefined ? nothing : html`, known since ${momentText(Date.parse(seenFrom))}`
      }${why === undefined ? nothing : html` (${why})`}`,
  )
  return html`${htmlBetween(texts, '; ')}${fingerprint === undefined ? nothing : html`; fingerprint ${fingerprint}`}`
}

const listWords = { workspaceRoles: 'roles in the workspace', projectRoles: 'roles in projects' } as const

function workspaceHtml({ workspace, rows }: ReportWorkspace): Html {
  if (rows.length === 0) return html`<section><h2 class="n">${workspace}</h2><p class="dim">There is no mapping.</p></section>`
  return html`<section><h2 class="n">${workspace}</h2><table class="sheet"><caption>${counted(rows.length, 'mapping')} of ${workspace}</caption><thead><tr><th scope="col">place</th><th scope="col">group</th><th scope="col">role</th><th scope="col" class="num">people</th><th scope="col">rule</th><th scope="col">owner and reason</th><th scope="col">end</th><th scope="col">since</th><th scope="col">approved by</th></tr></thead><tbody>
${rows.map(rowHtml)}</tbody></table></section>
`
}

function rowHtml({
  target,
  group,
  label,
  role,
  people,
  protected: isProtected,
  standing,
  because,
  ends,
  since,
  approved = [],
}: ReportRow): Html {
  const { at, owner, reason, pattern } = because ?? {}
  const rule =
    at === undefined ? words[standing] : `${at.file}:${at.line}${pattern === undefined ? '' : ` ${pattern.syntax} ${pattern.source}`}`
  return html`<tr><td>${documentPlace(target)}</td><th scope="row" class="n">${group}${label === undefined ? nothing : html` (${label})`}</th><td>${isProtected === true ? html`<b class="word">${presentRole(role as Role | null)}</b>` : presentRole(role as Role | null)}</td><td class="num">${
    people === undefined ? '?' : count(people)
  }</td><td>${rule}${at === undefined || standing === 'declared' ? nothing : html`, ${words[standing]}`}</td><td>${htmlBetween(
    [owner, reason].flatMap((text) => (text === undefined ? [] : [html`${oneLine(text, 500)}`])),
    ': ',
  )}</td><td>${ends === undefined ? nothing : lastDayText(Date.parse(ends)).replace('until ', '')}</td><td>${sinceText(since)}</td><td>${listed(
    approved.map(
      ({ name, account, at: when, reason: why }) =>
        `${name}${account === undefined ? '' : ` (${account})`}, ${momentText(Date.parse(when))}${why === undefined ? '' : `: ${why}`}`,
    ),
  )}</td></tr>
`
}

/** `2026-11-03 02:14 UTC, by this program`; `between … and …, by others` */
function sinceText(since: ReportRow['since']): string {
  if (since === undefined) return 'not known'
  const at = momentText(Date.parse(since.at))
  switch (since.by) {
    case 'program':
      return `${at}, by this program`
    case 'others':
      return since.after === undefined ? `before ${at}, by others` : `between ${momentText(Date.parse(since.after))} and ${at}, by others`
    case 'unknown':
      return `before ${at}`
    default:
      return since.by satisfies never
  }
}
