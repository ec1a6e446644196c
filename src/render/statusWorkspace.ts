import { by } from '../core/compare.ts'
import { groupOfKey, type Key, placeOfKey, presentRole } from '../core/mapping.ts'
import { count, counted, durationText, untilText } from '../core/quantity.ts'
import { oneLine, visible } from '../core/safeName.ts'
import { type LastApproval, type LastFailed, type LastPlanned, type LastWorkspace } from '../documents/last.ts'
import type { DocumentFinding } from '../documents/parts.ts'
import { type Canvas } from './canvas.ts'
import { nameText } from './change.ts'
import { withdrawApproval } from './commandLine.ts'
import { kindNumbers, titleCount } from './counts.ts'
import { hasPlan } from './hasPlan.ts'
import { placeOfWork } from './header.ts'
import { documentLaterEntries, laterLines } from './later.ts'
import { documentFindingLines } from './notices.ts'
import { type Style } from './paint.ts'
import { keptLines } from './planText.ts'
import { type HoldStyle, heldRows, isProtectedEntry, plainRows, sharedText } from './rows.ts'
import type { HoldSection } from './sections.ts'
import { type StatusHold, setOf, statusEntry, statusHold, statusSets } from './statusEntries.ts'
import { indented } from './table.ts'
import { setTitle, titleLines } from './title.ts'
import { notSaidAbove } from './unread.ts'
import { wrap } from './width.ts'

type Plan = LastPlanned['plan']

/** The last cycle of one workspace: first what waits for a person, then its holds, then the approvals that are in force. */
export function statusWorkspace(workspace: LastWorkspace, approvals: readonly LastApproval[], canvas: Canvas): readonly string[] {
  const { plan } = workspace
  const title = `${placeOfWork(plan)} · ${lastOutcomeText(workspace, canvas.nowMs)}`
  return [
    ...wrap(title, canvas.width).map((line) => canvas.paint(styles[workspace.outcome], line)),
    ...suspendedLines(plan, canvas),
    ...(hasPlan(workspace) ? plannedLines(workspace, canvas) : failedLines(workspace, canvas)),
    ...approvalLines(approvals, canvas),
  ]
}

const styles: Readonly<Record<LastWorkspace['outcome'], Style>> = {
  success: 'bold',
  waiting: 'alarm',
  incomplete: 'bold',
  planned: 'bold',
  partial: 'alarm',
  stale: 'alarm',
  failed: 'alarm',
}

/** `success 2 min ago`, `incomplete · last success 3 h ago` */
export const lastOutcomeText = ({ lastSuccess, outcome }: LastWorkspace, nowMs: number): string => {
  const ago = lastSuccess === undefined ? undefined : `${durationText(nowMs - Date.parse(lastSuccess))} ago`
  if (outcome === 'success') return ago === undefined ? outcome : `success ${ago}`
  return `${outcome} · ${ago === undefined ? 'no success is known' : `last success ${ago}`}`
}

const suspendedLines = ({ suspend }: LastWorkspace['plan'], { paint }: Canvas): readonly string[] =>
  suspend === false ? [] : [paint('yellow', suspensionText(suspend))]

export const suspensionText = (suspend: true | 'grants'): string =>
  suspend === 'grants' ? 'Grants are suspended by the settings.' : 'Writing is suspended by the settings.'

const failedLines = ({ plan }: LastFailed, { width, paint }: Canvas): readonly string[] => [
  ...wrap(`Failed, nothing was planned: ${oneLine(plan.failed, 1000)}`, width).map((line) => paint('alarm', line)),
  ...(plan.cure === undefined ? [] : indented(oneLine(plan.cure, 1000), width)),
]

