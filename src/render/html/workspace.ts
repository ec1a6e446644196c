import { count } from '../../core/quantity.ts'
import { oneLine, shellWord, visible } from '../../core/safeName.ts'
import type { LastApproval, LastFailed, LastPlanned, LastWorkspace } from '../../documents/last.ts'
import type { DocumentFinding, DocumentSettings } from '../../documents/parts.ts'
import { withdrawApproval } from '../commandLine.ts'
import { kindNumbers, titleCount } from '../counts.ts'
import { settingsFromDocument } from '../documentParts.ts'
import { feltText, groupSyncParts, withoutEffectText } from '../groupSync.ts'
import { hasPlan } from '../hasPlan.ts'
import { documentLaterEntries, horizonText, laterTitle } from '../later.ts'
import { findingMax } from '../notices.ts'
import { isProtectedEntry } from '../rows.ts'
import type { HoldSection } from '../sections.ts'
import { type StatusHold, setOf, statusEntry, statusHold, statusSets } from '../statusEntries.ts'
import { approvalSentence, lastOutcomeText, leftOutText, suspensionText, writtenText } from '../statusWorkspace.ts'
import { keptTexts } from '../unread.ts'
import { type Html, html, nothing } from './html.ts'
import { fittingRows, leftOut, type Room } from './room.ts'
import { cureHtml, rowList } from './rows.ts'

type Plan = LastPlanned['plan']
type Drawing = { readonly nowMs: number; readonly room: Room }

