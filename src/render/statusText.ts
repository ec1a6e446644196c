import { count, counted, durationText, listedFirst } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { LastDocument, LastWorkspace } from '../documents/last.ts'
import type { StatusDocument } from '../documents/status.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { hasPlan } from './hasPlan.ts'
import { invalidDeclarationText, unusedSettingsText } from './invalidDeclaration.ts'
import { documentFindingLines } from './notices.ts'
import { declarationText } from './revision.ts'
import { runningText } from './runningText.ts'
import { isLoud, loudFindings, statusWorkspace } from './statusWorkspace.ts'
import { wrap } from './width.ts'

/**
 * The last cycle of the daemon for a person, without a line break at the end: the cycle that runs now, how old the last one is, what is wrong with the daemon, then the workspaces, those with
 * trouble first. Names from outside are made visible.
 *
 * @param owner only rows of this owner are in the document
 */
export function statusText({ at, running, trouble, last, ageMs, daemon }: StatusDocument, options: TextOptions, owner?: string): string {
  const canvas = canvasOf(options, Date.parse(at))
  const { width, paint } = canvas
  const sorted = last.workspaces.toSorted((a, b) => urgency(a) - urgency(b))
  const approvals = Map.groupBy(last.approvals, ({ workspace }) => workspace)
  const isQuiet = owner === undefined ? isWell : hasNoRows
  const isShown = (workspace: LastWorkspace) =>
    !isQuiet(workspace) || approvals.has(workspace.plan.workspace) || (last.workspaces.length === 1 && owner === undefined)
  const blocks = sorted
    .filter(isShown)
    .map((workspace) => statusWorkspace(workspace, approvals.get(workspace.plan.workspace) ?? [], canvas).join('\n'))
  const { cycle, daemon: about } = headTexts(last, ageMs, daemon, canvas.nowMs)
  const head = [
    ...(running === undefined ? [] : wrap(runningText(running, canvas.nowMs), width).map((line) => paint('bold', line))),
    ...trouble.flatMap((text) => wrap(text, width).map((line) => paint('alarm', line))),
    ...wrap(cycle, width).map((line) => paint('bold', line)),
    ...wrap(about, width).map((line) => paint('dim', line)),
    ...aroundLines(last, canvas),
    ...documentFindingLines(loudFindings(last.findings, last), canvas),
  ]
  const quiet = sorted.filter((workspace) => !isShown(workspace))
  return [head.join('\n'), ...blocks, ...quietLines(quiet, last, owner, canvas)].join('\n\n')
}

/** How old the last cycle is, and when the next one begins; then which process and declaration it was. */
export function headTexts(
  last: LastDocument,
  ageMs: number,
  daemon: StatusDocument['daemon'],
  nowMs: number,
): { readonly cycle: string; readonly daemon: string } {
  const { program, pid, host, declaration } = last
  const nextMs = Date.parse(last.next) - nowMs
  const next = daemon === 'none' ? '' : nextMs > 0 ? ` · the next begins in ${durationText(nextMs)} or earlier` : ' · the next is due'
  const restarted = daemon === 'restarted' ? ' · another daemon runs since' : ''
  return {
    cycle: `Last cycle ${durationText(ageMs)} ago${next}${restarted}`,
    daemon: `process ${pid} on ${visible(host)} · version ${visible(program)} · declaration ${declarationText(declaration, visible)}`,
  }
}

/** Invalid settings and files, directories and budgets. */
function aroundLines({ declaration, settings, directories, budgets }: LastDocument, { width, paint, nowMs }: Canvas): readonly string[] {
  const invalid = [unusedSettingsText(settings), invalidDeclarationText(declaration)].filter((text) => text !== '')
  const bad = directories.filter(({ status }) => status !== 'complete')
  const good = directories.filter(({ status }) => status === 'complete')
  const goodTexts = good.map((directory) => lastReadingText(directory, nowMs))
  const budgetTexts = budgets.map((budget) => `budget ${budgetText(budget)}`)
  return [
    ...invalid.flatMap((text) => wrap(text, width).map((line) => paint('alarm', line))),
    ...bad.flatMap((directory) => wrap(lastReadingText(directory, nowMs), width).map((line) => paint('alarm', line))),
    ...wrap([...goodTexts, ...budgetTexts].join(' · '), width).map((line) => paint('dim', line)),
  ]
}

/** `corp: complete, 1,912 groups, 40 s ago`; if it was not read whole, the reason. */
export function lastReadingText({ name, status, groups, why = '', at }: LastDocument['directories'][number], nowMs: number): string {
  if (status === 'complete') return `${visible(name)}: complete, ${counted(groups, 'group')}${agoText(at, nowMs)}`
  return `${visible(name)}: ${status}${agoText(at, nowMs)}${why === '' ? '' : `: ${visible(why)}`}`
}

/** `default: 41 of 60 requests free, others used 3` */
export function budgetText({ credential, limit, remaining, others, waitMs }: LastDocument['budgets'][number]): string {
  const shared = others === 0 ? '' : `, others used ${count(others)}`
  const wait = waitMs > 0 ? `, the next waits ${durationText(waitMs)}` : ''
  return `${visible(credential)}: ${count(remaining)} of ${counted(limit, 'request')} free${shared}${wait}`
}

const agoText = (at: string | undefined, nowMs: number): string => (at === undefined ? '' : `, ${durationText(nowMs - Date.parse(at))} ago`)

/** A failure first, then what waits for a person, then what is held. */
export function urgency(workspace: LastWorkspace): number {
  if (workspace.outcome === 'failed' || workspace.outcome === 'stale' || workspace.outcome === 'partial') return 0
  if (!hasPlan(workspace)) return 1
  const { holds } = workspace.plan
  return holds.some(({ reason }) => reason.kind === 'approval') ? 2 : holds.length > 0 ? urgencyOfHolds : 4
}

/** Nobody must act at once from here on. */
export const urgencyOfHolds = 3

/** Whether nothing of the workspace needs a line of its own. */
export const isWell = (workspace: LastWorkspace): boolean =>
  workspace.outcome === 'success' &&
  workspace.plan.suspend === false &&
  hasPlan(workspace) &&
  workspace.plan.holds.length === 0 &&
  !workspace.plan.findings.some(isLoud)
/** Whether there is no row of the one owner whose rows are left. */
const hasNoRows = (workspace: LastWorkspace): boolean =>
  hasPlan(workspace) && [workspace.plan.holds, workspace.plan.changes, workspace.plan.later].every((rows) => rows.length === 0)

const namesMax = 5

function quietLines(
  quiet: readonly LastWorkspace[],
  { leftOut }: LastDocument,
  owner: string | undefined,
  { width, paint }: Canvas,
): readonly string[] {
  const names = listedFirst(
    quiet.slice(0, namesMax).map(({ plan }) => visible(plan.workspace)),
    quiet.length,
  )
  const text = `Nothing${owner === undefined ? '' : ` of ${visible(owner)}`} waits in ${names}`
  return [
    ...(quiet.length === 0
      ? []
      : [
          wrap(text, width)
            .map((line) => paint('green', line))
            .join('\n'),
        ]),
    ...(leftOut === undefined ? [] : [paint('dim', `Too many for the file, and not shown: ${counted(leftOut, 'workspace')}`)]),
  ]
}
