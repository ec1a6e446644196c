import type { Edit } from '../../core/memory/seen.ts'
import { counted, durationText, listedFirst, momentText } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { LastDocument, LastWorkspace } from '../../documents/last.ts'
import type { ReportDocument } from '../../documents/report.ts'
import type { RunningDocument } from '../../documents/running.ts'
import { invalidDeclarationText, unusedSettingsText } from '../invalidDeclaration.ts'
import { declarationText } from '../revision.ts'
import { runningText } from '../runningText.ts'
import { budgetText, headTexts, isWell, lastReadingText, urgency, urgencyOfHolds } from '../statusText.ts'
import { accessMap, legend } from './accessMap.ts'
import { editsHtml, endsHtml, endsSoon } from './edits.ts'
import { firstSentence } from './firstSentence.ts'
import { type Html, html, nothing } from './html.ts'
import { fittingRows, leftOut, openRoom } from './room.ts'
import { styleElement } from './style.ts'
import { findingsHtml, workspaceHtml } from './workspace.ts'

/** Everything that the page shows. What is absent is not known, and left out. */
type PageView = {
  readonly last?: LastDocument | undefined
  readonly report?: ReportDocument | undefined
  readonly running?: RunningDocument | undefined
  readonly edits?: readonly Edit[] | undefined
  readonly nowMs: number
}

/** The page has at most 1 MB: so much is for rows; the rest is for its frame, and for the commands in place of what is left out. */
const bytesMax = { status: 150_000, rows: 250_000, groups: 390_000, maps: 700_000, lists: 60_000, findings: 20_000 }

/** The page of a daemon: status, and who has access. It needs no script and no other file. Each text on it is one of the documents'. */
export function pageHtml(view: PageView): string {
  const { last, report, running, edits, nowMs } = view
  const { text, level } = firstSentence(last, running, nowMs)
  const status = last === undefined ? nothing : statusHtml(last, factsHtml(last, nowMs), nowMs)
  const lists = openRoom(bytesMax.lists)
  const map = report === undefined ? nothing : mapHtml(report, last)
  const ends = report === undefined ? nothing : endsHtml(report, nowMs, lists)
  const edited = edits === undefined ? nothing : editsHtml(edits, lists)
  return htmlDocument(
    text,
    html`<header><p class="dim">plane-group-sync${last === undefined ? nothing : html` &middot; ${last.service.host}`}</p>
<h1 class="${level}">${text}</h1>${headHtml(last, running, nowMs)}${navHtml(view)}</header>
<main>${status}${map}${ends}${edited}</main>
<footer>${last === undefined ? nothing : html`<p>${headOf(last, nowMs).daemon}</p>`}<p>Made ${momentText(nowMs)}. This page shows what the daemon read and did last; it asks nothing, and changes nothing.</p></footer>`,
  )
}

