import { count, counted, durationText, listedFirst } from '../../core/quantity.ts'
import { visible } from '../../core/safeName.ts'
import type { LastDocument, LastPlanned } from '../../documents/last.ts'
import { hasPlan } from '../hasPlan.ts'
import { capital } from '../nextStep.ts'

/** How the first sentence looks: something is wrong, a person must act, or nothing is to do. */
type Level = 'alarm' | 'wait' | 'good'

/** The first sentence of the page: `1 change waits for you.` What is wrong comes first, then what waits. */
export function firstSentence(last: LastDocument | undefined, nowMs: number): { readonly text: string; readonly level: Level } {
  if (last === undefined) return { text: 'No cycle has ended since the daemon started.', level: 'wait' }
  const { wrong, waits } = partsOf(last, nowMs)
  const quiet = quietText(last)
  return {
    text: `${capital([...wrong, ...waits, ...(wrong.length + waits.length === 0 ? [quiet] : [])].join('; '))}.`,
    level: wrong.length > 0 ? 'alarm' : waits.length > 0 ? 'wait' : 'good',
  }
}

function partsOf(last: LastDocument, nowMs: number) {
  const bad = last.workspaces.filter(({ outcome }) => outcome === 'failed' || outcome === 'stale' || outcome === 'partial')
  const names = bad.slice(0, 2).map(({ plan }) => visible(plan.workspace))
  const waiting = sum(last, ({ counts }) => counts.waiting)
  const suspended = last.workspaces.filter(({ plan }) => plan.suspend === true).length
  return {
    wrong: [
      ...(nowMs > Date.parse(last.overdue)
        ? [`the daemon has missed two cycles, the last one ended ${durationText(nowMs - Date.parse(last.ended))} ago`]
        : []),
      ...(bad.length === 0 ? [] : [`the last cycle failed, or was not whole, in ${listedFirst(names, bad.length)}`]),
      ...(last.declaration.kept === undefined ? [] : ['the files of the declaration have a mistake']),
    ],
    waits: [
      ...(waiting === 0 ? [] : [`${counted(waiting, 'change')} ${waiting === 1 ? 'waits' : 'wait'} for you`]),
      ...(suspended === 0 ? [] : [`writing is suspended in ${counted(suspended, 'workspace')}`]),
    ],
  }
}

function quietText(last: LastDocument): string {
  const held = sum(last, ({ counts }) => counts.held - counts.kept)
  const undeclared = sum(last, ({ counts }) => counts.undeclared)
  const rest = [
    ...(held === 0 ? [] : [`${count(held)} ${held === 1 ? 'is' : 'are'} held`]),
    ...(undeclared === 0 ? [] : [`${count(undeclared)} ${undeclared === 1 ? 'is' : 'are'} undeclared`]),
  ]
  return rest.length === 0 ? 'nothing waits, and all is as declared' : `nothing waits for you; ${rest.join(' and ')}`
}

const sum = ({ workspaces }: LastDocument, of: (plan: LastPlanned['plan']) => number): number =>
  workspaces.reduce((total, workspace) => total + (hasPlan(workspace) ? of(workspace.plan) : 0), 0)