function plannedLines({ plan, leftOut }: LastPlanned, canvas: Canvas): readonly string[] {
  const { width, paint, nowMs } = canvas
  const sections = Map.groupBy(
    plan.holds.map((hold) => statusHold(hold, plan.approvals ?? 'any')),
    ({ section: name }) => name,
  )
  const section = (title: string, name: HoldSection, style: Omit<HoldStyle, 'mark'> = {}, after = '') => {
    const holds = sections.get(name) ?? []
    const entries = holds.map((hold) => statusEntry(hold, nowMs))
    const grants = name === 'undeclared' ? entries.filter(isProtectedEntry).length : 0
    const rows = heldRows(entries, style, canvas)
    return holds.length === 0
      ? []
      : [...titleLines('bold', title + titleCount(holds.length, grants), canvas, after + sharedText(rows)), ...rows.lines]
  }
  const kept = sections.get('kept') ?? []
  return [
    ...waitingLines(plan, sections.get('waiting') ?? [], canvas),
    ...writtenLines(plan, canvas),
    ...section('Held', 'held'),
    ...laterLines(documentLaterEntries(plan.later), Date.parse(plan.laterUntil), canvas),
    ...section('Dangling', 'dangling', {}, ', kept'),
    ...keptLines(
      kept.map(({ hold, last }) => ({ hold, isProtected: last.protected === true })),
      canvas,
    ),
    ...documentFindingLines(loudFindings(plan.findings, plan), canvas),
    ...section('Undeclared', 'undeclared', { silent: true, apart: true }),
    ...(leftOut === undefined ? [] : wrap(leftOutText(leftOut), width).map((line) => paint('dim', line))),
  ]
}

/**
 * The findings that `status` shows, the most severe first. Of the warnings those are first that say why mappings are kept: the line about these mappings
 * stands directly above.
 */
export const loudFindings = (
  findings: readonly DocumentFinding[],
  above: Pick<Plan, 'directories' | 'declaration'>,
): readonly DocumentFinding[] =>
  notSaidAbove(findings, above)
    .filter(isLoud)
    .toSorted(by(({ severity, code }) => `${severity} ${code === 'reading-incomplete' ? '' : 'x'}`))

export const isLoud = ({ severity }: Pick<DocumentFinding, 'severity'>): boolean => severity !== 'info'

function waitingLines({ sets, approvals, waits }: Plan, waiting: readonly StatusHold[], canvas: Canvas): readonly string[] {
  const rows = waitingRows({ sets, approvals }, waiting, canvas)
  if (rows.length === 0) return []
  // One owner sees only the own rows.
  const isOfAll = Object.values(waits).reduce((sum, n) => sum + n, 0) === waiting.length
  return [canvas.paint('bold', `Waits for approval (${count(waiting.length)}${isOfAll ? `: ${kindNumbers(waits)}` : ''})`), ...rows]
}

/**
 * Each change that waits alone has its command; a set has one for all its changes.
 *
 * @param asked without commands, since the person is asked now
 */
export function waitingRows(
  plan: Pick<Plan, 'sets' | 'approvals'>,
  waiting: readonly StatusHold[],
  canvas: Canvas,
  asked = false,
): readonly string[] {
  const { width, paint, nowMs } = canvas
  const single = waiting.filter(({ last }) => setOf(last) === undefined)
  const entries = single.map((hold) => ({ ...statusEntry(hold, nowMs), ...(asked ? { cure: '', sharedCure: '' } : {}) }))
  return [
    ...heldRows(entries, { apart: !asked, namesAll: true }, canvas).lines,
    ...statusSets(plan, waiting, nowMs).flatMap(({ sentence, cure, commands, rows }) => [
      ...setTitle(sentence, canvas),
      ...(asked ? [] : [cure, ...commands]).flatMap((text) => indented(text, width).map((line) => paint('dim', line))),
      ...plainRows(rows, canvas).lines,
    ]),
  ]
}

export const leftOutText = ({ changes, holds, later, findings }: NonNullable<LastPlanned['leftOut']>): string =>
  `Too many for the file, and not shown: ${counted(changes, 'change')}, ${counted(holds, 'hold')}, ${counted(later, 'change')} of later dates, ${counted(findings, 'finding')}; plan shows all`