/** @param head more of the head, such as a policy */
export const htmlDocument = (title: string, body: Html, head: Html = nothing): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${head}<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><title>plane-group-sync: ${title}</title>${styleElement}</head>
<body>
${body}
</body></html>
`.toString()

const headOf = (last: LastDocument, nowMs: number) => headTexts(last, nowMs - Date.parse(last.ended), 'running', nowMs)

function headHtml(last: LastDocument | undefined, running: RunningDocument | undefined, nowMs: number): Html {
  const head = last === undefined ? nothing : html`<p>${headOf(last, nowMs).cycle}</p>`
  return html`${head}${running === undefined ? nothing : html`<p><b>${runningText(running, nowMs)}</b></p>`}`
}

function navHtml({ last, report, edits, nowMs }: PageView): Html {
  const shown = last === undefined ? [] : shownWorkspaces(last)
  const ends = report !== undefined && endsSoon(report, nowMs).length > 0
  const places = [
    ...shown.slice(0, 12).map(({ workspace, at }) => [`w${at}`, workspace.plan.workspace] as const),
    ...(report === undefined ? [] : [['map', 'Who has access'] as const]),
    ...(ends ? [['ends', 'What ends soon'] as const] : []),
    ...(edits === undefined ? [] : [['edits', 'What was changed'] as const]),
  ]
  if (places.length === 0) return nothing
  return html`<nav aria-label="On this page"><ul>${places.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>`
}

type Placed = { readonly workspace: LastWorkspace; readonly at: number }

const sortedWorkspaces = (last: LastDocument): readonly Placed[] =>
  last.workspaces.map((workspace, at) => ({ workspace, at })).toSorted((a, b) => urgency(a.workspace) - urgency(b.workspace))

/** The workspaces with trouble first. One without any row has a section only beside a few others. */
function shownWorkspaces(last: LastDocument): readonly Placed[] {
  const approved = new Set(last.approvals.map(({ workspace }) => workspace))
  return sortedWorkspaces(last).filter(
    ({ workspace }) => !isWell(workspace) || approved.has(workspace.plan.workspace) || last.workspaces.length <= fewWorkspaces,
  )
}
const fewWorkspaces = 3

function factsHtml(last: LastDocument, nowMs: number): Html {
  const { declaration, settings, directories, budgets, workspaces } = last
  const invalid = invalidDeclarationText(declaration)
  const unused = unusedSettingsText(settings)
  const never = workspaces.filter(({ lastSuccess }) => lastSuccess === undefined).map(({ plan }) => visible(plan.workspace))
  const known = workspaces.flatMap(({ lastSuccess }) => (lastSuccess === undefined ? [] : [Date.parse(lastSuccess)]))
  const success = [
    ...(known.length === 0
      ? []
      : [html`${known.length === 1 ? '' : 'at most '}${durationText(nowMs - known.reduce((a, b) => Math.min(a, b)))} ago`]),
    ...(never.length === 0 ? [] : [html`none is known of ${listedFirst(never.slice(0, 5), never.length)}`]),
  ]
  const nextMs = Date.parse(last.next)
  const facts: readonly (readonly [string, readonly Html[]])[] = [
    ['Last success', success],
    [
      'Last cycle',
      [html`ended ${momentText(Date.parse(last.ended))}, took ${durationText(Date.parse(last.ended) - Date.parse(last.began))}`],
    ],
    ['Next cycle', [html`${nextMs > nowMs ? `${momentText(nextMs)} or earlier` : 'is due'}`]],
    [
      'Declaration',
      [html`${declarationText(declaration, visible)}`, ...(invalid === '' ? [] : [html`<span class="alarm">${invalid}</span>`])],
    ],
    ['Settings', unused === '' ? [] : [html`<span class="alarm">${unused}</span>`]],
    [
      'Directories',
      directories
        .slice(0, 50)
        .map(
          (directory) => html`<span class="${directory.status === 'complete' ? 'n' : 'alarm'}">${lastReadingText(directory, nowMs)}</span>`,
        ),
    ],
    ['Budget', budgets.slice(0, 20).map((budget) => html`${budgetText(budget)}`)],
  ]
  return html`<section aria-labelledby="now"><h2 id="now">Now</h2><dl class="facts">${facts.map(([name, texts]) =>
    texts.length === 0 ? nothing : html`<div><dt>${name}</dt>${texts.map((text) => html`<dd>${text}</dd>`)}</div>`,
  )}</dl>${findingsHtml(last.findings, openRoom(bytesMax.findings), 'plane-group-sync status')}</section>
`
}

/** The workspaces in which somebody must act, then the facts, then the others. Those without any row share a sentence. */
function statusHtml(last: LastDocument, facts: Html, nowMs: number): Html {
  const approvals = Map.groupBy(last.approvals, ({ workspace }) => workspace)
  const shown = shownWorkspaces(last)
  const [room, sections] = [openRoom(bytesMax.status), openRoom(bytesMax.status)]
  const draw = (placed: readonly Placed[]) =>
    fittingRows(placed, placed.length, sections, ({ workspace, at }) =>
      workspaceHtml(workspace, approvals.get(workspace.plan.workspace) ?? [], `w${at}`, { nowMs, room }),
    )
  const mustAct = ({ workspace }: Placed) => urgency(workspace) < urgencyOfHolds
  const urgent = draw(shown.filter(mustAct))
  const calm = draw(shown.filter((placed) => !mustAct(placed)))
  const named = new Set(shown.map(({ at }) => at))
  const quiet = sortedWorkspaces(last).filter(({ at }) => !named.has(at))
  const names = listedFirst(
    quiet.slice(0, 5).map(({ workspace }) => visible(workspace.plan.workspace)),
    quiet.length,
  )
  const missing = urgent.left + calm.left + (last.leftOut ?? 0)
  return html`${urgent.rows}${facts}${calm.rows}${quiet.length === 0 ? nothing : html`<section><p class="good">Nothing waits in ${names}</p></section>`}${
    missing === 0
      ? nothing
      : html`<section><p class="wait">${counted(missing, 'workspace')} more, not shown here:</p><code>plane-group-sync status --all</code></section>`
  }`
}

function mapHtml(report: ReportDocument, last: LastDocument | undefined): Html {
  const rooms = { rows: openRoom(bytesMax.rows), groups: openRoom(bytesMax.groups) }
  const maps = fittingRows(
    report.workspaces.map((workspace, at) => ({ workspace, at })),
    report.workspaces.length,
    openRoom(bytesMax.maps),
    ({ workspace, at }) => accessMap(workspace, last, `m${at}`, rooms),
  )
  return html`<section id="map" aria-labelledby="map-title"><h2 id="map-title">Who has access</h2><p class="dim">The mappings of ${momentText(Date.parse(report.at))}: the members of a group have this role in this place. A cell leads to its groups.</p>
${legend}${maps.rows}${leftOut(maps.left, 'workspaces', 'plane-group-sync report')}</section>
`
}
