import { count, counted, durationText, listed, listedFirst } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { LastDocument, LastPlanned, LastWorkspace } from '../../documents/last.ts'
import type { RunningDocument } from '../../documents/running.ts'
import { hasPlan } from '../hasPlan.ts'
import { capital } from '../nextStep.ts'

/** How the first sentence looks: something is wrong, a person must act, or nothing is to do. */
type Level = 'alarm' | 'wait' | 'good'

/**
 * The first sentence of the page: `1 change waits for you.` What is wrong comes first, then what waits. It is good only if every workspace of the last cycle
 * is.
 *
 * @param running the cycle that runs now. While one runs, none is missed
 */
export function firstSentence(
  last: LastDocument | undefined,
  running: RunningDocument | undefined,
  nowMs: number,
): { readonly text: string; readonly level: Level } {
  if (last === undefined) return { text: 'No cycle has ended since the daemon started.', level: 'wait' }
  const wrong = wrongTexts(last, running, nowMs)
  const waits = waitTexts(last, running, nowMs)
  const said = [...wrong, ...waits]
  return {
    text: `${capital((said.length === 0 ? [quietText(last)] : said).join('; '))}.`,
    level: wrong.length > 0 ? 'alarm' : waits.length > 0 ? 'wait' : 'good',
  }
}

function wrongTexts(last: LastDocument, running: RunningDocument | undefined, nowMs: number): readonly string[] {
  const { directories, declaration, settings, workspaces } = last
  const bad = workspaces.filter(({ outcome }) => isBad[outcome])
  const unread = directories.filter(({ status }) => status !== 'complete')
  const errors = sum(last, ({ findings }) => findings.filter(isError).length) + last.findings.filter(isError).length
  return [
    ...(running === undefined && isOverdue(last, nowMs)
      ? [`the daemon has missed two cycles, the last one ended ${agoText(last, nowMs)}`]
      : []),
    ...(bad.length === 0 ? [] : [`the last cycle failed, or was not whole, in ${namesText(bad.map(({ plan }) => plan.workspace))}`]),
    ...(unread.length === 0
      ? []
      : [
          `${unread.length === 1 ? 'directory' : 'directories'} ${namesText(unread.map(({ name }) => name))} ${unread.length === 1 ? 'was' : 'were'} not read whole`,
        ]),
    ...(declaration.kept === undefined ? [] : ['the files of the declaration have a mistake']),
    ...(settings?.kept === undefined ? [] : ['the settings have a mistake']),
    ...(errors === 0 ? [] : [`${counted(errors, 'finding')} ${errors === 1 ? 'is an error' : 'are errors'}`]),
  ]
}

const isBad: Readonly<Record<LastWorkspace['outcome'], boolean>> = {
  success: false,
  waiting: false,
  planned: false,
  incomplete: true,
  partial: true,
  stale: true,
  failed: true,
}

/** An invalid file has words of its own. */
const isError = ({ severity, code }: { readonly severity: string; readonly code: string }): boolean =>
  severity === 'error' && code !== 'file-invalid'

function waitTexts(last: LastDocument, running: RunningDocument | undefined, nowMs: number): readonly string[] {
  const waiting = sum(last, ({ counts }) => counts.waiting)
  const suspended = last.workspaces.filter(({ plan }) => plan.suspend === true).length
  return [
    ...(waiting === 0 ? [] : [`${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for you`]),
    ...(suspended === 0 ? [] : [`writing is suspended in ${counted(suspended, 'workspace')}`]),
    ...(running !== undefined && isOverdue(last, nowMs) ? [`a cycle runs, and the last one ended ${agoText(last, nowMs)}`] : []),
  ]
}

const isOverdue = ({ overdue }: LastDocument, nowMs: number): boolean => nowMs > Date.parse(overdue)
const agoText = ({ ended }: LastDocument, nowMs: number): string => `${durationText(nowMs - Date.parse(ended))} ago`
const namesText = (names: readonly string[]): string => listedFirst(names.slice(0, 2).map(visible), names.length)

function quietText(last: LastDocument): string {
  const held = sum(last, ({ counts }) => counts.held)
  const undeclared = sum(last, ({ counts }) => counts.undeclared)
  const open = last.workspaces.filter(({ outcome }) => outcome !== 'success').length
  const rest = [
    ...(held === 0 ? [] : [`${count(held)} ${held === 1 ? 'is' : 'are'} held`]),
    ...(undeclared === 0 ? [] : [`${count(undeclared)} ${undeclared === 1 ? 'is' : 'are'} undeclared`]),
    ...(open === 0 ? [] : [`${counted(open, 'workspace')} ${open === 1 ? 'is' : 'are'} not yet as declared`]),
    ...(last.leftOut === undefined ? [] : [`${counted(last.leftOut, 'workspace')} ${last.leftOut === 1 ? 'is' : 'are'} not shown`]),
  ]
  return rest.length === 0 ? 'nothing waits, and all is as declared' : `nothing waits for you; ${listed(rest)}`
}

const sum = ({ workspaces }: LastDocument, of: (plan: LastPlanned['plan']) => number): number =>
  workspaces.reduce((total, workspace) => total + (hasPlan(workspace) ? of(workspace.plan) : 0), 0)
