import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { type CycleReport, stoppedText } from '../cycle/report.ts'
import { isWhole, resultText, wasTried } from '../render/applied.ts'
import { invalidDeclarationText } from '../render/invalidDeclaration.ts'
import { shownFindings, unreadDirectories, unreadWarning } from '../render/unread.ts'
import type { FailedView, View } from '../render/view.ts'
import type { Terminal } from './command.ts'
import { shownViews } from './render.ts'

type Failure = { readonly text: string; readonly cure: string }

/** More failures are counted. Standard output has all of them. */
const failuresMax = 10

/**
 * What failed, for standard error, so that a redirected standard output does not hide it. Each failure has a line, and failures with the same cure share
 * its line. Empty if nothing failed, after a signal, and at a terminal, which shows the report itself.
 */
export function failuresText(report: CycleReport, terminal: Pick<Terminal, 'isTerminal' | 'secrets'>): string {
  if (terminal.isTerminal.out) return ''
  const views = shownViews(report, terminal, report.startedMs)
  const unread = unreadDirectories(views).filter(({ stopped }) => stopped !== true)
  const invalid = invalidDeclarationText(report.declaration)
  const files = invalid === '' ? [] : [{ text: invalid, cure: '' }]
  const directories = unread.map((directory): Failure => {
    const { sentence, cure } = unreadWarning(directory)
    return { text: sentence, cure }
  })
  const all = [...files, ...directories, ...views.flatMap(failuresOf)]
  const byCure = Map.groupBy(all.slice(0, failuresMax), ({ cure }) => cure)
  const lines = [...byCure].flatMap(([cure, same]) => [...same.map(({ text }) => text), ...(cure === '' ? [] : [`  ${cure}`])])
  const more = all.length > failuresMax ? [`… and ${count(all.length - failuresMax)} more failures`] : []
  return [...lines, ...more].map((line) => `${line}\n`).join('')
}

function failuresOf(view: View | FailedView): readonly Failure[] {
  const name = visible(view.about.workspace)
  if ('failed' in view && view.failed === stoppedText) return []
  if ('failed' in view) return [{ text: `${name} failed, nothing was planned: ${visible(view.failed)}`, cure: visible(view.cure ?? '') }]
  const unread = shownFindings(view).filter(({ code }) => code === 'reading-incomplete')
  const written = wasTried(view) && !isWhole(view.applied) ? [{ text: `${name}: ${resultText([view])}`, cure: '' }] : []
  return [...unread.map(({ sentence, cure = '' }) => ({ text: `${name}: ${visible(sentence)}`, cure: visible(cure) })), ...written]
}
