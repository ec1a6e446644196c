import { defined } from '../core/optionalFields.ts'
import { count } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import { type CycleReport, stoppedText } from '../cycle/cycleReport.ts'
import { isWhole, resultText, wasTried } from '../render/applied.ts'
import { invalidFilesText } from '../render/invalidDeclaration.ts'
import { planJson } from '../render/json.ts'
import { planMarkdown } from '../render/markdown.ts'
import { plansText } from '../render/plansText.ts'
import { shownFindings, unreadDirectories, unreadWarning } from '../render/unread.ts'
import type { FailedView, View } from '../render/view.ts'
import type { Call, Terminal } from './command.ts'
import type { Format } from './description.ts'
import { failure } from './errorReport.ts'
import type { Differences } from './recordedPlan.ts'
import { hasColours } from './terminal.ts'

export type ShownHow = Pick<View, 'goesOn' | 'isSaved' | 'recorded' | 'owner'> & { readonly differences?: Differences }
/** `lengthMax`: how many characters the text may have as Markdown. */
type How = ShownHow & { readonly lengthMax?: number | undefined }

/**
 * A report in the given format, with a line break at the end.
 *
 * @param how `goesOn`: the command plans again by itself after this report. `isSaved`: the plan is that of a file
 */
export function renderReport(
  report: CycleReport,
  format: Format,
  terminal: Terminal,
  values: Call['values'],
  nowMs: number,
  { lengthMax, ...how }: How = {},
): string {
  const views = shownViews(report, terminal, nowMs, how)
  switch (format) {
    case 'text':
      return `${plansText(views, { colour: hasColours(terminal.env, terminal.isTerminal.out, values), width: terminal.columns, all: values.all === true })}\n`
    case 'json':
      return `${planJson(views)}\n`
    case 'markdown':
      return `${planMarkdown(views, { all: values.all === true, ...defined({ lengthMax }) })}\n`
    default:
      return format satisfies never
  }
}

/** The views without secrets. */
export const shownViews = (report: CycleReport, { secrets }: Pick<Terminal, 'secrets'>, nowMs: number, how: ShownHow = {}) =>
  viewsOf(report, nowMs, how).map((view) => withoutSecrets(view, secrets.scrub))

/** A rendering cuts and wraps long errors, after which a secret in them could not be found. */
function withoutSecrets(view: View | FailedView, scrub: (text: string) => string): View | FailedView {
  if (!('failed' in view)) return view
  return { ...view, failed: scrub(view.failed), ...(view.cure === undefined ? {} : { cure: scrub(view.cure) }) }
}

/** The view of each workspace, from which all formats are rendered. */
export function viewsOf(
  { workspaces, declaration, directories }: CycleReport,
  nowMs: number,
  { differences, ...how }: ShownHow = {},
): readonly (View | FailedView)[] {
  return workspaces.map((workspace) => {
    const { about } = workspace
    if (workspace.kind === 'failed') return { about, ...failure(workspace.error) }
    if (workspace.kind === 'stopped') return { about, failed: stoppedText }
    const difference = differences?.get(workspace.workspace)
    const view = { about, declaration, directories, judged: workspace.judged, nowMs, ...how, ...defined({ difference }) }
    if (workspace.kind === 'moved') return { ...view, moved: true }
    return workspace.applied === undefined ? view : { ...view, applied: workspace.applied }
  })
}

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
  const plans = report.workspaces.flatMap((workspace) => ('judged' in workspace ? [workspace.judged.plan] : []))
  const invalid = invalidFilesText(report.declaration, plans)
  const files = invalid === '' ? [] : [{ text: invalid, cure: '' }]
  const directories = unread.map((directory): Failure => {
    const { sentence, cure } = unreadWarning(directory)
    return { text: sentence, cure }
  })
  const failures = [...files, ...directories, ...views.flatMap(failuresOf)]
  const byCure = Map.groupBy(failures.slice(0, failuresMax), ({ cure }) => cure)
  const lines = [...byCure].flatMap(([cure, same]) => [...same.map(({ text }) => text), ...(cure === '' ? [] : [`  ${cure}`])])
  const more = failures.length > failuresMax ? [`… and ${count(failures.length - failuresMax)} more failures`] : []
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