/** What became of the changes of the last plan, in numbers. */
function writtenLines(plan: Plan, { width, paint }: Canvas): readonly string[] {
  const { text, open } = writtenText(plan)
  return wrap(text, width).map((line) => (open === 0 ? line : paint('yellow', line)))
}

/** The same as a sentence, empty without changes. `open`: how many were tried, or could have been, and are not written. */
export function writtenText({ applied, changes }: Plan): { readonly text: string; readonly open: number } {
  if (changes.length === 0) return { text: '', open: 0 }
  if (applied === undefined) return { text: `${counted(changes.length, 'change')} planned, and not written`, open: 0 }
  const done = applied.results.filter(({ outcome }) => outcome.is === 'done').length
  const open = changes.length - done
  const rest = open === 0 ? '' : ` · ${counted(open, 'change')} not written: ${whyText(applied.results, open)}; the next cycle plans anew`
  return { text: `${counted(done, 'change')} written${rest}`, open }
}

/** The reason of most changes that were not written, with their number. */
function whyText(results: NonNullable<Plan['applied']>['results'], open: number): string {
  const whys = results.flatMap(({ outcome }) => {
    if (outcome.is === 'done') return []
    if (outcome.is === 'refused') return [`refused with ${outcome.status}: ${outcome.sentence}`]
    return [`${outcome.is === 'notSent' ? 'not sent' : 'outcome unknown'}: ${outcome.why}`]
  })
  const [most] = [...Map.groupBy(whys, (why) => why)].toSorted(([, a], [, b]) => b.length - a.length)
  const log = 'the log of the daemon says why'
  if (most === undefined) return log
  const [why, { length }] = most
  return `${oneLine(why, 300)}${length === open ? '' : ` (${count(length)} of them; ${log} of the others)`}`
}

/** The approvals in force, and the command that ends each. */
export function approvalLines(approvals: readonly LastApproval[], { width, paint, nowMs }: Canvas): readonly string[] {
  if (approvals.length === 0) return []
  return [
    paint('bold', `Approvals in force (${count(approvals.length)})`),
    ...approvals.flatMap((approval) => [
      ...wrap(approvalSentence(approval, nowMs), width - 4).map((line, index) => `  ${index === 0 ? paint('green', '✓') : ' '} ${line}`),
      ...indented(withdrawApproval(approval.name), width).map((line) => paint('dim', line)),
    ]),
  ]
}

/** `40 changes: acme/project/ENG/a …; by ann (root): "INC-99"; until 15:00:00 UTC (in 40 min)` */
export function approvalSentence(approval: LastApproval, nowMs: number): string {
  const { by, account, reason, until } = approval
  return `${whatPasses(approval)}; by ${oneLine(by)} (${oneLine(account)}): "${oneLine(reason)}"; ${untilText(Date.parse(until), nowMs)}`
}

function whatPasses({ people, keys, roles = [], changes, passes }: LastApproval): string {
  if (changes === 0) return `projects or groups with another id: ${passes.map(visible).join(', ')}`
  const number =
    people === 'any' ? ' for any number of people' : people === undefined ? '' : ` for up to ${counted(people, 'person', 'people')}`
  return `${counted(changes, 'change')}${number}: ${keys.map((key, index) => keyText(key, roles[index])).join(', ')}${changes > keys.length ? ' …' : ''}`
}

/** `OPS  ops-a → admin`, as the plan shows the change */
function keyText(key: string, { before, after }: NonNullable<LastApproval['roles']>[number] = {}): string {
  if (before === undefined && after === undefined) return visible(key)
  const present = before === undefined ? '' : before === null ? presentRole(null) : nameText(before)
  const role = after === undefined ? `= ${present}` : [present, `→ ${nameText(after)}`].filter((part) => part !== '').join(' ')
  return `${visible(placeOfKey(key as Key))}  ${nameText(groupOfKey(key as Key))} ${role}`
}