/** One workspace of the last cycle: its switches, what waits for a person, what is held, what dates will change, what no rule declares. */
export function workspaceHtml(workspace: LastWorkspace, approvals: readonly LastApproval[], id: string, drawing: Drawing): Html {
  const { plan, outcome } = workspace
  const body = hasPlan(workspace) ? plannedHtml(workspace, drawing) : failedHtml(workspace)
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" class="n">${plan.workspace}</h2>
<p class="dim">${plan.slug === plan.workspace ? nothing : `${plan.slug} in Plane · `}<span class="${styles[outcome]}">${lastOutcomeText(workspace, drawing.nowMs)}</span></p>
<ul class="tags" aria-label="Switches">${switches(workspace)}</ul>
${body}${approvalsHtml(approvals, drawing)}</section>
`
}

const styles: Readonly<Record<LastWorkspace['outcome'], string>> = {
  success: 'good',
  waiting: 'wait',
  incomplete: 'wait',
  planned: 'dim',
  partial: 'alarm',
  stale: 'alarm',
  failed: 'alarm',
}

/** The dangerous ones have a colour: those that take more away, and those that stop all writing. */
function switches(workspace: LastWorkspace): readonly Html[] {
  const { policy, suspend } = workspace.plan
  const groupSync = hasPlan(workspace) ? workspace.plan.groupSync : undefined
  return [
    tag(`policy ${policy}`, policy === 'exclusive' ? 'alarm' : ''),
    ...(suspend === false ? [] : [tag(suspensionText(suspend), 'wait')]),
    ...(groupSync === undefined ? [] : groupSyncTags(groupSync)),
  ]
}

function groupSyncTags(settings: DocumentSettings): readonly Html[] {
  const groupSync = settingsFromDocument(settings)
  const never = withoutEffectText(groupSync)
  return [
    ...groupSyncParts(groupSync).map(({ text, isDangerous }) => tag(text, isDangerous ? 'alarm' : '')),
    ...(never === '' ? [] : [tag(never, 'wait')]),
  ]
}

const tag = (text: string, level: string): Html => html`<li class="tag ${level}">${text}</li>`

const failedHtml = ({ plan }: LastFailed): Html =>
  html`<p class="alarm">Failed, nothing was planned: ${oneLine(plan.failed, 1000)}</p>${cureHtml(oneLine(plan.cure ?? '', 1000))}`

function plannedHtml(workspace: LastPlanned, { nowMs, room }: Drawing): Html {
  const { plan } = workspace
  const sections = Map.groupBy(
    plan.holds.map((hold) => statusHold(hold, plan.approvals ?? 'any')),
    ({ section }) => section,
  )
  const rest = `plane-group-sync status --workspace ${shellWord(plan.workspace)} --all`
  const how = { room, rest }
  const section = (title: string, name: HoldSection, note = '', silent = false) => {
    const entries = (sections.get(name) ?? []).map((hold) => statusEntry(hold, nowMs))
    const grants = name === 'undeclared' ? entries.filter(isProtectedEntry).length : 0
    return titled(title + titleCount(entries.length, grants), note, rowList(entries, { ...how, silent }), entries.length)
  }
  const later = documentLaterEntries(plan.later)
  const kept = (sections.get('kept') ?? []).map(({ hold, last }) => ({ hold, isProtected: last.protected === true }))
  return html`${waitingHtml(plan, sections.get('waiting') ?? [], { nowMs, room }, rest)}${section('Held', 'held')}${titled(
    laterTitle(later),
    horizonText(later, Date.parse(plan.laterUntil)),
    rowList(later, how),
    later.length,
  )}${section('Dangling', 'dangling', ', kept')}${keptTexts(kept).map((text) => html`<p class="wait">${text}</p>`)}${section(
    'Undeclared',
    'undeclared',
    '',
    true,
  )}${findingsHtml(plan.findings, room, rest)}${writtenHtml(plan)}${workspace.leftOut === undefined ? nothing : html`<p class="dim">${leftOutText(workspace.leftOut)}</p>`}`
}

const titled = (title: string, note: string, rows: Html, n: number): Html =>
  n === 0 ? nothing : html`<h3>${title}<span class="dim">${note}</span></h3>${rows}`

/** What was written, and when people feel it. */
function writtenHtml(plan: Plan): Html {
  const { text, open } = writtenText(plan)
  if (text === '') return nothing
  const takesAway = plan.changes.some(({ action }) => action === 'delete') || plan.counts.lower > 0
  const felt = plan.groupSync === undefined ? '' : feltText(settingsFromDocument(plan.groupSync), takesAway)
  return html`<h3>In this cycle</h3><p class="${open === 0 ? 'good' : 'wait'}">${text}</p>${felt === '' ? nothing : html`<p class="dim">${felt}</p>`}`
}

function waitingHtml(plan: Plan, waiting: readonly StatusHold[], { nowMs, room }: Drawing, rest: string): Html {
  if (waiting.length === 0) return nothing
  const { waits } = plan
  const single = waiting.filter(({ last }) => setOf(last) === undefined).map((hold) => statusEntry(hold, nowMs))
  const drawn = statusSets(plan, waiting, nowMs).map(
    ({ sentence, cure, commands, rows }) =>
      html`<h4>${sentence}</h4><p class="small">${cure}</p>${commands.map((text) => html`<code>${text}</code>`)}${rowList(rows, { room, rest })}`,
  )
  return html`<h3 class="wait">Waits for approval (${count(waiting.length)}: ${kindNumbers(waits)})</h3>${rowList(single, { alone: true, room, rest })}${drawn}`
}

function approvalsHtml(approvals: readonly LastApproval[], { nowMs, room }: Drawing): Html {
  if (approvals.length === 0) return nothing
  const draw = (approval: LastApproval) =>
    html`<li><p>${approvalSentence(approval, nowMs)}</p><code>${withdrawApproval(approval.name)}</code></li>`
  const { rows, left } = fittingRows(approvals, 100, room, draw)
  return html`<h3>Approvals in force (${count(approvals.length)})</h3><ul class="rows">${rows}</ul>${leftOut(left, 'approvals', 'plane-group-sync status --all')}`
}

const levels = { info: 'dim', warning: 'wait', error: 'alarm' } as const

export function findingsHtml(findings: readonly DocumentFinding[], room: Room, rest: string): Html {
  if (findings.length === 0) return nothing
  const draw = ({ code, severity, sentence, place, cure = '' }: DocumentFinding) =>
    html`<li class="${levels[severity]}"><p><span class="${levels[severity]}">${severity}</span> ${code}: ${oneLine(sentence, findingMax)} <span class="dim">${visible(oneLine(place))}</span></p>${cureHtml(oneLine(cure, findingMax))}</li>`
  const { rows, left } = fittingRows(findings, 30, room, draw)
  return html`<h3>Findings (${count(findings.length)})</h3><ul class="rows">${rows}</ul>${leftOut(left, 'findings', rest)}`
}
