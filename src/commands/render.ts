import { type CycleReport, stoppedText } from '../cycle/report.ts'
import { planJson } from '../render/json.ts'
import { planMarkdown } from '../render/markdown.ts'
import { plansText } from '../render/text.ts'
import type { FailedView, View } from '../render/view.ts'
import { hasColours } from './colour.ts'
import type { Call, Terminal } from './command.ts'
import { failure } from './errorReport.ts'
import type { formats } from './options.ts'

type Format = (typeof formats)[number]

/**
 * A report in the given format, with a line break at the end.
 *
 * @param goesOn the command plans again by itself after this report
 */
export function renderReport(
  report: CycleReport,
  format: Format,
  terminal: Terminal,
  values: Call['values'],
  nowMs: number,
  goesOn = false,
): string {
  const views = shownViews(report, terminal, nowMs, goesOn)
  switch (format) {
    case 'text':
      return `${plansText(views, { colour: hasColours(terminal.env, terminal.isTerminal.out, values), width: terminal.columns, all: values.all === true })}\n`
    case 'json':
      return `${planJson(views)}\n`
    case 'markdown':
      return `${planMarkdown(views, { all: values.all === true })}\n`
    default:
      return format satisfies never
  }
}

/** The views without secrets. */
export const shownViews = (report: CycleReport, { secrets }: Pick<Terminal, 'secrets'>, nowMs: number, goesOn = false) =>
  viewsOf(report, nowMs, goesOn).map((view) => withoutSecrets(view, secrets.scrub))

/** A rendering cuts and wraps long errors, after which a secret in them could not be found. */
function withoutSecrets(view: View | FailedView, scrub: (text: string) => string): View | FailedView {
  if (!('failed' in view)) return view
  return { ...view, failed: scrub(view.failed), ...(view.cure === undefined ? {} : { cure: scrub(view.cure) }) }
}

/** The view of each workspace, from which all formats are rendered. */
export function viewsOf(
  { workspaces, declaration, directories }: CycleReport,
  nowMs: number,
  goesOn = false,
): readonly (View | FailedView)[] {
  return workspaces.map((one) => {
    const { about } = one
    if (one.kind === 'failed') return { about, ...failure(one.error) }
    if (one.kind === 'stopped') return { about, failed: stoppedText }
    const view = { about, declaration, directories, verdict: one.verdict, nowMs, ...(goesOn ? { goesOn } : {}) }
    if (one.kind === 'moved') return { ...view, moved: true }
    return one.applied === undefined ? view : { ...view, applied: one.applied }
  })
}
